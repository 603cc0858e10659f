#include <algorithm>
#include <cstdint>
#include <tuple>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/data/json_fields.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/page/html.h"
#include "ntune/report/page/play_command.h"
#include "ntune/report/page/point_columns.h"
#include "ntune/report/page/sections.h"
#include "ntune/space/space_yaml.h"

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

/// What the value of the recommendation is called, everywhere.
std::string value_name(const Objective& objective) {
  return unit_text(objective) == "win rate" ? "Win rate"
         : objective.unit().is_cost()       ? "Cost (lower is better)"
                                            : "Value";
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

/// How many fresh evaluations of a point failed.
std::string failed_note(const Json& point) {
  const auto count = point.value("failures", std::int64_t{0});
  return count > 0 ? fmt::format("; failed: {}", html_count(count)) : "";
}

/// What the finding is for beside the payoffs: ": 4 of …", or nothing.
std::string reason_of_finding(const Json& compared) {
  const Json reason = compared.value("finding_reason", Json());
  return reason.is_string() ? ": " + xml_text(reason.get<std::string>()) : "";
}

/// What was cut off, games lost by a fault, and what was used of a limit of time or cost.
std::string limit_facts(const Json& result) {
  std::string html;
  if (const auto count = result.value("cut_off", std::int64_t{0}); count > 0) {
    html +=
        fact("cut_off", "Cut off", html_count(count),
             fmt::format("of {}; each counts with its penalty",
                         html_counted(result.value("evaluations", std::int64_t{0}), "evaluation")));
  }
  if (const Json forfeits = result.value("forfeits", Json()); forfeits.is_object()) {
    const auto of = [&](const char* player) {
      std::int64_t sum = 0;
      for (const Json& count : forfeits.value(player, Json::object())) {
        if (count.is_number_integer()) sum += count.get<std::int64_t>();
      }
      return html_count(sum);
    };
    html += fact("forfeits", "Lost by a fault",
                 html_counted(forfeits.value("count", std::int64_t{0}), "game"),
                 fmt::format("of {}: {} by the player, {} by the opponent",
                             html_count(forfeits.value("games", std::int64_t{0})), of("player"),
                             of("opponent")));
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

/// How the recommendation compares with the declared default.
std::string default_facts(const ReportData& data) {
  const Json result = data.study.result.is_object() ? data.study.result : Json::object();
  const Json compared = result.value("default", Json());
  if (!compared.is_object() || !compared["finding"].is_string()) return {};
  const std::string finding = compared["finding"];
  const bool level = compared.value("hold_out", Json()).is_null() &&
                     compared.value("failures", std::int64_t{0}) == 0;
  std::string html;
  html +=
      fact("finding", "Against the default",
           finding == "better" ? "better"
           : finding == "keep" ? "keep the default"
                               : "not decided",
           (level ? "by fresh matches against it" : "by fresh evaluations with the same seeds") +
               reason_of_finding(compared));
  if (const auto value = number_at(compared, "value")) {
    html += fact("default", "Default", html_number(*value, interval_at(compared, "interval")),
                 level ? "by definition: every match is against it"
                       : fmt::format("95 % {}{}", html_interval(interval_at(compared, "interval")),
                                     failed_note(compared)));
  }
  const Json& difference = compared["difference"];
  if (const auto value = number_at(difference, "value")) {
    html +=
        fact("difference", "Difference", html_number(*value, interval_at(difference, "interval")),
             fmt::format("95 % {}", html_interval(interval_at(difference, "interval"))));
  }
  const Json elo = compared.value("elo_difference", Json::object());
  if (const auto value = number_at(elo, "value")) {
    html += fact("elo-difference", "Elo above the default", html_elo(value),
                 fmt::format("95 % {}", html_elo_interval(interval_at(elo, "interval"))));
  }
  if (const auto probability = number_at(compared, "probability_better")) {
    html +=
        fact("better", "Probability of being better",
             fmt::format("<data value=\"{0}\">{0:.3f}</data>", *probability), "than the default");
  }
  return html;
}

std::string facts_of(const ReportData& data, const Json& recommendation) {
  const Objective& objective = data.study.objective(0);
  const std::optional<Interval> known = interval_at(recommendation, "interval");
  std::string html = "<dl class=\"facts\">\n";
  if (const auto value = number_at(recommendation, "value")) {
    const Json& held_out = recommendation["hold_out"];
    const std::int64_t n = held_out.is_object() ? held_out.value("n", std::int64_t{0}) : 0;
    html += fact("value", value_name(objective), html_number(*value, known),
                 n == 0 ? "by definition: every match is against it"
                        : fmt::format("95 % {} from {}{}",
                                      html_interval(interval_at(recommendation, "interval")),
                                      html_counted(n, "fresh evaluation"),
                                      cut_off_note(held_out) + failed_note(recommendation)));
  }
  if (const auto truth = number_at(recommendation, "true_value")) {
    const std::optional<double> optimum = optimum_of(objective);
    html += fact("true_value", "True value", html_number(*truth, known),
                 optimum ? fmt::format("best of the space {}", html_number(*optimum, known)) : "");
  }
  const bool of_a_run = recommendation.value("run", std::int64_t{0}) != kNoRun;
  if (const auto estimate = number_at(recommendation, "estimate"); estimate && of_a_run) {
    html += fact("estimate", "Estimate",
                 html_number(*estimate, interval_at(recommendation, "estimate_interval")),
                 estimate_note(recommendation));
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
  html += default_facts(data);
  html += limit_facts(data.study.result);
  return html + "</dl>\n";
}

/// "[0.6976, 0.7531]" with a word before it, or nothing.
std::string interval_words(const std::optional<Interval>& interval) {
  return interval ? ", 95 % interval " + html_interval(interval) : "";
}

/// What it is worth, and beside the default if there is one.
std::string worth_sentence(const ReportData& data, const Json& recommendation) {
  const Objective& objective = data.study.objective(0);
  const std::string name = value_name(objective);
  const auto value = number_at(recommendation, "value");
  const Json compared = data.study.result.value("default", Json());
  if (compared.is_object() && compared.value("finding", Json()).is_string()) {
    const std::string finding = compared["finding"];
    const Json& difference = compared["difference"];
    std::string text = finding == "better" ? "<strong>Better than the default</strong>"
                       : finding == "keep"
                           ? "<strong>Keep the default</strong>"
                           : "<strong>Not shown to be better than the default</strong>";
    const std::string reason = reason_of_finding(compared);
    if (!reason.empty()) return text + reason + ".";
    if (value && number_at(compared, "value")) {
      const auto interval = interval_at(recommendation, "interval");
      text += fmt::format(": {} {} against {}", name, html_number(*value, interval),
                          html_number(*number_at(compared, "value"), interval));
    }
    if (const auto by = number_at(difference, "value")) {
      const auto interval = interval_at(difference, "interval");
      text +=
          fmt::format(", difference {}{}", html_number(*by, interval), interval_words(interval));
    }
    return text + ".";
  }
  if (!value) {
    return data.study.state == StudyFolder::State::kDone ? "Its value was not measured."
                                                         : "Its value has not been measured yet.";
  }
  const Json& held_out = recommendation["hold_out"];
  const std::int64_t n = held_out.is_object() ? held_out.value("n", std::int64_t{0}) : 0;
  const auto interval = interval_at(recommendation, "interval");
  return fmt::format("<strong>{} {}</strong>{}, from {}.", name, html_number(*value, interval),
                     interval_words(interval), html_counted(n, "fresh evaluation"));
}

/// The other points that may as well be the best: "#2 (0.418) and default (0.06)".
std::string close_rivals(const ReportData& data) {
  constexpr double kClose = 0.05;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < data.rivals.size(); ++i) {
    const Rival& rival = data.rivals[i];
    if (rival.recommended || rival.best_probability.value_or(0.0) < kClose) continue;
    names.push_back(fmt::format("{} ({})", rival_name(data.study, data.rivals, i),
                                probability_html(*rival.best_probability)));
  }
  return list_text(names, "and");
}

std::int64_t compared_points(const ReportData& data) {
  return std::ranges::count_if(data.rivals, [](const Rival& rival) { return rival.n > 0; });
}

/// Why this point and no other, and how sure that is.
std::string reason_sentence(const ReportData& data, const Json& recommendation) {
  const std::int64_t points = compared_points(data);
  const auto best = number_at(recommendation, "best_probability");
  const bool among_points = number_at(recommendation, "best_among").value_or(0.0) > 0.0;
  const Json budget = data.study.result.value("budget", Json::object());
  const std::int64_t comparisons = budget.value("re_evaluation", std::int64_t{0});
  if (points > 1 && best && among_points) {
    const std::string rivals = close_rivals(data);
    return fmt::format(
        "Chosen among {} points{}. The probability that it is the best of them is {}{}; on average "
        "it falls short of the best by {}.",
        points,
        comparisons > 0
            ? fmt::format(" by {} comparisons before the hold-out", html_count(comparisons))
            : "",
        probability_html(*best),
        rivals.empty() ? ", and no other has 0.05" : ". It cannot be told from " + rivals,
        html_optional(number_at(recommendation, "regret")));
  }
  const std::int64_t run = recommendation.value("run", std::int64_t{0});
  if (run == kNoRun) return "It is the default, which no run could beat.";
  const std::size_t runs = data.study.runs.size();
  std::string text = runs > 1 ? fmt::format("All {} runs recommend it", count_text(runs))
                              : fmt::format("Chosen by the model of run {}", run);
  if (best) {
    text += fmt::format(
        ": of the points that run {} sampled it is the best with probability {}, by that model",
        run, probability_html(*best));
  }
  return text + ".";
}

std::string headline_text(const ReportData& data, const Json& recommendation) {
  return fmt::format("<p class=\"finding\">{}</p>\n<p>{}</p>\n",
                     worth_sentence(data, recommendation), reason_sentence(data, recommendation));
}

/// The recommended values as text for another program.
std::string copy_button(const ReportData& data) {
  const std::string point =
      point_json(data.rivals[0].point, data.study.objective(0).space()).dump();
  return fmt::format(
      "<p class=\"save\"><button type=\"button\" data-copy=\"{}\">Copy as JSON</button></p>\n",
      xml_text(point));
}

std::string watch_note(const ReportData& data) {
  const std::string command = play_command_of(data);
  if (command.empty()) return {};
  return "<p>Watch it play: <code>" + xml_text(command) + "</code></p>\n";
}

/// "5 values, 0 to 0.8", "fast, safe"; of more values without an order the first and the last.
std::string searched_text(const Parameter& parameter) {
  const auto text = [](const Value& value) { return shortened(value_text(value), 24); };
  const Value& first = parameter.values.front();
  const Value& last = parameter.values.back();
  const auto searched = [&] {
    if (parameter.ordered) {
      return fmt::format("{} values, {} to {}", parameter.cardinality(), text(first), text(last));
    }
    if (parameter.cardinality() == 1) return text(first);
    if (parameter.cardinality() == 2) return fmt::format("{}, {}", text(first), text(last));
    return fmt::format("{} choices, {} … {}", parameter.cardinality(), text(first), text(last));
  };
  return html_whole(searched());
}

std::string values_table(const ReportData& data, const Rival& chosen) {
  const SearchSpace& space = data.study.objective(0).space();
  std::vector<std::string> names{"<parameter", "<recommended"};
  if (data.defaults) names.emplace_back("<default");
  names.emplace_back("<searched");
  const bool several = data.study.runs.size() > 1;
  if (several) names.emplace_back("runs that agree");
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
    row.push_back(parameter.cardinality() == 1 ? "fixed" : searched_text(parameter));
    if (several) {
      row.push_back(
          fmt::format("<data value=\"{}\">{} of {}</data>", agree, agree, data.study.runs.size()));
    }
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
        {html_count(rival.runs), html_count(rival.n),
         known ? html_number(rival.mean, rival.interval) : "–",
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

/// What a study without a recommendation would recommend now, by the run that is furthest.
std::string under_way(const ReportData& data) {
  const auto evaluations = [](const RunTrace& trace) {
    return trace.checkpoints.back().evaluations;
  };
  const auto& runs = data.traces.runs;
  const auto furthest = std::ranges::max_element(runs, {}, evaluations);
  if (furthest == runs.end()) return "<p>Nothing is recommended yet.</p>\n";
  const Checkpoint& now = furthest->checkpoints.back();
  const SearchSpace& space = data.study.objective(furthest->cell).space();
  return fmt::format(
      "<p>Nothing is recommended yet. After {} run {} would recommend <strong>{}</strong>, worth "
      "{} "
      "by its model.</p>\n",
      html_counted(now.evaluations, "evaluation"), furthest->run,
      xml_text(shortened(space.text(now.point), 300)), html_number(now.estimate));
}

}  // namespace

std::string headline_section(const ReportData& data, int /*level*/) {
  if (data.is_comparison()) return {};
  const Json recommendation =
      data.study.result.is_object() ? data.study.result.value("recommendation", Json()) : Json();
  if (!recommendation.is_object() || data.rivals.empty()) {
    return under_way(data);
  }
  std::string html = "<div class=\"headline\">\n" + headline_text(data, recommendation);
  html += "<div class=\"beside\"><div>" + values_table(data, data.rivals[0]) + copy_button(data) +
          "</div>\n<div>" + facts_of(data, recommendation) + "</div></div>\n";
  html += defaults_note(data);
  html += watch_note(data);
  return html + "</div>\n";
}

std::string sureness_section(const ReportData& data, int level) {
  if (data.is_comparison() || data.rivals.empty()) return {};
  std::string html = games_table(data.study.result);
  const std::int64_t compared = compared_points(data);
  const auto of_runs =
      std::ranges::count_if(data.rivals, [](const Rival& rival) { return rival.runs > 0; });
  if (of_runs > 1 || compared > 1) {
    html +=
        fmt::format("<p>The runs recommend {}. {}</p>\n",
                    of_runs == 1 ? "one point" : fmt::format("{} different points", of_runs),
                    compared > 1 ? kJudgingRule : "They were not compared by fresh evaluations.");
    html += rivals_table(data, compared > 1);
    html += figures_html(candidates_figure(data), level);
  }
  html += instances_table(data.study.result);
  return html + instance_map_table(data);
}

}  // namespace ntune
