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

std::string_view text_of(const Piece& piece) { return {piece.data(), piece.size()}; }

}  // namespace

Pattern::Pattern(const std::string& text) {
  re2::RE2::Options options;
  options.set_encoding(re2::RE2::Options::EncodingLatin1);  // outputs need not be UTF-8
  options.set_log_errors(false);
  compiled_ = std::make_shared<const re2::RE2>(text, options);
  if (compiled_->ok()) return;
  throw InputError(fmt::format(
      "'{}' is not a regular expression: {}; back references and look-around are not allowed",
      printable(text), printable(compiled_->error())));
}

int Pattern::groups() const { return compiled_->NumberOfCapturingGroups(); }

bool Pattern::matches(std::string_view text, std::span<std::string_view> groups) const {
  constexpr std::size_t kMost = 10;
  std::array<Piece, kMost> pieces;  // the whole match first
  const std::size_t count = std::min(groups.size() + 1, kMost);
  if (!compiled_->Match(Piece(text.data(), text.size()), 0, text.size(), re2::RE2::ANCHOR_BOTH,
                        pieces.data(), static_cast<int>(count))) {
    return false;
  }
  for (std::size_t i = 1; i < count; ++i) groups[i - 1] = text_of(pieces[i]);
  return true;
}

std::optional<std::string_view> Pattern::find(std::string_view text, std::size_t& at) const {
  std::array<Piece, 2> pieces;
  if (at > text.size() ||
      !compiled_->Match(Piece(text.data(), text.size()), at, text.size(), re2::RE2::UNANCHORED,
                        pieces.data(), static_cast<int>(pieces.size()))) {
    return std::nullopt;
  }
  const auto end = static_cast<std::size_t>(pieces[0].data() - text.data()) + pieces[0].size();
  at = pieces[0].empty() ? end + 1 : end;
  return text_of(pieces[1]);
}

}  // namespace ntune
