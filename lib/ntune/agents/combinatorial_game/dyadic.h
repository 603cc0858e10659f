#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace ntune {

/// An exact dyadic rational: a whole number of units of 2^-kBits, between -2^31 and 2^31. Asserts
/// that nothing overflows and that no half is inexact.
class Dyadic {
 public:
  static constexpr int kBits = 32;

  constexpr Dyadic() = default;
  constexpr Dyadic(int value) : units_(static_cast<std::int64_t>(value) * kOne) {}
  /// `numerator` / 2^exponent; 0 <= exponent <= kBits.
  static constexpr Dyadic ratio(std::int64_t numerator, int exponent) {
    assert(exponent >= 0 && exponent <= kBits);
    Dyadic result;
    [[maybe_unused]] const bool overflow =
        __builtin_mul_overflow(numerator, std::int64_t{1} << (kBits - exponent), &result.units_);
    assert(!overflow);
    return result;
  }
  /// 2^-exponent.
  static constexpr Dyadic power(int exponent) { return ratio(1, exponent); }

  /// The value in units of 2^-kBits, and back.
  [[nodiscard]] constexpr std::int64_t units() const { return units_; }
  static constexpr Dyadic of_units(std::int64_t units) {
    Dyadic result;
    result.units_ = units;
    return result;
  }

  /// The smallest b >= 0 such that 2^b times the value is whole.
  [[nodiscard]] constexpr int exponent() const {
    return units_ == 0 ? 0
                       : std::max(0, kBits - std::countr_zero(static_cast<std::uint64_t>(units_)));
  }
  [[nodiscard]] constexpr bool is_integer() const { return exponent() == 0; }
  /// The value as an integer; it must be one.
  [[nodiscard]] constexpr int to_int() const {
    assert(is_integer());
    return static_cast<int>(units_ / kOne);
  }
  /// Exact up to 53 significant bits.
  [[nodiscard]] constexpr double to_double() const { return static_cast<double>(units_) / kOne; }

  [[nodiscard]] constexpr Dyadic half() const {
    assert(units_ % 2 == 0);
    return of_units(units_ / 2);
  }
  [[nodiscard]] constexpr Dyadic abs() const { return units_ < 0 ? -*this : *this; }
  /// The next multiple of a positive step that is not below, or not above.
  [[nodiscard]] constexpr Dyadic rounded_up(Dyadic step) const {
    return -(-*this).rounded_down(step);
  }
  [[nodiscard]] constexpr Dyadic rounded_down(Dyadic step) const {
    const std::int64_t rest = units_ % step.units_;
    return of_units(units_ - rest - (rest < 0 ? step.units_ : 0));
  }

  constexpr Dyadic operator-() const { return Dyadic() - *this; }
  constexpr Dyadic& operator+=(Dyadic other) {
    [[maybe_unused]] const bool overflow = __builtin_add_overflow(units_, other.units_, &units_);
    assert(!overflow);
    return *this;
  }
  constexpr Dyadic& operator-=(Dyadic other) {
    [[maybe_unused]] const bool overflow = __builtin_sub_overflow(units_, other.units_, &units_);
    assert(!overflow);
    return *this;
  }
  friend constexpr Dyadic operator+(Dyadic a, Dyadic b) { return a += b; }
  friend constexpr Dyadic operator-(Dyadic a, Dyadic b) { return a -= b; }
  friend constexpr Dyadic operator*(int factor, Dyadic a) {
    [[maybe_unused]] const bool overflow =
        __builtin_mul_overflow(static_cast<std::int64_t>(factor), a.units_, &a.units_);
    assert(!overflow);
    return a;
  }
  friend constexpr auto operator<=>(Dyadic a, Dyadic b) = default;

 private:
  static constexpr std::int64_t kOne = std::int64_t{1} << kBits;

  std::int64_t units_ = 0;
};

/// The value as text in lowest terms: "3", "-3/4".
std::string dyadic_text(Dyadic value);
/// Reads "3", "-3/4" (lowest terms or not) or a decimal such as "0.25". Throws InputError
/// "name 'text': …": malformed, not dyadic, out of range.
Dyadic parse_dyadic(std::string_view name, std::string_view text);

}  // namespace ntune
