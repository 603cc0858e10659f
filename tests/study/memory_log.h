#pragma once

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ntune/study/evaluation/study_log.h"

namespace ntune::test {

/// A log in memory: keeps what comes in the order in which it comes, and gives back what it has
/// been taught.
class MemoryLog final : public StudyLog {
 public:
  struct Entry {
    EvaluationKey key;
    Point point;
    Outcome outcome;
  };
  struct Run {
    std::uint32_t cell = 0;
    RunRecord record;
  };

  std::vector<Entry> entries;
  std::vector<Run> runs;

  /// Evaluations that `find` knows from now on; the last one of a key counts.
  void teach(const std::vector<Entry>& known) {
    for (const Entry& entry : known) known_.insert_or_assign(entry.key, entry);
  }
  void teach(const std::vector<Run>& known) {
    known_runs_.insert(known_runs_.end(), known.begin(), known.end());
  }

  [[nodiscard]] std::optional<Outcome> find(const EvaluationKey& key, const Point& point,
                                            const Point* /*opponent*/) const override {
    const auto found = known_.find(key);
    if (found == known_.end()) return std::nullopt;
    if (found->second.point != point) throw std::logic_error("another point than was recorded");
    return found->second.outcome;
  }
  void append(const Request& request, const Outcome& outcome, Time, Time) override {
    const std::lock_guard lock(mutex_);
    entries.push_back({request.key, *request.point, outcome});
  }
  [[nodiscard]] std::optional<RunRecord> find_run(std::uint32_t cell, std::int64_t repeat,
                                                  std::int64_t run) const override {
    for (const Run& known : known_runs_) {
      if (known.cell == cell && known.record.repeat == repeat && known.record.run == run) {
        return known.record;
      }
    }
    return std::nullopt;
  }
  void append_run(std::uint32_t cell, const RunRecord& record) override {
    const std::lock_guard lock(mutex_);
    runs.push_back({cell, record});
  }

  /// The evaluations by name, whatever their order in time.
  [[nodiscard]] std::vector<Entry> sorted() const {
    std::vector<Entry> sorted = entries;
    const auto order = [](const Entry& entry) {
      const EvaluationKey& key = entry.key;
      return std::tuple(key.stage, key.cell, key.repeat, key.run, key.index);
    };
    std::ranges::sort(sorted, {}, order);
    return sorted;
  }
  /// Those of one stage.
  [[nodiscard]] std::vector<Entry> sorted(Stage stage) const {
    std::vector<Entry> some = sorted();
    std::erase_if(some, [&](const Entry& entry) { return entry.key.stage != stage; });
    return some;
  }

  /// A line for each evaluation, by name.
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const Entry& entry : sorted()) {
      const EvaluationKey& key = entry.key;
      text += fmt::format("{} {} {} {} {}: {} {} {} {} {}\n", stage_name(key.stage), key.cell,
                          key.repeat, key.run, key.index, fmt::join(entry.point.indices(), ","),
                          entry.outcome.payoff, fmt::join(entry.outcome.observations, ","),
                          entry.outcome.games.games.games(), entry.outcome.failure);
    }
    return text;
  }

 private:
  struct Hash {
    std::size_t operator()(const EvaluationKey& key) const noexcept { return key.hash(); }
  };

  std::mutex mutex_;
  std::unordered_map<EvaluationKey, Entry, Hash> known_;
  std::vector<Run> known_runs_;
};

}  // namespace ntune::test
