#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <system_error>
#include <vector>

namespace ntune {

/// Reads a line from left to right. After the first part that is not as it must be all fail.
class LineCursor {
 public:
  explicit LineCursor(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool is_at_end() const { return at_ == end_; }
  [[nodiscard]] std::string_view rest() const {
    return {at_, static_cast<std::size_t>(end_ - at_)};
  }
  void fail() { ok_ = false; }

  /// Whether the token stands here; passes over it.
  bool accept(char token) {
    if (!ok_ || at_ == end_ || *at_ != token) return false;
    ++at_;
    return true;
  }
  bool accept(std::string_view token) {
    if (!ok_ || !rest().starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  template <class Token>
  void expect(Token token) {
    ok_ = accept(token);
  }
  /// The next character, passed over; a zero at the end.
  char letter() {
    ok_ = ok_ && at_ != end_;
    return ok_ ? *at_++ : '\0';
  }
  void skip(std::size_t count) { at_ += std::min(count, rest().size()); }

  template <class Number>
  void number(Number& value) {
    if (!ok_) return;
    if constexpr (std::integral<Number>) {
      if (short_number(value)) return;
    }
    const auto [end, error] = std::from_chars(at_, end_, value);
    ok_ = error == std::errc();
    at_ = end;
  }
  /// One number at least, with commas between them.
  template <class Number>
  void numbers(std::vector<Number>& values) {
    values.clear();
    do {
      number(values.emplace_back());
    } while (accept(','));
  }

 private:
  /// Reads so many digits and no more as always fit: four times as fast as from_chars.
  template <class Number>
  bool short_number(Number& value) {
    constexpr std::ptrdiff_t kMost = sizeof(Number) == 2 ? 4 : 9;
    unsigned sum = 0;
    const char* at = at_;
    for (; at != end_ && static_cast<unsigned char>(*at - '0') < 10; ++at) {
      if (at - at_ == kMost) return false;
      sum = 10 * sum + static_cast<unsigned>(*at - '0');
    }
    if (at == at_) return false;
    value = static_cast<Number>(sum);
    at_ = at;
    return true;
  }

  const char* at_;
  const char* end_;
  bool ok_ = true;
};

inline bool is_finite(double value) { return value - value == 0.0; }
inline bool is_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return is_finite(value); });
}

}  // namespace ntune
