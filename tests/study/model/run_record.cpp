#include "ntune/study/model/run_record.h"

#include "catch.h"
#include "ntune/core/json.h"
#include "support/spaces.h"

namespace ntune {

namespace {

/// A run of which everything is known that a journal keeps.
RunRecord full_run() {
  const SearchSpace space = test::grid_space({3, 70});
  RunRecord run{.finished = true, .repeat = 2, .run = 7, .evaluations = 300, .failures = 2};
  run.set_aside = {4};
  run.endings = {.cut_off = 5, .capped = 6, .capped_cost = 0.1, .saved = 1e-300, .games = 80};
  run.endings.forfeits.add(Forfeits::Cause::kTime, true);
  run.endings.forfeits.add(Forfeits::Cause::kIllegalMove, false);
  run.failure_statistics.causes.add_failure("engine crashed");
  run.failure_statistics.by_value.add(space, test::make_point({1, 65}), true);
  run.point = test::make_point({2, 69});
  run.estimate = 1.0 / 3.0;
  run.leaders = {{.point = test::make_point({0, 1}), .estimate = -2.5, .evaluations = 9}};
  run.point_evaluations = 11;
  run.certainty = Certainty{.sd = 0.2, .best_probability = 0.7};
  run.certainty->claim = Claim{.mean = 1.0, .low = 0.5, .high = 2.0, .regret = 0.01};
  run.hold_out.payoffs = stats_of(std::vector{0.1, 0.4, 0.7});
  run.hold_out.evaluations = 4;
  run.payoffs_by_value = PayoffsByValue(space);
  run.payoffs_by_value.add(space, test::make_point({1, 65}), 1.0 / 3.0);
  run.trace = "packed";
  run.answers = {{.instance = "a \"b\"", .satisfiable = test::make_point({0, 0})},
                 {.instance = "c", .satisfiable = run.point, .unsatisfiable = run.point}};
  return run;
}

}  // namespace

TEST_CASE("a run is the same when it is read from its JSON") {
  for (const bool finished : {true, false}) {
    RunRecord run = full_run();
    run.finished = finished;
    const Json json = run_record_json(run);
    const auto read = run_record_of(Json::parse(json.dump()));
    REQUIRE(read);
    CHECK(run_record_json(*read) == json);
    CHECK(read->finished == finished);
    CHECK(read->endings.forfeits == run.endings.forfeits);
    CHECK(read->endings.games == 80);
    CHECK(read->endings.saved == 1e-300);
    CHECK(read->leaders.at(0).point == run.leaders[0].point);
    CHECK(read->answers.at(1).unsatisfiable == run.point);
    CHECK_FALSE(read->answers.at(0).unsatisfiable);
    CHECK(read->hold_out.payoffs.mean() == run.hold_out.payoffs.mean());
  }
  // A run with nothing beside what all have takes no more room than that.
  CHECK(run_record_json({.finished = true}).size() == 6);
}

TEST_CASE("fields that no run can have are refused") {
  const Json good = run_record_json(full_run());
  const auto with = [&](const char* name, const Json& value) {
    Json json = good;
    json[name] = value;
    return json;
  };
  for (const auto& [name, value] : {std::pair("evaluations", Json(-1)),
                                    {"failures", Json(2'000'000'000'000'000)},
                                    {"point", Json{0.5}},
                                    {"point", Json{-1}},
                                    {"point", Json{70'000}},
                                    {"point", Json(std::vector<int>(5000, 1))},
                                    {"hold_out", Json{1.0, 2.0}},
                                    {"hold_out", Json{-1.0, 0.0, 0.0, 0.0, 0.0}},
                                    {"certainty", Json{1, 2, 3}},
                                    {"games", Json{-5}},
                                    {"leaders", Json{{Json{-1}, 0.0, 1}}}}) {
    CAPTURE(name, value.dump());
    CHECK_FALSE(run_record_of(with(name, value)));
  }
  for (const auto& [name, value] : {std::pair("evaluations", Json("many")),
                                    {"leaders", Json{3}},
                                    {"answers", Json{{1, 2, 3}}},
                                    {"games", Json{"1"}}}) {
    CAPTURE(name, value.dump());
    CHECK_THROWS_AS(run_record_of(with(name, value)), Json::exception);
  }
}

}  // namespace ntune
