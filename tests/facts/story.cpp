#include "ntune/facts/story.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "catch.h"
#include "facts/studies.h"
#include "ntune/core/text.h"
#include "ntune/facts/result_text.h"
#include "ntune/study/results/result_json.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

/// The study of a kind, made.
test::MadeStudy made_of(const std::string& name) {
  for (const auto& [kind, yaml] : test::studies_of_each_kind()) {
    if (kind == name) return test::MadeStudy(yaml);
  }
  FAIL("no such study");
  throw std::logic_error("not reached");
}

Story told_of(const test::MadeStudy& made) { return story_of(made.study, made.saved(), "out"); }

/// What the verdict says is what the file says to use.
void check_setting_to_use(const test::MadeStudy& made) {
  const Json file = to_json(made.saved(), made.study);
  if (made.study.is_comparison()) {
    CHECK_FALSE(file.contains("verdict"));
    return;
  }
  CHECK(file["verdict"] == verdict_name(told_of(made).verdict));
  const bool stays = file["verdict"] == "keep" || file["verdict"] == "not_decided";
  CHECK(file["setting"] == file[stays ? "default" : "recommendation"]["parameters"]);
}

/// No line of a result is over 80 columns.
void check_width(const test::MadeStudy& made) {
  std::istringstream lines(result_text(made.study, made.result, made.summaries()));
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    CHECK(text_columns(line) <= 80);
  }
}

}  // namespace

TEST_CASE("the first line of the text is the verdict, in the user's unit") {
  const auto sentence_of = [](const std::string& name) {
    const test::MadeStudy made = made_of(name);
    const std::string text = result_text(made.study, made.result, made.summaries());
    const Story story = told_of(made);
    CHECK_THAT(test::on_one_line(text), StartsWith(story.sentence.substr(0, 40)));
    return story.sentence;
  };
  CHECK_THAT(sentence_of("costs"), StartsWith("Use the new setting: its cost is "));
  CHECK(sentence_of("a default that wins") == "Keep today's setting: nothing better was found.");
  CHECK_THAT(sentence_of("a default that fails"),
             StartsWith("Use the new setting: none of the recommendation's"));
  CHECK_THAT(sentence_of("function"), StartsWith("Use this setting: it wins "));
  CHECK_THAT(sentence_of("exact"), ContainsSubstring("nothing has measured it"));
}

TEST_CASE(
    "of every kind of study verdict and file agree, and no line of the text is over 80 columns") {
  for (const auto& [name, yaml] : test::studies_of_each_kind()) {
    CAPTURE(name);
    const test::MadeStudy made(yaml);
    check_setting_to_use(made);
    check_width(made);
  }
}

TEST_CASE("a default that beats the setting that was found is what to use") {
  SavedResult saved = made_of("costs").saved();
  const test::MadeStudy made = made_of("costs");
  saved.incumbent->finding = IncumbentFinding::kKeep;
  CHECK(verdict_of(saved) == Verdict::kKeep);
  CHECK(*setting_of(saved) == saved.incumbent->point);
  const Story story = story_of(made.study, saved);
  CHECK(story.found_title() == "tried");
  const std::string text = story_text(story);
  CHECK_THAT(text, StartsWith("Keep today's setting: nothing better was found.\n"));
  CHECK_THAT(text, ContainsSubstring("today   tried\n"));
  saved.incumbent->finding = IncumbentFinding::kNotShown;
  saved.incumbent->evaluations_to_decide = 1200.0;
  CHECK(*setting_of(saved) == saved.incumbent->point);
  CHECK_THAT(story_of(made.study, saved).sentence, ContainsSubstring("About 1,200 more calls"));
  saved.status = "interrupted";
  CHECK(verdict_of(saved) == Verdict::kStopped);
  CHECK_THAT(story_of(made.study, saved).sentence, StartsWith("Stopped after 50 of 50 calls"));
}

