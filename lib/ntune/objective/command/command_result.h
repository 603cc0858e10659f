#pragma once

#include <string>

#include "ntune/core/options.h"

namespace ntune {

/// The form in which a program prints its result: the option `result`.
struct ResultFormat {
  enum class Kind { kAuto, kJson, kSmac, kNumber, kLetters, kCutechess, kFastchess, kRegex };
  Kind kind = Kind::kAuto;
  std::string pattern = {};  ///< regular expression of kRegex, with at least one group

  void visit(Options& options);
  /// Its values are points per game, from 0 to 1.
  [[nodiscard]] bool is_score() const;
};

}  // namespace ntune
