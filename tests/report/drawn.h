#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ntune/report/data/report_data.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/results/result_files.h"
#include "ntune/study/results/summary.h"
#include "ntune/study/run_study.h"
#include "support/temporary_folder.h"

namespace ntune::test {

/// A study that was carried out with its journal, as a page reads it.
struct DrawnStudy {
  explicit DrawnStudy(const std::string& yaml, const ReportOptions& options = {}) {
    const Study study = read_study(parse_yaml(yaml));
    {
      StudyProgress progress;
      Journal journal(folder.path(), study, Journal::Open::kNew);  // whole once it is closed
      result = run_study(study, progress, &journal);
      write_result(folder.path(), study, result, summarise(study, result));
    }
    data.emplace(read_report(folder.path(), options));
  }

  TemporaryFolder folder;
  StudyResult result;
  std::optional<ReportData> data;
};

inline constexpr const char* kSingle =
    "{objective: {function: hartmann3, noise: win_loss}, runs: 4, iterations: 100, hold_out: 60, "
    "seed: 1, record: evaluations}";
inline constexpr const char* kToday =
    "{objective: {command: [sh, -c, 'echo $(( $1 * 7 + $2 % 3 + $3 ))', sh, '{a}', '{seed}', "
    "'{instance}'], result: {cost: number}}, space: {a: {integers: [1, 6], default: 4}}, "
    "instances: [1, 20, 40], optimiser: grid, runs: 2, iterations: 24, hold_out: 9, seed: 1}";
inline constexpr const char* kCells =
    "{objectives: [{function: branin}, {function: hartmann3}], optimisers: [random, ntbea, rmhc], "
    "runs: 6, iterations: 40, seed: 1}";

/// The point of these places in the values of its parameters.
inline Point point_at(const std::vector<std::uint16_t>& places) { return Point(places); }

/// Each study is carried out once for all tests.
inline const ReportData& drawn(const char* yaml) {
  static std::map<std::string, std::unique_ptr<DrawnStudy>> studies;
  std::unique_ptr<DrawnStudy>& study = studies[yaml];
  if (!study) study = std::make_unique<DrawnStudy>(yaml);
  return *study->data;
}

}  // namespace ntune::test
