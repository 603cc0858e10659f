#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/facts/result_facts.h"
#include "ntune/facts/story.h"
#include "ntune/objective/capabilities.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/page/html.h"
#include "ntune/report/page/sections.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

namespace {

/// How best probabilities and regrets are found (study/choice/standing.h).
constexpr const char* kJudgingRule =
    "They were compared by fresh evaluations, with the same random numbers for all. The "
    "probabilities take the payoffs as normal, with a part that the points share on the same "
    "random numbers, and count the hold-out as well.";

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

/// The label of a fact with its unit.
std::string title_of(const Fact& fact) {
  const std::string title = first_capital(fact.label);
  if (fact.unit == "win rate") return title + " (win rate)";
  return fact.unit == "cost" ? title + " (lower is better)" : title;
}

/// A fact as an entry of the list, with its interval and its note.
std::string fact_html(const Fact& fact) {
  const bool prefixed = fact.part == Fact::Part::kFinding && !fact.continues;
  const std::string value = (prefixed ? xml_text(fact.before) : "") + html_value(fact);
  std::string note = fact.interval ? "95 % " + html_interval_of(fact) : "";
  note += (note.empty() ? "" : " ") + xml_text(note_of(fact));
  return fmt::format("<div data-fact=\"{}\"><dt>{}</dt><dd>{} <small>{}</small></dd></div>\n",
                     fact.key, xml_text(title_of(fact)), value, note);
}

/// What was found and spent, with every number as the file has it.
std::string facts_html(const Facts& facts) {
  std::string html = "<dl class=\"facts\">\n";
  for (const Fact& fact : facts) {
    if (!fact.label.empty()) html += fact_html(fact);
  }
  return html + "</dl>\n";
}

/// Points that fresh evaluations were made of.
std::int64_t compared_points(const ReportData& data) {
  return std::ranges::count_if(data.rivals, [](const Rival& rival) { return rival.n > 0; });
}

/// The study's folder for a command: of one with all its path the name alone, for a page travels.
std::string shown_folder(const ReportData& data) {
  const std::filesystem::path& folder = data.study.folder;
  return (folder.is_absolute() ? folder.filename() : folder).string();
}

/// The command of a laboratory that plays a game of the recommended agent into a replay; empty
/// where the study is of no game that has one.
std::string play_command_of(const ReportData& data) {
  if (data.is_comparison() || data.rivals.empty() || !data.rivals[0].recommended) return {};
  const Json& options = data.study.study.objectives[0].options;
  const std::string game = options.is_object() ? options.value("game", "") : "";
  if (game != "planet_wars" && game != "asteroids") return {};
  return fmt::format("arcade play {} --from {} --replay game.html", game,
                     printable(shown_folder(data), 200));
}

/// How to see the recommended agent play; empty: there is no such command.
std::string watch_note(const ReportData& data) {
  const std::string command = play_command_of(data);
  return command.empty() ? "" : "<p>Watch it play: <code>" + xml_text(command) + "</code></p>\n";
}

/// "5 values, 0 to 0.8", "fast, safe"; of more values without an order the first and the last.
std::string searched_words(const Parameter& parameter) {
  const auto text = [](const Value& value) { return shortened(value_text(value), 24); };
  const Value& first = parameter.values.front();
  const Value& last = parameter.values.back();
  if (parameter.ordered) {
    return fmt::format("{} values, {} to {}", parameter.cardinality(), text(first), text(last));
  }
  if (parameter.cardinality() == 1) return text(first);
  if (parameter.cardinality() == 2) return fmt::format("{}, {}", text(first), text(last));
  return fmt::format("{} choices, {} … {}", parameter.cardinality(), text(first), text(last));
}

/// What was searched of a parameter, as HTML.
std::string searched_text(const Parameter& parameter) {
  return html_whole(searched_words(parameter));
}

/// Every value of the recommendation, beside the default and what was searched.
std::string values_table(const ReportData& data, const Rival& chosen) {
  const SearchSpace& space = data.study.objective(0).space();
  std::vector<std::string> names{"<parameter", "<recommended"};
  if (data.defaults) names.emplace_back("<default");
  names.emplace_back("<searched");
  const bool several = data.study.runs.size() > 1;
  if (several) names.emplace_back("runs that agree");
  HtmlTable table("Recommended values", names);
  for (int i = 0; i < space.dimensions(); ++i) {
    // A row for each parameter: what is recommended, today's, what was searched, how many runs
    // agree.
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
      row.push_back(data.knows_today(i) ? xml_text(value_text(space.value(*data.defaults, i)))
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
  // The searches may have met the defaults by themselves.
  if (const PayoffSum* payoffs = data.searches[0].payoffs_of(*data.defaults)) {
    const double mean = data.study.objective(0).unit().value_of(payoffs->mean());
    return fmt::format("<p>The searches evaluated the defaults {}, mean {}.</p>\n",
                       payoffs->n == 1 ? "once" : html_count(payoffs->n) + " times",
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
  constexpr std::size_t kMostRivals = 100;
  const Objective& objective = data.study.objective(0);
  const PointColumns columns(objective.space());
  std::vector<std::string> names{"<"};
  names.insert(names.end(), columns.names().begin(), columns.names().end());
  names.insert(names.end(), {"runs", "n", "mean", "95 % interval", "P(best)", "regret"});
  // The true value has a column where the objective knows it.
  const bool truth = true_value_of(objective, data.rivals[0].point).has_value();
  if (truth) names.emplace_back("true value");
  HtmlTable table("Recommendations of the runs", names);
  for (std::size_t i = 0; i < std::min(kMostRivals, data.rivals.size()); ++i) {
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
         compared && rival.best_probability ? html_decimals(*rival.best_probability, 3) : "–",
         compared ? html_number(rival.regret) : "–"});
    if (truth) row.push_back(html_number(rival.true_value));
    table.add_row(row, rival.recommended);
  }
  // Notes say what "stopped" means and what is not shown.
  std::string html = table.text();
  if (std::ranges::any_of(data.rivals, &Rival::stopped)) {
    html +=
        "<p class=\"soft\">Stopped: it could no longer win, so that not all its evaluations were "
        "made; its mean is of the first ones, the last of them at least as long as shown.</p>\n";
  }
  if (data.rivals.size() > kMostRivals) {
    html +=
        fmt::format("<p class=\"soft\">The first {} of {}.</p>\n", kMostRivals, data.rivals.size());
  }
  return html;
}

/// The first picture of a kind, without its heading.
std::string first_of(const std::vector<Figure>& figures, double wide) {
  return figures.empty() ? "" : plain_figure_html(figures[0], wide);
}

/// Where a value stands in what was searched: what is used today hollow, what was found full.
std::string range_strip(const ReportData& data, const Story::Change& change) {
  const Parameter& parameter = data.study.objective(0).space()[change.parameter];
  if (parameter.cardinality() == 1) return "fixed";
  if (!parameter.ordered) return searched_text(parameter);
  constexpr double kLeft = 6.0;
  constexpr double kLength = 148.0;
  constexpr std::size_t kMostTicks = 41;
  const std::size_t n = parameter.values.size();
  const auto x = [&](std::size_t value) {
    return kLeft + kLength * static_cast<double>(value) / static_cast<double>(n - 1);
  };
  std::string svg = fmt::format(
      "<svg class=\"strip\" viewBox=\"0 0 160 20\" width=\"160\" height=\"20\" role=\"img\" "
      "aria-label=\"{} of {}\"><line x1=\"{}\" x2=\"{}\" y1=\"10\" y2=\"10\"/>",
      xml_text(change.found), xml_text(searched_words(parameter)), x(0), x(n - 1));
  // A tick for each value while these are few.
  for (std::size_t i = 0; n <= kMostTicks && i < n; ++i) {
    svg += fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"7\" y2=\"13\"/>", x(i));
  }
  // A default off the grid has no place here.
  const auto place_in = [&](const Point& point) -> std::optional<double> {
    const std::size_t value = point[change.parameter];
    return value < n ? std::optional(x(value)) : std::nullopt;
  };
  const std::optional<double> place = place_in(data.rivals[0].point);
  if (!place) return svg + "</svg>";
  const double found = *place;
  const bool has_today = data.knows_today(change.parameter);
  if (const auto stands = has_today ? place_in(*data.defaults) : std::nullopt) {
    const double today = *stands;
    if (!change.stays()) {
      svg += fmt::format("<line class=\"way\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"10\" y2=\"10\"/>",
                         today, found);
    }
    svg += fmt::format("<circle class=\"today\" cx=\"{:.1f}\" cy=\"10\" r=\"5\"/>", today);
  }
  return svg + fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"10\" r=\"{}\"/></svg>",
                           change.stays() ? "same" : "found", found, change.stays() ? 3.5 : 5.0);
}

/// The values today and new, those that change first; of many these alone.
std::string changes_table(const ReportData& data, const Story& story) {
  constexpr std::size_t kMostChanges = 5;
  const bool changed = story.has_changes();
  const bool has_today = std::ranges::any_of(
      story.changes, [](const Story::Change& change) { return !change.today.empty(); });
  const bool both = changed || !has_today;
  const bool uses_new = story.verdict == Verdict::kUse;
  // One column of values where nothing changes, else today's and the new one.
  std::string html = "<table class=\"plain\" aria-label=\"Values\"><thead><tr><th>setting</th>";
  if (has_today) html += "<th>today</th>";
  if (both) html += fmt::format("<th>{}</th>", has_today ? story.found_title() : "value");
  html += "<th class=\"wide\">searched</th></tr></thead><tbody>\n";
  const std::size_t rows =
      story.changes.size() > kMostChanges + 1 ? kMostChanges : story.changes.size();
  for (std::size_t row = 0; row < rows; ++row) {
    const Story::Change& change = story.changes[row];
    // What the verdict says to use is marked.
    const bool stays = changed && change.stays();
    const bool keeps = !uses_new && !stays;
    html += fmt::format("<tr{}><td>{}</td>", stays ? " class=\"same\"" : "", xml_text(change.name));
    if (has_today) {
      html += fmt::format("<td{}>{}</td>", keeps ? " class=\"use\"" : "",
                          xml_text(change.today.empty() ? "–" : change.today));
    }
    if (both) {
      html += fmt::format("<td{}>{}{}</td>", uses_new && !stays ? " class=\"use new\"" : "",
                          xml_text(change.found), stays ? ", stays" : "");
    }
    html += fmt::format("<td class=\"wide\">{}</td></tr>\n", range_strip(data, change));
  }
  html += "</tbody></table>\n";
  if (rows < story.changes.size()) {
    html +=
        fmt::format("<p class=\"soft\">{} more under Details.</p>\n", story.changes.size() - rows);
  }
  return html;
}

/// Copies what the verdict says; beside it the changes alone, or the setting that was tried.
std::string copy_buttons(const ReportData& data, const Story& story) {
  const SavedResult& result = *data.study.result;
  const SearchSpace& space = data.study.objective(0).space();
  const Json found = point_json(result.recommendation->point, space);
  const Json use = point_json(*setting_of(result), space);
  // The first button copies what the verdict says.
  const bool stays = story.verdict == Verdict::kKeep || story.verdict == Verdict::kNotDecided;
  std::string html = copy_button(use,
                                 stays                          ? "Copy today's setting"
                                 : story.found_title() == "new" ? "Copy new setting"
                                                                : "Copy the setting",
                                 true);
  if (use != found) html += copy_button(found, "Copy what was tried");
  Json changes = Json::object();
  for (const Story::Change& change : story.changes) {
    const std::string& name = space[change.parameter].name;
    if (!change.stays() && found.contains(name)) changes[name] = found[name];
  }
  if (!stays && result.incumbent && changes.size() < found.size()) {
    html += copy_button(changes, "Copy the changes");
  }
  return "<p class=\"save copies\">" + html + "</p>\n";
}

/// A question of the reader with its answer.
std::string answer(const char* question, const std::string& html) {
  return fmt::format("<div><h3>{}</h3><p>{}</p></div>\n", question, html);
}

/// Whether the setting is better than today's, by the interval of the gain.
std::string better_answer(const Story& story, const ReportData& data) {
  const bool cost = data.study.objective(0).unit().is_cost();
  if (!data.study.result->incumbent) {
    return "Not known: the study declares no default to compare with.";
  }
  const SavedDefault& today = *data.study.result->incumbent;
  const std::string reason = xml_text(standing_reason(today));
  if (today.tested && story.verdict == Verdict::kUse) {
    return "<b class=\"good\">Yes</b>: " + reason + '.';
  }
  if (today.tested && story.verdict == Verdict::kKeep) return "No: " + reason + '.';
  // The interval of the gain decides; its side of 0 is told for costs and values alike.
  const bool has_ends = story.gain && story.gain->interval;
  switch (story.verdict) {
    case Verdict::kUse:
      return "<b class=\"good\">Yes.</b>" +
             (has_ends ? fmt::format(" The whole interval of the gain lies {} 0.",
                                     cost ? "below" : "above")
                       : "");
    case Verdict::kKeep:
      if (!story.has_changes()) return "The search came back to today's setting.";
      return has_ends ? fmt::format("No: the whole interval of the gain lies {} 0.",
                                    cost ? "above" : "below")
                      : "No.";
    case Verdict::kNotDecided:
      if (!reason.empty()) return "Not shown: " + reason + ".";
      return has_ends ? "Not shown: the interval of the gain holds 0." : "Not shown.";
    case Verdict::kChoose:
    case Verdict::kStopped:
      break;
  }
  return "Not known yet.";
}

/// How sure it is that nothing else that was tried is better.
std::string best_answer(const Story& story, const SavedResult& result) {
  constexpr double kSure = 0.95;
  const SavedRecommendation& best = *result.recommendation;
  if (!best.best_probability) return "Not known: nothing else was compared with it.";
  // It is the best of what was compared, or of what was tried.
  const std::string among = best.best_among.value_or(0) > 0
                                ? fmt::format("the {} settings compared", *best.best_among)
                                : std::string("the settings that were tried");
  if (*best.best_probability >= kSure) return "Very likely, of " + among + ".";
  if (!best.regret || *best.regret <= 0.0) return "Not known, of " + among + ".";
  // The expected regret says how much may be left to find, if need be with more digits than others.
  StoryUnit unit = story.unit;
  std::string left = unit.gain_text(*best.regret);
  constexpr int kMostDecimals = 15;
  while (left.find_first_of("123456789") == left.npos &&
         unit.decimals.value_or(kMostDecimals) < kMostDecimals) {
    ++*unit.decimals;
    left = unit.gain_text(*best.regret);
  }
  if (left[0] == '+') left.erase(0, 1);
  return fmt::format("Not known. Of {}, the best may be better by about {}.", among, left);
}

/// What to do next, with the command for it.
std::string next_answer(const Story& story, const ReportData& data) {
  const std::string command = "<code>" + xml_text(story.next) + "</code>";
  switch (story.verdict) {
    case Verdict::kUse:
      if (!story.next.empty()) return "Use it. For a decision with fixed error rates: " + command;
      return data.study.result->incumbent ? "Use it."
                                          : "Declare what you use today as <code>default</code>, "
                                            "and the study says what it gains.";
    case Verdict::kKeep:
      return "Stay. A larger budget or wider ranges may find more.";
    case Verdict::kNotDecided:
      return story.next.empty() ? "A larger <code>hold_out</code> tells more."
                                : "More fresh calls decide: " + command;
    case Verdict::kChoose:
    case Verdict::kStopped:
      break;
  }
  return "Go on: " + command;
}

/// How far a study is that recommends nothing, and why it stopped.
std::string progress_sentence(const ReportData& data) {
  const StudyFolder& study = data.study;
  if (study.result && !study.is_running) {
    return story_of(study.study, *study.result, {}, data.evaluations).sentence;
  }
  const std::int64_t planned = total_evaluations(study.study);
  if (study.is_running) {
    return planned > 0 ? fmt::format("Running: {} of {} are made.", count_text(data.evaluations),
                                     counted(planned, "call"))
                       : fmt::format("Running: {} made.", counted(data.evaluations, "call"));
  }
  return stopped_after(data.evaluations, planned) +
         (data.is_ended_by_failure() ? ", as a call failed: " + data.last_failure
                                     : ": its process has ended") +
         '.';
}

/// The head of a study without a recommendation: how far it is, why it stopped, and what the run
/// that is furthest prefers.
std::string under_way(const ReportData& data, int level) {
  std::string html = fmt::format("<h{0} class=\"verdict\">{1}</h{0}>\n", level,
                                 xml_text(shortened(progress_sentence(data), 300)));
  // The run that is furthest says what the search prefers by now.
  const auto evaluations = [](const RunTrace& trace) {
    return trace.checkpoints.back().evaluations;
  };
  const auto& runs = data.traces.runs;
  const auto furthest = std::ranges::max_element(runs, {}, evaluations);
  if (furthest == runs.end()) {
    html += "<p class=\"sub\">Nothing is recommended yet.</p>\n";
  } else {
    const Checkpoint& now = furthest->checkpoints.back();
    const SearchSpace& space = data.study.objective(furthest->cell).space();
    html += fmt::format(
        "<p class=\"sub\">Nothing is recommended yet. After {} the search prefers "
        "<strong>{}</strong>, which it expects to be worth {}.</p>\n<p class=\"save "
        "copies\">{}</p>\n",
        html_counted(now.evaluations, "call"), xml_text(shortened(space.text(now.point), 300)),
        html_number(now.estimate),
        copy_button(point_json(now.point, space), "Copy the best so far", true));
  }
  // Merged studies cannot go on, and running ones do.
  if (data.study.is_merged() || data.study.is_running) return html;
  return html + fmt::format(
                    "<p>Go on{}: <code>{}</code></p>\n",
                    data.is_ended_by_failure() ? ", with <code>fail: skip</code> in the study" : "",
                    xml_text(go_on_command(data.study.study, shown_folder(data))));
}

/// The pictures of what the searches saw.
std::string search_pictures(const ReportData& data, int level) {
  constexpr double kWide = 1120.0;
  std::string html;
  // What each setting does, then how the best one was found.
  for (const auto& figures : {first_effects_figure(data), course_figure(data)}) {
    if (figures.empty()) continue;
    html += "<div class=\"picture\">" + heading(level + 1, figures[0].title) +
            plain_figure_html(figures[0], kWide) + "</div>\n";
  }
  return html;
}

}  // namespace

