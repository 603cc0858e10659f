// --plot of the laboratories: figures in the common style.

#include <string>
#include <vector>

#include "apps/bao/reproduce.h"
#include "apps/slide3/reproduce.h"
#include "catch.h"
#include "laboratories/amazons/amazons.h"
#include "laboratories/arcade/arcade.h"
#include "ntune/plot/svg.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::content_of;
using test::run_amazons;

TEST_CASE("amazons error and coverage --plot draw a line for each variant") {
  const test::TemporaryFolder folder;
  const std::string cases =
      folder.file("cases.csv",
                  "board,mean,temperature\n####/#.##/.#B#/W.##,3/4,5/4\n##../##.#/#B##/W###,0,0\n");
  const std::string error = (folder / "error.svg").string();
  const std::vector<std::string> sample = {"--cases",    cases,      "--nodes", "10,1000",
                                           "--variants", "TDS,TDS+", "--quiet"};
  CHECK(run_amazons(test::joined({"error", "--plot", error}, sample)).code == 0);
  CHECK_THAT(content_of(error), ContainsSubstring("mean absolute error"));
  CHECK_THAT(content_of(error), ContainsSubstring("<title>TDS+, 1,000 nodes: "));
  const std::string coverage = (folder / "coverage.svg").string();
  CHECK(run_amazons(test::joined({"coverage", "--plot", coverage}, sample)).code == 0);
  CHECK_THAT(content_of(coverage), ContainsSubstring("positions solved"));
  CHECK_THAT(content_of(coverage), ContainsSubstring(">TDS+</text>"));  // at the end of its line
  CHECK_THAT(run_amazons({"reproduce", "3", "--plot", error}).err,
             ContainsSubstring("it goes with 1, 2 and fig5"));
  // Before hours are spent on the experiment.
  CHECK_THAT(test::run_laboratory(slide3::run, {"reproduce", "moves", "--plot", error}).err,
             StartsWith("--plot: does not go with moves; it goes with 4.2, "));
}

TEST_CASE("Figures of slide3 and bao are made of the rows of their experiments") {
  const std::vector<Json> quotas = {{{"evaluation", "Eu"},
                                     {"intensity", 0.0},
                                     {"ours", 0.4},
                                     {"ours_low", 0.3},
                                     {"ours_high", 0.5},
                                     {"games", 100}},
                                    {{"evaluation", "Eu"},
                                     {"intensity", 0.5},
                                     {"ours", 0.6},
                                     {"ours_low", 0.5},
                                     {"ours_high", 0.7},
                                     {"games", 100}}};
  const std::string lines = svg_text(slide3::draw_lines("Quota", quotas), {});
  CHECK_THAT(lines, ContainsSubstring("intensity of the randomisation"));
  CHECK_THAT(lines, ContainsSubstring("<title>Eu, intensity 0.5: 0.6 [0.5, 0.7]</title>"));

  const std::vector<Json> games = {{{"south", "MATERIAL"},
                                    {"north", "DEFAULT"},
                                    {"ours", 61.5},
                                    {"ours_low", 50.0},
                                    {"ours_high", 71.0},
                                    {"published", 58}}};
  const std::string matrix = svg_text(bao::draw_tournament("Tournament 3", games), {});
  CHECK_THAT(matrix,
             ContainsSubstring("MATERIAL against DEFAULT: ours 61.5 [50.0, 71.0], published 58"));
  for (const char* text : {">published</text>", ">ours</text>", ">58</text>", ">50</text>"}) {
    CHECK_THAT(matrix, ContainsSubstring(text));
  }

  const std::vector<Json> table = {{{"dtw", 24},
                                    {"depth", 4},
                                    {"evaluation", "Man"},
                                    {"published", 0.063},
                                    {"ours", 0.043},
                                    {"ours_low", 0.025},
                                    {"ours_high", 0.073}}};
  CHECK_THAT(svg_text(slide3::draw_quotas("Quotas", table), {}),
             ContainsSubstring(">Man, depth 4, DTW 24</text>"));
}

}  // namespace ntune
