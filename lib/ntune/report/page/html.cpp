#include "ntune/report/page/html.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/plot/svg_text.h"

namespace ntune {

namespace {

/// Pixels of all parameters together, so that the columns that follow are not out of sight.
constexpr double kWidest = 420.0;

/// Pixels of a parameter's column, with its sign for sorting.
double column_width(const Parameter& parameter) {
  constexpr double kFont = 13.0;
  constexpr double kAround = 25.0;
  double width = text_width(parameter.name, kFont);
  for (const Value& value : parameter.values) {
    width = std::max(width, text_width(value_text(value), kFont));
  }
  return width + kAround;
}

}  // namespace

std::string html_number(const std::optional<double>& value,
                        const std::optional<Interval>& interval) {
  if (!value || !std::isfinite(*value)) return "–";
  return fmt::format("<data value=\"{}\">{}</data>", *value, score_text(*value, interval));
}

std::string html_decimals(double value, int decimals) {
  return fmt::format("<data value=\"{}\">{:.{}f}</data>", value, value, decimals);
}

std::string html_count(std::int64_t value) {
  return fmt::format("<data value=\"{}\">{}</data>", value, count_text(value));
}

std::string html_counted(std::int64_t value, std::string_view noun) {
  const std::string text = counted(value, noun);
  return html_count(value) + text.substr(text.find(' '));
}

std::string html_interval(const std::optional<Interval>& interval) {
  if (!interval) return "–";
  return fmt::format("<span class=\"whole\">[{}, {}]</span>", html_number(interval->low, interval),
                     html_number(interval->high, interval));
}

std::string html_whole(std::string_view text) {
  return fmt::format("<span class=\"whole\">{}</span>", xml_text(text));
}

std::string html_value(const Fact& fact) {
  const std::string text = xml_text(text_of(fact));
  if (const auto* count = std::get_if<std::int64_t>(&fact.value)) return html_count(*count);
  const auto* number = std::get_if<double>(&fact.value);
  if (number == nullptr) return text.empty() ? "–" : text;
  return std::isfinite(*number) ? fmt::format("<data value=\"{}\">{}</data>", *number, text) : "–";
}

std::string html_interval_of(const Fact& fact) {
  if (!fact.interval) return "–";
  const auto [low, high] = ends_of(fact);
  return fmt::format("<span class=\"whole\">[{}, {}]</span>", html_value(low), html_value(high));
}

std::string heading(int level, std::string_view text, std::string_view id) {
  const std::string anchor = id.empty() ? "" : fmt::format(" id=\"{}\"", id);
  return fmt::format("<h{0}{1}>{2}</h{0}>\n", level, anchor, xml_text(text));
}

HtmlTable::HtmlTable(std::string caption, std::vector<std::string> names)
    : caption_(std::move(caption)), names_(std::move(names)) {
  for (std::string& name : names_) {
    words_.push_back(name.starts_with('<'));
    if (words_.back()) name.erase(0, 1);
  }
}

void HtmlTable::add_row(const std::vector<std::string>& cells, bool chosen) {
  rows_ += chosen ? "<tr class=\"chosen\">" : "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    rows_ += fmt::format("<td{} data-name=\"{}\">{}</td>", words_[i] ? " class=\"word\"" : "",
                         xml_text(names_[i]), cells[i]);
  }
  rows_ += "</tr>\n";
}

std::string HtmlTable::text() const {
  std::string head;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    head += fmt::format("<th scope=\"col\"{}>{}</th>", words_[i] ? " class=\"left\"" : "",
                        xml_text(names_[i]));
  }
  // Of more columns a phone shows each row as a card.
  constexpr std::size_t kMostOnPhone = 5;
  return fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table "
      "class=\"sortable{1}\" aria-label=\"{0}\"><thead><tr>{2}</tr></thead><tbody>\n{3}</tbody>"
      "</table></div>\n",
      xml_text(caption_), names_.size() > kMostOnPhone ? " cards" : "", head, rows_);
}

PointColumns::PointColumns(const SearchSpace& space) : space_(&space) {
  double width = 0.0;
  for (int i = 0; i < space.dimensions(); ++i) {
    if (space[i].cardinality() < 2) continue;
    spread_.push_back(i);
    names_.push_back(space[i].name);
    width += column_width(space[i]);
  }
  // Columns that would be too wide together become one.
  if (!spread_.empty() && width <= kWidest) return;
  spread_.clear();
  names_ = {"<point"};
}

std::vector<std::string> PointColumns::cells(const Point& point) const {
  if (spread_.empty()) return {xml_text(printable(space_->text(point), 400))};
  std::vector<std::string> cells;
  for (const int i : spread_) {
    // Numbers carry their value for sorting, and words do not.
    const Value& value = space_->value(point, i);
    const std::string text = xml_text(value_text(value));
    const bool number = !text.empty() && (std::isdigit(text[0]) != 0 || text[0] == '-');
    cells.push_back(!space_->is_active(point, i) ? "–"
                    : number ? "<data value=\"" + text + "\">" + text + "</data>"
                             : text);
  }
  return cells;
}

std::string copy_button(const Json& values, const std::string& text, bool first) {
  return fmt::format("<button type=\"button\"{} data-copy=\"{}\">{}</button>",
                     first ? " class=\"first\"" : "", xml_text(values.dump()), text);
}

std::string html_lines(std::string_view text) {
  std::string html;
  while (!text.empty()) html += xml_text(cut(text, "\n")) + '\n';
  return html;
}

std::string preformatted(std::string_view text) {
  return "<pre tabindex=\"0\">" + html_lines(text) + "</pre>\n";
}

std::string script_text(std::string_view json) {
  std::string safe;
  for (const char c : json) safe += c == '<' ? "\\u003c" : std::string(1, c);
  return safe;
}

}  // namespace ntune
