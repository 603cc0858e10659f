#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ntune/study/evaluation/study_log.h"
#include "ntune/study/journal/journal_line.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// True if the indices are those of a point that can be evaluated.
bool is_point_of(const SearchSpace& space, std::span<const std::uint16_t> indices);

/// A log of what the lines of a journal have recorded, for a study that asks for it again. It takes
/// nothing more. Members that are const may be called from several threads at once.
class RecordedResults : public StudyLog {
 public:
  /// `name` is the journal's, for messages. The study must outlive the results.
  RecordedResults(const Study& study, std::string name);

  /// Takes the next line of the journal.
  void add(const JournalLine& line);
  /// Does what a line of the kind kRetry does: failed evaluations are to be tried again.
  void forget_failures();
  /// Call it after the last line, before any look-up.
  void finish();
  /// Evaluations and runs.
  [[nodiscard]] std::size_t size() const { return size_; }

  /// A study that has been given more may ask for another point than before, which is then not
  /// known.
  [[nodiscard]] std::optional<Outcome> find(const EvaluationKey& key, const Point& point,
                                            const Point* opponent) const override;
  [[nodiscard]] bool holds(const EvaluationKey& key) const override {
    return !entries_of(key).empty();
  }
  [[nodiscard]] std::optional<Recorded> recorded(const EvaluationKey& key) const override;
  /// There is none where another version of ntune has recorded it, or where the study may have
  /// asked for other points than now.
  [[nodiscard]] std::optional<SearchState> search_state(const EvaluationKey& key) const override;
  void visit_searched(const EvaluationKey& key, const VisitSearched& visit) const override;
  /// A recorded run with its score and true value. Throws InputError if its point is none of the
  /// search space.
  [[nodiscard]] std::optional<RunRecord> find_run(std::uint32_t cell, std::int64_t repeat,
                                                  std::int64_t run) const override;
  [[nodiscard]] std::optional<PlannedStep> planned(const EvaluationKey& key) const override;
  /// The most seconds that an evaluation has recorded as used.
  [[nodiscard]] std::optional<double> used() const override { return used_; }
  [[nodiscard]] std::optional<double> recorded_seconds() const override { return used_; }
  [[nodiscard]] const OfferedObservations& offered() const override { return offered_; }

  void append(const Request&, const Outcome&, Time, Time) override {}
  void append_run(std::uint32_t, const RunRecord&) override {}

 protected:
  [[nodiscard]] const Study& study() const { return study_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Takes what is recorded after the last line.
  void offer(OfferedObservation observation) { offered_.push_back(std::move(observation)); }
  void plan(const PlannedStep& step) { planned_.insert_or_assign(step.key, step); }

 private:
  struct Entry {
    std::int64_t index = 0;   ///< of the evaluation
    std::uint64_t point = 0;  ///< hash of it, and of a chosen opponent
    double payoff = 0.0;
    std::uint32_t line = 0;
    std::uint32_t stage = 0;     ///< how often the study had been given more
    std::uint64_t indices = 0;   ///< place of the point in indices_ from 1; 0: not kept
    std::uint64_t opponent = 0;  ///< place of its opponent, likewise; 0: none was chosen
    std::uint32_t outcome = 0;   ///< place in outcomes_ from 1; 0: a payoff and nothing more
  };
  struct Run {
    RunRecord record;
    std::size_t line = 0;
    std::size_t stage = 0;
  };

  void enter_stage(const JournalLine& line);
  void add_outcome(const JournalLine& line);
  std::uint64_t keep(const EvaluationKey& key, const std::vector<std::uint16_t>& indices);
  /// The space of the objective that an evaluation of this name is of.
  [[nodiscard]] const SearchSpace& space_of(const EvaluationKey& key) const;
  [[nodiscard]] Outcome outcome_of(const Entry& entry) const;
  [[nodiscard]] bool has_failed(const Entry& entry) const;
  [[nodiscard]] Point kept(std::uint64_t place, std::size_t size) const;
  /// The entries of an evaluation: several where other points were asked for before.
  [[nodiscard]] std::span<const Entry> entries_of(const EvaluationKey& key) const;
  [[nodiscard]] bool is_run_of_study(std::uint32_t cell, std::size_t stage) const;

  const Study& study_;
  bool keeps_points_;  ///< of searches: they may be told what is recorded without asking for it
  std::string name_;
  std::string version_;  ///< version of ntune that began the journal
  std::size_t size_ = 0;
  std::uint32_t stage_ = 0;             ///< extensions that have been added
  std::vector<std::uint16_t> indices_;  ///< of points that are kept, one after the other
  /// Evaluations that differ in their index alone, sorted by it, under the key with index 0.
  /// A million evaluations are looked up in the order of their index; in one hash table of them all
  /// each would be a cache miss.
  std::unordered_map<EvaluationKey, std::vector<Entry>, EvaluationKeyHash> evaluations_;
  EvaluationKey group_;                                                       ///< of the last line
  std::vector<Entry>* entries_ = nullptr;                                     ///< the same
  std::unordered_map<EvaluationKey, SearchState, EvaluationKeyHash> states_;  ///< the last per run
  std::vector<Outcome> outcomes_;  ///< that say more than one payoff
  bool has_several_ = false;       ///< an evaluation has brought several payoffs
  OfferedObservations offered_;
  std::unordered_map<EvaluationKey, PlannedStep, EvaluationKeyHash> planned_;
  double used_ = 0.0;
  /// Failures were tried again, after which runs may ask for other points than before.
  bool retried_ = false;
  std::map<std::tuple<std::uint32_t, std::int64_t, std::int64_t>, Run> runs_;
};

}  // namespace ntune
