#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/plot/axis.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/data/json_fields.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/page/html.h"
#include "ntune/report/page/point_columns.h"
#include "ntune/report/page/sections.h"

namespace ntune {

namespace {

/// How best probabilities and regrets are found (study/choice/standing.h).
constexpr const char* kJudgingRule =
    "They were compared by fresh evaluations, with the same random numbers for all. The "
    "probabilities take the payoffs as normal, with a part that the points share on the same "
    "random "
    "numbers, and count the hold-out as well.";

std::string fact(std::string_view id, std::string_view name, const std::string& value,
                 const std::string& note) {
  return fmt::format("<div data-fact=\"{}\"><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", id,
                     xml_text(name), value, note);
}

std::string probability_html(double probability) {
  return fmt::format("<data value=\"{}\">{:.3f}</data>", probability, probability);
}

/// Whose estimate it is, and how sure.
std::string estimate_note(const Json& recommendation) {
  const auto run = recommendation.value("run", std::int64_t{0});
  if (const auto interval = interval_at(recommendation, "estimate_interval")) {
    return fmt::format("95 % {} by the model of run {}", html_interval(interval), run);
  }
  return fmt::format("by the model of run {}: ranks well, biased as a value", run);
}

std::string cut_off_note(const Json& held_out) {
  const auto count = held_out.is_object() ? held_out.value("cut_off", std::int64_t{0}) : 0;
  return count > 0 ? fmt::format(", {} of them cut off", html_count(count)) : "";
}

/// What was cut off, and what was used of a limit of time or cost.
std::string limit_facts(const Json& result) {
  std::string html;
  if (const auto count = result.value("cut_off", std::int64_t{0}); count > 0) {
    html +=
        fact("cut_off", "Cut off", html_count(count),
             fmt::format("of {}; each counts with its penalty",
                         html_counted(result.value("evaluations", std::int64_t{0}), "evaluation")));
  }
  const Json limits = result.value("limits", Json());
  if (!limits.is_object()) return html;
  for (const auto& [key, name, unit] : {std::tuple("time", "Time", " s"), {"cost", "Cost", ""}}) {
    const auto used = number_at(limits[key], "used");
    const auto limit = number_at(limits[key], "limit");
    if (!used || !limit) continue;
    html += fact(key, name, html_number(*used) + unit,
                 fmt::format("of {}{}", html_number(*limit), unit));
  }
  return html;
}

std::string facts_of(const ReportData& data, const Json& recommendation) {
  const Objective& objective = data.study.objective(0);
  std::string html = "<dl class=\"facts\">\n";
  if (const auto value = number_at(recommendation, "value")) {
    const Json& held_out = recommendation["hold_out"];
    const std::int64_t n = held_out.is_object() ? held_out.value("n", std::int64_t{0}) : 0;
    html += fact(
        "value",
        unit_text(objective) == "win rate" ? "Win rate"
        : objective.unit().is_cost()       ? "Cost (lower is better)"
                                           : "Value",
        html_number(*value),
        fmt::format("95 % {} from {}{}", html_interval(interval_at(recommendation, "interval")),
                    html_counted(n, "fresh evaluation"), cut_off_note(held_out)));
  }
  if (const auto truth = number_at(recommendation, "true_value")) {
    const std::optional<double> optimum = optimum_of(objective);
    html += fact("true_value", "True value", html_number(*truth),
                 optimum ? fmt::format("best of the space {}", html_number(*optimum)) : "");
  }
  const bool of_a_run = recommendation.value("run", std::int64_t{0}) != kNoRun;
  if (const auto estimate = number_at(recommendation, "estimate"); estimate && of_a_run) {
    html += fact("estimate", "Estimate", html_number(*estimate), estimate_note(recommendation));
  }
  if (const auto best = number_at(recommendation, "best_probability")) {
    const std::int64_t among = recommendation.value("best_among", std::int64_t{0});
    html += fact("best", "Probability of being best", probability_html(*best),
                 among > 0 ? fmt::format("among the {} points compared", among)
                           : fmt::format("among the points that run {} sampled, by its model",
                                         recommendation.value("run", std::int64_t{0})));
  }
  if (const auto regret = number_at(recommendation, "regret")) {
    html += fact("regret", "Expected regret", html_number(*regret),
                 "shortfall from the best of them, on average");
  }
  html += limit_facts(data.study.result);
  return html + "</dl>\n";
}

/// How the recommendation compares with the declared default.
std::string default_facts(const ReportData& data) {
  const Json result = data.study.result.is_object() ? data.study.result : Json::object();
  const Json compared = result.value("default", Json());
  if (!compared.is_object() || !compared["finding"].is_string()) return {};
  const std::string finding = compared["finding"];
  const bool level = compared.value("hold_out", Json()).is_null();
  std::string html = "<dl class=\"facts\">\n";
  html += fact("finding", "Against the default",
               finding == "better" ? "better"
               : finding == "keep" ? "keep the default"
                                   : "not shown to be better",
               level ? "by fresh matches against it" : "by fresh evaluations with the same seeds");
  if (const auto value = number_at(compared, "value")) {
    html += fact("default", "Default", html_number(*value),
                 level ? "by definition: every match is against it"
                       : fmt::format("95 % {}", html_interval(interval_at(compared, "interval"))));
  }
  const Json& difference = compared["difference"];
  if (const auto value = number_at(difference, "value")) {
    html += fact("difference", "Difference", html_number(*value),
                 fmt::format("95 % {}", html_interval(interval_at(difference, "interval"))));
  }
  const Json elo = compared.value("elo_difference", Json::object());
  if (const auto value = number_at(elo, "value")) {
    html += fact("elo-difference", "Elo above the default", html_number(*value),
                 fmt::format("95 % {}", html_interval(interval_at(elo, "interval"))));
  }
  if (const auto probability = number_at(compared, "probability_better")) {
    html +=
        fact("better", "Probability of being better",
             fmt::format("<data value=\"{0}\">{0:.3f}</data>", *probability), "than the default");
  }
  return html + "</dl>\n";
}

std::string values_table(const ReportData& data, const Rival& chosen) {
  const SearchSpace& space = data.study.objective(0).space();
  std::vector<std::string> names{"<parameter", "<recommended"};
  if (data.defaults) names.emplace_back("<default");
  names.insert(names.end(), {"<searched", "runs that agree"});
  HtmlTable table("Recommended values", names);
  for (int i = 0; i < space.dimensions(); ++i) {
    const Parameter& parameter = space[i];
    std::int64_t agree = 0;
    for (const FinishedRun& run : data.study.runs) agree += run.point[i] == chosen.point[i] ? 1 : 0;
    const bool active = space.is_active(chosen.point, i);
    std::vector<std::string> row{
        xml_text(parameter.name),
        active
            ? fmt::format("<strong>{}</strong>", xml_text(value_text(space.value(chosen.point, i))))
            : "not active"};
    if (data.defaults) {
      row.push_back(data.default_given[static_cast<std::size_t>(i)]
                        ? xml_text(value_text(space.value(*data.defaults, i)))
                        : "–");
    }
    row.push_back(parameter.cardinality() == 1
                      ? "fixed"
                      : xml_text(fmt::format("{} values, {} to {}", parameter.cardinality(),
                                             shortened(value_text(parameter.values.front()), 24),
                                             shortened(value_text(parameter.values.back()), 24))));
    row.push_back(data.study.runs.empty() ? "–"
                                          : fmt::format("<data value=\"{}\">{} of {}</data>", agree,
                                                        agree, data.study.runs.size()));
    table.add_row(row);
  }
  return table.text();
}

/// How the user's own values fared in the searches.
std::string defaults_note(const ReportData& data) {
  if (!data.defaults) return {};
  for (const SampledPoint& sampled : data.searches[0].most_sampled(1'000'000)) {
    if (sampled.point != *data.defaults) continue;
    const double mean = data.study.objective(0).unit().value_of(sampled.payoffs.mean());
    return fmt::format("<p>The searches evaluated the defaults {}, mean {}.</p>\n",
                       sampled.payoffs.n == 1 ? "once" : html_count(sampled.payoffs.n) + " times",
                       html_number(mean));
  }
  if (data.study.study.beginning.incumbent) {
    return "<p>The searches have no payoff of the defaults: evaluations of them failed, or they "
           "lie "
           "off the grid.</p>\n";
  }
  return "<p>The searches never evaluated the defaults.</p>\n";
}

/// Probabilities of being best and regrets are shown where the points were `compared`.
std::string rivals_table(const ReportData& data, bool compared) {
  constexpr std::size_t kMostRows = 100;
  const Objective& objective = data.study.objective(0);
  const PointColumns columns(objective.space());
  std::vector<std::string> names{"<"};
  names.insert(names.end(), columns.names().begin(), columns.names().end());
  names.insert(names.end(), {"runs", "n", "mean", "95 % interval", "P(best)", "regret"});
  const bool truth = true_value_of(objective, data.rivals[0].point).has_value();
  if (truth) names.emplace_back("true value");
  HtmlTable table("Recommendations of the runs", names);
  for (std::size_t i = 0; i < std::min(kMostRows, data.rivals.size()); ++i) {
    const Rival& rival = data.rivals[i];
    const bool known = rival.n > 0;
    std::vector<std::string> row{rival_name(data.study, data.rivals, i)};
    const std::vector<std::string> cells = columns.cells(rival.point);
    row.insert(row.end(), cells.begin(), cells.end());
    row.insert(
        row.end(),
        {html_count(rival.runs), html_count(rival.n), known ? html_number(rival.mean) : "–",
         rival.stopped ? "stopped"
         : known       ? html_interval(rival.interval)
                       : "–",
         compared && rival.best_probability ? probability_html(*rival.best_probability) : "–",
         compared ? html_optional(rival.regret) : "–"});
    if (truth) row.push_back(html_optional(rival.true_value));
    table.add_row(row, rival.recommended);
  }
  std::string html = table.text();
  if (std::ranges::any_of(data.rivals, &Rival::stopped)) {
    html +=
        "<p class=\"soft\">Stopped: it could no longer win, so that not all its evaluations were "
        "made; its mean is of the first ones, the last of them at least as long as shown.</p>\n";
  }
  if (data.rivals.size() > kMostRows) {
    html +=
        fmt::format("<p class=\"soft\">The first {} of {}.</p>\n", kMostRows, data.rivals.size());
  }
  return html;
}

}  // namespace

std::string recommendation_section(const ReportData& data, int level, const std::string& id) {
  if (data.is_comparison()) return {};
  std::string html = heading(level, "Recommendation", id);
  const Json none = Json::object();
  const Json recommendation =
      data.study.result.is_object() ? data.study.result.value("recommendation", Json()) : Json();
  if (!recommendation.is_object() || data.rivals.empty()) {
    return html + "<p>Nothing is recommended yet.</p>\n";
  }
  html += facts_of(data, recommendation);
  html += default_facts(data);
  html += games_table(data.study.result);
  html += instances_table(data.study.result);
  html += instance_map_table(data);
  html += values_table(data, data.rivals[0]);
  html += defaults_note(data);
  std::size_t compared = 0;
  for (const Rival& rival : data.rivals) compared += rival.n > 0 ? 1 : 0;
  const auto of_runs =
      std::ranges::count_if(data.rivals, [](const Rival& rival) { return rival.runs > 0; });
  if (of_runs > 1 || compared > 1) {
    html += heading(level + 1, "How sure");
    html +=
        fmt::format("<p>The runs recommend {}. {}</p>\n",
                    of_runs == 1 ? "one point" : fmt::format("{} different points", of_runs),
                    compared > 1 ? kJudgingRule : "They were not compared by fresh evaluations.");
    html += rivals_table(data, compared > 1);
    html += figures_html(candidates_figure(data), level + 1);
  } else {
    html += fmt::format("<p>{}</p>\n",
                        data.study.runs.size() > 1 ? "All runs recommend this point."
                        : data.study.study.beginning.incumbent
                            ? "One run: there is nothing but the default to compare it with."
                            : "One run: there is nothing to compare it with.");
  }
  return html;
}

std::string comparison_section(const ReportData& data, int level, const std::string& id) {
  if (!data.is_comparison()) return {};
  std::string html = heading(level, "Comparison", id);
  const Json none = Json::array();
  const bool known = data.study.result.is_object() && data.study.result.contains("cells");
  const Json& cells = known ? data.study.result["cells"] : none;
  if (cells.empty()) return html + "<p>Nothing to compare yet.</p>\n";
  HtmlTable table("Cells", {"<objective", "<optimiser", "<plan", "n", "score", "95 % interval",
                            "sd", "difference", "95 % interval ", "estimate - score"});
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Json& cell = cells[i];
    const auto sample = [&](const char* key) {
      const Json found = cell.value(key, Json());
      return found.is_object() ? found : Json::object();
    };
    const Json score = sample("score");
    const Json difference = sample("difference");
    table.add_row(
        {xml_text(cell.value("objective", "")), xml_text(cell.value("optimiser", "")),
         i < data.study.study.cells() ? xml_text(data.study.plan(i).label()) : "–",
         html_count(score.value("n", std::int64_t{0})), html_optional(number_at(score, "mean")),
         html_interval(interval_at(score, "interval")), html_optional(number_at(score, "sd")),
         html_optional(number_at(difference, "mean")),
         html_interval(interval_at(difference, "interval")),
         html_optional(number_at(sample("delta"), "mean"))});
  }
  html += fmt::format(
      "<p>Scores of {}: {}, with 95 % bootstrap intervals; where all are alike, by the range that "
      "they can have. Differences are paired, to the first cell of the same objective{}.</p>\n",
      data.study.study.unit == SampleUnit::kPicks ? "picks (one a repeat)" : "single runs",
      data.study.study.true_values_known() ? "true values" : "hold-out means",
      data.study.study.optimisers.size() > 1 && data.study.study.plans.size() > 1 ? " and plan"
                                                                                  : "");
  html += table.text();
  html += figures_html(scores_figure(data), level + 1);
  return html + figures_html(differences_figure(data), level + 1);
}

}  // namespace ntune
