#include "ntune/agents/combinatorial_game/dyadic.h"

#include <cmath>
#include <string>

#include "catch.h"
#include "ntune/core/rng.h"
#include "support/error_text.h"

namespace ntune {
namespace {

std::string error_of(const std::string& text) {
  return test::input_error([&] { parse_dyadic("delta", text); });
}

/// A random one that doubles hold exactly.
Dyadic random_dyadic(Rng& rng) {
  return Dyadic::ratio(static_cast<std::int64_t>(rng.below(2001)) - 1000,
                       static_cast<int>(rng.below(13)));
}

}  // namespace

TEST_CASE("Dyadic: arithmetic and order as of exact doubles") {
  Rng rng(1);
  for (int i = 0; i < 1000; ++i) {
    const Dyadic a = random_dyadic(rng);
    const Dyadic b = random_dyadic(rng);
    const double x = a.to_double();
    const double y = b.to_double();
    CHECK((a + b).to_double() == x + y);
    CHECK((a - b).to_double() == x - y);
    CHECK((-a).to_double() == -x);
    CHECK((3 * a).to_double() == 3 * x);
    CHECK(a.half().to_double() == x / 2);
    CHECK(a.abs().to_double() == std::abs(x));
    CHECK((a < b) == (x < y));
    CHECK((a == b) == (x == y));
    CHECK(a.is_integer() == (x == std::floor(x)));
    CHECK(std::ldexp(x, a.exponent()) == std::floor(std::ldexp(x, a.exponent())));
    if (a.exponent() > 0) CHECK(std::fmod(std::ldexp(x, a.exponent()), 2) != 0);
    CHECK(a.rounded_up(Dyadic::power(3)).to_double() == std::ceil(x * 8) / 8);
    CHECK(a.rounded_down(Dyadic::power(3)).to_double() == std::floor(x * 8) / 8);
    CHECK(parse_dyadic("x", dyadic_text(a)) == a);
  }
}

TEST_CASE("Dyadic: texts") {
  CHECK(dyadic_text(0) == "0");
  CHECK(dyadic_text(-7) == "-7");
  CHECK(dyadic_text(Dyadic::ratio(-3, 2)) == "-3/4");
  CHECK(dyadic_text(Dyadic::ratio(6, 3)) == "3/4");
  CHECK(dyadic_text(Dyadic::power(Dyadic::kBits)) == "1/4294967296");
  CHECK(parse_dyadic("x", "-3/4") == Dyadic::ratio(-3, 2));
  CHECK(parse_dyadic("x", "6/8") == Dyadic::ratio(3, 2));
  CHECK(parse_dyadic("x", "3/3") == 1);
  CHECK(parse_dyadic("x", "-0") == 0);
  CHECK(parse_dyadic("x", "0.125") == Dyadic::power(3));
  CHECK(parse_dyadic("x", "-2.50") == Dyadic::ratio(-5, 1));
  CHECK(parse_dyadic("x", "1073741823") == 1073741823);
  CHECK(Dyadic(12).to_int() == 12);
  CHECK(Dyadic(-12).to_int() == -12);
}

TEST_CASE("Dyadic: texts that are none") {
  for (const std::string text : {"", "-", "x", "1/", "/2", "1/-2", "--1", "+1", "1/2/4", "1e3",
                                 "1 /2", ".5", "1.", "1/0", "0x1", "1234567890123456789"}) {
    CHECK(error_of(text) ==
          "delta '" + text + "': a whole number or a fraction such as -3/4 is allowed");
  }
  for (const std::string text : {"1/3", "0.1", "5/6", "1/8589934592"}) {
    CHECK(error_of(text) ==
          "delta '" + text +
              "': is no dyadic rational; the denominator must be a power of two up to 2^32");
  }
  for (const std::string text : {"1073741824", "-1073741824", "123456789012345678"}) {
    CHECK(error_of(text) == "delta '" + text + "': is out of range");
  }
}

}  // namespace ntune
