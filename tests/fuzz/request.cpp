#include <cstdlib>
#include <sstream>
#include <string>

#include "fuzz/fuzz.h"
#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/serve/serve.h"

/// Requests of a program that carries out the evaluations of a study: each line gets one answer.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ntune::Study kStudy = ntune::read_study(ntune::parse_yaml(
      "{objective: {ask_tell: bot}, space: {x: {integers: [0, 9]}, y: [a, b]}, instances: [easy, "
      "{map: lake, name: hard}], test_instances: [moor], runs: 1, iterations: 12, hold_out: 2, "
      "parallel_evaluations: 3}"));
  std::istringstream in{std::string(ntune::text_of(data, size))};
  std::ostringstream out;
  try {
    ntune::serve_study(kStudy, nullptr, in, out, {});
  } catch (const ntune::EvaluationError&) {  // the client has told of failures until none was left
  }
  std::istringstream answers(out.str());
  std::size_t count = 0;
  for (std::string line; std::getline(answers, line); ++count) {
    if (!ntune::Json::parse(line).is_object()) std::abort();
  }
  std::size_t requests = 0;
  std::istringstream lines{std::string(ntune::text_of(data, size))};
  for (std::string line; std::getline(lines, line);) requests += line.empty() ? 0U : 1U;
  if (count > requests) std::abort();
  return 0;
}
