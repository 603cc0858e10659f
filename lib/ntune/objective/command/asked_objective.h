#pragma once

#include <string>

#include "ntune/objective/capabilities.h"
#include "ntune/objective/command/command_values.h"
#include "ntune/objective/objective_entry.h"

namespace ntune {

/// The options of `objective: {ask_tell: …}`.
struct AskedOptions {
  std::string name = {};  ///< its name in results
  CommandValues values = {};

  void visit(Options& options);
};

/// An objective that somebody else evaluates, through `ntune serve` or `ntune ask` and `ntune
/// tell`.
class AskedObjective final : public Objective, public OutsideProgram, public Matches {
 public:
  /// Throws InputError if the options contradict one another.
  AskedObjective(AskedOptions options, SearchSpace space);

  [[nodiscard]] const SearchSpace& space() const override { return space_; }
  /// Throws EvaluationError: it cannot be evaluated from here.
  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override;
  [[nodiscard]] const OutsideProgram* outside_program() const override { return this; }
  [[nodiscard]] Outcome observe(const Point& point, Rng& rng,
                                const EvaluationId& id) const override;
  [[nodiscard]] Rehearsal rehearse(const Point& point, Rng& rng,
                                   const EvaluationId& id) const override;
  /// Throws EvaluationError: whoever asks plays the matches.
  [[nodiscard]] Outcome play(const Point& first, const Point& second, Rng& rng,
                             const EvaluationId& id) const override;
  [[nodiscard]] const Matches* matches() const override { return this; }
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] Payoffs payoffs() const override { return options_.values.payoffs(); }
  [[nodiscard]] Unit unit() const override { return options_.values.unit(); }

 private:
  AskedOptions options_;
  SearchSpace space_;
};

/// The line of the table.
ObjectiveEntry asked_entry();

}  // namespace ntune
