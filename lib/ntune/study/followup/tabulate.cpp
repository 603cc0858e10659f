#include "ntune/study/followup/tabulate.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/catalogue/objectives.h"
#include "ntune/core/append_file.h"
#include "ntune/core/descriptor.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/folder_lock.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/recorded/observation_table.h"
#include "ntune/study/evaluation/carry_out.h"
#include "ntune/study/model/goal_front.h"

namespace ntune {

namespace {

constexpr double kMostPoints = 0x1p20;
constexpr std::uintmax_t kLargestTable = 4'000'000'000;

/// A point and its observations.
struct Row {
  Point point;
  Observed observed;
  bool failed = false;  ///< an evaluation has failed: the rest of the point is left out
  /// Its tasks: the first that is not in `observed`, the end, and how many have been made.
  std::size_t next = 0;
  std::size_t end = 0;
  std::size_t made = 0;
};

/// An evaluation to be made.
struct Task {
  std::size_t row = 0;
  std::int64_t index = 0;  ///< among the observations of its point
  std::vector<double> payoffs = {};
};

/// What a comment says of an objective, with the defaults of options that its version did not have.
std::string completed(const std::string& comment) {
  constexpr std::string_view kObjective = "objective: ";
  if (!comment.starts_with(kObjective)) return comment;
  try {
    const YamlNode node = parse_yaml(comment.substr(kObjective.size()));
    return std::string(kObjective) + to_yaml(find_objective(node).resolved(node));
  } catch (const InputError&) {
    return comment;
  }
}

/// Fills a table, point by point, in parallel.
class Tabulator {
 public:
  Tabulator(const Study& study, std::int64_t times, std::filesystem::path file, Progress& progress)
      : objective_(*study.objectives.front().objective),
        instances_(study.instances.train),
        stream_(Rng(study.seed).stream("tabulate")),
        times_(times),
        file_(std::move(file)),
        progress_(progress),
        marks_{"objective: " + to_yaml(study.objectives.front().options),
               fmt::format("seed: {}", study.seed)},
        on_failure_(study.execution.on_failure) {
    // The file is locked before it is read: another process may be filling it.
    list_points();
    ensure_writable_folder(file_.has_parent_path() ? file_.parent_path() : ".");
    std::error_code error;
    const bool is_there = std::filesystem::exists(file_, error);
    if (is_there && !std::filesystem::is_regular_file(file_, error)) {
      throw InputError(fmt::format("{}: is no regular file, one is needed", path_text(file_)));
    }
    lock_ = lock_file(file_);
    if (is_there) read_existing();
    for (const Row& row : rows_) progress_.total += missing(row);
  }

  Tabulation run(Parallel& parallel) {
    const auto fewest = 32 * static_cast<std::size_t>(parallel.threads());
    open_lines();
    // Tasks of several points are carried out together, so that all threads have some.
    std::vector<Task> tasks;
    for (std::size_t i = 0; i < rows_.size() && !progress_.stop; ++i) {
      const std::int64_t begin = count(rows_[i]);
      rows_[i].next = tasks.size();
      for (std::int64_t n = 0; n < missing(rows_[i]); ++n) {
        tasks.push_back({.row = i, .index = begin + n});
      }
      rows_[i].end = tasks.size();
      if (tasks.size() < fewest && i + 1 < rows_.size()) continue;
      carry_out_all(tasks, parallel);
      tasks.clear();
    }
    lines_.reset();
    save();
    return result();
  }

 private:
  /// Makes a row for each point that the space allows.
  void list_points() {
    const SearchSpace& space = objective_.space();
    if (space.size().points > kMostPoints) {
      throw InputError(fmt::format("the space has {} points, a table may have {}",
                                   count_text(space.size().points), count_text(kMostPoints)));
    }
    // What a table cannot hold is said before anything is evaluated.
    observation_header(space);
    space.for_each_point([&](const Point& point) {
      observation_line(space, point, {});
      rows_.push_back({.point = point, .observed = {}});
      return true;
    });
  }

  /// Takes the observations that the file holds. A power cut may have torn its last line.
  void read_existing() {
    const std::string name = path_text(file_);
    std::string text = read_file(file_, kLargestTable);
    if (const std::size_t end = text.rfind('\n'); end != std::string::npos) {
      text.resize(end + 1);
    } else if (!head().starts_with(text)) {
      throw InputError(fmt::format("{}: is no table of ntune; another file is needed", name));
    } else {
      text.clear();
    }
    // A table that has no row yet, or was torn in its head, begins anew.
    if (head().starts_with(text)) return;
    const ObservationTable table = ObservationTable::parse(text, name);
    size_ = text.size();
    for (const std::string& mark : marks_) {
      const auto says_it = [&](const std::string& comment) {
        return comment == mark || completed(comment) == mark;
      };
      if (std::ranges::any_of(table.comments(), says_it)) continue;
      throw InputError(fmt::format("{}: does not say '# {}'; another file is needed", name,
                                   printable(mark, 1000)));
    }
    // Every row must be a point of the space.
    std::size_t known = 0;
    try {
      const TableIndex index(table, objective_.space());
      for (Row& row : rows_) {
        const Observed* observed = index.find(row.point);
        if (observed == nullptr) continue;
        row.observed = *observed;
        ++known;
      }
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", name, error.what()));
    }
    if (known < table.points()) {
      throw InputError(fmt::format("{}: holds points that the space does not have", name));
    }
  }

  [[nodiscard]] static std::int64_t count(const Row& row) {
    return static_cast<std::int64_t>(count_of(row.observed));
  }
  [[nodiscard]] std::int64_t missing(const Row& row) const {
    return std::max<std::int64_t>(0, times_ - count(row));
  }

