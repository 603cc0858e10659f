#pragma once

#include <algorithm>
#include <compare>
#include <string>
#include <variant>
#include <vector>

#include "ntune/space/import/source.h"

namespace ntune {

inline bool holds(std::weak_ordering order, Comparison comparison) {
  switch (comparison) {
    case Comparison::kEqual:
      return std::is_eq(order);
    case Comparison::kNotEqual:
      return std::is_neq(order);
    case Comparison::kLess:
      return std::is_lt(order);
    case Comparison::kLessEqual:
      return std::is_lteq(order);
    case Comparison::kGreater:
      return std::is_gt(order);
    case Comparison::kGreaterEqual:
      return std::is_gteq(order);
  }
  return false;
}

inline bool are_numbers(const std::vector<Value>& values) {
  return std::ranges::none_of(values, [](const Value& value) {
    return std::holds_alternative<std::string>(value) || std::holds_alternative<bool>(value);
  });
}

}  // namespace ntune
