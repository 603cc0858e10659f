#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ntune/core/yaml.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/results/saved_result.h"
#include "ntune/study/run_study.h"

namespace ntune::test {

/// The text with one blank for each run of blanks and line ends: however it was wrapped.
inline std::string on_one_line(const std::string& text) {
  std::string whole;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank || whole.empty() || whole.back() != ' ') whole += blank ? ' ' : c;
  }
  return whole;
}

/// A study that was carried out.
struct MadeStudy {
  Study study;
  StudyResult result;

  explicit MadeStudy(const std::string& yaml) : study(read_study(parse_yaml(yaml))) {
    StudyProgress progress;
    result = run_study(study, progress);
  }
  [[nodiscard]] std::vector<CellSummary> summaries() const { return summarise(study, result); }
  [[nodiscard]] SavedResult saved() const { return saved_result(study, result, summaries()); }
};

/// A study of a shell's program with one parameter: $1 is it, $2 the seed, $3 the opponent's or the
/// instance.
inline std::string shell_study(const std::string& script, const std::string& more,
                               const std::string& third = "") {
  return "{objective: {command: [sh, -c, '" + script + "', sh, '{a}', '{seed}'" +
         (third.empty() ? "" : ", '" + third + "'") +
         "], direction: minimise}, space: {a: {integers: [1, 6], default: 4}}, seed: 1, " + more +
         "}";
}

/// A study of each kind, by its name.
inline std::vector<std::pair<std::string, std::string>> studies_of_each_kind() {
  const std::string noisy = "echo $(( $1 * $1 + $2 % 5 ))";
  const std::string failing = "test $(( ($1 + $2) % 3 )) -ne 0 || exit 3; " + noisy;
  const std::string letters =
      "for i in 1 2 3 4; do test $(( ($2 / i + $1) % 3 )) -eq 0 && echo L || echo W; done";
  const std::string games =
      ", result: letters}, space: {a: {integers: [1, 6], default: 2}}, seed: 2";
  return {
      {"function",
       "{objective: {function: hartmann3, noise: win_loss}, runs: 3, iterations: 60, "
       "hold_out: 20, seed: 1}"},
      {"exact",
       "{objective: {function: hartmann3, noise: none}, runs: 2, iterations: 40, "
       "hold_out: 0}"},
      {"games", "{objective: {command: [sh, -c, '" + letters + "', sh, '{a}', '{seed}']" + games +
                    ", budget: 60, hold_out: 15}"},
      {"games without a hold-out",
       "{objective: {command: [sh, -c, '" + letters + "', sh, '{a}', '{seed}']" + games +
           ", runs: 2, iterations: 10, re_evaluation: 12, hold_out: 0}"},
      {"duels", "{objective: {match: {command: [sh, -c, '" + letters +
                    "', sh, '{a}', '{seed}', '{opponent.a}']" + games.substr(0, 18) + "}" +
                    games.substr(18) + ", budget: 60, hold_out: 15}"},
      {"costs", shell_study(noisy, "budget: 50, hold_out: 10")},
      {"failures", shell_study(failing, "budget: 60, hold_out: 15, fail: skip")},
      {"penalties", shell_study(failing, "budget: 60, hold_out: 15, fail: {value: 50}")},
      {"a default that fails",
       shell_study("test $1 -ne 4 || exit 4; " + noisy, "budget: 50, hold_out: 10, fail: skip")},
      {"a default that wins",
       shell_study("echo $(( ($1 - 4) * ($1 - 4) + $2 % 2 ))", "budget: 50, hold_out: 10")},
      {"instances",
       shell_study("test $3 != i4 -o $(( $2 % 4 )) -ne 0 || exit 1; echo $(( $1 + $2 % 5 + 1$3 ))",
                   "instances: [2, 4, 6], test_instances: [3, 5], budget: 80, hold_out: 12, "
                   "fail: skip",
                   "{instance}")},
      {"an aggregate",
       shell_study("echo $(( $1 * $3 + $2 % 5 + 1 ))",
                   "instances: [2, 40, 600], budget: 60, hold_out: 12, aggregate: geometric_mean",
                   "{instance}")},
      {"a comparison",
       "{objectives: [hartmann3, {function: branin, noise: {gaussian: 0.1}}], optimisers: [ntbea, "
       "random], iterations: [20, 40], runs: 3, seed: 1}"},
      {"repeats",
       "{objective: {function: hartmann3, noise: {gaussian: 0.2}}, budget: 100, splits: "
       "[1 x 50, 3 x 20], repeats: 2, optimiser: ntbea, seed: 4}"},
  };
}

}  // namespace ntune::test
