#pragma once

#include <string>

#include "ntune/core/json.h"
#include "ntune/study/followup/recommended.h"
#include "ntune/study/followup/verify.h"

namespace ntune {

/// A test of the recommendation against the point `other` for a person. `against` is the user's
/// name for that point.
std::string verification_text(const RecommendedStudy& study, const Point& other,
                              const std::string& against, const Verification& result);

/// The same as JSON, with all its numbers.
Json verification_json(const RecommendedStudy& study, const Point& other,
                       const std::string& against, const Verification& result);

}  // namespace ntune
