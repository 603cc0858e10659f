// Exhaustive tables: complete, resumable, the same for any number of threads, refused when foreign.

#include "ntune/study/followup/tabulate.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/folder_lock.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/lambda_objective.h"
#include "ntune/objective/recorded/observation_table.h"
#include "study/make.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace {

using Catch::Matchers::ContainsSubstring;

const std::string kStudy =
    "{objective: {function: one_max, dimensions: 3, values: 3}, seed: 7, space: {forbid: [{x1: 0, "
    "x2: 0}]}}";

Tabulation fill(const Study& study, std::int64_t times, const std::filesystem::path& file,
                int threads = 1) {
  Progress progress;
  Parallel parallel(threads);
  const Tabulation tabulation = tabulate(study, times, file, progress, parallel);
  CHECK(progress.done == progress.total);
  return tabulation;
}

}  // namespace

TEST_CASE("every allowed point gets its observations, and the table can be drawn from") {
  const test::TemporaryFolder folder;
  const Study study = test::study_of(kStudy);
  const Tabulation tabulation = fill(study, 400, folder / "table.csv");
  CHECK((tabulation.finished && tabulation.points == 24 && tabulation.all_points == 24));
  CHECK(tabulation.observations == 24 * 400);
  const std::string text = test::content_of(folder / "table.csv");
  CHECK_THAT(text, ContainsSubstring("# seed: 7\nx1,x2,x3,observations\n0,1,0,"));
  const std::string drawn = folder.file(
      "study.yaml", "{objective: {table: table.csv}, space: {forbid: [{x1: 0, x2: 0}]}}");
  const Study table = read_study(read_yaml(drawn));
  CHECK(table.objectives[0].label == "table");
  const Objective& copy = *table.objectives[0].objective;
  const Objective& original = *study.objectives[0].objective;
  CHECK(copy.space().size().points == 24);
  original.space().for_each_point([&](const Point& point) {
    constexpr double kError = 0.5 / 20;  // of 400 wins and losses, at most
    CHECK(std::abs(*true_value_of(copy, point) - *true_value_of(original, point)) < 4.5 * kError);
    return true;
  });
}

TEST_CASE("a table that cannot hold the space is refused before anything is evaluated") {
  const test::TemporaryFolder folder;
  std::atomic<int> calls = 0;
  for (const auto& [name, last] : {std::pair("a", "two\nlines"), std::pair("two\nlines", "b")}) {
    const std::vector<Value> values = {std::string("a"), std::string(last)};
    const auto objective = std::make_shared<LambdaObjective>(
        SearchSpace({make_choices(name, values)}),
        [&](const Point&, Rng&) {
          ++calls;
          return 1.0;
        },
        "counted");
    const Study study = test::study_of("{}", objective);
    CHECK_THROWS_WITH(fill(study, 2, folder / "table.csv"),
                      ContainsSubstring("has a line end, which a table cannot hold"));
  }
  CHECK(calls == 0);
  CHECK_FALSE(std::filesystem::exists(folder / "table.csv"));
}

TEST_CASE("threads and interruptions do not change the table") {
  const test::TemporaryFolder folder;
  const Study study = test::study_of(kStudy);
  fill(study, 50, folder / "one.csv");
  fill(study, 50, folder / "four.csv", 4);
  const std::string table = test::content_of(folder / "one.csv");
  CHECK(table == test::content_of(folder / "four.csv"));
  fill(study, 20, folder / "more.csv");
  CHECK(table != test::content_of(folder / "more.csv"));
  CHECK(fill(study, 50, folder / "more.csv").observations == 24 * 50);
  CHECK(table == test::content_of(folder / "more.csv"));
  fill(study, 30, folder / "more.csv");
  CHECK(table == test::content_of(folder / "more.csv"));
}

TEST_CASE("a table that is stopped keeps what is complete and goes on from there") {
  const test::TemporaryFolder folder;
  std::atomic<int> left = 130;
  Progress progress;
  const auto payoff = [&](const Point& point, Rng& rng) {
    if (--left == 0) progress.stop = true;
    return rng.bernoulli(0.1 * point[0]) ? 1.0 : 0.0;
  };
  const Study study = test::study_of("{seed: 3}", test::arms(9, payoff));
  Parallel parallel(1);
  const Tabulation part = tabulate(study, 50, folder / "table.csv", progress, parallel);
  CHECK((!part.finished && part.points == 2 && part.all_points == 9));
  CHECK(part.observations == 130);
  CHECK(ObservationTable::read(folder / "table.csv").points() == 3);
  CHECK(fill(study, 50, folder / "table.csv").finished);
  fill(study, 50, folder / "whole.csv");
  CHECK(test::content_of(folder / "table.csv") == test::content_of(folder / "whole.csv"));
  CHECK(folder.names().size() == 2);
}

TEST_CASE("a failed evaluation ends the table after what is complete has been written") {
  const test::TemporaryFolder folder;
  const auto payoff = [](const Point& point, Rng&) {
    if (point[0] == 3) throw std::runtime_error("no such arm");
    return 1.0;
  };
  const Study study = test::study_of("{seed: 3}", test::arms(5, payoff));
  CHECK_THROWS_WITH(fill(study, 40, folder / "table.csv"), ContainsSubstring("no such arm"));
  CHECK(ObservationTable::read(folder / "table.csv").points() == 3);
}

