
#include "catch.h"
#include "facts/studies.h"
#include "ntune/core/score_text.h"
#include "ntune/facts/verify_text.h"
#include "ntune/study/evaluation/study_progress.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;

namespace {

struct MadeTest {
  RecommendedStudy study;
  Point other;
  Verification result;

  [[nodiscard]] SavedVerification saved() const {
    return saved_verification(study, other, "default", result);
  }
  [[nodiscard]] Facts facts() const { return verification_facts(saved(), study.objective()); }
};

/// A test of the last point against the first one.
MadeTest tested(const std::string& yaml, const VerifyOptions& options = {}) {
  MadeTest made{
      .study = {.study = read_study(parse_yaml(yaml)), .point = {}}, .other = {}, .result = {}};
  const SearchSpace& space = made.study.space();
  made.study.point = Point(space.dimensions());
  made.other = made.study.point;
  made.study.point[0] = static_cast<std::uint16_t>(space[0].cardinality() - 1);
  StudyProgress progress;
  made.result = verify(made.study.study, made.study.point, made.other, options, progress);
  return made;
}

constexpr const char* kLetters =
    "for i in 1 2; do test $(( ($2 / i + $1) % 3 )) -eq 0 && echo L || echo W; done";

}  // namespace

TEST_CASE("a test that is read from its file tells the facts that it told") {
  const std::string costs = test::shell_study("echo $(( 100 - $1 * 10 + $2 % 7 ))", "budget: 20");
  const std::string games = std::string("{objective: {match: {command: [sh, -c, '") + kLetters +
                            "', sh, '{a}', '{seed}', '{opponent.a}'], result: letters}}, space: "
                            "{a: {integers: [1, 6], default: 1}}, budget: 20, seed: 3}";
  for (const auto& [yaml, keys] : {std::pair(costs, 2), {games, 4}}) {
    const MadeTest made = tested(yaml, {.evaluations = 200});
    const Json file = to_json(made.saved(), made.study.study);
    const SavedVerification read = read_verification(Json::parse(file.dump()), made.study.study);
    CHECK(to_json(read, made.study.study).dump() == file.dump());
    const Facts facts = made.facts();
    const Facts of_file = verification_facts(read, made.study.objective());
    CHECK(std::ssize(facts) == keys);
    REQUIRE(of_file.size() == facts.size());
    const std::string text = verification_text(made.study, made.other, "default", made.result);
    for (std::size_t i = 0; i < facts.size(); ++i) {
      CHECK(short_text(of_file[i]) == short_text(facts[i]));
      CHECK_THAT(text,
                 ContainsSubstring(fmt::format("  {:<14}  {}", facts[i].label, text_of(facts[i]))));
    }
  }
}

TEST_CASE("a test of costs says which way is better, and one of the point itself has no facts") {
  const MadeTest made =
      tested(test::shell_study("echo $(( 100 - $1 * 10 + $2 % 7 ))", "budget: 20"));
  CHECK(made.saved().decision == "better");
  const Facts facts = made.facts();
  const Fact* difference = find_fact(facts, "difference");
  REQUIRE(difference != nullptr);
  CHECK(std::get<double>(difference->value) < 0.0);
  CHECK_THAT(text_of(*find_fact(facts, "direction")), ContainsSubstring("values are costs"));
  const MadeTest same = tested("{objective: {command: [echo, '{a}']}, space: {a: [1]}, budget: 4}");
  CHECK(same.saved().decision == "same");
  CHECK(same.facts().empty());
}

TEST_CASE("where no interval is known the values of a test stand there, and no interval") {
  const MadeTest made =
      tested(test::shell_study("echo $(( 400 + $2 % 7 ))", "budget: 20"), {.evaluations = 20});
  REQUIRE(made.saved().recommended.value > 400.0);
  const std::string text = verification_text(made.study, made.other, "default", made.result);
  CHECK_THAT(text, ContainsSubstring(score_text(*made.saved().recommended.value)));
  CHECK_THAT(text, !ContainsSubstring("inf"));
}

}  // namespace ntune
