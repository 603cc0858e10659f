#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "catch.h"
#include "ntune/facts/result_text.h"
#include "ntune/study/results/published.h"
#include "ntune/study/results/result_csv.h"
#include "study/make.h"
#include "study/scripted.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"
#include "support/unwrapped.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using test::study_of;

namespace {

/// The results of two optimisers on two objectives with three runs each, by hand.
struct SummaryByHand {
  Study study = study_of(
      "{objectives: [hartmann3, branin], optimisers: [{label: a}, {label: b, k: 2}], runs: 3, "
      "iterations: 20}");
  StudyResult result;

  SummaryByHand() {
    add(0, 0, {1.0, 2.0, 6.0}, {1.5, 2.5, 6.5});
    add(0, 1, {2.0, 2.5, 9.0}, {2.0, 2.5, 9.0});
    add(1, 0, {0.5, 0.5, 0.5}, {0.0, 0.0, 0.0});
    add(1, 1, {0.25, 0.5, 0.75}, {1.0, 1.0, 1.0});
  }

  void add(std::size_t objective, std::size_t optimiser, const std::vector<double>& scores,
           const std::vector<double>& estimates) {
    CellResult cell{
        .objective = objective, .plan = 0, .optimiser = optimiser, .runs = {}, .picks = {}};
    for (std::size_t i = 0; i < scores.size(); ++i) {
      RunRecord run;
      run.finished = true;
      run.run = static_cast<std::int64_t>(i);
      run.score = scores[i];
      run.estimate = estimates[i];
      cell.runs.push_back(run);
    }
    result.cells.push_back(cell);
  }

  std::vector<CellSummary> summaries() { return summarise(study, result); }
};

const std::string kSummaryHeader =
    "objective,optimiser,iterations,runs,mean,sd,delta,delta_ci_low,delta_ci_high\n";

}  // namespace

TEST_CASE("scores, deltas and paired differences by hand") {
  SummaryByHand hand;
  const auto summaries = hand.summaries();
  REQUIRE(summaries.size() == 4);
  CHECK(summaries[0].score.stats.mean() == Approx(3.0));
  CHECK(summaries[0].score.stats.sd() == Approx(std::sqrt(7.0)));
  CHECK(summaries[0].delta.stats.mean() == Approx(0.5));
  CHECK_FALSE(summaries[0].difference.has_value());
  // Differences 1, 0.5 and 3.
  REQUIRE(summaries[1].difference.has_value());
  CHECK(summaries[1].difference->stats.count() == 3);
  CHECK(summaries[1].difference->stats.mean() == Approx(1.5));
  CHECK(summaries[1].difference->stats.variance() == Approx(1.75));
  CHECK(summaries[1].delta.stats.mean() == Approx(0.0).margin(1e-15));
  // Each objective has its own reference.
  CHECK_FALSE(summaries[2].difference.has_value());
  CHECK(summaries[2].delta.stats.mean() == Approx(-0.5));
  CHECK(summaries[3].difference->stats.mean() == Approx(0.0).margin(1e-15));
  CHECK(summaries[3].difference->stats.sd() == Approx(0.25));
  for (const CellSummary& summary : summaries) {
    if (!summary.score.interval) continue;  // of an unknown range, and all alike
    CHECK(summary.score.interval->low <= summary.score.stats.mean());
    CHECK(summary.score.stats.mean() <= summary.score.interval->high);
  }
}

TEST_CASE("scores that are all alike have an interval with width, or none") {
  SummaryByHand hand;
  for (CellResult& cell : hand.result.cells) {
    for (RunRecord& run : cell.runs) run.score = 0.5;
  }
  const auto check = [&](const std::optional<Interval>& interval, double value) {
    if (!interval) return;
    CHECK(interval->low < value);
    CHECK(interval->high > value);
  };
  const auto summaries = hand.summaries();
  for (const CellSummary& summary : summaries) {
    CAPTURE(summary.objective);
    const Payoffs payoffs = hand.study.objectives[summary.objective].objective->payoffs();
    const bool known = payoffs.low && payoffs.high;
    CHECK(summary.score.interval.has_value() == known);
    check(summary.score.interval, 0.5);
    if (!summary.difference) continue;
    CHECK(summary.difference->interval.has_value() == known);
    check(summary.difference->interval, 0.0);
  }
  CHECK_NOTHROW(result_text(hand.study, hand.result, summaries));
  CHECK_NOTHROW(result_csv(hand.study, hand.result, summaries));
}

