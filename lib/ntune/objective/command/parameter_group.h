#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/space/search_space.h"

namespace ntune {

/// The part of a command that is repeated for several parameters.
class ParameterGroup {
 public:
  /// Reads what stands between the braces: params:gnu, params:pairs, params:option.{name}={value}
  /// or, for some of the parameters, params[Mobility*, Space]:option.{name}={value}.
  /// Empty if the text is none of these. Throws InputError.
  static std::optional<ParameterGroup> read(std::string_view text, const SearchSpace& space);

  /// Appends the arguments of every active parameter, in the order of the space.
  void append_to(std::vector<std::string>& arguments, const SearchSpace& space,
                 const Point& point) const;
  [[nodiscard]] bool mentions(int parameter) const;

 private:
  struct Piece {
    enum class Kind { kLiteral, kName, kValue, kPlain };
    Kind kind;
    std::string literal = {};
  };
  using Word = std::vector<Piece>;

  void read_names(std::string_view patterns, const SearchSpace& space);
  void read_words(std::string_view text);
  std::size_t read_brace(std::string_view text, std::size_t at, Word& word);

  std::vector<int> parameters_;
  std::vector<Word> words_;  ///< one argument each
  bool splits_ = false;      ///< words are split as a shell splits them
};

}  // namespace ntune
