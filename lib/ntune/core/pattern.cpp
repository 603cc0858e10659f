#include "ntune/core/pattern.h"

#include <re2/re2.h>
#include <re2/stringpiece.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

using Piece = re2::StringPiece;

/// The text of RE2's own type of view.
std::string_view text_of(const Piece& piece) { return {piece.data(), piece.size()}; }

re2::RE2::Options options_of_patterns() {
  re2::RE2::Options options;
  options.set_encoding(re2::RE2::Options::EncodingLatin1);  // outputs need not be UTF-8
  options.set_log_errors(false);
  return options;
}

/// Behind which byte the text of a pattern is wrong: where the part begins that is complained of
/// first, or of a bracket that has no other the text stops being the beginning of a pattern.
std::size_t place_of_fault(const std::string& text, const re2::RE2& compiled) {
  const std::string& part = compiled.error_arg();
  std::size_t place = 0;
  for (std::size_t length = 1; length < text.size(); ++length) {
    const re2::RE2 beginning(text.substr(0, length), options_of_patterns());
    if (beginning.ok()) place = length;
    const bool same = beginning.error_code() == compiled.error_code();
    if (same && beginning.error_arg() == part) return length - part.size();
  }
  return part.empty() || part == text ? place : text.size() - part.size();
}

}  // namespace

Pattern::Pattern(const std::string& text) {
  constexpr std::size_t kLongest = 1000;
  if (text.size() > kLongest) {
    throw InputError(fmt::format("a pattern of {} bytes, at most {} are allowed",
                                 count_text(text.size()), count_text(kLongest)));
  }
  compiled_ = std::make_shared<const re2::RE2>(text, options_of_patterns());
  if (compiled_->ok()) return;
  throw InputError(fmt::format(
      "'{}' is not a regular expression: {} at character {}; back references and look-around are "
      "not allowed",
      printable(text), printable(compiled_->error()),
      1 + text_columns(text.substr(0, place_of_fault(text, *compiled_)))));
}

int Pattern::groups() const { return compiled_->NumberOfCapturingGroups(); }

bool Pattern::matches(std::string_view text, std::span<std::string_view> groups) const {
  constexpr std::size_t kMost = 10;
  // RE2 gives the whole match as the first piece, so ten pieces hold nine groups.
  std::array<Piece, kMost> pieces;  // the whole match first
  const std::size_t count = std::min(groups.size() + 1, kMost);
  if (!compiled_->Match(Piece(text.data(), text.size()), 0, text.size(), re2::RE2::ANCHOR_BOTH,
                        pieces.data(), static_cast<int>(count))) {
    return false;
  }
  for (std::size_t i = 1; i < count; ++i) groups[i - 1] = text_of(pieces[i]);
  return true;
}

std::optional<Pattern::Match> Pattern::find(std::string_view text, std::size_t& at) const {
  std::array<Piece, 2> pieces;
  if (at > text.size() ||
      !compiled_->Match(Piece(text.data(), text.size()), at, text.size(), re2::RE2::UNANCHORED,
                        pieces.data(), static_cast<int>(pieces.size()))) {
    return std::nullopt;
  }
  // An empty match moves one byte further, else the search would find it for ever.
  const auto end = static_cast<std::size_t>(pieces[0].data() - text.data()) + pieces[0].size();
  at = pieces[0].empty() ? end + 1 : end;
  return Match{.whole = text_of(pieces[0]), .group = text_of(pieces[1])};
}

}  // namespace ntune
