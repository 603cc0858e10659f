#include "ntune/study/followup/tabulate.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/catalogue/objectives.h"
#include "ntune/core/clock.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/recorded/observation_table.h"
#include "ntune/study/evaluation/evaluation.h"

namespace ntune {

namespace {

constexpr double kMostPoints = 0x1p20;

/// A point and its observations.
struct Row {
  Point point;
  Observed observed;
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
               fmt::format("seed: {}", study.seed)} {
    list_points();
    ensure_writable_folder(file_.has_parent_path() ? file_.parent_path() : ".");
    std::error_code error;
    if (std::filesystem::exists(file_, error)) read_existing();
    for (const Row& row : rows_) progress_.total += missing(row);
  }

  Tabulation run(Parallel& parallel) {
    const auto fewest = 32 * static_cast<std::size_t>(parallel.threads());
    std::vector<Task> tasks;
    for (std::size_t i = 0; i < rows_.size() && !progress_.stop; ++i) {
      const std::int64_t begin = count(rows_[i]);
      for (std::int64_t n = 0; n < missing(rows_[i]); ++n) {
        tasks.push_back({.row = i, .index = begin + n});
      }
      if (tasks.size() < fewest && i + 1 < rows_.size()) continue;
      carry_out_all(tasks, parallel);
      tasks.clear();
      if (Clock::now() - saved_ > std::chrono::seconds(30)) save();
    }
    save();
    return result();
  }

 private:
  void list_points() {
    const SearchSpace& space = objective_.space();
    if (space.size().points > kMostPoints) {
      throw InputError(fmt::format("the space has {} points, a table may have {}",
                                   count_text(space.size().points), count_text(kMostPoints)));
    }
    space.for_each_point([&](const Point& point) {
      rows_.push_back({.point = point, .observed = {}});
      return true;
    });
  }

  /// Takes the observations that the file holds.
  void read_existing() {
    const ObservationTable table = ObservationTable::read(file_);
    const std::string name = path_text(file_);
    for (const std::string& mark : marks_) {
      const auto says_it = [&](const std::string& comment) {
        return comment == mark || completed(comment) == mark;
      };
      if (std::ranges::any_of(table.comments(), says_it)) continue;
      throw InputError(fmt::format("{}: does not say '# {}'; another file is needed", name,
                                   printable(mark, 1000)));
    }
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

  void carry_out_all(std::vector<Task>& tasks, Parallel& parallel) {
    try {
      parallel.for_each(tasks.size(), [&](std::size_t i) {
        if (!progress_.stop) carry_out_one(tasks[i]);
      });
    } catch (const EvaluationError&) {
      keep_complete(tasks);
      save();
      throw;
    }
    keep_complete(tasks);
  }

  void carry_out_one(Task& task) const {
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
    if (progress_.stop && !outcome.failure.empty()) return;
    if (!outcome.failure.empty()) {
      throw EvaluationError(failure_text(objective_, point, nullptr, outcome.failure));
    }
    task.payoffs = std::move(outcome.observations);
    if (task.payoffs.empty()) task.payoffs = {outcome.payoff};
    ++progress_.done;
  }

  /// Adds the observations of the points of which all evaluations were made; tasks of one point
  /// stand together.
  void keep_complete(const std::vector<Task>& tasks) {
    for (auto from = tasks.begin(); from != tasks.end();) {
      const auto to =
          std::find_if(from, tasks.end(), [&](const Task& task) { return task.row != from->row; });
      if (std::all_of(from, to, [](const Task& task) { return !task.payoffs.empty(); })) {
        Observed& observed = rows_[from->row].observed;
        for (; from != to; ++from) {
          for (const double payoff : from->payoffs) observed.push_back({.value = payoff});
        }
        tidy(observed);
      }
      from = to;
    }
  }

  void save() {
    const SearchSpace& space = objective_.space();
    std::string text = "# Payoffs recorded by ntune tabulate, for objective: {table: FILE}\n";
    for (const std::string& mark : marks_) text += "# " + mark + '\n';
    text += observation_header(space);
    const std::size_t head = text.size();
    for (const Row& row : rows_) {
      if (!row.observed.empty()) text += observation_line(space, row.point, row.observed);
    }
    if (text.size() > head) write_file_atomically(file_, text);
    saved_ = Clock::now();
  }

  [[nodiscard]] Tabulation result() const {
    Tabulation tabulation{.all_points = static_cast<std::int64_t>(rows_.size())};
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
  Clock::time_point saved_ = Clock::now();
};

}  // namespace

Tabulation tabulate(const Study& study, std::int64_t times, const std::filesystem::path& file,
                    Progress& progress, Parallel& parallel) {
  if (study.objectives.size() != 1) {
    throw InputError("a table needs a study of one objective, there are several");
  }
  return Tabulator(study, times, file, progress).run(parallel);
}

}  // namespace ntune
