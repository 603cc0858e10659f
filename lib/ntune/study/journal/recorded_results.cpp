#include "ntune/study/journal/recorded_results.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/keys/study_identity.h"
#include "ntune/version.h"

namespace ntune {

namespace {

/// The name that all evaluations of a run in one stage share.
EvaluationKey group_of(EvaluationKey key) {
  key.index = 0;
  return key;
}

/// Whether a search may go on from what was recorded: after the study was given more, or from a
/// state. Else the points would take memory for nothing.
bool may_need_points(const Study& study) {
  const auto is_long = [](const RunPlan& plan) {
    return plan.iterations >= SearchState::kInterval;
  };
  return !study.earlier.empty() ||
         (study.execution.parallel_evaluations == 1 && !study.limits.any() &&
          std::ranges::any_of(study.plans, is_long));
}

}  // namespace

bool is_point_of(const SearchSpace& space, std::span<const std::uint16_t> indices) {
  return std::ssize(indices) == space.dimensions() && space.can_be_evaluated(Point(indices));
}

RecordedResults::RecordedResults(const Study& study, std::string name)
    : study_(study), keeps_points_(may_need_points(study)), name_(std::move(name)) {}

/// Lines of other kinds are for who opens the journal or reads its split.
void RecordedResults::add(const JournalLine& line) {
  using Kind = JournalLine::Kind;
  if (line.has_outcome()) return add_outcome(line);
  if (line.kind == Kind::kHeader || line.kind == Kind::kExtension) enter_stage(line);
  if (line.kind == Kind::kOffered) offered_.push_back(offered_of(line));
  if (line.kind == Kind::kRetry) forget_failures();
  if (line.kind == Kind::kPlanned) plan(line.planned);
  if (line.kind == Kind::kState) states_.insert_or_assign(line.key, line.state);
  if (line.kind != Kind::kRun) return;
  // A run that was given more stands there twice: the last line counts. Its trace is for pages.
  Run& run = runs_[{line.key.cell, line.run.repeat, line.run.run}];
  run = {.record = line.run, .line = line.number, .stage = stage_};
  run.record.point = Point(line.point);
  run.record.trace.clear();
}

/// Another version than this one stays named: states of its searches are not those of this one.
void RecordedResults::enter_stage(const JournalLine& line) {
  if (version_.empty() || version_ == kVersion) version_ = line.version;
  stage_ = static_cast<std::uint32_t>(stages_of_config(*line.study));
}

/// Keeps an evaluation under its name, with the hash of its point: a study asks by both.
void RecordedResults::add_outcome(const JournalLine& line) {
  const bool chosen = !line.against.empty();
  const Point opponent(line.against);
  Entry entry{.index = line.key.index,
              .point = hash_of(Point(line.point), chosen ? &opponent : nullptr),
              .line = static_cast<std::uint32_t>(line.number),
              .stage = stage_};
  used_ = std::max(used_, line.used.value_or(0.0));
  if (line.payoffs.size() == 1) entry.payoff = line.payoffs[0];
  const bool has_several = line.payoffs.size() > 1;
  has_several_ = has_several_ || has_several;
  const bool failed = line.kind == JournalLine::Kind::kFailure;
  // Most evaluations bring one payoff: a whole outcome each would take four times the memory.
  if (has_several || failed || !line.other_goals.empty() || !line.games.empty() || line.cost ||
      line.ending != Ending::kWhole || line.answer != SolverAnswer::kNone) {
    Outcome& outcome = outcomes_.emplace_back(Outcome{.payoff = entry.payoff,
                                                      .failure = failed ? line.failure : "",
                                                      .ending = line.ending,
                                                      .answer = line.answer,
                                                      .cost = line.cost});
    if (!failed) outcome.games = line.games;
    if (!failed) outcome.goals = goals_of(line);
    if (has_several) {
      outcome.observations = line.payoffs;
      outcome.payoff = stats_of(line.payoffs).mean();
    }
    entry.outcome = static_cast<std::uint32_t>(outcomes_.size());
  }
  // A point is kept only together with its opponent, if it has one.
  if (keeps_points_ && line.key.stage == Stage::kSearch) {
    entry.indices = keep(line.key, line.point);
    if (chosen) entry.opponent = keep(line.key, line.against);
    if (chosen && entry.opponent == 0) entry.indices = 0;
  }
  // Lines of one run mostly follow each other: its list is looked up once.
  if (const EvaluationKey group = group_of(line.key); entries_ == nullptr || group_ != group) {
    group_ = group;
    entries_ = &evaluations_[group];
  }
  entries_->push_back(entry);
}

/// The place of a point of the run's space; 0 for anything else.
std::uint64_t RecordedResults::keep(const EvaluationKey& key,
                                    const std::vector<std::uint16_t>& indices) {
  const std::size_t objective = study_.objective_of(key.cell);
  if (objective >= study_.objectives.size()) return 0;
  const SearchSpace& space = study_.objectives[objective].objective->space();
  if (!is_point_of(space, indices)) return 0;
  const std::size_t begin = indices_.size();
  indices_.insert(indices_.end(), indices.begin(), indices.end());
  return begin + 1;
}

/// The point that stands at this place, of so many parameters.
Point RecordedResults::kept(std::uint64_t place, std::size_t size) const {
  return Point(std::span<const std::uint16_t>(indices_).subspan(place - 1, size));
}

void RecordedResults::forget_failures() {
  for (auto& [group, entries] : evaluations_) {
    std::erase_if(entries, [this](const Entry& entry) { return has_failed(entry); });
  }
  std::erase_if(evaluations_, [](const auto& group) { return group.second.empty(); });
  // A run in which something failed is made again, from what its evaluations were.
  entries_ = nullptr;
  std::erase_if(runs_, [](const auto& run) { return run.second.record.failures > 0; });
  retried_ = true;
}

/// Of several records of one evaluation at one point the last one counts: a failure may have been
/// tried again.
void RecordedResults::finish() {
  // Runs of an earlier stage that were shorter, or of another space, are gone on with.
  std::erase_if(runs_, [this](const auto& entry) {
    const auto& [name, run] = entry;
    return !is_run_of_study(std::get<0>(name), run.stage);
  });
  size_ = runs_.size();
  for (auto& [group, entries] : evaluations_) {
    if (std::ranges::is_sorted(entries, std::ranges::less_equal(), &Entry::index)) {
      size_ += entries.size();  // none stands there twice
      continue;
    }
    // Evaluations in flight end in any order, and those that are made again stand behind. For each
    // entry the last one with its index and point before it is looked for, and replaced.
    std::ranges::stable_sort(entries, {}, &Entry::index);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      std::size_t place = kept;
      while (place > 0 && entries[place - 1].index == entries[i].index &&
             entries[place - 1].point != entries[i].point) {
        --place;
      }
      const bool again = place > 0 && entries[place - 1].index == entries[i].index;
      entries[again ? place - 1 : kept++] = entries[i];
    }
    entries.resize(kept);
    size_ += kept;
  }
}

