// What recording, resuming and serving add to an evaluation that costs nothing.
//   study_overhead [EVALUATIONS] [--optimiser NAME]
// Each figure's work is checked against the plain run before it is printed.

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <sstream>
#include <streambuf>
#include <string>

#include <fmt/format.h>

#include "benchmarks/programs/experiment.h"
#include "ntune/core/clock.h"
#include "ntune/core/json.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/results/result_csv.h"
#include "ntune/study/run_study.h"
#include "ntune/study/serve/serve.h"

namespace {

namespace fs = std::filesystem;

ntune::Study make_study(std::int64_t evaluations, const std::string& optimiser, const char* more) {
  return ntune::read_study(ntune::parse_yaml(
      fmt::format("{{objective: {{function: hartmann6, noise: none}}, runs: 1, iterations: {}, "
                  "optimiser: {}, hold_out: 0, threads: 1{}}}",
                  evaluations, optimiser, more)));
}

std::string files_of(const ntune::Study& study, const ntune::StudyResult& result) {
  return ntune::runs_csv(study, result);
}

double seconds_of(const std::function<void()>& work) {
  const ntune::Clock::time_point start = ntune::Clock::now();
  work();
  return ntune::seconds_since(start);
}

void check(bool same, const char* what) {
  if (same) return;
  std::cerr << what << ": the result differs from the plain run's\n";
  std::exit(1);
}

/// A client that asks and tells at once, and tells the true value.
class Client final : public std::streambuf {
 public:
  explicit Client(const ntune::Study& study) : study_(study) {}
  std::ostringstream out;

 private:
  int_type underflow() override {
    const std::string answer = out.str();
    out.str("");
    line_ = R"({"op":"ask"})";
    if (answer.starts_with("{\"id\"")) {
      const ntune::Json work = ntune::Json::parse(answer);
      ntune::Point point(study_.objectives[0].objective->space().dimensions());
      int i = 0;
      for (const auto& value : work["params"]) {
        point[i++] = static_cast<std::uint16_t>(value.get<double>() * 5.0 + 0.5);
      }
      line_ = fmt::format(R"({{"op":"tell","id":{},"value":{}}})", work["id"].get<int>(),
                          *true_value_of(*study_.objectives[0].objective, point));
    } else if (answer.starts_with("{\"done\"")) {
      line_ = R"({"op":"quit"})";
    }
    line_ += '\n';
    setg(line_.data(), line_.data(), line_.data() + line_.size());
    return traits_type::to_int_type(line_[0]);
  }

  const ntune::Study& study_;
  std::string line_;
};

void run(std::int64_t evaluations, const std::string& optimiser) {
  const auto micros = [&](double seconds) {
    return 1e6 * seconds / static_cast<double>(evaluations);
  };
  const fs::path folder = fs::temp_directory_path() / "ntune-study-overhead";
  fs::remove_all(folder);
  const ntune::Study plain = make_study(evaluations, optimiser, "");
  const ntune::Study recorded = make_study(evaluations, optimiser, ", record: evaluations");

  std::string expected;
  const double bare = seconds_of([&] {
    ntune::StudyProgress progress;
    expected = files_of(plain, ntune::run_study(plain, progress));
  });
  fmt::print("{} evaluations, 6 parameters, {}\n", evaluations, optimiser);
  fmt::print("plain run                {:8.2f} us each\n", micros(bare));

  const auto with_journal = [&](ntune::Journal::Open open) {
    return seconds_of([&] {
      ntune::Journal journal(folder, recorded, open);
      ntune::StudyProgress progress;
      check(files_of(recorded, ntune::run_study(recorded, progress, &journal)) == expected,
            "journal");
      journal.sync();
    });
  };
  const double written = with_journal(ntune::Journal::Open::kNew);
  fmt::print(
      "with a journal           {:8.2f} us each, {:.2f} us for the journal, {:.0f} bytes a line\n",
      micros(written), micros(written - bare),
      static_cast<double>(fs::file_size(folder / ntune::kJournalName)) /
          static_cast<double>(evaluations));
  const double resumed = with_journal(ntune::Journal::Open::kResume);
  fmt::print("resumed from it          {:8.2f} us each, {:.2f} s in all\n", micros(resumed),
             resumed);

  const double served = seconds_of([&] {
    Client client(plain);
    std::istream in(&client);
    check(files_of(plain, ntune::serve_study(plain, nullptr, in, client.out, {})) == expected,
          "serve");
  });
  fmt::print("served, client included  {:8.2f} us each\n", micros(served));
  fs::remove_all(folder);
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t evaluations = 100'000;
  CLI::App program("What recording, resuming and serving add to an evaluation that costs nothing");
  program.add_option("evaluations", evaluations, "of each study (default 100000)")
      ->check(CLI::PositiveNumber);
  std::string optimiser = "ntbea";
  program.add_option("--optimiser", optimiser, "of each study (default ntbea)");
  return ntune::run_experiment(program, argc, argv, [&] { run(evaluations, optimiser); });
}
