// Readings of the paper: what is sound, what is not, principal variations, limits, options.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "agents/tds_cases.h"
#include "catch.h"
#include "ntune/agents/combinatorial_game/tds_coverage.h"
#include "ntune/core/option_json.h"
#include "support/error_text.h"

namespace ntune {
namespace {

using test::AmazonsFour;
using test::input_error;
using test::tds_options;
using test::value_text;

/// "mean,temperature".
std::string found(const std::string& board, const TdsOptions& options) {
  return value_text(
      TemperatureDiscovery<AmazonsFour>(options).solve(parse_amazons<4>(board)).value);
}

/// "B 17/8 | W A1-A2xB1 | …"
std::string variation(const TdsOptions& options, const std::string& board) {
  std::string text;
  const auto result = TemperatureDiscovery<AmazonsFour>(options).solve(parse_amazons<4>(board));
  for (const auto& move : result.variation) {
    text += text.empty() ? "" : " ";
    text += move.is_coupon ? dyadic_text(move.coupon) : amazons_move_text<4>(move.move);
  }
  return text;
}

std::vector<TdsResult<AmazonsFour>> solved_by(Parallel& parallel,
                                              const std::vector<AmazonsFour>& games,
                                              const TdsOptions& options) {
  std::vector<TdsResult<AmazonsFour>> results(games.size());
  Progress progress;
  tds_coverage<AmazonsFour>(games, options, parallel, progress,
                            [&](std::size_t i, const auto& result) { results[i] = result; });
  CHECK(progress.done == static_cast<std::int64_t>(games.size()));
  return results;
}

const std::string kFigure2 = "####/#.##/.#B#/W.##";

}  // namespace

TEST_CASE("tds: Figure 2 of Zhang and Mueller 2015 with delta 1/8 and ties to the board") {
  TdsOptions options = tds_options("TDS");
  options.ties = TdsTies::kBoard;
  options.variation = true;
  const std::string line = variation(options, kFigure2);
  const std::string start =
      "17/8 2 15/8 7/4 13/8 3/2 11/8 A1-A2xB1 5/4 9/8 1 7/8 3/4 5/8 1/2 3/8 1/4 1/8 0 -1/8 -1/4 "
      "-3/8 C2-B3xC2";
  CHECK(line.substr(0, start.size()) == start);
  options.reading = TdsReading::kTop;
  CHECK(found(kFigure2, options) == "3/4,5/4");
  // With ties to the coupon the last coupon before the board move is the temperature.
  options = tds_options("TDS");
  CHECK(found(kFigure2, options) == "3/4,5/4");
  CHECK(variation(options, kFigure2).find("5/4 ") != std::string::npos);
}

TEST_CASE("tds: principal variations do not depend on the enhancements") {
  for (const TdsTies ties : {TdsTies::kCoupon, TdsTies::kBoard}) {
    const auto with = [&](const std::string& variant) {
      TdsOptions options = tds_options(variant);
      options.ties = ties;
      options.variation = true;
      options.t_max = {false, 2.125};
      options.delta_exponent = {false, 3};
      return variation(options, kFigure2);
    };
    const std::string plain = with("TDS");
    for (const std::string variant : {"3", "35", "38", "3890", "0"}) CHECK(with(variant) == plain);
  }
}

TEST_CASE("tds: the -1 coupons taken belong in the key") {
  const std::string board = ".##./W###/.###/#B##";
  TdsOptions options = tds_options("3");
  CHECK(found(board, options) == "-1,0");
  CHECK(found("####/##W#/##../B.#.", options) == "-2,1");
  options.literal_key = true;
  CHECK(found(board, options) == "-1,1/4");
}

TEST_CASE("tds: E2 as printed forbids moves that matter") {
  TdsOptions options = tds_options("23");
  CHECK(found("####/####/.###/WB.#", options) == "1/2,-1/2");
  CHECK(found("####/.###/#B##/W#.#", options) == "1,-1");
  options.literal_e2 = true;
  CHECK(found("####/####/.###/WB.#", options).substr(0, 2) == "0,");
}

TEST_CASE("tds: E4 needs the temperature rounded up") {
  const std::string board = "####/.###/#.#./W.B#";
  TdsOptions options = tds_options("134");
  CHECK(found(board, options) == "1,1");
  options.literal_e4 = true;
  CHECK(found(board, options) == "1,9/8");
  options.reading = TdsReading::kPrior;
  CHECK(found(board, options) == "1,17/16");
}

TEST_CASE("tds: a t_max that is too small is searched again with a larger one") {
  TdsOptions options = tds_options("13");
  options.t_max = {false, -1};
  const auto result = TemperatureDiscovery<AmazonsFour>(options).solve(parse_amazons<4>(kFigure2));
  CHECK(value_text(result.value) == "3/4,5/4");
  CHECK(result.re_searches > 0);
  // The first position where the 2-delta conjecture with ties to the coupon fails.
  CHECK(found("####/#.##/.W.#/#B#.", tds_options("13")) == "-3/8,3/8");
}

TEST_CASE("tds: a delta that is too large approximates") {
  const auto position = parse_amazons<4>("####/#..#/#.B./.W##");
  for (const std::string variant : {"13", "all"}) {
    for (int exponent = 0; exponent <= 4; ++exponent) {
      TdsOptions options = tds_options(variant);
      options.delta_exponent = {false, exponent};
      const auto result = TemperatureDiscovery<AmazonsFour>(options).solve(position);
      CHECK(result.is_finished);
      CHECK(!result.is_exact);
      CHECK(result.delta_exponent == std::max(exponent, variant == "all" ? 1 : 0));
    }
  }
}

TEST_CASE("tds: with a coarse delta E4 finds what the search without it finds") {
  int compared = 0;
  int different = 0;
  std::int64_t nodes = 0;
  std::int64_t nodes_of_exact = 0;
  for (const auto& one : test::sample_positions()) {
    if (one.empties > 5) continue;
    const auto solved = [&](const char* variant, AutoInteger exponent) {
      TdsOptions options = tds_options(variant);
      options.delta_exponent = exponent;
      options.table_mb = 1;
      return TemperatureDiscovery<AmazonsFour>(options).solve(one.position);
    };
    const auto with = solved("1345", {false, 1});
    different += with.value == solved("135", {false, 1}).value ? 0 : 1;
    nodes += with.nodes;
    nodes_of_exact += solved("1345", {}).nodes;
    ++compared;
  }
  CHECK(compared == 167);
  CHECK(different == 0);
  CHECK(nodes * 2 < nodes_of_exact);
}

TEST_CASE("tds: a search that is stopped says so and says something") {
  const auto position = parse_amazons<4>("..../..../.B../...W");
  for (const std::string variant : {"TDS", "13", "TDS+", "all"}) {
    for (const std::int64_t limit : {1, 10, 1000, 30000}) {
      TdsOptions options = tds_options(variant);
      options.nodes = {false, limit};
      TemperatureDiscovery<AmazonsFour> search(options);
      const auto result = search.solve(position);
      CHECK(!result.is_finished);
      CHECK(!result.is_exact);
      CHECK(result.nodes == limit);
      CHECK(result.value.temperature >= -1);
      CHECK(result.value.temperature <= 14);
      CHECK(result.value.mean.abs() <= 14);
      const auto again = search.solve(position);
      CHECK(again.value == result.value);
      CHECK(again.nodes == result.nodes);
    }
  }
  TdsOptions options = tds_options("13");
  options.seconds = {false, 0.01};
  const auto result = TemperatureDiscovery<AmazonsFour>(options).solve(position);
  CHECK(!result.is_finished);
  CHECK(result.seconds < 1.0);
}

TEST_CASE("tds: without a board move in the variation the temperature follows the rule") {
  const auto with = [](TdsNoBoardMove rule) {
    TdsOptions options = tds_options("TDS");
    options.nodes = {false, 5};
    options.no_board_move = rule;
    return dyadic_text(TemperatureDiscovery<AmazonsFour>(options)
                           .solve(parse_amazons<4>("..##/.#.#/.B.W/####"))
                           .value.temperature);
  };
  // Five coupons of a stack that starts at 4 + 1/64.
  CHECK(with(TdsNoBoardMove::kLargest) == dyadic_text(5 + Dyadic::power(6)));
  CHECK(with(TdsNoBoardMove::kMinusOne) == "-1");
  CHECK(with(TdsNoBoardMove::kHalfLargest) == dyadic_text((5 + Dyadic::power(6)).half()));
}

TEST_CASE("tds: results do not depend on earlier games or on threads") {
  std::vector<AmazonsFour> games;
  std::vector<std::string> values;
  for (const auto& one : test::sample_positions()) {
    if (one.empties > 7 || games.size() % 3 != values.size() % 3) continue;
    games.push_back(one.position);
    values.push_back(one.value);
  }
  TdsOptions options = tds_options("all");
  options.nodes = {false, 2000};
  Parallel one(1);
  Parallel two(2);
  const auto alone = solved_by(one, games, options);
  const auto together = solved_by(two, games, options);
  int finished = 0;
  for (std::size_t i = 0; i < games.size(); ++i) {
    CHECK(alone[i].value == together[i].value);
    CHECK(alone[i].nodes == together[i].nodes);
    if (!alone[i].is_finished) continue;
    ++finished;
    CHECK(value_text(alone[i].value) == values[i]);
  }
  CHECK(finished > 0);
  CHECK(finished < static_cast<int>(games.size()));
}

TEST_CASE("tds: the 600 test positions", "[slow]") {
  std::vector<AmazonsFour> games;
  const auto cases = test::sample_positions();
  REQUIRE(cases.size() == 600);
  for (const auto& one : cases) games.push_back(one.position);
  TdsOptions options = tds_options("all");
  options.table_mb = 64;
  options.nodes = {false, 70'000'000};
  Parallel parallel;
  const auto results = solved_by(parallel, games, options);
  for (std::size_t i = 0; i < games.size(); ++i) {
    CHECK(results[i].is_exact);
    CHECK(value_text(results[i].value) == cases[i].value);
  }
}

TEST_CASE("tds: variants are written as in the paper") {
  for (const std::string text :
       {"TDS", "TDS+", "all", "TDS_13", "TDS_1235", "TDS_3678", "TDS_360"}) {
    CHECK(tds_variant_text(parse_tds_variant(text)) == text);
  }
  CHECK(tds_variant_text(parse_tds_variant("12345")) == "TDS+");
  CHECK(tds_variant_text(parse_tds_variant("TDS13")) == "TDS_13");
  CHECK(tds_variant_text(parse_tds_variant("1234567890")) == "all");
  CHECK(input_error([] { parse_tds_variant(""); }) ==
        "variant '': TDS, TDS_13 or 13, TDS+ or all is allowed");
  CHECK(input_error([] { parse_tds_variant("1x"); }) ==
        "variant '1x': TDS, digits of enhancements such as TDS_13 or 13, TDS+ or all is allowed");
  CHECK(input_error([] { parse_tds_variant("131"); }) == "variant '131': 1 stands twice");
  CHECK(input_error([] { tds_options("14").check(); }) == "variant TDS_14: e4 needs e3");
  CHECK(input_error([] { tds_options("17").check(); }) == "variant TDS_17: e7 needs e6");
}

TEST_CASE("tds: delta is a power of two") {
  CHECK(parse_tds_delta("delta", "1") == 0);
  CHECK(parse_tds_delta("delta", "1/8") == 3);
  CHECK(parse_tds_delta("delta", "0.25") == 2);
  for (const std::string text : {"3/4", "2", "0", "-1/2", "1/65536"}) {
    CHECK(input_error([&] { parse_tds_delta("delta", text); }) ==
          fmt::format("delta '{}': must be 1, 1/2, 1/4 … 1/32768", text));
  }
}

TEST_CASE("tds: options describe themselves") {
  const Json json = options_json(TdsOptions());
  CHECK(json.at("delta_exponent") == "auto");
  CHECK(json.at("e1") == true);
  CHECK(json.at("e10") == true);
  CHECK(json.at("reading") == "rounded");
}

}  // namespace ntune