TEST_CASE("what a match has gained is told once, in Elo") {
  const test::MadeStudy made(
      "{objective: {match: {game: simulated, landscape: bowl, dimensions: 2, elo: 200, draws: "
      "0.4}, "
      "opponents: [default], games: 2}, budget: 400, seed: 1}");
  SavedResult saved = made.saved();
  REQUIRE(saved.incumbent);
  REQUIRE(saved.incumbent->difference);
  saved.incumbent->finding = IncumbentFinding::kBetter;
  const Story story = story_of(made.study, saved);
  REQUIRE(story.elo);
  const std::string elo = fmt::format("{:.0f}", story.elo->value);
  CHECK(story.sentence == "Use the new setting: it is " + elo + " Elo stronger than today's.");
  CHECK_THAT(story.measured, ContainsSubstring(" points [") && ContainsSubstring(", Elo [") &&
                                 !ContainsSubstring("+" + elo));
  CHECK_THAT(story_text(story), ContainsSubstring(", Elo +" + elo + " ["));
}

TEST_CASE("numbers have two digits of the narrowest half width, and no interval without a width") {
  const StoryUnit percent{.kind = StoryUnit::Kind::kWinRate, .decimals = 1};
  CHECK(percent.text(0.55062) == "55.1 %");
  CHECK(percent.gain_text(-0.0125) == "-1.2 points");
  CHECK(percent.ends_text({.value = 0.012, .interval = Interval{-0.008, 0.031}}, true) ==
        " [-0.8, +3.1]");
  CHECK(percent.ends_text({.value = 0.048, .interval = Interval{0.0328, 0.0631}}, true) ==
        " [3.3, 6.3]");
  const StoryUnit cost{.kind = StoryUnit::Kind::kCost, .decimals = 0};
  CHECK(cost.text(965.08) == "965");
  CHECK(cost.text(1234567.2) == "1,234,567");
  CHECK(cost.gain_text(-0.2) == "+0");
  const test::MadeStudy made(
      test::shell_study("echo $(( 1000 + $2 % 7 + 143 * $1 ))", "budget: 60, hold_out: 12"));
  SavedResult saved = made.saved();
  CHECK(story_of(made.study, saved).gain->value == -429.0);
  CHECK_THAT(story_text(story_of(made.study, saved)),
             ContainsSubstring("gain     -429.0 [-628.6, -229.4], 27 % less\n"));
  saved.incumbent->difference_interval = Interval{-429.0 - 1e-10, -429.0};
  const Story alike = story_of(made.study, saved);
  CHECK_FALSE(alike.gain->interval.has_value());
  CHECK_THAT(story_text(alike), ContainsSubstring("gain     -429.0, 27 % less\n"));
}

TEST_CASE("numbers are told in digits that a person reads, at every scale") {
  const StoryUnit small{.decimals = 92};
  CHECK(small.text(9.554e-91) == "9.6e-91");
  CHECK(small.text(0.0).size() < 100);
  CHECK(small.ends_text({.value = 1e-90, .interval = Interval{-1.25e-91, 9.554e-91}}, true) ==
        " [-1.2e-91, +9.6e-91]");
  const StoryUnit fine{.decimals = 11};
  CHECK(fine.text(1.00000000088) == "1.00000000088");
}

TEST_CASE("instances that the hold-out has not visited are said") {
  const std::string study =
      "objective: {command: [sh, -c, 'echo $(( $1 * 5 + $2 % 3 ))', x, '{a}', '{seed}', "
      "'{instance}'], direction: minimise}, space: {a: {integers: [1, 3]}}, "
      "instances: [p, q, r], iterations: 12, runs: 1, ";
  const test::MadeStudy few("{" + study + "hold_out: 2}");
  REQUIRE(told_of(few).doubts.size() == 1);
  CHECK(told_of(few).doubts[0] == "1 of 3 instances was not measured; `hold_out: 3` visits all.");
  CHECK(told_of(test::MadeStudy("{" + study + "hold_out: 3}")).doubts.empty());
  // Of unequal weights the lightest one waits: for 9 visits of weights 3, 1 and 0.5.
  const std::string weighted = study.substr(0, study.find("[p, q, r]")) +
                               "[{instance: p, weight: 3}, {instance: q, weight: 1}, {instance: r, "
                               "weight: 0.5}], iterations: 12, runs: 1, ";
  CHECK(told_of(test::MadeStudy("{" + weighted + "hold_out: 4}")).doubts[0] ==
        "1 of 3 instances was not measured; `hold_out: 9` visits all.");
  CHECK(told_of(test::MadeStudy("{" + weighted + "hold_out: 9}")).doubts.empty());
}

