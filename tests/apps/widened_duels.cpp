// Studies of matches whose space becomes wider: both players of a recorded match stay who they
// were.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/command.h"
#include "catch.h"
#include "ntune/core/json.h"
#include "ntune/report/data/study_watch.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::command;
using test::CommandOutcome;
using test::content_of;
using test::TemporaryFolder;

namespace {

const std::string kNarrow = "A: {integers: [10, 20], default: 15}";
const std::string kLower = "A: {integers: [4, 20], default: 15}";
const std::string kOneMore =
    "A: {integers: [10, 20], default: 15}, B: {integers: [0, 3], default: 0}";

/// A study of matches that the larger A wins, and whose program writes a line for each of them.
class DuelStudy {
 public:
  explicit DuelStudy(std::string optimiser) : optimiser_(std::move(optimiser)) {}

  CommandOutcome run(const std::string& space, int iterations) const {
    const std::string program = "echo call >>" + (folder_ / "calls").string() +
                                "; if [ {A} -gt {opponent.A} ]; then echo W W; elif [ {A} -lt "
                                "{opponent.A} ]; then echo L L; else echo D D; fi";
    const std::string study = folder_.file(
        "study.yaml",
        fmt::format("objective:\n  match:\n    command: '{}'\n    shell: true\n    result: "
                    "letters\nspace: {{{}}}\noptimiser: {}\nruns: 1\niterations: {}\nhold_out: "
                    "4\nseed: 1\n",
                    program, space, optimiser_, iterations));
    return command({"run", study, "--out", out().string(), "--resume"});
  }
  [[nodiscard]] std::int64_t calls() const {
    return std::ranges::count(content_of(folder_ / "calls"), '\n');
  }
  [[nodiscard]] fs::path out() const { return folder_ / "out"; }
  [[nodiscard]] fs::path other() const { return folder_ / "other"; }

  using Columns = std::vector<std::string>;
  /// The wanted columns of every match of the search, by its place in it, as the export has them.
  [[nodiscard]] std::map<std::string, Columns> matches(const Columns& wanted) const {
    const CommandOutcome exported = command({"export", out().string(), "--to", "csv"});
    REQUIRE(exported.code == cli::kDone);
    const Columns lines = split(exported.out, '\n');
    const Columns header = split(lines.front(), ',');
    std::map<std::string, Columns> matches;
    for (const std::string& line : lines) {
      if (!line.starts_with("search,")) continue;
      const Columns fields = split(line, ',');
      REQUIRE(fields.size() == header.size());
      const auto field = [&](const std::string& name) {
        const auto at = std::ranges::find(header, name);
        REQUIRE(at != header.end());
        return fields[static_cast<std::size_t>(at - header.begin())];
      };
      Columns& row = matches[field("evaluation")];
      CHECK(row.empty());
      for (const std::string& name : wanted) row.push_back(field(name));
    }
    return matches;
  }
  /// Without the study itself: its files are named as seen from another folder.
  [[nodiscard]] static Json result_in(const fs::path& folder) {
    Json result = Json::parse(content_of(folder / "result.json"));
    result.erase("study");
    return result;
  }

 private:
  static Columns split(const std::string& text, char separator) {
    Columns parts(1);
    for (const char c : text) {
      if (c == separator) {
        parts.emplace_back();
      } else {
        parts.back() += c;
      }
    }
    return parts;
  }

  TemporaryFolder folder_;
  std::string optimiser_;
};

}  // namespace

TEST_CASE("matches: what is recorded stays when the space becomes wider") {
  constexpr int kLess = 16;
  constexpr int kMore = 22;
  for (const std::string optimiser : {"duels", "spsa_duels", "clop"}) {
    for (const std::string& wide : {kLower, kOneMore}) {
      if (wide == kLower && optimiser != "duels") continue;  // one is enough for the lower end
      CAPTURE(optimiser, wide);
      const DuelStudy study(optimiser);
      REQUIRE(study.run(kNarrow, kLess).code == cli::kDone);
      const std::int64_t calls = study.calls();
      const DuelStudy::Columns wanted = {"A", "opponent.A", "value", "start"};
      const auto before = study.matches(wanted);
      CHECK(before.size() == kLess);
      const CommandOutcome more = study.run(wide, kMore);
      CAPTURE(more.err);
      REQUIRE(more.code == cli::kDone);
      // A recommended default has no hold-out: its value is known by definition.
      CHECK_THAT(more.err,
                 StartsWith(fmt::format("{} evaluations from the journal\n", kLess + 4)) ||
                     StartsWith(fmt::format("{} evaluations from the journal\n", kLess)));
      const auto after = study.matches(wanted);
      CHECK(after.size() == kMore);
      for (const auto& [place, row] : before) {
        CAPTURE(place);
        CHECK(after.at(place) == row);
      }
      // New are the matches of the search, and the fresh ones of what is recommended now.
      CHECK(study.calls() - calls <= kMore - kLess + 4);
      if (wide == kOneMore) {
        const auto opponents = study.matches({"B", "opponent.B"});
        for (const auto& [place, row] : before) {
          const std::string opponent = row[1].empty() ? "" : "0";
          CHECK(opponents.at(place) == DuelStudy::Columns{"0", opponent});
        }
      }
      const std::string out = study.out().string();
      const CommandOutcome report = command({"report", out, "-o", out + "/report.html"});
      CHECK(report.code == cli::kDone);
      CHECK_THAT(report.out + report.err, !ContainsSubstring("another version"));
      // The same from the journal once more, and from nothing.
      const std::int64_t all = study.calls();
      const Json result = DuelStudy::result_in(study.out());
      REQUIRE(study.run(wide, kMore).code == cli::kDone);
      CHECK(study.calls() == all);
      CHECK(DuelStudy::result_in(study.out()) == result);
      REQUIRE(command({"run", out + "/study.yaml", "--out", study.other().string()}).code ==
              cli::kDone);
      CHECK(DuelStudy::result_in(study.other()) == result);
    }
  }
}

