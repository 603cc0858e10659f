#include "ntune/report/data/evaluation_sample.h"

#include "ntune/core/hash.h"

namespace ntune {

std::uint64_t code_of(const SearchEvaluation& evaluation) {
  std::uint64_t code = fnv_step(kFnvBegin, evaluation.cell);
  for (const std::int64_t part : {evaluation.repeat, evaluation.run, evaluation.index}) {
    code = fnv_step(code, static_cast<std::uint64_t>(part));
  }
  return mix64(code);
}

void EvaluationSample::add(const SearchEvaluation& evaluation) {
  ++of_;
  // The payoffs of one call share a code: they stay or go together.
  add_to_sample(
      kept_, every_, most_, evaluation,
      [](const SearchEvaluation& one, std::uint64_t every) { return code_of(one) % every == 0; });
}

}  // namespace ntune