  /// Opens the file for the lines that are appended until the table is written in order.
  void open_lines() {
    lines_ = std::make_unique<AppendFile>(file_, size_);
    if (size_ == 0) lines_->append(head());
  }

  void carry_out_all(std::vector<Task>& tasks, Parallel& parallel) {
    parallel.for_each(tasks.size(), [&](std::size_t i) {
      if (progress_.stop || has_failed(tasks[i])) return;
      std::vector<double> payoffs = carry_out_one(tasks[i]);
      if (!payoffs.empty()) keep(tasks, i, std::move(payoffs));
    });
  }

  /// The payoffs; none where it was stopped or has failed.
  std::vector<double> carry_out_one(const Task& task) {
    const Point& point = rows_[task.row].point;
    // The stream is named by the point's values, so that other points of the space change nothing.
    const Rng stream =
        stream_.stream(Purpose(std::string_view(objective_.space().text(point))), task.index);
    const EvaluationId id{.run = static_cast<std::int64_t>(task.row),
                          .evaluation = task.index,
                          .instance = instances_.at(stream_.stream("instances"),
                                                    static_cast<std::size_t>(task.index)),
                          .stop = &progress_.stop};
    Outcome outcome = carry_out(objective_, point, stream, id);
    if (progress_.stop && !outcome.failure.empty()) return {};
    if (!outcome.failure.empty()) return after_failure(task, std::move(outcome));
    if (outcome.observations.empty()) return {outcome.payoff};
    return std::move(outcome.observations);
  }

  /// What a failure leads to by the study's rule: it ends the table, or this point, or counts with
  /// a value.
  std::vector<double> after_failure(const Task& task, Outcome outcome) {
    const std::string text =
        failure_text(objective_, rows_[task.row].point, nullptr, outcome.failure);
    if (on_failure_.kind == FailurePolicy::Kind::kAbort) throw EvaluationError(text);
    const Evaluated evaluated = rate(on_failure_, objective_.unit(), std::move(outcome));
    if (!evaluated.skipped) return {evaluated.payoff};
    const std::lock_guard lock(mutex_);
    rows_[task.row].failed = true;
    ++failures_;
    last_failure_ = text;
    return {};
  }

  [[nodiscard]] bool has_failed(const Task& task) {
    const std::lock_guard lock(mutex_);
    return rows_[task.row].failed;
  }

  /// Adds the observations of a point in the order of their streams, as soon as all before them are
  /// there: how many are there names the next.
  void keep(std::vector<Task>& tasks, std::size_t place, std::vector<double> payoffs) {
    const std::lock_guard lock(mutex_);
    tasks[place].payoffs = std::move(payoffs);
    ++progress_.done;
    Row& row = rows_[tasks[place].row];
    ++row.made;
    // Of calls with several payoffs the number of payoffs does not tell how many there were.
    const std::size_t missing = row.end - row.next;
    if (objective_.payoffs().several && row.made < missing) return;
    Observed added;
    for (; row.next < row.end && !tasks[row.next].payoffs.empty(); ++row.next) {
      for (const double payoff : tasks[row.next].payoffs) added.push_back({.value = payoff});
    }
    if (added.empty()) return;
    row.observed.insert(row.observed.end(), added.begin(), added.end());
    if (row.next == row.end) tidy(row.observed);
    tidy(added);
    lines_->append(observation_line(objective_.space(), row.point, added));
  }

  [[nodiscard]] std::string head() const {
    std::string text = "# Payoffs recorded by ntune tabulate, for objective: {table: FILE}\n";
    for (const std::string& mark : marks_) text += "# " + mark + '\n';
    return text + observation_header(objective_.space());
  }

  /// Writes the table in the order of its points, each in one line.
  void save() {
    std::string text = head();
    for (Row& row : rows_) {
      tidy(row.observed);
      if (!row.observed.empty())
        text += observation_line(objective_.space(), row.point, row.observed);
    }
    write_file_atomically(file_, text);
  }

  /// How far the table is filled.
  [[nodiscard]] Tabulation result() const {
    Tabulation tabulation{.all_points = static_cast<std::int64_t>(rows_.size()),
                          .failures = failures_,
                          .last_failure = last_failure_};
    for (const Row& row : rows_) {
      tabulation.observations += count(row);
      if (missing(row) == 0) ++tabulation.points;
    }
    tabulation.finished = tabulation.points == tabulation.all_points;
    return tabulation;
  }

  const Objective& objective_;
  const InstanceList& instances_;
  Rng stream_;
  std::int64_t times_;
  std::filesystem::path file_;
  Progress& progress_;
  std::vector<std::string> marks_;  ///< comments by which the file is known again
  std::vector<Row> rows_;
  FailurePolicy on_failure_;
  Descriptor lock_;         ///< on the file, until it is replaced by the table in order
  std::uint64_t size_ = 0;  ///< of the whole lines that the file held
  std::mutex mutex_;        ///< of what threads keep: rows, failures
  std::int64_t failures_ = 0;
  std::string last_failure_;
  std::unique_ptr<AppendFile> lines_;
};

}  // namespace

Tabulation tabulate(const Study& study, std::int64_t times, const std::filesystem::path& file,
                    Progress& progress, Parallel& parallel) {
  if (study.objectives.size() != 1) {
    throw InputError("a table needs a study of one objective, there are several");
  }
  refuse_goals(study, "a table");
  return Tabulator(study, times, file, progress).run(parallel);
}

}  // namespace ntune
