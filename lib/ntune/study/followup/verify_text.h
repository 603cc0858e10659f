#pragma once

#include <string>

#include "ntune/core/json.h"
#include "ntune/study/followup/recommended.h"
#include "ntune/study/followup/verify.h"

namespace ntune {

/// A test of the recommendation against `other` for a person. `against` says what that is.
std::string verification_text(const RecommendedStudy& study, const Point& other,
                              const std::string& against, const Verification& result);

/// The same with everything that it is made of.
Json verification_json(const RecommendedStudy& study, const Point& other,
                       const std::string& against, const Verification& result);

}  // namespace ntune
