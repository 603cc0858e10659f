#pragma once

#include <string>

#include "ntune/objective/objective.h"
#include "objective/make.h"
#include "support/error_text.h"

namespace ntune::test {

/// A study's `objective:` in flow style, over depth: [1, 2, 3] and book: [false, true].
inline std::string command_study(const std::string& objective) {
  return "objective:\n  " + objective + "\nspace: {depth: [1, 2, 3], book: {boolean: }}\n";
}

inline std::unique_ptr<Objective> make_command(const std::string& objective) {
  return make(command_study(objective));
}

/// What the InputError says; "no error" if there is none.
inline std::string command_error(const std::string& objective) {
  return input_error([&] { make_command(objective); });
}

/// A point of that space.
inline Point depth_and_book(int depth, bool book) {
  Point point(2);
  point[0] = static_cast<std::uint16_t>(depth - 1);
  point[1] = book ? 1 : 0;
  return point;
}

/// Evaluates depth 2 with book.
inline Outcome observe(const Objective& objective, const EvaluationId& id = {},
                       std::uint64_t seed = 1) {
  Rng rng(seed);
  return observe(objective, depth_and_book(2, true), rng, id);
}

}  // namespace ntune::test
