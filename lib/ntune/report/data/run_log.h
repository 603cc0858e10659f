#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "ntune/report/data/run_trace.h"
#include "ntune/study/evaluation/study_log.h"
#include "ntune/study/journal/journal_reader.h"

namespace ntune {

/// What an evaluation or a failure came to, but for the words of the failure.
Outcome recorded_outcome(const JournalLine& line);

/// The recorded search evaluations of one run, as the log of a study that asks for nothing else.
class RunLog final : public StudyLog {
 public:
  /// An evaluation or a failure.
  void add(const JournalLine& line);
  /// A decision of a study with limits.
  void plan(const PlannedStep& step) { planned_.push_back(step); }
  /// Failures until here were tried again, after which the run may have asked for other points.
  void forget_failures();
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  [[nodiscard]] std::optional<Outcome> find(const EvaluationKey& key, const Point& point,
                                            const Point* opponent) const override;
  [[nodiscard]] std::optional<RunRecord> find_run(std::uint32_t, std::int64_t,
                                                  std::int64_t) const override {
    return std::nullopt;
  }
  [[nodiscard]] bool holds(const EvaluationKey& key) const override {
    return key.index < std::ssize(entries_) && entries_[static_cast<std::size_t>(key.index)].known;
  }
  [[nodiscard]] std::optional<PlannedStep> planned(const EvaluationKey& key) const override;
  [[nodiscard]] std::optional<double> used() const override { return 0.0; }
  void append(const Request&, const Outcome&, Time, Time) override {}
  void append_run(std::uint32_t, const RunRecord&) override {}
  /// What the whole journal holds of that.
  void set_offered(std::shared_ptr<const OfferedObservations> offered) {
    offered_ = std::move(offered);
  }
  [[nodiscard]] const OfferedObservations& offered() const override {
    return offered_ ? *offered_ : StudyLog::offered();
  }

 private:
  /// Of most evaluations the payoff is all there is to keep.
  struct Entry {
    bool known = false;
    std::uint64_t point = 0;  ///< hash
    double payoff = 0.0;
    std::unique_ptr<const Outcome> more = {};
  };
  std::vector<Entry> entries_;
  bool retried_ = false;
  std::vector<PlannedStep> planned_;
  std::shared_ptr<const OfferedObservations> offered_;
};

/// A run gone through again as far as the log knows it; the last checkpoint is of that place.
RunTrace trace_recorded_run(const Study& study, std::size_t cell, std::int64_t repeat,
                            std::int64_t run, RunLog& log);

}  // namespace ntune
