#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ntune/space/search_space.h"

namespace ntune {

/// The values of one point by the names of their parameters. The space must outlive it. All members
/// throw InputError that names the parameter: no such name (with the nearest), or another type.
class Settings {
 public:
  Settings(const SearchSpace& space, const Point& point);

  /// Any value.
  [[nodiscard]] const Value& value(std::string_view name) const;
  /// A whole or a real number.
  [[nodiscard]] double number(std::string_view name) const;
  /// A whole number; 3.0 is one.
  [[nodiscard]] std::int64_t integer(std::string_view name) const;
  /// True or false.
  [[nodiscard]] bool flag(std::string_view name) const;
  /// Any value as a person writes it: a word, true, 3, 0.1.
  [[nodiscard]] std::string text(std::string_view name) const;
  /// False where a condition switches the parameter off; it then has its default, or else its first
  /// value.
  [[nodiscard]] bool is_active(std::string_view name) const;

  [[nodiscard]] const SearchSpace& space() const { return *space_; }
  [[nodiscard]] const Point& point() const { return point_; }

 private:
  [[nodiscard]] int find(std::string_view name) const;

  const SearchSpace* space_;
  Point point_;
};

}  // namespace ntune
