#include "ntune/study/followup/merge.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/facts/merge_text.h"
#include "ntune/objective/match/lambda_game.h"
#include "ntune/objective/match/match_objective.h"
#include "ntune/space/parameter.h"
#include "ntune/study/budget/split_advice.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/journal/recorded_study.h"
#include "ntune/study/results/result_files.h"
#include "study/recorded.h"
#include "study/scripted.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::content_of;
using test::input_error;
using test::keep_lines;
using test::study_of;

namespace {

/// Folders of one study, each with a seed of its own.
class Jobs {
 public:
  explicit Jobs(std::string yaml, std::shared_ptr<const Objective> objective = nullptr)
      : yaml_(std::move(yaml)), objective_(std::move(objective)) {}

  const Study& add(int seed) {
    studies_.push_back(study_of(fmt::format("{{{}, seed: {}}}", yaml_, seed), objective_));
    folders_.push_back(folder_ / fmt::format("job {}", seed));
    results_.push_back(test::record(folders_.back(), studies_.back()));
    return studies_.back();
  }
  void add_all(std::initializer_list<int> seeds) {
    for (const int seed : seeds) add(seed);
  }

  [[nodiscard]] Merge merge(MergeOptions options = {}) const {
    StudyProgress progress;
    options.objective = objective_;
    return merge_studies(folders_, options, progress);
  }
  [[nodiscard]] std::string refused(const MergeOptions& options = {}) const {
    return input_error([&] { (void)merge(options); });
  }

  test::TemporaryFolder folder_;
  std::vector<Study> studies_;
  std::vector<fs::path> folders_;
  std::vector<StudyResult> results_;

 private:
  std::string yaml_;
  std::shared_ptr<const Objective> objective_;
};

Json json_of(const Merge& merge) { return merge_json(merge); }

/// Text, JSON and picks have the same probabilities of being best, which sum up to 1.
void check_best_probability(const Merge& merge) {
  const Json json = json_of(merge);
  double sum = 0.0;
  for (const Json& pick : json["picks"]) sum += pick["best_probability"].get<double>();
  CHECK(sum == Approx(1.0));
  const double best = json["recommendation"]["best_probability"];
  CHECK(best == json["picks"][0]["best_probability"]);
  CHECK(best == merge.picks[0].standing->best_probability);
  CHECK(json["recommendation"]["best_among"] == merge.picks.size());
  CHECK_THAT(merge_text(merge),
             ContainsSubstring(fmt::format("best         with probability {:.3f}, of the {} points",
                                           best, merge.picks.size())));
}

}  // namespace

TEST_CASE("a study is replayed from its journal") {
  for (const char* yaml :
       {"{objective: hartmann3, runs: 3, iterations: 50, record: evaluations}",
        "{objective: hartmann3, runs: 3, iterations: 50}",
        "{objective: hartmann3, runs: 2, iterations: 30, parallel_evaluations: 3, "
        "record: evaluations}",
        "{objective: branin, splits: [{runs: 2, iterations: 20}, {runs: 3, iterations: 10}], "
        "repeats: 3, hold_out: 20, record: evaluations}",
        "{objectives: [branin, hartmann3], optimisers: [ntbea, random], runs: 3, iterations: 20, "
        "hold_out: 7, record: evaluations}",
        "{objectives: [branin, hartmann3], runs: 3, iterations: 20, hold_out: 7}",
        "{objective: branin, budget: 100, split: auto, optimiser: random, record: evaluations}"}) {
    CAPTURE(yaml);
    const test::TemporaryFolder folder;
    Study study = study_of(yaml);
    if (study.advise_budget > 0) {
      StudyProgress progress;
      advise_split(study, progress);
    }
    const StudyResult result = test::record(folder.path(), study);
    const std::string journal = content_of(folder / kJournalName);
    for (const bool partial : {false, true}) {
      RecordedStudy recorded(folder.path());
      recorded.choose_split();
      StudyProgress progress;
      const StudyResult again = replay_study(recorded, partial, progress);
      CHECK_FALSE(again.interrupted);
      CHECK(test::outputs(recorded.study(), again) == test::outputs(study, result));
    }
    CHECK(content_of(folder / kJournalName) == journal);
  }
}

