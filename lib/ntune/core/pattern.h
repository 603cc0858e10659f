#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace ntune {

/// A regular expression, byte by byte. A search takes time in proportion to the text, whatever the
/// pattern (RE2). The grammar is that of Perl and ECMAScript without back references and
/// look-around. All members may be called from several threads at once.
class Pattern {
 public:
  /// Throws InputError with what is wrong and what is not allowed.
  explicit Pattern(const std::string& text);

  /// Groups in brackets that capture.
  [[nodiscard]] int groups() const;
  /// If the whole text matches: true, and the first groups' texts, empty where a group has none.
  [[nodiscard]] bool matches(std::string_view text, std::span<std::string_view> groups) const;
  /// What a search has found.
  struct Match {
    std::string_view whole;
    std::string_view group;  ///< group 1, empty where it has no part in the match
  };
  /// The first match at or behind `at`, which moves behind it; nothing: there is none.
  [[nodiscard]] std::optional<Match> find(std::string_view text, std::size_t& at) const;

 private:
  std::shared_ptr<const re2::RE2> compiled_;
};

}  // namespace ntune
