#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ntune {

/// What stands before the name of a user where another column has that name.
inline constexpr std::string_view kParameterPrefix = "parameter.";
inline constexpr std::string_view kGoalPrefix = "goal.";
inline constexpr std::string_view kOpponentPrefix = "opponent.";
inline constexpr std::string_view kReturnedPrefix = "returned.";

/// The titles of a table's columns, each once. A name of a user that is one of them is written with
/// its prefix: the parameter `run` is `parameter.run`. So is a name that begins with a prefix, and
/// a title reads back to one name.
class ColumnTitles {
 public:
  /// Begins with the columns that a table of this kind may have by itself.
  explicit ColumnTitles(const std::vector<std::string>& columns);
  /// The same of names with commas between them.
  explicit ColumnTitles(std::string_view columns);

  /// The title of a name among these columns. With endings it heads several, each with one.
  [[nodiscard]] std::string of(std::string_view prefix, const std::string& name,
                               const std::vector<std::string>& endings = {""}) const;
  /// The same, and its columns are added.
  std::string add(std::string_view prefix, const std::string& name,
                  const std::vector<std::string>& endings = {""});

 private:
  [[nodiscard]] bool is_taken(const std::string& title,
                              const std::vector<std::string>& endings) const;

  std::set<std::string, std::less<>> taken_;
};

/// The parameter that a title names.
std::string parameter_of_title(const std::string& title);

}  // namespace ntune