TEST_CASE("failures are replayed as the study counts them") {
  const auto objective = test::arms(4, [](const Point& point, Rng& rng) {
    if (rng.below(4) == 0) throw std::runtime_error("crashed");
    return point[0] + rng.normal();
  });
  for (const char* fail : {"skip", "{value: -2}"}) {
    const test::TemporaryFolder folder;
    const Study study = study_of(
        fmt::format(
            "{{runs: 3, iterations: 30, record: evaluations, max_failure_rate: 1, fail: {}}}",
            fail),
        objective);
    const StudyResult result = test::record(folder.path(), study);
    REQUIRE(result.failures > 0);
    const RecordedStudy recorded(folder.path(), objective);
    StudyProgress progress;
    CHECK(test::outputs(study, replay_study(recorded, false, progress)) ==
          test::outputs(study, result));
  }
}

TEST_CASE("picks of merged jobs are compared by their pooled hold-outs") {
  Jobs jobs("runs: 1, iterations: 30, hold_out: 50, record: evaluations, optimiser: random",
            test::coins({0.2, 0.5, 0.55, 0.6}));
  jobs.add_all({5, 3, 8, 1, 2, 9});
  const Merge merge = jobs.merge();
  CHECK(merge.seeds == std::vector<std::uint64_t>{1, 2, 3, 5, 8, 9});

  // The same by hand.
  std::map<Point, RunningStats> pooled;
  for (const StudyResult& result : jobs.results_) {
    const Pick& pick = result.cells[0].picks[0];
    pooled[pick.point].merge(pick.hold_out.payoffs);
  }
  REQUIRE(pooled.size() > 1);
  REQUIRE(pooled.size() < jobs.results_.size());
  const auto best =
      std::ranges::max_element(pooled, {}, [](const auto& entry) { return entry.second.mean(); });
  const Pick& pick = merge.result.cells[0].picks[0];
  CHECK(pick.point == best->first);
  CHECK(pick.hold_out.payoffs.count() == best->second.count());
  CHECK(pick.hold_out.payoffs.mean() == Approx(best->second.mean()));
  CHECK(merge.picks.size() == pooled.size());
  CHECK(merge.rivals == std::ssize(pooled));

  const Interval adjusted =
      payoff_interval({*jobs.studies_[0].objectives[0].objective}, best->second, 0.0,
                      1.0 - 0.05 / static_cast<double>(pooled.size()))
          .value();
  CHECK(pick.hold_out.interval->low == Approx(adjusted.low));
  CHECK(pick.hold_out.interval->high == Approx(adjusted.high));
  CHECK(pick.hold_out.interval->high > merge.picks[0].interval->high);
  for (std::size_t i = 1; i < merge.picks.size(); ++i) {
    CHECK(merge.picks[i - 1].payoffs.mean() >= merge.picks[i].payoffs.mean());
  }
  CHECK(merge.result.search_evaluations == 6 * 30);
  CHECK(merge.result.hold_out_evaluations == 6 * 50);
  check_best_probability(merge);
  CHECK(merge.budget == 6 * total_evaluations(jobs.studies_[0]));
  CHECK_THAT(merge_text(merge), ContainsSubstring("is also the luckiest: expect less"));
  CHECK_THAT(merge_text(merge),
             StartsWith("Seeds merged: 1, 2, 3, 5, 8 and 9\n\nUse this setting"));
}