TEST_CASE("runs that did not finish break their pair only") {
  SummaryByHand hand;
  hand.result.cells[0].runs[1].finished = false;
  hand.result.cells[1].runs[0].score.reset();
  const auto summaries = hand.summaries();
  CHECK(summaries[0].score.stats.count() == 2);
  CHECK(summaries[1].score.stats.count() == 2);
  CHECK(summaries[1].difference->stats.count() == 1);
  CHECK(summaries[1].difference->stats.mean() == Approx(3.0));
  for (RunRecord& run : hand.result.cells[3].runs) run.finished = false;
  const auto none = hand.summaries();
  CHECK(none[3].score.stats.count() == 0);
  CHECK(none[3].difference->stats.count() == 0);
  CHECK_NOTHROW(result_text(hand.study, hand.result, none));
  CHECK_NOTHROW(result_csv(hand.study, hand.result, none));
}

TEST_CASE("of costs the lowest score is the best, in the table and in the CSV") {
  const auto objective = [](double unit) {
    return test::scripted(
        4, [](const Point& point, Rng&) { return Outcome{.payoff = 1.0 * point[0]}; }, {}, unit);
  };
  for (const bool cost : {false, true}) {
    SummaryByHand hand;
    hand.study = study_of("{optimisers: [{label: a}, {label: b, k: 2}], runs: 3, iterations: 20}",
                          objective(cost ? -1.0 : 1.0));
    hand.result.cells.resize(2);
    const auto summaries = hand.summaries();
    const ScoreRange range = score_range(hand.study, summaries[0]);
    CHECK(range.best == (cost ? 1.0 : 6.0));
    CHECK(range.worst == (cost ? 6.0 : 1.0));
    CHECK_THAT(result_csv(hand.study, hand.result, summaries),
               ContainsSubstring(cost ? ",1,6,0.5," : ",6,1,0.5,"));
    CHECK_THAT(test::unwrapped(result_text(hand.study, hand.result, summaries)),
               ContainsSubstring(cost ? "1.0000  6.0000" : "6.0000  1.0000"));
  }
}

TEST_CASE("splits are compared with the first split") {
  const Study study =
      study_of("{objective: hartmann3, splits: [1 x 60, 2 x 30, 3 x 20], repeats: 4}");
  const StudyResult result = test::run(study);
  const auto summaries = summarise(study, result);
  REQUIRE(summaries.size() == 3);
  CHECK_FALSE(summaries[0].difference.has_value());
  double sum = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    sum += *result.cells[2].picks[i].score - *result.cells[0].picks[i].score;
  }
  CHECK(summaries[2].difference->stats.mean() == Approx(sum / 4).margin(1e-15));
}

TEST_CASE("recommendations are counted, the most frequent first") {
  CellResult cell;
  for (const int arm : {3, 1, 3, 2, 1, 3, 0}) {
    RunRecord run;
    run.finished = arm != 0;
    run.point = test::arm(arm);
    cell.runs.push_back(run);
  }
  const auto counts = count_recommendations(cell);
  REQUIRE(counts.size() == 3);
  CHECK(counts[0].point == test::arm(3));
  CHECK(counts[0].runs == 3);
  CHECK(counts[1].point == test::arm(1));
  CHECK(counts[2].runs == 1);
}

TEST_CASE("published summary_rows are compared in combined standard errors") {
  SummaryByHand hand;
  // Ours 3.0 with a standard error of sqrt(7 / 3); theirs 1.0 with 2 / sqrt(4) = 1: the difference
  // of 2 is 2 / sqrt(10 / 3). Delta: ours 0.5 exactly; theirs 0.3 with an interval of 2 * 1.96 *
  // 0.1.
  const std::vector<PublishedRow> summary_rows = {
      {.objective = "hartmann3",
       .optimiser = "a",
       .iterations = 20,
       .runs = 4,
       .mean = 1.0,
       .sd = 2.0,
       .delta = 0.3,
       .delta_interval = {0.3 - 0.1959963984540054, 0.3 + 0.1959963984540054}},
      {.objective = "branin", .optimiser = "b", .iterations = 20, .runs = 4, .mean = 0.5}};
  CHECK_NOTHROW(check_published(hand.study, summary_rows));
  const auto comparisons = compare_published(hand.study, hand.summaries(), summary_rows);
  REQUIRE(comparisons.size() == 2);
  CHECK(comparisons[0].mean_errors == Approx(2.0 / std::sqrt(10.0 / 3.0)));
  CHECK(comparisons[0].delta_errors == Approx(2.0));
  CHECK(comparisons[1].mean_errors == Approx(0.0).margin(1e-15));
  CHECK_THAT(published_text(comparisons), ContainsSubstring("2 of 2 means"));
}

