// Values, terms and points.

#include <cmath>
#include <compare>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/space/parameter.h"
#include "ntune/space/point.h"

namespace ntune {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();

/// -1, 0 or 1.
int order(const Value& a, const Value& b) {
  const std::weak_ordering result = compare(a, b);
  return std::is_lt(result) ? -1 : (std::is_gt(result) ? 1 : 0);
}

}  // namespace

TEST_CASE("values are written as a person writes them") {
  CHECK(value_text(true) == "true");
  CHECK(value_text(false) == "false");
  CHECK(value_text(std::int64_t{-3}) == "-3");
  CHECK(value_text(0.1) == "0.1");
  CHECK(value_text(1.0) == "1");
  CHECK(value_text(std::string("a word")) == "a word");
}

TEST_CASE("values keep their type in JSON") {
  CHECK(value_json(true).dump() == "true");
  CHECK(value_json(std::int64_t{1}).dump() == "1");
  CHECK(value_json(1.0).dump() == "1.0");
  CHECK(value_json(std::string("1")).dump() == "\"1\"");
}

TEST_CASE("values have a number unless they are words") {
  CHECK(value_number(true) == 1.0);
  CHECK(value_number(false) == 0.0);
  CHECK(value_number(std::int64_t{-3}) == -3.0);
  CHECK(value_number(0.1) == 0.1);
  CHECK(std::isnan(value_number(std::string("1"))));
}

TEST_CASE("one equals 1.0, true and the word '1' do not") {
  CHECK(order(std::int64_t{1}, 1.0) == 0);
  CHECK(order(1.0, std::int64_t{1}) == 0);
  CHECK(order(0.0, -0.0) == 0);
  CHECK(order(true, std::int64_t{1}) < 0);
  CHECK(order(std::string("1"), 1.0) > 0);
  CHECK(order(true, std::string("true")) < 0);
}

TEST_CASE("integers and reals compare exactly, beyond 2^53 too") {
  CHECK(order(kLargest, 0x1p63) < 0);
  CHECK(order(kSmallest, -0x1p63) == 0);
  CHECK(order((std::int64_t{1} << 53) + 1, 0x1p53) > 0);
  CHECK(order(std::int64_t{2}, 2.5) < 0);
  CHECK(order(std::int64_t{3}, 2.5) > 0);
  CHECK(order(std::int64_t{-2}, -2.5) > 0);
  CHECK(order(std::int64_t{-3}, -2.5) < 0);
  CHECK(order(std::int64_t{0}, -1e300) > 0);
  CHECK(order(std::int64_t{0}, 1e300) < 0);
  CHECK(order(std::int64_t{0}, kNan) < 0);
}

TEST_CASE("the order of values is a total order") {
  const std::vector<Value> values = {
      true,
      false,
      std::int64_t{0},
      std::int64_t{-1},
      kLargest,
      kSmallest,
      0.5,
      -0.5,
      0x1p63,
      -0x1p63,
      -1e300,
      1e300,
      kNan,
      std::string("a"),
      -1.0,
      0x1p62,
      std::string(""),
      std::string("aa"),
  };
  for (const Value& a : values) {
    for (const Value& b : values) {
      CHECK(order(a, b) == -order(b, a));
      for (const Value& c : values) {
        if (order(a, b) <= 0 && order(b, c) <= 0) CHECK(order(a, c) <= 0);
      }
    }
  }
}

TEST_CASE("a term matches its values alone") {
  const Term term{.parameter = 0, .values = {1, 4}};
  std::vector<std::uint16_t> matching;
  for (std::uint16_t v = 0; v < 6; ++v) {
    if (term.matches(v)) matching.push_back(v);
  }
  CHECK(matching == term.values);
}

TEST_CASE("a parameter finds equal values") {
  const Parameter parameter = make_choices("p", {std::int64_t{1}, 2.5, true, std::string("2.5")});
  CHECK(parameter.cardinality() == 4);
  CHECK(parameter.find(1.0) == 0);
  CHECK(parameter.find(2.5) == 1);
  CHECK(parameter.find(true) == 2);
  CHECK(parameter.find(std::string("2.5")) == 3);
  CHECK(parameter.find(false) == -1);
  CHECK(parameter.find(kNan) == -1);
  CHECK(parameter.find(std::string("1")) == -1);
}

TEST_CASE("points compare by size and indices alone") {
  const std::vector<std::uint16_t> indices = {3, 0, 7};
  const Point a{std::span(indices)};
  Point b(3);
  CHECK(a != b);
  CHECK(std::is_lt(b <=> a));
  b = a;
  CHECK(a == b);
  CHECK(std::hash<Point>()(a) == std::hash<Point>()(b));
  b[2] = 8;
  CHECK(std::is_gt(b <=> a));
  CHECK(std::is_lt(Point(2) <=> Point(3)));
  CHECK(Point().size() == 0);
  CHECK(std::set<Point>{a, b, a}.size() == 2);
}

}  // namespace ntune