namespace {

/// Two jobs of matches. In the search of the first all others lose to the default, in that of the
/// second they win; whoever is not the default scores `fresh` in its hold-out.
Merge two_jobs_of_matches(double fresh, const MergeOptions& options = {}) {
  constexpr int kHeldOut = 8;  // matches of two games
  struct State {
    double score = 0.0;
    int games = 0;
    int search_games = std::numeric_limits<int>::max();
  };
  const auto state = std::make_shared<State>();
  const auto game = std::make_shared<LambdaGame>(
      SearchSpace({with_default(make_integers("skill", 0, 999), std::int64_t{0})}),
      [state, fresh](const Settings& one, const Settings&, Rng&) {
        const double score = state->games++ < state->search_games ? state->score : fresh;
        return one.integer("skill") > 0 ? score : 1.0 - score;
      },
      "skill");
  const std::string yaml =
      fmt::format("runs: 1, iterations: 20, hold_out: {}, optimiser: random, threads: 1", kHeldOut);
  const auto matches = std::make_shared<MatchObjective>(game, MatchRules());
  Jobs jobs(yaml, matches);
  jobs.add(1);
  // How many games the search of the second makes.
  *state = {.score = 1.0};
  Jobs(yaml, matches).add(2);
  *state = {.score = 1.0, .search_games = state->games - 2 * kHeldOut};
  jobs.add(2);
  state->search_games = 0;
  return jobs.merge(options);
}

}  // namespace

TEST_CASE("a merge keeps the default of matches unless another pick has more than 1/2") {
  for (const double fresh : {0.0, 0.5, 1.0}) {
    CAPTURE(fresh);
    const Merge merge = two_jobs_of_matches(fresh);
    REQUIRE(merge.picks.size() == 2);
    const std::size_t place = fresh > 0.5 ? 1 : 0;
    const MergedPick& level = merge.picks[place];
    CHECK(level.point == test::arm(0));
    CHECK(level.known == 0.5);
    CHECK(level.payoffs.count() == 0);
    REQUIRE(level.interval);
    CHECK(level.interval->low == 0.5);
    CHECK(level.interval->high == 0.5);
    const MergedPick& other = merge.picks[1 - place];
    REQUIRE(other.payoffs.count() == 8);
    CHECK(other.payoffs.mean() == fresh);
    check_best_probability(merge);
    const Json json = json_of(merge);
    CHECK(json["picks"][place]["n"] == 0);
    CHECK(json["picks"][place]["value"] == 0.5);
    CHECK(json["recommendation"]["value"] == std::max(0.5, fresh));
    CHECK(json["default"]["value"] == 0.5);
    CHECK(json["default"]["hold_out"].is_null());
    CHECK(json["default"]["difference"]["value"] == std::max(0.0, fresh - 0.5));
    if (place == 1) continue;
    CHECK(json["recommendation"]["interval"] == Json::array({0.5, 0.5}));
    CHECK(json["recommendation"]["hold_out"].is_null());
    const std::string text = merge_text(merge);
    CHECK_THAT(text,
               ContainsSubstring("value        0.5000  by definition: every match is against it"));
    CHECK_THAT(text, ContainsSubstring("default      is the recommendation"));
    CHECK_THAT(text, ContainsSubstring("The default is worth 1/2 by definition"));
  }
}

TEST_CASE("fresh evaluations of a merge are not of the default of matches") {
  const Merge better = two_jobs_of_matches(1.0, {.evaluate = 40});
  CHECK(better.picks[0].point != test::arm(0));
  CHECK(better.measured_afresh);
  CHECK(better.result.hold_out_evaluations == 8 + 40);
  const Merge worse = two_jobs_of_matches(0.0, {.evaluate = 40});
  CHECK(worse.picks[0].point == test::arm(0));
  CHECK_FALSE(worse.measured_afresh);
  CHECK(worse.result.hold_out_evaluations == 8);
  CHECK(json_of(worse)["recommendation"]["value"] == 0.5);
}

TEST_CASE("jobs that pick the same point make one longer hold-out") {
  Jobs jobs("runs: 2, iterations: 60, hold_out: 40, record: evaluations",
            test::coins({0.05, 0.95}));
  jobs.add_all({1, 2, 3});
  const Merge merge = jobs.merge();
  REQUIRE(merge.picks.size() == 1);
  CHECK(merge.rivals == 1);
  const Pick& pick = merge.result.cells[0].picks[0];
  CHECK(pick.hold_out.payoffs.count() == 120);
  CHECK(pick.hold_out.interval->low == merge.picks[0].interval->low);
  const Json json = json_of(merge);
  CHECK(json["seeds"] == Json{1, 2, 3});
  CHECK_FALSE(json.contains("seed"));
  CHECK_FALSE(json["study"].contains("seed"));
  CHECK(json["recommendation"]["rivals"] == 1);
  CHECK(json["recommendation"]["hold_out"]["n"] == 120);
  CHECK(json["picks"][0]["seeds"] == Json{1, 2, 3});
  CHECK(json["plans"][0]["runs"] == 6);
  CHECK(json["evaluations"] == 3 * jobs.results_[0].evaluations());
}