std::string answer_section(const ReportData& data, int level) {
  if (data.is_comparison()) return {};
  if (data.study.result && data.study.result->front) return front_section(data, level);
  if (data.rivals.empty() || !data.study.result->recommendation) {
    return under_way(data, level);
  }
  // The story is that of the terminal, with what the reader has named as today's.
  const SavedResult& result = *data.study.result;
  const SearchSpace& space = data.study.objective(0).space();
  Story story = story_of(data.study.study, result, shown_folder(data));
  for (Story::Change& change : story.changes) {  // what the reader names beside the study
    if (!data.knows_today(change.parameter)) continue;
    if (change.today.empty()) {
      change.today = value_text(space.value(*data.defaults, change.parameter));
      change.moved = differs(space, *data.defaults, result.recommendation->point, change.parameter);
    }
  }
  put_in_order(story.changes);
  // Doubts stand behind what was measured.
  std::string sub = xml_text(story.measured);
  for (const std::string& doubt : story.doubts) {
    sub += " <span class=\"bad\">" + xml_text(doubt) + "</span>";
  }
  const std::string alarm =
      story.alarm.empty() ? "" : "<p class=\"warning\">" + xml_text(story.alarm) + "</p>\n";
  constexpr double kHalf = 560.0;
  return alarm +
         fmt::format("<h{0} class=\"verdict\">{1}</h{0}>\n<p class=\"sub\">{2}</p>\n", level,
                     xml_text(story.sentence), sub) +
         "<div class=\"halves\"><div>" + first_of(forest_figure(data), kHalf) + "</div>\n<div>" +
         changes_table(data, story) + copy_buttons(data, story) + "</div></div>\n" +
         search_pictures(data, level) + "<div class=\"answers\">\n" +
         answer("Is it better than today's?", better_answer(story, data)) +
         answer("Is it the best there is?", best_answer(story, result)) +
         answer("What next?", next_answer(story, data)) + "</div>\n";
}

