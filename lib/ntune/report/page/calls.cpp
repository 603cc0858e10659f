#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/core/program.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/facts/result_facts.h"
#include "ntune/objective/failure_cause.h"
#include "ntune/report/figures/shared.h"
#include "ntune/report/page/html.h"
#include "ntune/report/page/sections.h"
#include "ntune/study/model/incumbent.h"

namespace ntune {

namespace {

/// What a call was made for, as a word of the table.
const char* purpose_of(const EvaluationKey& key) {
  switch (key.stage) {
    case Stage::kSearch:
      return "search";
    case Stage::kReEvaluation:
      return "comparison";
    default:
      return key.run == kIncumbentRun ? "today's afresh" : "afresh";
  }
}

/// The places of texts in a list, each of which stands there once.
class Texts {
 public:
  /// The place of a text in the list, null of an empty one.
  Json place(const std::string& text) {
    if (text.empty()) return nullptr;
    const auto [known, is_new] = places_.try_emplace(text, order_.size());
    if (is_new) order_.push_back(text);
    return known->second;
  }
  /// The list, with what a page shows of each text.
  template <class Show>
  [[nodiscard]] Json list(Show show) const {
    Json list = Json::array();
    for (const std::string& text : order_) list.push_back(show(text, list.size()));
    return list;
  }
  [[nodiscard]] Json list() const {
    return list([](const std::string& text, std::size_t) { return printable(text, 200); });
  }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> order_;
};

/// What is wrong, and the command of the very call where the message has it; of many shorter.
Json failure_json(const std::string& failure, std::size_t place) {
  constexpr std::size_t kMostWhole = 300;
  const std::size_t longest = place < kMostWhole ? 2000 : 200;
  const FailureParts parts = failure_parts(failure);
  std::string problem = parts.problem;
  if (!parts.last_words.empty()) problem += "; last words: " + parts.last_words;
  // The command stands beside the problem while it is not too long.
  Json json = Json::array({printable(problem, longest)});
  if (!parts.command.empty() && parts.command.size() <= longest) json.push_back(parts.command);
  return json;
}

/// A number with as many digits as a reader compares.
Json number_json(const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) return nullptr;
  return std::stod(fmt::format("{:.7g}", *value));
}

/// The settings of the calls, each once, with what a command line says of their values.
class CalledPoints {
 public:
  explicit CalledPoints(const SearchSpace& space)
      : space_(space), used_(static_cast<std::size_t>(space.dimensions())) {}

  /// The place of a setting in the list; null: the call had none.
  Json place(const Point& point) {
    if (point.size() != space_.dimensions()) return nullptr;
    const auto [known, is_new] = places_.try_emplace(point, points_.size());
    if (is_new) points_.push_back(point);
    for (int i = 0; is_new && i < point.size(); ++i) {
      if (space_.is_active(point, i)) used_[static_cast<std::size_t>(i)].emplace(point[i], 0);
    }
    return known->second;
  }

  /// Parameters with the values that occur: each as it is shown, and as the word of a shell where
  /// that is another than name=value. A point names them by their places; null: not active.
  void add_to(Json& json) {
    Json parameters = Json::array();
    for (int i = 0; i < space_.dimensions(); ++i) {
      Json values = Json::array();
      // Values get their places in the order of the parameter.
      for (auto& [value, place] : used_[static_cast<std::size_t>(i)]) {
        place = static_cast<int>(values.size());
        const std::string& name = space_[i].name;
        const std::string text = value_text(space_[i].value(value));
        const std::string word =
            shell_word(name + "=" + to_yaml(value_json(space_[i].value(value))));
        values.push_back(word == name + "=" + text ? Json(printable(text, kLongestValue))
                                                   : Json{printable(text, kLongestValue), word});
      }
      parameters.push_back(
          {{"name", printable(space_[i].name, kLongestValue)}, {"values", values}});
    }
    json["parameters"] = parameters;
    // A point is the list of the places of its values.
    Json points = Json::array();
    for (const Point& point : points_) {
      Json places = Json::array();
      for (int i = 0; i < point.size(); ++i) {
        const bool active = space_.is_active(point, i);
        places.push_back(active ? Json(used_[static_cast<std::size_t>(i)].at(point[i])) : Json());
      }
      points.push_back(std::move(places));
    }
    json["points"] = points;
  }

 private:
  static constexpr std::size_t kLongestValue = 200;

  const SearchSpace& space_;
  std::vector<std::map<std::uint16_t, int>> used_;  ///< place of each value that occurs
  std::unordered_map<Point, std::size_t> places_;
  std::vector<Point> points_;
};

/// Takes away the columns in which nothing stands, or all the same where that says nothing.
void drop_empty_columns(std::vector<std::string>& fields, std::vector<Json>& rows) {
  for (std::size_t column = fields.size(); column-- > 0;) {
    const bool only_where_they_differ = fields[column] == "run" || fields[column] == "repeat" ||
                                        fields[column] == "cell" || fields[column] == "purpose";
    // A column is empty, or says the same of all calls where only differences count.
    const auto first =
        std::ranges::find_if(rows, [&](const Json& row) { return !row[column].is_null(); });
    const bool says_nothing =
        first == rows.end() ||
        (only_where_they_differ && std::ranges::all_of(rows, [&](const Json& row) {
           return row[column].is_null() || row[column] == (*first)[column];
         }));
    if (!says_nothing || fields[column] == "value") continue;
    fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(column));
    for (Json& row : rows) row.erase(column);
  }
}