TEST_CASE("a gain that is small beside the values has its digits, and they have as many") {
  const test::MadeStudy made(
      test::shell_study("echo $(( 1000 + $2 % 7 + 143 * $1 ))", "budget: 60, hold_out: 12"));
  SavedResult saved = made.saved();
  saved.recommendation->fresh.value = 1234567.25;
  saved.recommendation->fresh.interval = Interval{1234567.21, 1234567.29};
  saved.incumbent->fresh.value = 1234567.75;
  saved.incumbent->fresh.interval = Interval{1234567.71, 1234567.79};
  saved.incumbent->difference = -0.5;
  saved.incumbent->difference_interval = Interval{-0.55, -0.45};
  const Story story = story_of(made.study, saved);
  CHECK(story.sentence == "Use the new setting: its cost is 1,234,567.25, today's 1,234,567.75.");
  CHECK_THAT(story.gain_text(), StartsWith("-0.50 [-0.55, -0.45]"));
  saved.incumbent->difference_interval.reset();
  CHECK_THAT(story_of(made.study, saved).gain_text(), StartsWith("-0.50"));
}

TEST_CASE("values that look alike where they are cut are told apart") {
  const std::string word(70, 'x');
  const test::MadeStudy made(fmt::format(
      "{{objective: {{command: [sh, -c, 'case \"$1\" in *b) echo 2;; *) echo 1;; esac', "
      "sh, '{{w}}'], noisy: false}}, space: {{w: {{choices: [{0}a, {0}b], default: "
      "{0}a}}}}, budget: 12, hold_out: 1}}",
      word));
  const Story story = told_of(made);
  CHECK(story.verdict == Verdict::kUse);
  CHECK(story.has_changes());
  CHECK(story.found_title() == "new");
  CHECK_THAT(story_text(story), ContainsSubstring("gain     +1.0000"));
}

TEST_CASE("a study without a default whose every call was cut off says so") {
  const test::MadeStudy made(
      "{objective: {command: [sleep, 2, '{a}'], result: time, cutoff: 0.02 s}, space: {a: [1, "
      "2]}, budget: 4, hold_out: 1}");
  CHECK(told_of(made).doubts ==
        std::vector<std::string>{"100 % of the calls were cut off; raise `cutoff`."});
}

TEST_CASE("a study without a cutoff of which nothing was solved has none to raise") {
  const test::MadeStudy made(
      "{objective: {command: [sh, -c, 'echo s UNKNOWN; echo 7', sh, '{a}'], penalty: 100, "
      "result: {cost: {regex: '^([0-9])'}}}, space: {a: {integers: [1, 3], default: 2}}, budget: "
      "12, hold_out: 2}");
  CHECK(told_of(made).sentence == "Keep today's setting: every call was unsolved.");
  const std::string text =
      test::on_one_line(result_text(made.study, made.result, made.summaries()));
  CHECK_THAT(text, ContainsSubstring("2 of them unsolved"));
  CHECK_THAT(text, ContainsSubstring("unsolved: every evaluation"));
  CHECK_THAT(text, !ContainsSubstring("cut off") && !ContainsSubstring("`cutoff`"));
}

TEST_CASE("what to type next is a command that a shell takes") {
  const test::MadeStudy made = made_of("costs");
  CHECK(story_of(made.study, made.saved(), "my out").next == "ntune verify 'my out'");
  CHECK(go_on_command(made.study, "it's") == "ntune run STUDY --out 'it'\\''s' --resume");
}

