#include "ntune/objective/settings.h"

#include <cassert>
#include <cmath>
#include <optional>
#include <variant>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

/// Throws InputError for a value of another type than the one asked for.
[[noreturn]] void fail_type(std::string_view name, const Value& value, std::string_view wanted) {
  throw InputError(fmt::format("parameter '{}' has the value '{}', which is not {}", name,
                               value_text(value), wanted));
}

/// Numbers with an exact 64-bit value.
std::optional<std::int64_t> whole(double value) {
  // At 2^63 and beyond the conversion would overflow.
  if (std::abs(value) >= 0x1p63 || value != std::trunc(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

}  // namespace

Settings::Settings(const SearchSpace& space, const Point& point) : space_(&space), point_(point) {
  assert(point.size() == space.dimensions());
}

int Settings::find(std::string_view name) const {
  const int i = space_->find(name);
  if (i >= 0) return i;
  const auto names = space_->names();
  throw InputError(fmt::format("there is no parameter '{}'{}; the space has {}", printable(name),
                               suggestion(name, names), list_text(names, "and")));
}

const Value& Settings::value(std::string_view name) const {
  return space_->value(point_, find(name));
}

double Settings::number(std::string_view name) const {
  const Value& found = value(name);
  if (const auto* real = std::get_if<double>(&found)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(&found)) return static_cast<double>(*integer);
  fail_type(name, found, "a number");
}

std::int64_t Settings::integer(std::string_view name) const {
  const Value& found = value(name);
  if (const auto* integer = std::get_if<std::int64_t>(&found)) return *integer;
  if (const auto* real = std::get_if<double>(&found)) {
    if (const auto integer = whole(*real)) return *integer;
  }
  fail_type(name, found, "a whole number");
}

bool Settings::flag(std::string_view name) const {
  const Value& found = value(name);
  if (const auto* flag = std::get_if<bool>(&found)) return *flag;
  fail_type(name, found, "true or false");
}

std::string Settings::text(std::string_view name) const { return value_text(value(name)); }

bool Settings::is_active(std::string_view name) const {
  return space_->is_active(point_, find(name));
}

}  // namespace ntune