std::string search_section(const ReportData& data, int level) {
  const bool recommends = !data.rivals.empty() && data.study.result->recommendation;
  const bool has_front = data.study.result && data.study.result->front;
  return data.is_comparison() || has_front || recommends ? "" : search_pictures(data, level);
}

std::string details_section(const ReportData& data, int /*level*/) {
  if (data.is_comparison() || data.rivals.empty() || !data.study.result->recommendation) return {};
  return facts_html(result_facts(data.study.study, *data.study.result, data.evaluations)) +
         values_table(data, data.rivals[0]) + defaults_note(data) + watch_note(data);
}

std::string sureness_section(const ReportData& data, int level) {
  if (data.is_comparison() || data.rivals.empty()) return {};
  std::string html;
  const std::int64_t compared = compared_points(data);
  const auto of_runs =
      std::ranges::count_if(data.rivals, [](const Rival& rival) { return rival.runs > 0; });
  // One point alone is compared with nothing.
  if (of_runs > 1 || compared > 1) {
    html +=
        fmt::format("<p>The runs recommend {}. {}</p>\n",
                    of_runs == 1 ? "one point" : fmt::format("{} different points", of_runs),
                    compared > 1 ? kJudgingRule : "They were not compared by fresh evaluations.");
    html += rivals_table(data, compared > 1);
    html += figures_html(candidates_figure(data), level);
  }
  return html;
}

std::string instances_section(const ReportData& data, int level) {
  if (data.is_comparison() || data.rivals.empty()) return {};
  const std::vector<Figure> figures = instances_figure(data);
  return (figures.empty() ? "" : figure_html(figures[0])) +
         figures_html(scatter_figure(data), level) + figures_html(cactus_figure(data), level) +
         instances_table(*data.study.result) + instance_map_table(data);
}

}  // namespace ntune