TEST_CASE("the values that change come first, and of many those that stay are counted") {
  std::string space;
  for (int i = 0; i < 20; ++i) {
    space += fmt::format("{}p{}: {{integers: [0, 1], default: 0}}", i > 0 ? ", " : "", i);
  }
  const test::MadeStudy made(
      "{objective: {command: [sh, -c, 'echo $(( 5 + $1 + $2 % 3 ))', sh, "
      "'{p17}', '{seed}'], result: number}, space: {" +
      space + "}, budget: 80, hold_out: 10, optimiser: ntbea, seed: 1}");
  const Story story = told_of(made);
  REQUIRE(story.verdict == Verdict::kUse);
  CHECK_FALSE(story.changes.front().stays());
  CHECK(std::ranges::is_partitioned(story.changes,
                                    [](const Story::Change& change) { return !change.stays(); }));
  CHECK_THAT(story_text(story), ContainsSubstring("that stay\n"));
}

TEST_CASE("of the values that change the most important one comes first, in text and file alike") {
  // A step of b changes the cost by 20, one of a by 1, and c changes nothing.
  const test::MadeStudy made(
      "{objective: {command: [sh, -c, 'echo $(( $1 + 20 * $2 + $3 % 2 ))', sh, '{a}', '{b}', "
      "'{seed}'], direction: minimise}, space: {c: {integers: [0, 0], default: 0}, a: {integers: "
      "[0, 3], default: 3}, b: {integers: [0, 3], default: 3}}, budget: 90, hold_out: 10, seed: "
      "1}");
  const SavedResult saved = made.saved();
  REQUIRE(saved.importance);
  REQUIRE(saved.importance->size() == 2);  // c has one value
  CHECK(saved.importance->at(0).parameter == "b");
  CHECK(saved.importance->at(0).share > saved.importance->at(1).share);
  const Story story = told_of(made);
  REQUIRE(story.changes.size() == 3);
  CHECK(story.changes[0].name == "b");
  CHECK(story.changes[0].importance == saved.importance->at(0).share);
  CHECK(story.changes[1].name == "a");
  CHECK(story.changes[2].name == "c");
  const std::string text = story_text(story);
  CHECK(text.find("\n  b ") < text.find("\n  a "));
  // What is read from the file tells the same; a file of an older version has the study's order.
  Json file = to_json(saved, made.study);
  CHECK(file["importance"][0]["parameter"] == "b");
  CHECK(story_text(story_of(made.study, read_saved_result(file, made.study), "out")) == text);
  file.erase("importance");
  const Story older = story_of(made.study, read_saved_result(file, made.study), "out");
  CHECK(older.changes[0].name == "a");
}

TEST_CASE(
    "a comparison begins with its verdict in the user's unit, and is narrow with long names") {
  const test::MadeStudy made(
      "{objective: {function: hartmann3, noise: win_loss}, optimisers: [random, {algorithm: ntbea, "
      "label: a very long name of an optimiser that nobody would ever think of typing twice}], "
      "iterations: [20, 90], runs: 12, seed: 1}");
  const std::string text = result_text(made.study, made.result, made.summaries());
  const Ranks ranks = ranks_of(made.study, made.result);
  REQUIRE(ranks.contestants.size() == 4);
  const std::string verdict = winner_sentence(made.study, ranks, *made.saved().cells);
  CHECK_THAT(verdict, StartsWith(ranks.contestants[0].label + " has the best mean rank"));
  CHECK_THAT(verdict, ContainsSubstring(" Its mean win rate is "));
  CHECK_THAT(test::on_one_line(text), StartsWith(verdict));
  CHECK(text.find("mean rank  best in") < text.find("difference: "));
  CHECK(text.find("difference: ") < text.find("\nDetails\n"));
  check_width(made);
}

TEST_CASE("a line is wrapped at blanks and moved in") {
  CHECK(wrapped("one two three", 2, 20) == "one two three");
  CHECK(wrapped("one two three four", 2, 9) == "one two\n  three\n  four");
  CHECK(wrapped("  a  ●●● b", 4, 8) == "  a  ●●●\n    b");
  CHECK(wrapped("x averyverylongword", 1, 6) == "x\n averyverylongword");
  CHECK(wrapped_lines("one two\n\nthree four\n", 2, 8) == "one two\n\nthree\n  four\n");
}

}  // namespace ntune
