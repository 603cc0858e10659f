#include "ntune/report/data/run_log.h"

#include <memory>
#include <utility>

#include "ntune/core/error.h"

namespace ntune {

Outcome recorded_outcome(const JournalLine& line) {
  Outcome outcome{.ending = line.ending, .cost = line.cost};
  if (line.kind == JournalLine::Kind::kFailure) {
    outcome.failure = "recorded as failed";
    return outcome;
  }
  // Several payoffs of one call count with their mean, and one by one for the optimiser.
  outcome.payoff = stats_of(line.payoffs).mean();
  if (line.payoffs.size() > 1) outcome.observations = line.payoffs;
  outcome.goals = goals_of(line);
  outcome.games = line.games;
  return outcome;
}

namespace {

/// Whether nothing but its payoff tells an outcome from any other.
bool is_payoff_alone(const Outcome& outcome) {
  return outcome.failure.empty() && outcome.observations.empty() && outcome.goals.empty() &&
         outcome.games.empty() && outcome.ending == Ending::kWhole && !outcome.cost;
}

}  // namespace

void RunLog::add(const JournalLine& line) {
  const auto index = static_cast<std::size_t>(line.key.index);
  if (index >= entries_.size()) entries_.resize(index + 1);
  Entry& entry = entries_[index];
  const Point opponent(line.against);
  entry = {.known = true,
           .point = hash_of(Point(line.point), opponent.size() > 0 ? &opponent : nullptr)};
  Outcome outcome = recorded_outcome(line);
  entry.payoff = outcome.payoff;
  if (!is_payoff_alone(outcome)) entry.more = std::make_unique<const Outcome>(std::move(outcome));
}

std::optional<PlannedStep> RunLog::planned(const EvaluationKey& key) const {
  for (auto step = planned_.rbegin(); step != planned_.rend(); ++step) {
    if (step->key == key) return *step;
  }
  return std::nullopt;
}

void RunLog::forget_failures() {
  for (Entry& entry : entries_) {
    if (entry.more && !entry.more->failure.empty()) entry = {};
  }
  retried_ = true;
}

std::optional<Outcome> RunLog::find(const EvaluationKey& key, const Point& point,
                                    const Point* opponent) const {
  const auto index = static_cast<std::size_t>(key.index);
  if (index >= entries_.size() || !entries_[index].known) return std::nullopt;
  // Another point at this place is of another version, or of a run that failures changed.
  if (entries_[index].point != hash_of(point, opponent)) {
    if (retried_) return std::nullopt;
    throw InputError("another version of ntune has made the journal and asked for other points");
  }
  const Entry& entry = entries_[index];
  return entry.more ? *entry.more : Outcome{.payoff = entry.payoff};
}

}  // namespace ntune
