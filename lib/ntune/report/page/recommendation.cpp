#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/facts/result_facts.h"
#include "ntune/objective/capabilities.h"
#include "ntune/plot/svg_text.h"
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
    "random numbers, and count the hold-out as well.";

std::string probability_html(double probability) {
  return fmt::format("<data value=\"{}\">{:.3f}</data>", probability, probability);
}

/// The words that follow a value, without what joins them to it in a line of text.
std::string_view note_of(const Fact& fact) {
  const std::string_view after = fact.after;
  const std::size_t begin = after.find_first_not_of(" ,;");
  return begin == std::string_view::npos ? std::string_view() : after.substr(begin);
}

/// "nElo" stays what it is.
std::string first_capital(std::string text) {
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  const bool is_word = text.size() < 2 || is_small(text[1]) || text[1] == ' ';
  if (is_word && !text.empty() && is_small(text[0])) {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

std::string title_of(const Fact& fact) {
  const std::string title = first_capital(fact.label);
  if (fact.unit == "win rate") return title + " (win rate)";
  return fact.unit == "cost" ? title + " (lower is better)" : title;
}

std::string fact_html(const Fact& fact) {
  constexpr std::size_t kShort = 24;
  const bool prefixed = fact.part == Fact::Part::kFinding && !fact.continues;
  const std::string value = (prefixed ? xml_text(fact.before) : "") + html_value(fact);
  std::string note = fact.interval ? "95 % " + html_interval_of(fact) : "";
  note += (note.empty() ? "" : " ") + xml_text(note_of(fact));
  const bool whole = text_of(fact).size() <= kShort;
  return fmt::format("<div data-fact=\"{}\"><dt>{}</dt><dd>{}<small>{}{}</small></dd></div>\n",
                     fact.key, xml_text(title_of(fact)), whole ? value : "",
                     whole ? "" : value + " ", note);
}

/// What was found and spent, but for the values and the finding, which stand elsewhere.
std::string facts_html(const Facts& facts) {
  std::string html = "<dl class=\"facts\">\n";
  for (const Fact& fact : facts) {
    const bool elsewhere = fact.part == Fact::Part::kSetting || fact.key == "finding";
    if (!elsewhere && !fact.label.empty()) html += fact_html(fact);
  }
  return html + "</dl>\n";
}

/// "value 0.7250, 95 % interval [0.6976, 0.7531]".
std::string clause_of(const Fact& fact) {
  return xml_text(fact.label) + " " + html_value(fact) +
         (fact.interval ? ", 95 % interval " + html_interval_of(fact) : "");
}

/// The finding, in strong letters up to its reason, with the difference; without a default the
/// value.
std::string headline_text(const Facts& facts) {
  const Fact* finding = find_fact(facts, "finding");
  std::string text;
  if (finding != nullptr) {
    const std::string words = first_capital(text_of(*finding));
    const std::size_t end = std::min(words.find(": "), words.size());
    text = fmt::format("<strong>{}</strong>{}", xml_text(words.substr(0, end)),
                       xml_text(words.substr(end)));
    if (const Fact* difference = find_fact(facts, "difference")) {
      text += "; " + clause_of(*difference);
    }
  } else if (const Fact* value = find_fact(facts, "value")) {
    text = fmt::format("<strong>{}</strong>", first_capital(clause_of(*value)));
  }
  return "<p class=\"finding\">" + text + ".</p>\n";
}

std::int64_t compared_points(const ReportData& data) {
  return std::ranges::count_if(data.rivals, [](const Rival& rival) { return rival.n > 0; });
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

std::string recommendation_section(const ReportData& data, int /*level*/) {
  if (data.is_comparison()) return {};
  if (data.rivals.empty() || !data.study.result->recommendation) return under_way(data);
  Facts facts = result_facts(data.study.study, *data.study.result);
  return "<div class=\"headline\">\n" + headline_text(facts) + "<div class=\"beside\"><div>" +
         values_table(data, data.rivals[0]) + copy_button(data) + "</div>\n<div>" +
         facts_html(facts) + "</div></div>\n" + defaults_note(data) + watch_note(data) + "</div>\n";
}

std::string sureness_section(const ReportData& data, int level) {
  if (data.is_comparison() || data.rivals.empty()) return {};
  std::string html;
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
  html += instances_table(*data.study.result);
  return html + instance_map_table(data);
}

}  // namespace ntune