/// Whether a run that was recorded in an earlier stage is one of the study as it is now.
bool RecordedResults::is_run_of_study(std::uint32_t cell, std::size_t stage) const {
  const std::size_t plan = study_.plan_of(cell);
  for (std::size_t s = stage; s < study_.earlier.size(); ++s) {
    const EarlierStage::Plan& had = study_.earlier[s].plans[plan];
    const RunPlan& has = study_.plans[plan];
    const std::int64_t hold_out = study_.unit == SampleUnit::kRuns ? has.hold_out : 0;
    if (study_.earlier[s].space || had.iterations != has.iterations) return false;
    if (had.hold_out != hold_out) return false;
  }
  return true;
}

/// Tries the place that the first entry has if none before it is missing or there twice, then
/// searches.
std::span<const RecordedResults::Entry> RecordedResults::entries_of(
    const EvaluationKey& key) const {
  const auto found = evaluations_.find(group_of(key));
  if (found == evaluations_.end()) return {};
  const std::vector<Entry>& entries = found->second;
  auto first = entries.begin() + std::clamp<std::int64_t>(key.index, 0, std::ssize(entries) - 1);
  if (first->index != key.index || (first != entries.begin() && (first - 1)->index == key.index)) {
    first = std::ranges::lower_bound(entries, key.index, {}, &Entry::index);
  }
  auto last = first;
  while (last != entries.end() && last->index == key.index) ++last;
  return {first, last};
}

const SearchSpace& RecordedResults::space_of(const EvaluationKey& key) const {
  return study_.objectives[study_.objective_of(key.cell)].objective->space();
}

std::optional<StudyLog::Recorded> RecordedResults::recorded(const EvaluationKey& key) const {
  const auto entries = entries_of(key);
  if (entries.empty() || entries.back().indices == 0) return std::nullopt;
  const Entry& entry = entries.back();
  const auto size = static_cast<std::size_t>(space_of(key).dimensions());
  const Outcome outcome = outcome_of(entry);
  Recorded recorded{.point = kept(entry.indices, size),
                    .cost = std::max<std::int64_t>(1, std::ssize(outcome.observations)),
                    .capped = outcome.ending == Ending::kCapped};
  if (entry.opponent > 0) recorded.opponent = kept(entry.opponent, size);
  return recorded;
}

