#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/space/import/source.h"

namespace ntune {

/// A value as irace files write it.
struct IraceLiteral {
  std::string text;
  bool quoted = false;
  std::string_view written = {};  ///< between its quotes, in the file
};

/// The first such character outside of double quotes, or the end.
std::size_t find_unquoted(std::string_view text, char wanted);

/// Removes and returns the text before the first of the given characters.
std::string_view take_until(std::string_view& rest, std::string_view stops);

/// The literals of  a, "b", 1  or nothing if a quote is open, an element empty or the list too
/// long. `calculates`: commas within brackets belong to an element.
std::optional<std::vector<IraceLiteral>> split_domain(std::string_view text,
                                                      bool calculates = false);

/// irace knows texts alone. Words in quotes stay texts. Others become what they look like, if
/// writing that gives the same word again; where all are numbers, 0.50 may become 0.5.
std::vector<Value> choice_values(const std::vector<IraceLiteral>& literals);

/// Choices by the words with which a file writes them: conditions mean them by the same words.
class WrittenChoices {
 public:
  void keep(const std::string& parameter, const std::vector<IraceLiteral>& literals,
            const std::vector<Value>& values);
  /// The value that a word stands for in a test of the parameter: "01" and 1 stay what they are in
  /// the list. Throws InputError where a range is compared with what is no number.
  [[nodiscard]] Value meaning(const SourceSpace& space, const std::string& parameter,
                              const std::string& word, const Place& place) const;

 private:
  std::map<std::string, std::map<std::string, Value>> choices_;  ///< by name, then as written
};

}  // namespace ntune