TEST_CASE("a table from before an option is filled up where the option has its default") {
  const test::TemporaryFolder folder;
  const std::string function = "function: one_max, dimensions: 3, values: 2";
  const Study study = test::study_of("{objective: {" + function + "}}");
  fill(study, 2, folder / "table.csv");
  std::string table = test::content_of(folder / "table.csv");
  const std::size_t from = table.find(", values: 2");
  REQUIRE(from != std::string::npos);
  const std::string name = folder.file("older.csv", table.erase(from, 11));
  CHECK(fill(study, 4, name).observations == 8 * 4);
  fill(study, 4, folder / "table.csv");
  CHECK(test::content_of(name) == test::content_of(folder / "table.csv"));
  const std::string again = folder.file("again.csv", table);
  const Study other = test::study_of("{objective: {function: one_max, dimensions: 3, values: 3}}");
  CHECK_THAT(test::input_error([&] { fill(other, 4, again); }),
             ContainsSubstring("does not say '# objective: "));
}

TEST_CASE("foreign and broken tables are refused and left alone") {
  const test::TemporaryFolder folder;
  const auto error = [&](const std::string& study, const std::string& file) {
    return test::input_error([&] { fill(test::study_of(study), 2, folder / file); });
  };
  fill(test::study_of("{objective: {function: one_max, dimensions: 3}}"), 2, folder / "a.csv");
  const std::string before = test::content_of(folder / "a.csv");
  CHECK_THAT(error("{objective: {function: one_max, dimensions: 3}, seed: 2}", "a.csv"),
             ContainsSubstring("does not say '# seed: 2'"));
  CHECK_THAT(error("{objective: {function: one_max, dimensions: 4}}", "a.csv"),
             ContainsSubstring("does not say '# objective: "));
  CHECK_THAT(error("{objective: {function: one_max, dimensions: 3}, space: {x1: 0}}", "a.csv"),
             ContainsSubstring("holds points that the space does not have"));
  CHECK_THAT(error("{objectives: [hartmann3, branin]}", "b.csv"),
             ContainsSubstring("a study of one objective"));
  CHECK_THAT(error("{objective: {function: one_max, dimensions: 21}}", "b.csv"),
             ContainsSubstring("the space has 2,097,152 points, a table may have 1,048,576"));
  const std::string broken = folder.file("c.csv", before + "0,0\n");
  CHECK_THAT(error("{objective: {function: one_max, dimensions: 3}}", "c.csv"),
             ContainsSubstring("c.csv:"));
  CHECK(test::content_of(folder / "a.csv") == before);
  CHECK(folder.names().size() == 2);
}

TEST_CASE("what has been observed is in the file at once, and a torn line is made again") {
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder / "table.csv";
  std::int64_t seen = 0;
  const auto payoff = [&](const Point& point, Rng& rng) {
    // As another process would find it, were this one killed now. Lines that come faster than one
    // in 0.1 ms are written together.
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    std::filesystem::copy_file(file, folder / "killed.csv",
                               std::filesystem::copy_options::overwrite_existing);
    ++seen;
    return rng.bernoulli(0.1 * point[0]) ? 1.0 : 0.0;
  };
  const Study study = test::study_of("{seed: 3}", test::arms(3, payoff));
  CHECK(fill(study, 5, file).finished);
  CHECK(seen == 15);
  const std::string whole = test::content_of(file);
  const std::string killed = test::content_of(folder / "killed.csv");
  CHECK(std::ranges::count(killed, '\n') == std::ranges::count(whole, '\n') - 3 + 14);
  const Study plain = test::study_of("{seed: 3}", test::arms(3, [](const Point& point, Rng& rng) {
                                       return rng.bernoulli(0.1 * point[0]) ? 1.0 : 0.0;
                                     }));
  // Cut at any byte, it is completed to the same table.
  for (std::size_t bytes = 0; bytes <= killed.size(); bytes += 7) {
    const std::string cut = folder.file("cut.csv", killed.substr(0, bytes));
    CHECK(fill(plain, 5, cut).finished);
    CHECK(test::content_of(cut) == whole);
  }
}

TEST_CASE("with fail: skip a table goes on after failures, and leaves out what has failed") {
  const test::TemporaryFolder folder;
  bool fails = true;
  const auto payoff = [&](const Point& point, Rng&) {
    if (fails && point[0] == 1) throw std::runtime_error("no such arm");
    return 1.0;
  };
  Progress progress;
  Parallel parallel(1);
  const Study skip = test::study_of("{seed: 3, fail: skip}", test::arms(3, payoff));
  const Tabulation part = tabulate(skip, 4, folder / "table.csv", progress, parallel);
  CHECK((!part.finished && part.points == 2 && part.failures == 1));
  CHECK_THAT(part.last_failure, ContainsSubstring("no such arm"));
  CHECK(ObservationTable::read(folder / "table.csv").points() == 2);
  const Study value = test::study_of("{seed: 3, fail: {value: -1}}", test::arms(3, payoff));
  CHECK(fill(value, 4, folder / "value.csv").finished);
  CHECK_THAT(test::content_of(folder / "value.csv"), ContainsSubstring("\n1,-1*4\n"));
  fails = false;
  CHECK(fill(skip, 4, folder / "table.csv").observations == 12);
}

TEST_CASE("a table that another process fills is left alone") {
  const test::TemporaryFolder folder;
  const Study study = test::study_of(kStudy);
  const std::string file = folder.file("table.csv", "");
  {
    const Descriptor held = lock_file(file);
    CHECK_THAT(test::input_error([&] { fill(study, 2, file); }),
               ContainsSubstring("another process works on this file"));
    CHECK(test::content_of(file).empty());
  }
  CHECK(fill(study, 2, file).finished);
}

}  // namespace ntune