std::optional<SearchState> RecordedResults::search_state(const EvaluationKey& key) const {
  const auto state = states_.find(key);
  const auto group = evaluations_.find(key);
  if (state == states_.end() || group == evaluations_.end()) return std::nullopt;
  // Asked again, the search might ask for other points than those that are recorded.
  const bool may_differ = version_ != kVersion || retried_ || !study_.earlier.empty() ||
                          study_.limits.any() || !offered_.empty();
  const bool ends_at_failures = study_.execution.on_failure.kind == FailurePolicy::Kind::kAbort;
  const std::vector<Entry>& entries = group->second;
  if (may_differ || state->second.evaluations > std::ssize(entries)) return std::nullopt;
  const SearchSpace& space = space_of(key);
  const auto size = static_cast<std::size_t>(space.dimensions());
  // Every evaluation before the state must be there, with a point of the space; those behind it
  // must follow without a gap.
  for (std::int64_t i = 0; i < std::ssize(entries); ++i) {
    const Entry& entry = entries[static_cast<std::size_t>(i)];
    if (entry.index != i) return std::nullopt;
    if (i >= state->second.evaluations) continue;
    if (entry.indices == 0 || entry.opponent != 0) return std::nullopt;
    // A failure that ended the study is tried again.
    if (has_failed(entry) && ends_at_failures) return std::nullopt;
    if (entry.outcome > 0 && outcome_of(entry).ending == Ending::kCapped) return std::nullopt;
    if (!space.is_allowed(kept(entry.indices, size))) return std::nullopt;
  }
  return state->second;
}

std::optional<Outcome> RecordedResults::find(const EvaluationKey& key, const Point& point,
                                             const Point* opponent) const {
  const auto entries = entries_of(key);
  // Where another point stands under this name, the program asks otherwise than it did then.
  const auto entry = std::ranges::find(entries, hash_of(point, opponent), &Entry::point);
  if (entry == entries.end()) {
    const auto asked = std::ranges::find(entries, study_.earlier.size(), &Entry::stage);
    // Calls with several payoffs may have been asked for in vain at the end of an earlier stage.
    // What is held out may be several points, and follows from searches that have been checked.
    const bool lenient = (!study_.earlier.empty() && has_several_) ||
                         key.stage == Stage::kHoldOut ||
                         (study_.limits.any() && key.stage == Stage::kReEvaluation);
    if (asked == entries.end() || lenient || retried_) return std::nullopt;
    throw InputError(fmt::format(
        "{}:{}: evaluation {} of run {} was of another point than this program asks for; the "
        "journal was begun by version {}, this is {}; finish it with that one, or begin a study in "
        "another folder with this one as its `prior:`",
        printable(name_, 1000), asked->line, key.index, key.run, printable(version_), kVersion));
  }
  return outcome_of(*entry);
}

Outcome RecordedResults::outcome_of(const Entry& entry) const {
  return entry.outcome > 0 ? outcomes_[entry.outcome - 1] : Outcome{.payoff = entry.payoff};
}

bool RecordedResults::has_failed(const Entry& entry) const {
  return entry.outcome > 0 && !outcomes_[entry.outcome - 1].failure.empty();
}

void RecordedResults::visit_searched(const EvaluationKey& key, const VisitSearched& visit) const {
  const auto state = states_.find(key);
  const auto group = evaluations_.find(key);
  if (state == states_.end() || group == evaluations_.end()) return;
  const auto size = static_cast<std::size_t>(space_of(key).dimensions());
  const auto count = static_cast<std::size_t>(state->second.evaluations);
  for (const Entry& entry : std::span(group->second).first(count)) {
    if (!visit(kept(entry.indices, size), outcome_of(entry))) return;
  }
}

std::optional<PlannedStep> RecordedResults::planned(const EvaluationKey& key) const {
  const auto found = planned_.find(key);
  return found == planned_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<RunRecord> RecordedResults::find_run(std::uint32_t cell, std::int64_t repeat,
                                                   std::int64_t run) const {
  const auto found = runs_.find({cell, repeat, run});
  if (found == runs_.end()) return std::nullopt;
  RunRecord record = found->second.record;
  const Objective& objective = *study_.objectives[study_.objective_of(cell)].objective;
  if (!is_point_of(objective.space(), record.point.indices())) {
    throw InputError(fmt::format("{}:{}: the point of run {} is not in the search space",
                                 printable(name_, 1000), found->second.line, run));
  }
  // The score is not recorded: it follows from the objective, or else from the hold-out.
  score_run(objective, record);
  return record;
}

}  // namespace ntune
