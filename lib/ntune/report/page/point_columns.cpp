#include "ntune/report/page/point_columns.h"

#include <algorithm>
#include <cctype>

#include "ntune/core/text.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/page/html.h"

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

PointColumns::PointColumns(const SearchSpace& space) : space_(&space) {
  double width = 0.0;
  for (int i = 0; i < space.dimensions(); ++i) {
    if (space[i].cardinality() < 2) continue;
    spread_.push_back(i);
    names_.push_back(space[i].name);
    width += column_width(space[i]);
  }
  if (!spread_.empty() && width <= kWidest) return;
  spread_.clear();
  names_ = {"<point"};
}

std::vector<std::string> PointColumns::cells(const Point& point) const {
  if (spread_.empty()) return {xml_text(printable(space_->text(point), 400))};
  std::vector<std::string> cells;
  for (const int i : spread_) {
    const Value& value = space_->value(point, i);
    const std::string text = xml_text(value_text(value));
    const bool number = !text.empty() && (std::isdigit(text[0]) != 0 || text[0] == '-');
    cells.push_back(!space_->is_active(point, i) ? "–"
                    : number ? "<data value=\"" + text + "\">" + text + "</data>"
                             : text);
  }
  return cells;
}

}  // namespace ntune