TEST_CASE("published summary_rows without a cell are refused") {
  SummaryByHand hand;
  hand.study.published_file = "results.csv";
  const auto error = [&](PublishedRow row) {
    return test::input_error([&] { check_published(hand.study, {row}); });
  };
  CHECK(error({.objective = "hartmann3", .optimiser = "c", .iterations = 20}) ==
        "results.csv: the row hartmann3, c, 20 iterations has no cell in the study");
  CHECK(error({.objective = "hartmann6", .optimiser = "a", .iterations = 20}) ==
        "results.csv: the row hartmann6, a, 20 iterations has no cell in the study");
  CHECK(error({.objective = "branin", .optimiser = "a", .iterations = 30}) ==
        "results.csv: the row branin, a, 30 iterations has no cell in the study");
}

TEST_CASE("published results are read") {
  const test::TemporaryFolder folder;
  const std::string path =
      folder.file("results.csv", "# a comment, with commas\r\n" + kSummaryHeader +
                                     "\nbranin,a,300,1000,0.5,0.1,-0.2,-0.3,-0.1\r\n"
                                     "# more\nnk,b,1e3,50,1,0,0,0,0");
  const auto summary_rows = read_published(path);
  REQUIRE(summary_rows.size() == 2);
  CHECK(summary_rows[0].objective == "branin");
  CHECK(summary_rows[0].optimiser == "a");
  CHECK(summary_rows[0].iterations == 300);
  CHECK(summary_rows[0].runs == 1000);
  CHECK(summary_rows[0].mean == 0.5);
  CHECK(summary_rows[0].sd == 0.1);
  CHECK(summary_rows[0].delta == -0.2);
  CHECK(summary_rows[0].delta_interval.low == -0.3);
  CHECK(summary_rows[0].delta_interval.high == -0.1);
  CHECK(summary_rows[1].iterations == 1000);
}

TEST_CASE("published results that are wrong are refused with file and line") {
  const test::TemporaryFolder folder;
  const auto error = [&](const std::string& content) {
    const std::string path = folder.file("results.csv", content);
    const std::string text = test::input_error([&] { read_published(path); });
    CHECK(text.substr(0, path.size()) == path);
    return text.substr(path.size());
  };
  CHECK(error("") == ": holds no rows");
  CHECK(error("# only comments\n") == ": holds no rows");
  CHECK(error(kSummaryHeader) == ": holds no rows");
  CHECK(error(kSummaryHeader + "a,b,1\n") == ":2: has 3 fields, the header 9");
  CHECK(error("objective,runs\nx,5\n") == ":2: the column 'optimiser' is missing");
  CHECK(error(kSummaryHeader + "a,b,20,9,x,0,0,0,0\n") ==
        ":2: mean: is 'x', a finite number is allowed");
  CHECK(error(kSummaryHeader + "a,b,20,9,nan,0,0,0,0\n") ==
        ":2: mean: is 'nan', a finite number is allowed");
  CHECK(error(kSummaryHeader + "\n#\na,b,20,9,1,0,0,0,inf\n") ==
        ":4: delta_ci_high: is 'inf', a finite number is allowed");
  CHECK(error(kSummaryHeader + "a,b,20,0,1,0,0,0,0\n") ==
        ":2: runs: is '0', a whole number of at least 1 is allowed");
  CHECK(error(kSummaryHeader + "a,b,2.5,9,1,0,0,0,0\n") ==
        ":2: iterations: is '2.5', a whole number of at least 1 is allowed");
  CHECK(error(kSummaryHeader + "a,b,1e300,9,1,0,0,0,0\n") ==
        ":2: iterations: is '1e300', a whole number of at least 1 is allowed");
}

TEST_CASE("the interval of an estimate keeps to what the objective can pay") {
  const auto coins = test::coins({0.5});  // wins and losses, reported as the probability of a win
  Pick pick;
  pick.estimate = 0.75;
  pick.certainty = Certainty{.sd = 0.1};
  CHECK(estimate_interval(*coins, pick).high == 0.75 + 1.96 * 0.1);
  pick.certainty->sd = 1.0;
  CHECK(estimate_interval(*coins, pick).low == 0.0);
  CHECK(estimate_interval(*coins, pick).high == 1.0);
}

TEST_CASE("the published table that comes with ntune is read whole") {
  const auto summary_rows =
      read_published(std::string(NTUNE_SOURCE_DIR) + "/configs/papers/ntbea_table_s1.csv");
  CHECK(summary_rows.size() == 60);
}

}  // namespace ntune
