#pragma once

#include <string>
#include <vector>

#include "ntune/space/search_space.h"

namespace ntune {

/// How tables show points: a column for each parameter that varies where names, values and columns
/// are few and short, else one column with the point's text.
class PointColumns {
 public:
  explicit PointColumns(const SearchSpace& space);

  /// For HtmlTable.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// As HTML.
  [[nodiscard]] std::vector<std::string> cells(const Point& point) const;

 private:
  const SearchSpace* space_;
  std::vector<int> spread_;  ///< parameters with a column; empty: one column for all
  std::vector<std::string> names_;
};

}  // namespace ntune
