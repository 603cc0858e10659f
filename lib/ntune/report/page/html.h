#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/core/statistics.h"
#include "ntune/facts/fact.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// A number as on a terminal (core/score_text.h), beside its interval with the digits that this
/// needs; in the element's `value` it is whole. "–" where there is none.
std::string html_number(const std::optional<double>& value,
                        const std::optional<Interval>& interval = {});
/// A number with so many decimals.
std::string html_decimals(double value, int decimals);
std::string html_count(std::int64_t value);
/// "1 run", "1,200 runs".
std::string html_counted(std::int64_t value, std::string_view noun);
/// "[0.1, 0.2]", or "–".
std::string html_interval(const std::optional<Interval>& interval);
/// Text that stays on one line of a screen.
std::string html_whole(std::string_view text);
/// The value of a fact as on a terminal and, of a number, whole; "–" where there is none.
std::string html_value(const Fact& fact);
/// Its interval likewise.
std::string html_interval_of(const Fact& fact);

/// A heading of this level with an anchor.
std::string heading(int level, std::string_view text, std::string_view id = {});

/// A table whose cells are HTML already; sorts on a click of its headings.
class HtmlTable {
 public:
  /// `names` are plain text; one that begins with '<' is a column of words.
  explicit HtmlTable(std::string caption, std::vector<std::string> names);

  void add_row(const std::vector<std::string>& cells, bool chosen = false);
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] std::string text() const;

 private:
  std::string caption_;
  std::vector<std::string> names_;
  std::vector<bool> words_;
  std::string rows_;
};

/// How tables show points: a column for each parameter that varies where names, values and columns
/// are few and short, else one column with the point's text.
class PointColumns {
 public:
  explicit PointColumns(const SearchSpace& space);

  /// The names of the columns, as HtmlTable takes them.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// The cells of a point as HTML.
  [[nodiscard]] std::vector<std::string> cells(const Point& point) const;

 private:
  const SearchSpace* space_;
  std::vector<int> spread_;  ///< parameters with a column; empty: one column for all
  std::vector<std::string> names_;
};

/// A button that copies values as JSON.
std::string copy_button(const Json& values, const std::string& text, bool first = false);
/// Text of several lines as HTML; and as an element that keeps them.
std::string html_lines(std::string_view text);
std::string preformatted(std::string_view text);
/// JSON for an element that a browser does not read as HTML: nothing in it looks like its end.
std::string script_text(std::string_view json);

}  // namespace ntune
