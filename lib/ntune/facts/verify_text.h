#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/facts/fact.h"
#include "ntune/study/followup/recommended.h"
#include "ntune/study/followup/verify.h"

namespace ntune {

/// A side of a test as it is saved.
struct SavedSide {
  Point point = {};
  std::optional<double> value = {};
  std::optional<std::int64_t> wins = {};
  std::optional<std::int64_t> draws = {};
  std::optional<std::int64_t> losses = {};
  std::optional<std::vector<std::int64_t>> pentanomial = {};
};

/// The status of a test in its result.json while it goes on.
inline constexpr const char* kRunningTest = "running";

/// What result.json of a test holds, as values. In the reported unit, of a match in points a game.
struct SavedVerification {
  std::string version = {};
  std::string objective = {};
  std::string against = {};  ///< the user's name for the other point
  std::string decision = {};
  std::string test = {};
  bool match = false;
  double alpha = 0.0;
  double beta = 0.0;
  double h0 = 0.0;
  double h1 = 0.0;
  double ratio = 0.0;  ///< of the likelihoods, its logarithm
  Interval bounds = {};
  VerificationCounts counts = {};
  SavedSide recommended = {};
  SavedSide other = {};
  std::optional<Rating> difference = {};
  std::optional<Rating> elo = {};
  std::optional<Rating> normalised_elo = {};
  std::optional<std::vector<std::int64_t>> pentanomial = {};
  std::optional<std::int64_t> forfeits = {};  ///< games that were lost by a fault
  std::uint64_t seed = 0;
  bool is_running = false;  ///< a process carries it out; not in the file
};

SavedVerification saved_verification(const RecommendedStudy& study, const Point& other,
                                     const std::string& against, const Verification& result);
/// The test as JSON, and from that of a study's folder.
Json to_json(SavedVerification test, const Study& study);
SavedVerification read_verification(const Json& json, const Study& study);

/// Makes what a test has decided the verdict of the study in the folder. Returns false where it has
/// not decided, where its errors are more likely than 5 %, where its H0 allows a loss, and where
/// keep_test refuses.
bool keep_decision(const std::filesystem::path& folder, const RecommendedStudy& study,
                   const Point& other, const Verification& result);

/// A test that goes on in a line: "verify against default: log-likelihood ratio 1.20 between -2.94
/// and 2.94, 1,234 pairs".
std::string test_line(const SavedVerification& test);

/// What the test has measured: difference, Elo, pairs.
Facts verification_facts(const SavedVerification& test, const Objective& objective);

/// A test of the recommendation against the point `other` for a person. `against` is the user's
/// name for that point.
std::string verification_text(const RecommendedStudy& study, const Point& other,
                              const std::string& against, const Verification& result);

/// The test as JSON, with all its numbers.
Json verification_json(const RecommendedStudy& study, const Point& other,
                       const std::string& against, const Verification& result);

}  // namespace ntune
