// result.json: every field is named once, for the writer and for the reader.

#include "ntune/study/results/result_json.h"

#include <array>
#include <utility>

#include "ntune/space/space_yaml.h"
#include "ntune/study/results/saved_fields.h"

namespace ntune {

template <class Visitor>
void visit_fields(Visitor& field, SavedPayoffs& value) {
  field("n", value.n, "mean", value.mean, "sd", value.sd);
  field.if_any("cut_off", value.cut_off);
  field.if_any("interval", value.interval);
}

template <class Visitor>
void visit_fields(Visitor& field, SavedSample& value) {
  field("n", value.n, "mean", value.mean, "sd", value.sd, "interval", value.interval, "min",
        value.min, "max", value.max);
}

template <class Visitor>
void visit_fields(Visitor& field, SavedElo& elo) {
  // Counts of pairs are null where games were not played in pairs.
  std::optional<std::array<std::int64_t, 5>> pairs;
  if (elo.games.are_paired()) pairs = elo.games.pairs.counts;
  visit_fields(field, elo.elo);
  field("normalised_elo", elo.normalised, "wins", elo.games.games.wins, "draws",
        elo.games.games.draws, "losses", elo.games.games.losses, "pentanomial", pairs);
  field.if_any("from", elo.from);
  field.if_any("unequal_games", elo.unequal_games);
  if (pairs) elo.games.pairs.counts = *pairs;
}

template <class Visitor>
void visit_solved(Visitor& field, SavedMeasurement& fresh) {
  field.if_any("evaluations", fresh.evaluations);
  field.if_any("interval_for_others", fresh.others_interval);
  field.if_any("solved", fresh.solved);
  field.if_any("par10", fresh.par10);
}

template <class Visitor>
void visit_fields(Visitor& field, SavedRecommendation& value) {
  field("parameters", value.point, "estimate", value.estimate, "estimate_interval",
        value.estimate_interval, "best_probability", value.best_probability, "best_among",
        value.best_among, "regret", value.regret, "value", value.fresh.value, "interval",
        value.fresh.interval, "true_value", value.fresh.true_value, "run", value.run,
        "re_evaluation", value.re_evaluation, "hold_out", value.fresh.hold_out, "failures",
        value.fresh.failures);
  visit_solved(field, value.fresh);
  field.if_any("seed", value.seed);
  field.if_any("repeat", value.repeat);
  field.if_any("rivals", value.rivals);
}

template <class Visitor>
void visit_fields(Visitor& field, DecidedTest& test) {
  field("better", test.better, "test", test.test, "h1", test.h1, "pairs", test.pairs, "difference",
        test.difference, "elo", test.elo);
}

template <class Visitor>
void visit_fields(Visitor& field, SavedDefault& value) {
  field("parameters", value.point, "value", value.fresh.value, "interval", value.fresh.interval,
        "true_value", value.fresh.true_value, "hold_out", value.fresh.hold_out, "failures",
        value.fresh.failures);
  visit_solved(field, value.fresh);
  field.within("difference", [&](Visitor& difference) {
    difference("value", value.difference, "interval", value.difference_interval);
    difference.if_any("same_in_every_pair", value.constant);
    difference.if_any("interval_for_others", value.others_interval);
  });
  field("probability_better", value.probability_better, "finding", value.finding, "finding_reason",
        value.finding_reason, "evaluations_to_decide", value.evaluations_to_decide);
  // The difference stands beside an Elo alone, null where it is not known.
  field.if_any("elo", value.elo);
  if (value.elo || Visitor::kReads) field("elo_difference", value.elo_difference);
  field.if_any("tested", value.tested);
}

template <class Visitor>
void visit_fields(Visitor& field, SavedCandidate& value) {
  field("runs", value.runs, "parameters", value.point, "true_value", value.true_value,
        "re_evaluation", value.re_evaluation, "fresh", value.fresh, "best_probability",
        value.best_probability, "regret", value.regret);
  field.if_any("stopped", value.stopped);
}

template <class Visitor>
void visit_fields(Visitor& field, SavedDuels& duels) {
  field("model_elo", duels.model_elo, "los", duels.los, "moved", duels.moved);
}

template <class Visitor>
void visit_fields(Visitor& field, GoalValue& value) {
  field("goal", value.goal, "value", value.mean, "sd", value.sd, "interval", value.interval);
  field.if_any("keeps_limit", value.keeps_limit);
  field.if_any("level", value.is_level);
  if (!value.difference && !Visitor::kReads) return;
  field.within("difference", [&](Visitor& difference) {
    difference("value", value.difference, "interval", value.difference_interval);
    difference.if_any("factor_interval", value.factor_interval);
  });
  field("finding", value.finding);
}

template <class Visitor>
void visit_fields(Visitor& field, FrontMember& member) {
  field("parameters", member.point, "default", member.is_default, "on_front", member.on_front,
        "sure", member.is_sure, "n", member.n, "failures", member.failures, "goals", member.goals);
}

template <class Visitor>
void visit_fields(Visitor& field, GoalFront& front) {
  field.if_any("sought", front.sought);
  if (!front.then.empty() || Visitor::kReads) field("then", front.then);
  if (front.sought || Visitor::kReads) field("chosen", front.chosen);
  field("settings", front.members);
}

template <class Visitor>
void visit_fields(Visitor& field, RunPlan& plan) {
  field("runs", plan.runs, "iterations", plan.iterations, "re_evaluation", plan.re_evaluation,
        "adaptive", plan.adaptive, "hold_out", plan.hold_out);
}

template <class Visitor>
void visit_fields(Visitor& field, SavedImportance& importance) {
  field("parameter", importance.parameter, "share", importance.share);
}

template <class Visitor>
void visit_fields(Visitor& field, SavedCell& cell) {
  field("objective", cell.objective, "optimiser", cell.optimiser, "algorithm", cell.algorithm);
  field.of_objective(cell.objective);
  visit_fields(field, cell.plan);
  field("score", cell.score, "delta", cell.delta, "difference", cell.difference);
  field.if_any("picks", cell.picks);
}

template <class Visitor>
void visit_fields(Visitor& field, SavedFailures::Cause& cause) {
  field("cause", cause.text, "count", cause.count);
}

template <class Visitor>
void visit_fields(Visitor& field, SavedFailures::ByValue& value) {
  field.if_any("objective", value.objective);
  field("parameter", value.parameter, "value", value.value, "evaluations", value.evaluations,
        "failures", value.failures, "rate", value.rate);
}

template <class Visitor>
void visit_fields(Visitor& field, SavedFailures& failures) {
  field("count", failures.count, "causes", failures.causes, "values", failures.values);
}

template <class Visitor>
void visit_fields(Visitor& field, SavedBudget& budget) {
  field("total", budget.total, "search", budget.search, "re_evaluation", budget.re_evaluation,
        "hold_out", budget.hold_out);
}

template <class Visitor>
void visit_fields(Visitor& field, SavedLimit& limit) {
  field("limit", limit.limit, "used", limit.used);
}

template <class Visitor>
void visit_fields(Visitor& field, SavedSpending& spending) {
  field("time", spending.time, "cost", spending.cost, "runs", spending.plan.runs, "iterations",
        spending.plan.iterations, "re_evaluation", spending.plan.re_evaluation, "hold_out",
        spending.plan.hold_out);
}

template <class Visitor>
void visit_fields(Visitor& field, SavedObjective& objective) {
  field("label", objective.label, "description", objective.description, "direction",
        objective.direction, "points", objective.points, "optimum", objective.optimum);
}

template <class Visitor>
void visit_fields(Visitor& field, SavedPrior& prior) {
  field("source", prior.source, "observations", prior.observations, "weight", prior.weight, "told",
        prior.told);
}

template <class Visitor>
void visit_fields(Visitor& field, SavedPick& pick) {
  field("seeds", pick.seeds, "parameters", pick.point, "value", pick.value, "interval",
        pick.interval, "n", pick.n, "true_value", pick.true_value, "best_probability",
        pick.best_probability);
}

template <class Visitor>
void visit_fields(Visitor& field, InstanceRow& row) {
  field("name", row.name, "n", row.n, "failures", row.failures, "value", row.value, "interval",
        row.interval, "default", row.default_value, "default_failures", row.default_failures,
        "test", row.test);
}

/// Faults of one player in their games, by cause.
template <class Visitor>
void visit_fields(Visitor& field, std::array<std::int64_t, 4>& causes) {
  for (std::size_t i = 0; i < causes.size(); ++i) field(Forfeits::kNames[i], causes[i]);
}

/// `forfeits`, whose count follows from the rest.
struct SavedForfeits {
  EarlyEndings& endings;
};

template <class Visitor>
void visit_fields(Visitor& field, SavedForfeits& forfeits) {
  Forfeits& faults = forfeits.endings.forfeits;
  std::int64_t count = faults.games();
  field("games", forfeits.endings.games, "count", count);
  field.within("player", [&](Visitor& player) { visit_fields(player, faults.first); });
  field.within("opponent", [&](Visitor& opponent) { visit_fields(opponent, faults.second); });
}

/// What the evaluations of searches had cost that were ended early, and would have cost beyond
/// that.
struct SavedCapping {
  double cost = 0.0;
  double saved = 0.0;
};

template <class Visitor>
void visit_fields(Visitor& field, SavedCapping& capping) {
  field("cost", capping.cost, "saved", capping.saved);
}

namespace {

/// The verdict follows from the rest: it is written for programs and not read.
void write_verdict(FieldWriter& field, const SavedResult& result) {
  const auto verdict = verdict_of(result);
  if (!verdict) return;
  std::string name = verdict_name(*verdict);
  std::optional<Point> setting = setting_of(result);
  field("verdict", name, "setting", setting);
}

}  // namespace

template <class Visitor>
void visit_fields(Visitor& field, SavedResult& result, bool is_comparison) {
  field("ntune", result.version, "status", result.status, "name", result.name);
  field.if_any("seed", result.seed);
  field("evaluations", result.evaluations);
  // Older versions wrote the number alone.
  if constexpr (Visitor::kReads) field("failures", result.failures.count);
  field("failures", result.failures, "set_aside", result.set_aside, "cut_off",
        result.endings.cut_off, "capped", result.endings.capped);
  field.if_any("warnings", result.warnings);
  // What capping has cost and saved are two members of a struct that holds more: they go through a
  // value of their own, and come back from it.
  std::optional<SavedCapping> capping;
  if (result.endings.capped_cost > 0.0) {
    capping = {result.endings.capped_cost, result.endings.saved};
  }
  field.if_any("capping", capping);
  if (capping) {
    result.endings.capped_cost = capping->cost;
    result.endings.saved = capping->saved;
  }
  // Faults are null where there were none, and never null for a reader.
  if (Visitor::kReads || result.endings.forfeits.games() > 0) {
    field.within("forfeits", [&](Visitor& inner) {
      SavedForfeits forfeits{result.endings};
      visit_fields(inner, forfeits);
    });
  } else {
    Json none;
    field("forfeits", none);
  }
  field("budget", result.budget, "plans", result.plans, "objectives", result.objectives,
        "recommendation", result.recommendation, "default", result.incumbent);
  if constexpr (!Visitor::kReads) write_verdict(field, result);
  field.if_any("limits", result.limits);
  field.if_any("prior", result.prior);
  field.if_any("cells", result.cells);
  // A comparison recommends nothing that the following could be of.
  if (!is_comparison) {
    field.if_any("instances", result.instances);
    field("elo", result.elo);
    if (Visitor::kReads || (result.duels && result.duels->compared)) {
      field.if_any("duels", result.duels);
    }
    field.if_any("front", result.front);
    field.if_any("importance", result.importance);
    field("algorithm", result.algorithm, "recommended_by_runs", result.candidates);
  }
  field("study", result.config);
  field.if_any("seeds", result.seeds);
  field.if_any("picks", result.picks);
}

Json to_json(SavedResult result, const Study& study) {
  FieldWriter writer{SpaceOfPoints(study)};
  visit_fields(writer, result, study.is_comparison());
  return std::move(writer.json);
}

Json verdict_json(const SavedResult& result, const Study& study) {
  FieldWriter writer{SpaceOfPoints(study)};
  write_verdict(writer, result);
  return std::move(writer.json);
}

void add_test(Json& result, DecidedTest test, const Study& study) {
  FieldWriter writer;
  visit_fields(writer, test);
  result["default"]["tested"] = std::move(writer.json);
  result.update(verdict_json(read_saved_result(result, study), study));
}

Json chosen_json(const GoalFront& front, const SearchSpace& space) {
  const FrontMember& chosen = front.members.at(front.chosen.value());
  Json json = {{"params", point_json(chosen.point, space)}, {"estimate", Json()}};
  for (const GoalValue& value : chosen.goals) {
    const auto& interval = value.interval;
    json["value"][value.goal] = value.mean;
    json["interval"][value.goal] = interval ? Json::array({interval->low, interval->high}) : Json();
  }
  return json;
}

Json forfeits_json(EarlyEndings endings) {
  if (endings.forfeits.games() == 0) return nullptr;
  FieldWriter writer;
  SavedForfeits forfeits{endings};
  visit_fields(writer, forfeits);
  return std::move(writer.json);
}

Json elo_json(SavedElo elo) {
  FieldWriter writer;
  visit_fields(writer, elo);
  return std::move(writer.json);
}

SavedResult read_saved_result(const Json& json, const Study& study) {
  SavedResult result;
  FieldReader reader(json, SpaceOfPoints(study));
  visit_fields(reader, result, study.is_comparison());
  return result;
}

Json result_json(const Study& study, const StudyResult& result,
                 const std::vector<CellSummary>& summaries) {
  return to_json(saved_result(study, result, summaries), study);
}

}  // namespace ntune