/// Which calls of the study the table has; empty: all.
std::string count_note(const Calls& calls) {
  std::string note;
  if (std::ssize(calls.list) < calls.of) {
    note = fmt::format("{} of {} calls, drawn at random", count_text(std::ssize(calls.list)),
                       count_text(calls.of));
  }
  if (calls.of_searches) {
    note += std::string(note.empty() ? "Those" : ", those") +
            " of the searches; fresh measurements are kept as sums";
  }
  return note.empty() ? "" : "<p class=\"soft\">" + note + ".</p>\n";
}

/// The parameters that vary, with the values and the groups that the script shows.
Json parameters_json(const SearchStatistics& search) {
  Json list = Json::array();
  const SearchSpace& space = search.objective().space();
  for (const int i : search.varied()) {
    Json values = Json::array();
    for (const Value& value : space[i].values) values.push_back(printable(value_text(value), 60));
    const ValueGroups& groups = search.groups(i);
    list.push_back({{"index", i},
                    {"name", printable(space[i].name, 60)},
                    {"values", values},
                    {"groups", groups.group_of},
                    {"labels", groups.labels}});
  }
  return list;
}

/// Cells of the objective by their names.
Json cells_json(const ReportData& data, std::size_t objective) {
  Json cells = Json::array();
  for (std::size_t cell = 0; cell < data.study.study.cells(); ++cell) {
    if (data.study.study.objective_of(cell) != objective) continue;
    cells.push_back({{"cell", cell}, {"name", printable(data.study.cell_label(cell, false), 80)}});
  }
  return cells;
}

}  // namespace

std::string calls_table(const ReportData& data, std::size_t objective) {
  const Study& study = data.study.study;
  const Objective& called = *study.objectives[objective].objective;
  const double scale = is_told_in_percent(called) ? 100.0 : 1.0;
  std::vector<std::string> fields = {"number",  "cell",    "repeat",   "run",   "purpose",
                                     "point",   "against", "instance", "value", "cost",
                                     "seconds", "ending",  "failure",  "seed"};
  // Texts, points and cells stand once in lists, and rows name their places there.
  std::vector<Json> rows;
  CalledPoints points(called.space());
  Texts cells;
  Texts instances;
  Texts failures;
  for (const Call& call : data.calls.list) {
    if (study.objective_of(call.key.cell) != objective) continue;
    // Fresh calls of a pick belong to no run.
    const bool of_run = call.key.run >= 0 && call.key.run < data.study.plan(call.key.cell).runs;
    const char* ending = call.ending == Ending::kCutOff   ? "cut off"
                         : call.ending == Ending::kCapped ? "ended early"
                                                          : nullptr;
    if (!call.value) ending = "failed";
    rows.push_back({call.number, cells.place(data.study.cell_label(call.key.cell, false)),
                    call.key.repeat, of_run ? Json(call.key.run) : Json(), purpose_of(call.key),
                    points.place(call.point), points.place(call.against),
                    instances.place(call.instance),
                    number_json(call.value ? std::optional(scale * *call.value) : std::nullopt),
                    number_json(call.cost), number_json(call.seconds),
                    ending == nullptr ? Json() : Json(ending), failures.place(call.failure),
                    call.seed ? Json(*call.seed) : Json()});
  }
  if (rows.empty()) return {};
  // Columns that say nothing are left out before the page gets the data.
  drop_empty_columns(fields, rows);
  Json json = {{"fields", fields},
               {"value", unit_text(called) + (scale == 1.0 ? "" : ", %")},
               {"cells", cells.list()},
               {"instances", instances.list()},
               {"failures", failures.list(failure_json)},
               {"evaluable", study.objectives.size() == 1}};
  points.add_to(json);
  json["rows"] = rows;
  return count_note(data.calls) +
         "<div class=\"calls\"><noscript><p class=\"soft\">The table needs JavaScript; <code>ntune "
         "export</code> writes all calls.</p></noscript><script type=\"application/json\">" +
         script_text(json_line(json)) + "</script></div>\n";
}

std::string evaluations_data(const ReportData& data, std::size_t objective) {
  const SearchStatistics& search = data.searches[objective];
  const Unit unit = search.objective().unit();
  const HistoryScale scale(data, objective);
  // What the script needs to know of cells and parameters stands once in front.
  Json about = {{"objective", objective},
                {"of", data.samples[objective].of()},
                {"cells", cells_json(data, objective)},
                {"parameters", parameters_json(search)}};
  // Rows are written as text, with as many digits as a figure shows.
  std::string rows;
  for (const SearchEvaluation& one : data.samples[objective].evaluations()) {
    rows += fmt::format("{}[{},{},{},{},", rows.empty() ? "" : ",\n", one.cell, one.repeat, one.run,
                        one.index);
    rows += one.failed ? "null" : fmt::format("{:.6g}", unit.value_of(one.payoff));
    rows += fmt::format(",{:.6g}", scale.height_of(one));
    for (const int i : search.varied()) rows += fmt::format(",{}", one.point[i]);
    rows += ']';
  }
  std::string json = about.dump();
  json.pop_back();
  json += ",\"rows\":[" + rows + "]}";
  return fmt::format(
      "<form class=\"filters\" hidden aria-label=\"Choose evaluations\"></form>\n<script "
      "type=\"application/json\" class=\"evaluations\">{}</script>\n",
      script_text(json));
}

}  // namespace ntune