TEST_CASE("picks of studies with an aggregate are compared by it") {
  // By the mean arm 2 is the best one, by the worst instance arm 1.
  const auto objective = std::make_shared<LambdaObjective>(
      SearchSpace({make_integers("arm", 0, 2)}),
      [](const Settings& settings, Rng& rng, const Instance& instance) {
        constexpr double kEasy[] = {1.0, 2.0, 9.0};
        constexpr double kHard[] = {0.5, 1.5, 1.0};
        const auto arm = static_cast<std::size_t>(settings.integer("arm"));
        return (instance.name == "hard" ? kHard[arm] : kEasy[arm]) + 0.01 * rng.normal();
      },
      "arms");
  Jobs jobs(
      "instances: [easy, hard], aggregate: worst, default: {arm: 0}, runs: 1, iterations: 4, "
      "optimiser: {algorithm: random, resamples: 1}, hold_out: 8, record: evaluations",
      objective);
  jobs.add_all({1, 2, 3, 4, 5, 6, 7, 8});
  const Merge merge = jobs.merge();
  INFO(merge_text(merge));
  REQUIRE(merge.picks.size() > 1);
  const Pick& pick = merge.result.cells[0].picks[0];
  CHECK(pick.point == test::arm(1));
  CHECK(*pick.hold_out.aggregate == Approx(1.5).margin(0.03));
  CHECK_FALSE(pick.hold_out.interval.has_value());
  CHECK(pick.hold_out.aggregate == merge.picks[0].aggregate);
  for (std::size_t i = 1; i < merge.picks.size(); ++i) {
    CHECK(*merge.picks[i - 1].aggregate > *merge.picks[i].aggregate);
  }
  REQUIRE(pick.incumbent.has_value());
  CHECK(*pick.incumbent->difference == Approx(1.0).margin(0.05));
  CHECK_FALSE(pick.incumbent->interval.has_value());
  CHECK(pick.incumbent->finding == IncumbentFinding::kNotShown);
  CHECK_FALSE(pick.comparison.standing.has_value());
  const std::string text = merge_text(merge);
  CHECK_THAT(text, ContainsSubstring("1.5"));
  CHECK_THAT(text, ContainsSubstring("intervals of means alone"));
}

TEST_CASE("how sure it is which pick is best is judged over instances by their weights") {
  // Instances differ by 100, picks by 0.1, and no number of evaluations is a multiple of 3.
  const auto objective = std::make_shared<LambdaObjective>(
      SearchSpace({make_integers("arm", 0, 2)}),
      [](const Settings& settings, Rng& rng, const Instance& instance) {
        const double effect = instance.name == "hard" ? -100.0 : instance.name == "easy" ? 100 : 0;
        return effect + 0.1 * static_cast<double>(settings.integer("arm")) + 0.01 * rng.normal();
      },
      "arms");
  Jobs jobs(
      "instances: [easy, plain, hard], runs: 1, iterations: 2, "
      "optimiser: {algorithm: random, resamples: 1}, hold_out: 4, record: evaluations",
      objective);
  jobs.add_all({1, 2, 3, 4, 5, 6, 7, 8});
  for (const std::int64_t evaluate : {31, 61}) {
    CAPTURE(evaluate);
    const Merge merge = jobs.merge({.evaluate = evaluate});
    INFO(merge_text(merge));
    REQUIRE(merge.picks.size() > 1);
    CHECK(merge.picks[0].point == test::arm(2));
    CHECK(merge.picks[0].standing->best_probability > 0.99);
  }
}

