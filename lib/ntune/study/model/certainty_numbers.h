#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ntune/optim/base/optimiser.h"

namespace ntune {

/// A certainty as a list of numbers, for journals and messages: the deviation, the probability
/// where there is one, and where there is a claim its mean, low, high and regret.
std::vector<double> numbers_of(const Certainty& certainty);
/// The certainty of such a list; nothing for a list of another length.
std::optional<Certainty> certainty_from(std::span<const double> numbers);

}  // namespace ntune
