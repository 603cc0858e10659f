#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ntune {

/// ", did you mean 'NEAR'?" with the candidate that closest_word() finds (core/text.h), safe on a
/// terminal. Empty if none is near.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace ntune