TEST_CASE("one job merged is that job") {
  Jobs jobs("objective: hartmann3, runs: 3, iterations: 40");
  jobs.add(4);
  const Merge merge = jobs.merge();
  const Json json = json_of(merge);
  const Json alone = result_json(jobs.studies_[0], jobs.results_[0],
                                 summarise(jobs.studies_[0], jobs.results_[0]));
  for (const char* key : {"parameters", "value", "interval", "true_value", "hold_out", "run"}) {
    CHECK(json["recommendation"][key] == alone["recommendation"][key]);
  }
  CHECK(json["budget"] == alone["budget"]);
}

TEST_CASE("the estimate of a merged pick has the interval of the run that it is from") {
  Jobs jobs("objective: branin, iterations: 60, runs: 1, hold_out: 5");
  jobs.add_all({1, 2, 3});
  const Merge merge = jobs.merge();
  const Pick& best = merge.result.cells[0].picks[0];
  REQUIRE(best.certainty);
  CHECK(best.estimate == best.certainty->claim.value().mean);
  const Json json = json_of(merge)["recommendation"];
  CHECK(json["estimate_interval"].is_array());
  CHECK_THAT(merge_text(merge), ContainsSubstring("  estimate     "));
  CHECK_THAT(merge_text(merge), !ContainsSubstring("a ranking, biased as a value"));
}

TEST_CASE("a merge has used what its jobs have used, of the limits of all") {
  const auto dear_arms = test::scripted(6, [](const Point& point, Rng& rng) {
    return Outcome{.payoff = 0.3 * point[0] + rng.normal(), .cost = 0.5 + 0.2 * point[0]};
  });
  Jobs jobs("budget: {cost: 60}, record: evaluations", dear_arms);
  jobs.add_all({1, 2, 3});
  const Merge merge = jobs.merge();
  double cost = 0.0;
  std::int64_t hold_out = 0;
  for (const StudyResult& result : jobs.results_) {
    cost += result.spending.value().cost;
    hold_out += result.spending->plan.hold_out;
  }
  const Spending& all = merge.result.spending.value();
  CHECK(all.cost == Approx(cost));
  CHECK(all.plan.runs == 3);
  CHECK(all.plan.hold_out == hold_out);
  CHECK(merge.study.limits.cost == 180.0);
}

TEST_CASE("the importance of a merge is by what the searches of all jobs saw") {
  Jobs jobs("objective: hartmann3, runs: 2, iterations: 50");
  jobs.add_all({1, 2});
  const Merge merge = jobs.merge();
  PayoffsByValue both = jobs.results_[0].payoffs_by_value;
  both.merge(jobs.results_[1].payoffs_by_value);
  CHECK(merge.result.payoffs_by_value.to_json() == both.to_json());
  CHECK(json_of(merge)["importance"].size() == 3);
}

TEST_CASE("the order in which folders are named makes no difference") {
  Jobs jobs("objective: hartmann3, runs: 2, iterations: 30");
  jobs.add_all({1, 2, 3});
  const std::string one = json_of(jobs.merge()).dump() + merged_runs_csv(jobs.merge());
  std::swap(jobs.folders_[0], jobs.folders_[2]);
  CHECK(json_of(jobs.merge()).dump() + merged_runs_csv(jobs.merge()) == one);
}

