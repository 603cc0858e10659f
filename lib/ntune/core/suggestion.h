#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ntune {

/// ", did you mean 'NEAR'?" by closest_word() (core/text.h), safe on a terminal; empty where no
/// candidate is near.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace ntune
