#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "ntune/core/clock.h"
#include "ntune/facts/story.h"
#include "ntune/facts/verify_text.h"
#include "ntune/report/data/counted_evaluations.h"
#include "ntune/report/data/run_log.h"
#include "ntune/study/journal/extension.h"
#include "ntune/study/journal/journal_reader.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// What there is to say of a study that may be running.
struct StudyStatus {
  /// Stopped: no process works on the folder, and it holds no result. Silent: one may.
  enum class State { kDone, kInterrupted, kRunning, kSilent, kStopped } state = State::kSilent;
  std::int64_t evaluations = 0;
  std::int64_t total_evaluations =
      0;  ///< at most; of a study that is done: what was planned; 0: limits alone say
  Limits limits = {};
  std::optional<double> seconds_used = {};  ///< of a limit of time
  double cost_used = 0.0;                   ///< as the evaluations reported it
  std::int64_t cut_off = 0;                 ///< evaluations
  std::int64_t failures = 0;
  std::int64_t runs = 0;  ///< finished
  std::int64_t total_runs = 0;
  std::optional<double> rate = {};  ///< evaluations a second, by the journal's own times
  double silent = 0.0;              ///< seconds since the journal was written to
  std::string comparison =
      {};                  ///< "5 optimisers on 3 objectives", which recommends nothing; or empty
  std::string front = {};  ///< of several goals, of a study that is done: what it has found
  std::string recommendation = {};      ///< of the run that is furthest; empty: not known
  Json parameters = {};                 ///< the same by the names of the parameters
  std::optional<double> estimate = {};  ///< of the recommendation, by the run's model
  std::optional<double> value = {};     ///< by the hold-out, of a study that is done
  /// Games of the recommended point: of the hold-out once the study is done, else all so far.
  GameCounts games = {};
  std::optional<SavedElo> elo = {};       ///< of these, once the study is done
  std::int64_t all_games = 0;             ///< of all evaluations
  std::int64_t forfeits = 0;              ///< of them, those that were lost by a fault
  std::optional<Interval> interval = {};  ///< of the value
  std::int64_t run = 0;  ///< the run that recommends the point, once the study is done
  Json chosen = {};      ///< of several goals, within limits: chosen_json
  Json verdict = {};     ///< with its setting, as in result.json; once the study is done
  /// What the run that recommends the point thought its best setting to be worth, oldest first; at
  /// most 40 numbers.
  std::vector<double> course = {};
  std::optional<Story> story = {};  ///< of a study that has ended and recommends a setting
  /// A test by `ntune verify` of what is recommended, which goes on now.
  std::optional<SavedVerification> test = {};
  std::string fault = {};         ///< of result.json, where it is none: fault_of_result
  std::string last_failure = {};  ///< "exit status 1, no memory (threads = 8, mode = fast)"

  /// Seconds until the study's end at its rate; nothing where it does not run or nothing says.
  [[nodiscard]] std::optional<double> seconds_left() const;
  /// The share of the study that is done: 1 at its end, also where it took less than was planned.
  [[nodiscard]] double share() const;
};

/// Whether a folder has a result without a journal, as `ntune merge` writes it.
bool has_result_alone(const std::filesystem::path& folder);

/// Follows a study's folder by reading alone: no lock, no more than what is new each time.
class StudyWatch {
 public:
  /// Throws InputError for a folder without a journal and a result.
  explicit StudyWatch(const std::filesystem::path& folder);

  /// Reads what is new.
  StudyStatus look();
  [[nodiscard]] const std::string& title() const { return title_; }
  [[nodiscard]] const Study& study() const { return study_; }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  using RunName = std::tuple<std::uint32_t, std::int64_t, std::int64_t>;

  /// What a run recommends by now.
  struct Leader {
    Checkpoint checkpoint = {};
    std::uint32_t cell = 0;
    std::vector<double> course = {};
  };

  void begin(const Json& config);
  void begin_anew();
  void release(std::uintmax_t size);
  [[nodiscard]] std::uintmax_t size_of_journal() const;
  void count_totals();
  void count(const EvaluationKey& key, const CountedEvaluations::Count& made);
  void show_counts();
  [[nodiscard]] StudyStatus::State state_without_result(const StudyStatus& status) const;
  bool read_news();
  void take(const JournalLine& line);
  void take_search(const JournalLine& line);
  void end_run(const RunName& name);
  void take_run(const JournalLine& line);
  void take_time(const JournalLine& line);
  [[nodiscard]] std::optional<Leader> leader();
  [[nodiscard]] bool is_told_enough(const RunName& run, std::size_t evaluations) const;
  void recommend(StudyStatus& status) const;
  bool read_result(StudyStatus& status);
  void read_result_file();

  /// Read from the journal so far; all of it begins anew when the study has been given more.
  struct Seen {
    StudyStatus status = {};
    std::optional<JournalLine::Time> first_time = {};
    std::optional<JournalLine::Time> last_time = {};
    double paused = 0.0;              ///< seconds between them in which nothing was evaluated
    CountedEvaluations counted = {};  ///< evaluations, or whole runs
    std::shared_ptr<OfferedObservations> offered = std::make_shared<OfferedObservations>();
    std::size_t stage = 0;                  ///< how often the study had been given more here
    std::int64_t handed_out = 0;            ///< evaluations that a program has asked for
    std::map<RunName, RunLog> active = {};  ///< runs that have not ended
    /// Those that have. After `--retry-failed` a run ends again.
    std::set<RunName> ended = {};
    std::unordered_map<Point, GameCounts> games = {};
    std::optional<Leader> best = {};    ///< of the finished runs, by their models
    std::optional<Leader> leader = {};  ///< of all runs at the last look
    bool has_news = false;              ///< evaluations that the leader does not know
    /// The run that was told again last, its evaluations then, how long that took, and when.
    struct Told {
      RunName run = {};
      std::size_t evaluations = 0;
      double seconds = 0.0;
      Clock::time_point end = {};
    } told = {};
    /// Size and time of result.json when it was read.
    std::pair<std::uintmax_t, std::filesystem::file_time_type> result_version = {};
    std::string result_fault = {};           ///< where it is no whole result
    std::optional<SavedResult> result = {};  ///< what it says of this study
    std::optional<Story> story = {};         ///< of that
    std::uintmax_t size = 0;                 ///< bytes of the journal at the last look
    /// Bytes of the journal when what is not shown was let go of.
    std::optional<std::uintmax_t> released = {};
  };

  std::filesystem::path folder_;
  bool is_alone_;     ///< the folder has a result alone
  std::string name_;  ///< of the journal, or of the result
  std::string title_;
  Json config_;  ///< of the study, as the journal names it last
  Study study_;
  std::optional<LinePlacer> placer_;
  std::optional<JournalTail> tail_;  ///< nothing where there is a result alone
  Seen seen_;
};

}  // namespace ntune