TEST_CASE("comparisons of several jobs become one with all repeats") {
  for (const char* yaml :
       {"objectives: [branin, hartmann3], optimisers: [ntbea, random], runs: 4, iterations: 20",
        "objective: hartmann3, splits: ['2 x 20', '4 x 10'], repeats: 3, record: evaluations"}) {
    CAPTURE(yaml);
    Jobs jobs(yaml);
    jobs.add_all({1, 2, 3});
    const Merge merge = jobs.merge();
    const auto all = summarise(merge.study, merge.result);
    std::vector<std::vector<CellSummary>> single;
    for (std::size_t i = 0; i < 3; ++i) {
      single.push_back(summarise(jobs.studies_[i], jobs.results_[i]));
    }
    for (std::size_t c = 0; c < all.size(); ++c) {
      RunningStats scores;
      RunningStats differences;
      for (const auto& summaries : single) {
        scores.merge(summaries[c].score.stats);
        if (summaries[c].difference) differences.merge(summaries[c].difference->stats);
      }
      CHECK(all[c].score.stats.count() == scores.count());
      CHECK(all[c].score.stats.mean() == Approx(scores.mean()));
      CHECK(all[c].score.stats.sd() == Approx(scores.sd()));
      CHECK(all[c].difference.has_value() == (differences.count() > 0));
      if (!all[c].difference) continue;
      CHECK(all[c].difference->stats.count() == differences.count());
      CHECK(all[c].difference->stats.mean() == Approx(differences.mean()));
    }
    CHECK(merge.picks.empty());
    const Json json = json_of(merge);
    CHECK(json["budget"]["total"] == 3 * total_evaluations(jobs.studies_[0]));
    CHECK(json["cells"].size() == all.size());
    if (json["cells"][0].contains("picks")) {
      CHECK(json["cells"][0]["picks"].size() == 9);
      CHECK(json["cells"][0]["picks"][4]["seed"] == 2);
      CHECK(json["cells"][0]["picks"][4]["repeat"] == 1);
    }
  }
}

TEST_CASE("the runs of all jobs stand in one table under their seeds") {
  Jobs jobs("objective: branin, runs: 2, iterations: 10");
  jobs.add_all({7, 4});
  const std::string csv = merged_runs_csv(jobs.merge());
  CHECK_THAT(csv, StartsWith("seed,run,evaluations,search_estimate,true_value,x1,x2\n4,0,10,"));
  std::string expected = "seed,run,evaluations,search_estimate,true_value,x1,x2\n";
  for (const std::size_t job : {1U, 0U}) {
    std::string rows = runs_csv(jobs.studies_[job], jobs.results_[job]);
    rows.erase(0, rows.find('\n') + 1);
    for (std::size_t at = 0; at < rows.size(); at = rows.find('\n', at) + 1) {
      const std::string row = rows.substr(at, rows.find('\n', at) + 1 - at);
      expected += fmt::format("{},{}", jobs.studies_[job].seed, row);
    }
  }
  CHECK(csv == expected);
}

TEST_CASE("unfinished jobs are refused, or give what they have") {
  for (const char* record : {"evaluations", "runs"}) {
    CAPTURE(record);
    Jobs jobs(fmt::format("objective: hartmann3, runs: 4, iterations: 25, threads: 1, record: {}",
                          record));
    jobs.add_all({1, 2, 3});
    const std::size_t lines = std::string(record) == "runs" ? 1 + 2 : 1 + 2 * 25 + 3;
    keep_lines(jobs.folders_[1], lines);
    const std::string message = jobs.refused();
    CHECK_THAT(message, ContainsSubstring("job 2: the study is not finished ("));
    CHECK_THAT(message, ContainsSubstring("--resume`, or merge what there is with --partial"));
    const Merge merge = jobs.merge({.partial = true});
    CHECK(merge.result.interrupted);
    const Json json = json_of(merge);
    CHECK(json["status"] == "interrupted");
    std::int64_t finished = 0;
    for (const RunRecord& run : merge.result.cells[0].runs) finished += run.finished ? 1 : 0;
    CHECK(finished == 10);
    CHECK(merge.seeds.size() == 3);
  }
}

TEST_CASE("a job that has only begun does not disturb the others") {
  Jobs jobs("objective: hartmann3, runs: 2, iterations: 25, record: evaluations");
  jobs.add(1);
  const Pick alone = jobs.merge().result.cells[0].picks[0];
  jobs.add(2);
  keep_lines(jobs.folders_[1], 1);
  const Merge merge = jobs.merge({.partial = true});
  const Pick& pick = merge.result.cells[0].picks[0];
  CHECK(pick.point == alone.point);
  CHECK(pick.hold_out.payoffs.mean() == alone.hold_out.payoffs.mean());
  keep_lines(jobs.folders_[0], 1);
  CHECK_THAT(merge_text(jobs.merge({.partial = true})),
             ContainsSubstring("no search has ended, nothing is measured."));
}

