#include "ntune/report/page/point_columns.h"

#include <algorithm>
#include <cctype>

#include "ntune/core/text.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/page/html.h"

namespace ntune {

namespace {

constexpr std::size_t kMostColumns = 8;
constexpr std::size_t kLongestName = 14;
constexpr std::size_t kLongestValue = 10;

bool is_short(const Parameter& parameter) {
  return parameter.name.size() <= kLongestName &&
         std::ranges::all_of(parameter.values, [](const Value& value) {
           return value_text(value).size() <= kLongestValue;
         });
}

}  // namespace

PointColumns::PointColumns(const SearchSpace& space) : space_(&space) {
  bool fits = true;
  for (int i = 0; i < space.dimensions(); ++i) {
    if (space[i].cardinality() < 2) continue;
    spread_.push_back(i);
    names_.push_back(space[i].name);
    fits = fits && is_short(space[i]);
  }
  if (fits && !spread_.empty() && spread_.size() <= kMostColumns) return;
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
