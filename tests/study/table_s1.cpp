// A scaled-down Table S1 of Goodman and Lucas 2020: 200 runs for the published 1,000. The bound of
// 4 combined standard errors was set beforehand; with 60 comparisons of independent means a correct
// program fails with a probability below 0.4 %.

#include <cmath>

#include "catch.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/results/published.h"
#include "ntune/study/run_study.h"

namespace ntune {
namespace {

void compare_with_published(const char* iterations, const char* optimisers, std::int64_t runs) {
  const std::string folder = std::string(NTUNE_SOURCE_DIR) + "/configs/papers/";
  const YamlNode full = read_yaml(folder + "ntbea_table_s1.yaml");
  Json config = to_json(full);
  config["iterations"] = Json::parse(iterations);
  config["runs"] = runs;
  config["published"] = "";
  if (*optimisers != '\0') {
    Json kept = Json::array();
    for (const Json& optimiser : config["optimisers"]) {
      if (optimiser["label"] == optimisers) kept.push_back(optimiser);
    }
    config["optimisers"] = kept;
  }
  const Study study = read_study(parse_yaml(config.dump()));
  StudyProgress progress;
  const StudyResult result = run_study(study, progress);
  const std::vector<CellSummary> summaries = summarise(study, result);
  std::vector<PublishedRow> rows;
  for (const PublishedRow& row : read_published(folder + "ntbea_table_s1.csv")) {
    const bool wanted_iterations = config["iterations"].get<std::int64_t>() == row.iterations;
    if (wanted_iterations && (*optimisers == '\0' || row.optimiser == optimisers)) {
      rows.push_back(row);
    }
  }
  REQUIRE(!rows.empty());
  constexpr double kBound = 4.0;
  for (const PublishedComparison& comparison : compare_published(study, summaries, rows)) {
    CAPTURE(comparison.row.objective, comparison.row.optimiser, comparison.row.iterations,
            comparison.score.stats.mean(), comparison.row.mean, comparison.delta.stats.mean(),
            comparison.row.delta);
    CHECK(std::abs(comparison.mean_errors) < kBound);
    CHECK(std::abs(comparison.delta_errors) < kBound);
  }
}

TEST_CASE("Table S1, scaled down: all weightings at 300 iterations agree with the paper") {
  compare_with_published("300", "", 200);
}

TEST_CASE("Table S1, scaled down: vanilla NTBEA at 1,000 iterations agrees with the paper") {
  compare_with_published("1000", "vanilla", 200);
}

TEST_CASE("Table S1, scaled down: vanilla NTBEA at 3,000 iterations agrees with the paper",
          "[statistical]") {
  compare_with_published("3000", "vanilla", 200);
}

}  // namespace
}  // namespace ntune