TEST_CASE("in a comparison an unfinished repeat does not count") {
  Jobs jobs(
      "objective: hartmann3, splits: ['2 x 20', '4 x 10'], repeats: 3, hold_out: 5, threads: 1, "
      "record: evaluations");
  jobs.add_all({1, 2});
  const std::string text = content_of(jobs.folders_[1] / kJournalName);
  keep_lines(jobs.folders_[1], static_cast<std::size_t>(std::ranges::count(text, '\n')) - 1);
  const Merge merge = jobs.merge({.partial = true});
  const auto summaries = summarise(merge.study, merge.result);
  CHECK(summaries[0].score.stats.count() == 6);
  CHECK(summaries[1].score.stats.count() == 5);
  CHECK(summaries[1].difference->stats.count() == 5);
}

TEST_CASE("fresh evaluations choose among the picks and measure the winner") {
  const auto objective = test::coins({0.2, 0.5, 0.55, 0.6});
  Jobs jobs("runs: 1, iterations: 10, hold_out: 4, record: evaluations, optimiser: random",
            objective);
  jobs.add_all({1, 2, 3, 4, 5, 6, 7, 8});
  const Merge before = jobs.merge();
  REQUIRE(before.picks.size() > 2);
  const Merge merge = jobs.merge({.evaluate = 8000});
  CHECK(merge.measured_afresh);
  CHECK(merge.rivals == 1);
  const Pick& pick = merge.result.cells[0].picks[0];
  CHECK(pick.point == test::arm(3));
  CHECK(merge.picks[0].point == test::arm(3));
  CHECK(merge.picks.size() == before.picks.size());
  CHECK(pick.hold_out.payoffs.count() >= 4000);
  CHECK(pick.hold_out.payoffs.count() <= 4010);
  CHECK(std::abs(pick.hold_out.payoffs.mean() - 0.6) < 0.04);  // 5 standard errors
  CHECK(merge.result.evaluations() == before.result.evaluations() + 8000);
  CHECK(merge.budget == before.budget + 8000);
  CHECK_THAT(merge_text(merge), ContainsSubstring("from evaluations of its own"));
  check_best_probability(merge);
  CHECK(merge.picks[0].standing->best_probability > 0.95);
  CHECK(merge.picks[0].common.size() > 100);
  for (const int threads : {1, 8}) {
    CHECK(json_of(jobs.merge({.evaluate = 8000, .threads = threads})).dump() ==
          json_of(merge).dump());
  }
}

TEST_CASE("fresh evaluations of a merge measure the default too, and go by what is paired") {
  // Payoffs differ by their seeds far more than by the arms, which differ by the same everywhere.
  Jobs jobs(
      "runs: 1, iterations: 20, hold_out: 6, default: {arm: 0}, record: evaluations",
      test::arms(4, [](const Point& point, Rng& rng) { return rng.normal() + 0.01 * point[0]; }));
  jobs.add_all({1, 2, 3, 4, 5, 6, 7, 8});
  const Merge before = jobs.merge();
  REQUIRE(before.picks.size() > 1);
  const Pick& pooled = before.result.cells[0].picks[0];
  REQUIRE(pooled.incumbent);
  CHECK(pooled.incumbent->hold_out.payoffs.count() == pooled.hold_out.payoffs.count());
  const Merge merge = jobs.merge({.evaluate = 120});
  INFO(merge_text(merge));
  const Pick& pick = merge.result.cells[0].picks[0];
  const Point best = std::ranges::max_element(before.picks, {}, [](const MergedPick& one) {
                       return one.point[0];
                     })->point;
  CHECK(pick.point == best);
  CHECK(merge.picks[0].standing->best_probability > 0.99);
  REQUIRE(pick.incumbent);
  CHECK(pick.incumbent->hold_out.payoffs.count() == pick.hold_out.payoffs.count());
  CHECK(*pick.incumbent->difference == Approx(0.01 * best[0]));
  CHECK(pick.incumbent->finding == IncumbentFinding::kBetter);
  CHECK(merge.result.evaluations() <= before.result.evaluations() + 120);
  CHECK(json_of(merge)["verdict"] == "use");
}

