#pragma once

#include <string>

#include "ntune/core/options.h"

namespace ntune {

/// Where the result of a program is found, and in which form: the option `result`.
struct ResultFormat {
  enum class Kind { kAuto, kJson, kSmac, kNumber, kLetters, kCutechess, kFastchess, kRegex, kTime };
  Kind kind = Kind::kAuto;
  std::string pattern = {};  ///< regular expression of kRegex, with at least one group
  bool cost = false;         ///< written as {cost: …}: what is read is a cost
  bool processor = false;    ///< of kTime: processor time, else wall time

  void visit(Options& options);
  /// Its values are points per game, from 0 to 1.
  [[nodiscard]] bool is_score() const;
  /// Its values are costs, which are minimised.
  [[nodiscard]] bool is_cost() const { return cost || kind == Kind::kSmac || kind == Kind::kTime; }
};

}  // namespace ntune
