// What a study says does not depend on the unit of its payoffs.

#include <string>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "study/make.h"

namespace ntune {

namespace {

/// The result of a study of noisy arms whose payoffs are multiplied by `scale`.
Json result_at(double scale, const std::string& optimiser) {
  const auto objective = test::arms(8, [scale](const Point& point, Rng& rng) {
    const double distance = static_cast<double>(point[0]) - 5.0;
    return scale * (3.0 - 0.2 * distance * distance + (0.5 + 0.05 * distance) * rng.normal());
  });
  const Study study = test::study_of(
      "{runs: 2, iterations: 40, re_evaluation: 20, hold_out: 20, default: {arm: 1}, seed: 3, "
      "optimiser: " +
          optimiser + "}",
      objective);
  const StudyResult result = test::run(study);
  return result_json(study, result, summarise(study, result));
}

}  // namespace

TEST_CASE("a study says the same at every scale of its payoffs") {
  for (const char* optimiser : {"gaussian_process", "ntbea", "random"}) {
    CAPTURE(optimiser);
    const Json plain = result_at(1.0, optimiser);
    CHECK_FALSE(plain.contains("warnings"));
    for (const double scale : {0x1p-300, 0x1p-60, 0x1p60, 0x1p300}) {
      CAPTURE(scale);
      const Json scaled = result_at(scale, optimiser);
      const auto check_number = [&](const char* pointer) {
        CAPTURE(pointer);
        const Json::json_pointer at(pointer);
        CHECK(scaled.at(at).get<double>() / scale == Approx(plain.at(at).get<double>()));
      };
      CHECK(scaled["recommendation"]["parameters"] == plain["recommendation"]["parameters"]);
      CHECK(scaled["verdict"] == plain["verdict"]);
      CHECK_FALSE(scaled.contains("warnings"));
      for (const char* pointer :
           {"/recommendation/value", "/recommendation/interval/0", "/recommendation/interval/1",
            "/recommendation/regret", "/default/value", "/default/difference/value",
            "/default/difference/interval/0", "/default/difference/interval/1"}) {
        check_number(pointer);
      }
      CHECK(scaled["default"]["probability_better"].get<double>() ==
            Approx(plain["default"]["probability_better"].get<double>()));
    }
  }
}

TEST_CASE("payoffs too small for their squares put a result in doubt") {
  const Json tiny = result_at(0x1p-660, "random");
  REQUIRE(tiny.contains("warnings"));
  CHECK_THAT(tiny["warnings"].dump(),
             Catch::Matchers::ContainsSubstring("the values are below 1e-100 in size"));
}

}  // namespace ntune
