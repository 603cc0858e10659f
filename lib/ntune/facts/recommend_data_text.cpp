#include "ntune/facts/recommend_data_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/space/space_yaml.h"
#include "ntune/version.h"

namespace ntune {

namespace {

/// What a point is worth, in one line.
Facts facts_of(const ObservedPoint& point) {
  const std::optional<Interval>& like = point.interval;
  Fact posterior{.key = "posterior_mean",
                 .label = "posterior mean",
                 .value = "-",
                 .interval = point.interval,
                 .brief = true,
                 .before = "; posterior mean ",
                 .continues = true};
  if (point.interval) posterior.value = *point.posterior;
  return {{.key = "estimate",
           .label = "estimate",
           .value = point.estimate,
           .like = like,
           .before = "estimate "},
          {.key = "observations",
           .label = "observed",
           .value = counted(point.observations, "time"),
           .before = "; observed ",
           .continues = true},
          {.key = "mean",
           .label = "mean",
           .value = point.mean,
           .like = like,
           .before = ", mean ",
           .continues = true},
          posterior};
}

/// What a point is worth as one line of text.
std::string measured_text(const ObservedPoint& point) {
  return facts_text(facts_of(point), Fact::Part::kFinding, 0);
}

/// A point with what is known of it, for programs.
Json point_entry(const ObservedPoint& point, const SearchSpace& space) {
  return {{"parameters", point_json(point.point, space)},
          {"estimate", point.estimate},
          {"posterior_mean", point.posterior ? Json(*point.posterior) : Json()},
          {"interval",
           point.interval ? Json::array({point.interval->low, point.interval->high}) : Json()},
          {"observations", point.observations},
          {"mean", point.mean}};
}

/// The recommended values, a line for each, and what they are worth.
std::string recommended_text(const SearchSpace& space, const DataRecommendation& result) {
  std::string text = fmt::format("Recommendation by {}\n", result.model);
  std::size_t longest = 0;
  for (const std::string& name : space.names()) {
    longest = std::max(longest, text_columns(printable(name, 40)));
  }
  for (int i = 0; i < space.dimensions(); ++i) {
    text += fmt::format("  {:<{}}  {}\n", printable(space[i].name, 40), longest,
                        printable(value_text(space.value(result.recommended.point, i)), 60));
  }
  return text + "\n  " + measured_text(result.recommended) +
         "  (estimate: what the model ranks by; posterior mean: what a point is worth,\n"
         "   with its 95 % interval)\n";
}

/// How the best single trial compares: it is often lucky.
std::string best_trial_text(const SearchSpace& space, const DataRecommendation& result) {
  // Observations that are as good as the best are counted.
  const std::string others =
      result.equally_good > 1
          ? fmt::format(", and {} as good",
                        result.equally_good == 2
                            ? "1 more observation is"
                            : count_text(result.equally_good - 1) + " more observations are")
          : "";
  const std::string best = score_text(result.best_payoff, result.best_trial.interval);
  if (result.best_trial.point == result.recommended.point) {
    return fmt::format("The best single trial ({}{}) is of the same point.\n", best, others);
  }
  return fmt::format(
      "The best single trial ({}{}) is of another point, rank {} of {}:\n"
      "  {}\n  {}",
      best, others, count_text(result.rank_of_best), count_text(result.points),
      printable(space.text(result.best_trial.point), 300), measured_text(result.best_trial));
}

/// The best points by the model.
std::string ranking_text(const SearchSpace& space, const std::vector<ObservedPoint>& top) {
  TextTable table({"rank", "estimate", "observed", "mean", "posterior mean", "<point"});
  for (std::size_t i = 0; i < top.size(); ++i) {
    const ObservedPoint& point = top[i];
    table.add_row({std::to_string(i + 1), score_text(point.estimate, point.interval),
                   count_text(point.observations), score_text(point.mean, point.interval),
                   short_text(facts_of(point).back()), printable(space.text(point.point), 300)});
  }
  return table.text_within();
}

}  // namespace

Facts data_facts(const DataRecommendation& result) { return facts_of(result.recommended); }

std::string data_recommendation_text(const ForeignObservations& data, const SearchSpace& space,
                                     const DataRecommendation& result) {
  std::string text =
      fmt::format("{}: {} of {}, {}\n\n", printable(data.file, 1000),
                  counted(result.observations, "observation"), counted(result.points, "point"),
                  data.minimise ? "lower is better" : "higher is better");
  text += recommended_text(space, result) + '\n' + best_trial_text(space, result);
  return result.top.size() < 2 ? text : text + '\n' + ranking_text(space, result.top);
}

Json data_recommendation_json(const ForeignObservations& data, const SearchSpace& space,
                              const DataRecommendation& result) {
  Json best = point_entry(result.best_trial, space);
  best["payoff"] = result.best_payoff;
  best["equally_good"] = result.equally_good;
  best["rank"] = result.rank_of_best;
  Json json = {{"ntune", kVersion},
               {"data", data.file},
               {"direction", data.minimise ? "minimise" : "maximise"},
               {"observations", result.observations},
               {"points", result.points},
               {"model", result.model},
               {"recommendation", point_entry(result.recommended, space)},
               {"best_trial", best}};
  for (const ObservedPoint& point : result.top) json["top"].push_back(point_entry(point, space));
  json["space"] = space_json(space);
  return json;
}

}  // namespace ntune
