#include "ntune/agents/combinatorial_game/dyadic.h"

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

/// Holds a numerator of 18 digits that is shifted by all bits of a Dyadic.
__extension__ using Wide = __int128;

/// Throws InputError "name 'text': reason".
[[noreturn]] void fail(std::string_view name, std::string_view text, std::string_view reason) {
  throw InputError(fmt::format("{} '{}': {}", name, printable(text, 80), reason));
}

/// Digits alone; false if it is something else or has more than 18 of them.
bool read_digits(std::string_view text, std::int64_t& value) {
  if (text.empty() || text.size() > 18 || text[0] < '0' || text[0] > '9') return false;
  return read_number(text, value);
}

/// A fraction as it is written; the denominator may be 0.
struct Fraction {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
};

/// "3", "3/4" or "0.75".
bool read_fraction(std::string_view text, Fraction& fraction) {
  const std::size_t mark = text.find_first_of("/.");
  if (!read_digits(text.substr(0, mark), fraction.numerator)) return false;
  if (mark == std::string_view::npos) return true;
  const std::string_view rest = text.substr(mark + 1);
  if (text[mark] == '/') return read_digits(rest, fraction.denominator);
  // The decimals follow the whole part as further digits, over a power of ten. Both together must
  // fit into 18 digits.
  std::int64_t decimals = 0;
  if (text.size() > 18 || !read_digits(rest, decimals)) return false;
  for (std::size_t i = 0; i < rest.size(); ++i) fraction.denominator *= 10;
  fraction.numerator = fraction.numerator * fraction.denominator + decimals;
  return true;
}

}  // namespace

std::string dyadic_text(Dyadic value) {
  const int exponent = value.exponent();
  // The last bits are 0 below the exponent, so the shift loses nothing.
  const std::int64_t numerator = value.units() >> (Dyadic::kBits - exponent);
  if (exponent == 0) return fmt::format("{}", numerator);
  return fmt::format("{}/{}", numerator, std::int64_t{1} << exponent);
}

Dyadic parse_dyadic(std::string_view name, std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  Fraction fraction;
  if (!read_fraction(text.substr(negative ? 1 : 0), fraction) || fraction.denominator == 0) {
    fail(name, text, "a whole number or a fraction such as -3/4 is allowed");
  }
  // The sign is put aside, so that shift and division are of positive numbers.
  const Wide units = static_cast<Wide>(fraction.numerator) << Dyadic::kBits;
  const Wide quotient = units / fraction.denominator;
  if (quotient >= (static_cast<Wide>(1) << 62)) fail(name, text, "is out of range");
  // A remainder means that the fraction is no multiple of the smallest unit.
  if (units % fraction.denominator != 0) {
    fail(name, text,
         fmt::format("is no dyadic rational; the denominator must be a power of two up to 2^{}",
                     Dyadic::kBits));
  }
  const Dyadic value = Dyadic::of_units(static_cast<std::int64_t>(quotient));
  return negative ? -value : value;
}

}  // namespace ntune
