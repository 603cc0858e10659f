#include "ntune/report/data/run_log.h"

#include "ntune/core/error.h"

namespace ntune {

void RunLog::add(const JournalLine& line) {
  const auto index = static_cast<std::size_t>(line.key.index);
  if (index >= entries_.size()) entries_.resize(index + 1);
  Entry& entry = entries_[index];
  const Point opponent(line.against);
  entry = {.known = true,
           .point = hash_of(Point(line.point), opponent.size() > 0 ? &opponent : nullptr)};
  if (line.kind == JournalLine::Kind::kFailure) {
    entry.outcome.failure = "recorded as failed";
  } else {
    entry.outcome.payoff = stats_of(line.payoffs).mean();
    if (line.payoffs.size() > 1) entry.outcome.observations = line.payoffs;
    entry.outcome.games = line.games;
  }
  entry.outcome.ending = line.ending;
  entry.outcome.cost = line.cost;
}

std::optional<PlannedStep> RunLog::planned(const EvaluationKey& key) const {
  for (auto step = planned_.rbegin(); step != planned_.rend(); ++step) {
    if (step->key == key) return *step;
  }
  return std::nullopt;
}

void RunLog::forget_failures() {
  for (Entry& entry : entries_) {
    if (!entry.outcome.failure.empty()) entry = {};
  }
  retried_ = true;
}

std::optional<Outcome> RunLog::find(const EvaluationKey& key, const Point& point,
                                    const Point* opponent) const {
  const auto index = static_cast<std::size_t>(key.index);
  if (index >= entries_.size() || !entries_[index].known) return std::nullopt;
  if (entries_[index].point != hash_of(point, opponent)) {
    if (retried_) return std::nullopt;
    throw InputError("another version of ntune has made the journal and asked for other points");
  }
  return entries_[index].outcome;
}

}  // namespace ntune