TEST_CASE("studies without a hold-out are compared by what they have") {
  Jobs jobs("runs: 3, iterations: 30, hold_out: 0, re_evaluation: 60, record: evaluations",
            test::coins({0.5, 0.5, 0.5, 0.5}));
  jobs.add_all({1, 2, 3, 4, 5});
  const Merge merge = jobs.merge();
  REQUIRE(merge.picks.size() > 1);
  CHECK(merge.picks[0].re_evaluation.mean() >= merge.picks[1].re_evaluation.mean());
  CHECK_FALSE(merge.result.cells[0].picks[0].hold_out.interval);
  CHECK_THAT(merge_text(merge), ContainsSubstring("No hold-out evaluations to compare"));
  CHECK(json_of(merge)["recommendation"]["best_probability"].is_null());
}

TEST_CASE("what cannot be merged is refused in one line") {
  Jobs jobs("objective: hartmann3, runs: 2, iterations: 20, optimiser: {algorithm: ntbea, k: 2}");
  jobs.add_all({1, 2});
  const auto with = [&](const std::string& yaml) {
    const fs::path folder = jobs.folder_ / "other";
    fs::remove_all(folder);
    test::record(folder, study_of(yaml));
    StudyProgress progress;
    return input_error([&] { merge_studies({jobs.folders_[0], folder}, {}, progress); });
  };
  const std::string rest = "{objective: hartmann3, runs: 2, ";
  CHECK_THAT(with(rest + "seed: 3, iterations: 30, optimiser: {algorithm: ntbea, k: 2}}"),
             ContainsSubstring("other: is another study than ") &&
                 ContainsSubstring("job 1: 'iterations' is 20 there, 30 here"));
  CHECK_THAT(with(rest + "seed: 3, iterations: 20, optimiser: ntbea}"),
             ContainsSubstring("'optimiser.k' is 2.0 there, \"auto\" here"));
  CHECK_THAT(with(rest + "seed: 1, iterations: 20, optimiser: {k: 2}}"),
             ContainsSubstring("has seed 1, as has "));
  CHECK_THAT(jobs.refused({.out = jobs.folders_[1]}),
             ContainsSubstring("job 2: is one of the merged folders; name another"));
  (void)jobs.folder_.file("file", "");
  CHECK_THAT(jobs.refused({.out = jobs.folder_ / "file"}), ContainsSubstring("file: cannot "));
  Jobs table("objectives: [branin, hartmann3], runs: 2, iterations: 10");
  table.add(1);
  CHECK_THAT(table.refused({.evaluate = 10}), StartsWith("--evaluate: is for studies that"));
  StudyProgress progress;
  CHECK(input_error([&] { merge_studies({}, {}, progress); }) == "merge: no folder is named");
}

TEST_CASE("a merged result is not written over that of a study, but over an older merge") {
  Jobs jobs("objective: branin, runs: 1, iterations: 10");
  jobs.add_all({1, 2, 3});
  const fs::path out = jobs.folder_ / "merged";
  jobs.folders_.pop_back();
  write_merge(out, jobs.merge({.out = out}));
  jobs.folders_.push_back(jobs.folder_ / "job 3");
  write_merge(out, jobs.merge({.out = out}));
  CHECK(Json::parse(content_of(out / "result.json"))["seeds"].size() == 3);
  const Study& study = jobs.studies_[0];
  write_result(jobs.folder_ / "merged", study, jobs.results_[0],
               summarise(study, jobs.results_[0]));
  CHECK_THAT(jobs.refused({.out = out}), ContainsSubstring("holds the result of another study"));
}

TEST_CASE("a merge can be stopped") {
  Jobs jobs("objective: branin, runs: 1, iterations: 10, record: evaluations");
  jobs.add_all({1, 2});
  StudyProgress progress;
  progress.stop = true;
  CHECK(merge_studies(jobs.folders_, {}, progress).stopped);
}

}  // namespace ntune
