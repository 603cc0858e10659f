#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/core/rng.h"
#include "ntune/study/journal/recorded_study.h"
#include "ntune/study/model/evaluation.h"

namespace ntune {

/// A finished evaluation or run, or payoffs that nobody asked for.
struct RecordedTrial {
  /// Whether nobody asked for it: its line names the evaluation that was asked for next.
  [[nodiscard]] bool is_offered() const;
  /// Its stage by name: "offered" where nobody asked for it.
  [[nodiscard]] const char* stage() const;

  const JournalLine* line = nullptr;
  std::size_t objective = 0;
  Point point = {};
  /// Of a match whose players the search chooses: the opponent, also of fresh evaluations.
  std::optional<Point> opponent = {};
  std::optional<double> value = {};    ///< in the reported unit; nothing where it failed
  std::string start = {};              ///< local time, empty where it is not known
  std::string complete = {};           ///< local time, likewise
  std::optional<double> seconds = {};  ///< of what was not handed out
};

/// The stream of random numbers of an evaluation of a search, or of a fresh one; of a comparison of
/// candidates it depends on what is not recorded.
std::optional<Rng> stream_of(const Study& study, const JournalLine& line);

/// What a line says that ends an evaluation or a run; nothing for other lines.
std::optional<RecordedTrial> trial_of_line(const Study& study, const JournalLine& line);

/// The values of all goals of an evaluation, in their units; empty where it failed, or of one goal.
std::vector<double> goal_values(const Study& study, const RecordedTrial& trial);

/// The instance that it was of; nullptr: of none.
const Instance* instance_of(const Study& study, const RecordedTrial& trial);

/// Calls visit for every finished evaluation (or run, by the study's `record`) in order of the
/// journal, and for what nobody asked for. An evaluation that was made again after a failure is
/// visited once, with its last result.
void for_each_trial(const RecordedStudy& recorded,
                    const std::function<void(const RecordedTrial&)>& visit);

/// True if an evaluation in the journal counts games.
bool has_games(const RecordedStudy& recorded);

/// All evaluations of a point together.
struct RecordedPoint {
  std::size_t objective = 0;
  Point point = {};
  RunningStats payoffs = {};            ///< failed evaluations as the study's `fail` counts them
  GameCounts games = {};                ///< counts, where its evaluations were games
  std::int64_t failures = 0;            ///< evaluations that failed
  std::array<std::int64_t, 3> spent{};  ///< evaluations by stage, failed ones included; asked for
  std::string start = {};               ///< start of the first evaluation
  std::string complete = {};            ///< end of the last evaluation
};

/// The distinct points with at least so many payoffs (1: also those that always failed), in order
/// of their first evaluation. Throws InputError where the journal holds runs.
std::vector<RecordedPoint> recorded_points(const RecordedStudy& recorded, std::int64_t at_least);

/// Payoffs of the point with the best mean, of the noisy objective where they are fewest.
std::optional<std::int64_t> evaluations_of_best(const Study& study,
                                                const std::vector<RecordedPoint>& points);

/// A payoff's mean, standard error and interval in the reported unit; the last two are empty where
/// the sample is too small to tell.
struct PointValue {
  double mean = 0.0;
  std::optional<double> sd = {};
  std::optional<double> standard_error = {};
  std::optional<Interval> interval = {};
};
PointValue value_of(const Study& study, const RecordedPoint& point);

/// What evaluations have reported by name beside their values: `recorded.jsonl` in the folder of a
/// study, a line for each evaluation that has names. The package for Python writes it.
class ReportedNames {
 public:
  /// None where the folder has no such file.
  explicit ReportedNames(const std::filesystem::path& folder);

  /// Reads whole lines that are new. A line that was torn as its process died is passed over.
  void read_news();
  /// All names, in the order in which they came.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// What the evaluation has reported, an object; null where that is nothing.
  [[nodiscard]] const Json& of(const RecordedTrial& trial) const;

 private:
  struct KeyHash {
    std::size_t operator()(const EvaluationKey& key) const noexcept { return key.hash(); }
  };

  void take(std::string_view line);

  std::filesystem::path file_;
  std::uintmax_t read_ = 0;  ///< bytes of it
  std::vector<std::string> names_;
  std::unordered_map<EvaluationKey, Json, KeyHash> reported_;
};

}  // namespace ntune