TEST_CASE(
    "matches: a study is watched in the space of today while it goes on from a narrower one") {
  const DuelStudy study("duels");
  REQUIRE(study.run(kNarrow, 16).code == cli::kDone);
  REQUIRE(study.run(kOneMore, 22).code == cli::kDone);
  const std::string out = study.out().string();
  REQUIRE(command({"run", out + "/study.yaml", "--out", study.other().string()}).code ==
          cli::kDone);
  const std::string journal = content_of(study.other() / "journal.log");
  std::size_t end = 0;
  for (int lines = 0; lines < 12; ++lines) end = journal.find('\n', end) + 1;
  const TemporaryFolder folder;
  (void)folder.file("journal.log", journal.substr(0, end));
  const StudyStatus status = StudyWatch(folder.path()).look();
  CHECK(status.evaluations == 11);
  CHECK(status.parameters["B"] == 0);
}

TEST_CASE("matches: a default that was the opponent stays") {
  const DuelStudy study("duels");
  REQUIRE(study.run(kNarrow, 8).code == cli::kDone);
  const std::string journal = content_of(study.out() / "journal.log");
  for (const char* space :
       {"A: {integers: [10, 20], default: 12}", "A: {integers: [4, 20], default: 12}"}) {
    CAPTURE(space);
    const CommandOutcome other = study.run(space, 12);
    CHECK(other.code == cli::kWrongInput);
    CHECK_THAT(other.err, ContainsSubstring(
                              "journal.log: its matches were against A = 15, which is no "
                              "opponent here; a study of matches goes on with the same default"));
  }
  CHECK(content_of(study.out() / "journal.log") == journal);
}

TEST_CASE("matches: an opponent that is no point of the space is refused") {
  const DuelStudy study("duels");
  REQUIRE(study.run(kNarrow, 8).code == cli::kDone);
  std::string journal = content_of(study.out() / "journal.log");
  const std::size_t at = journal.find(':', journal.find("\ns0."));
  REQUIRE(at != std::string::npos);
  journal.insert(at + 1, "9");  // one of eleven values becomes the 90th or more
  const TemporaryFolder folder;
  (void)folder.file("journal.log", journal);
  const CommandOutcome exported = command({"export", folder.path().string(), "--to", "csv"});
  CHECK(exported.code == cli::kWrongInput);
  CHECK_THAT(exported.err, ContainsSubstring("its opponent is not in the search space"));
}

TEST_CASE("the iterate of spsa_duels is shown and exported without rounding") {
  for (const int in_flight : {1, 3}) {
    const TemporaryFolder folder;
    const auto study = [&](const std::string& optimiser) {
      return folder.file(
          "study.yaml",
          fmt::format("objective: {{match: {{command: [sh, -c, 'if [ $(($0 + $2 % 31)) -gt 40 ]; "
                      "then echo W; else echo L; fi', '{{A}}', '{{opponent.A}}', '{{seed}}', "
                      "'{{B}}', '{{mode}}'], result: letters}}}}\n"
                      "space: {{A: {{integers: [0, 100], step: 10, default: 30}}, B: {{range: [0, "
                      "1], step: 0.25, default: 0.5}}, mode: {{choices: [x, y], default: x, "
                      "ordered: false}}}}\noptimiser: {}\nruns: 1\niterations: 40\nhold_out: 4\n"
                      "parallel_evaluations: {}\nseed: 1\n",
                      optimiser, in_flight));
    };
    const std::string out = (folder / "out").string();
    const CommandOutcome run =
        command({"run", study("{algorithm: spsa_duels, r_end: 0.05}"), "--out", out});
    CAPTURE(run.err);
    REQUIRE(run.code == 0);
    const Json answer = Json::parse(command({"recommend", out}).out);
    const double a = answer["iterate"]["A"];
    const double b = answer["iterate"]["B"];
    CHECK(answer["iterate"].size() == 2);  // nothing lies between unordered values
    CHECK(a != std::round(a));
    // The run's own answer is the iterate, rounded.
    const Json result = Json::parse(content_of(folder / "out" / "result.json"));
    CHECK(std::abs(result["recommendation"]["parameters"]["A"].get<double>() - a) <= 5.0);
    CHECK(std::abs(result["recommendation"]["parameters"]["B"].get<double>() - b) <= 0.125);
    CHECK(Json::parse(command({"status", out, "--format", "json"}).out)["iterate"] ==
          answer["iterate"]);
    const std::string line = fmt::format("{:.8g}\n", a);
    CHECK_THAT(run.out, ContainsSubstring("Iterate of spsa_duels") && ContainsSubstring(line));
    CHECK_THAT(command({"status", out}).out, ContainsSubstring(line));
    const CommandOutcome lines = command({"export", out, "--to", "openbench"});
    CHECK_THAT(lines.out, StartsWith(fmt::format("A, int, {:.8g}, 0, 100, 5, 0.05\n", a)));
    CHECK_THAT(lines.err, ContainsSubstring("note: the values are the iterate of spsa_duels"));
    // Another optimiser has none.
    const std::string plain = (folder / "plain").string();
    REQUIRE(command({"run", study("duels"), "--out", plain}).code == 0);
    CHECK_FALSE(Json::parse(command({"recommend", plain}).out).contains("iterate"));
  }
}

}  // namespace ntune
