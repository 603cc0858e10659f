// slide3 database, sample, solve, verify.

#include <algorithm>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "catch.h"
#include "laboratories/slide3/slide3.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::CommandOutcome;
using test::run_slide3;
using test::slide3_json;

TEST_CASE("slide3 database prints the distribution of SlideTwo") {
  const CommandOutcome outcome = run_slide3({"database", "--k", "2", "--format", "csv"});
  CHECK(outcome.code == 0);
  CHECK(outcome.err == "");
  CHECK_THAT(outcome.out, StartsWith("dtw,positions\n0,1\n1,4\n2,6\n"));
  CHECK(std::ranges::count(outcome.out, '\n') == 14);  // DTW 0 to 12
  CHECK_THAT(run_slide3({"database", "--k", "2"}).out,
             StartsWith("192 positions of SlideTwo, none farther from Win than 12 moves\n"));
  CHECK(slide3_json({"database", "--k", "2"})["positions"] == 192);
}

TEST_CASE("slide3 commands take a written database, and refuse what is none") {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "two").string();
  const CommandOutcome built = run_slide3({"database", "--k", "2", "--out", file});
  CHECK(built.code == 0);
  CHECK(run_slide3({"database", "--k", "2", "--database", file}).out == built.out);
  CHECK(run_slide3({"solve", "--k", "2", "--database", file}).code == 0);

  const std::string cut = folder.file("cut", test::content_of(file).substr(0, 100));
  const std::string foreign = folder.file("foreign", "no database at all, but long enough text");
  for (const std::string& wrong : {cut, foreign, file, (folder / "none").string()}) {
    const std::string out = (folder / "out").string();
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"database", "--out", out},
          {"solve"},
          {"sample", "--out", out},
          {"moves"},
          {"autoplay"},
          {"play"},
          {"reproduce", "e1"}}) {
      std::vector<std::string> arguments = command;
      arguments.insert(arguments.end(), {"--database", wrong});
      const CommandOutcome outcome = run_slide3(arguments);
      INFO(command.front() << " " << wrong);
      CHECK(outcome.code == 2);
      CHECK(outcome.out == "");
      CHECK(test::is_one_line(outcome.err));
      CHECK_THAT(outcome.err, StartsWith(wrong + ": "));
    }
    CHECK_FALSE(fs::exists(out));
  }
}

TEST_CASE("slide3 sample draws positions as the thesis's files hold them") {
  const test::TemporaryFolder folder;
  const std::string database = (folder / "db").string();
  REQUIRE(run_slide3({"database", "--out", database, "--quiet"}).err == "");
  const std::vector<std::string> draw = {"sample", "--dtw", "5",          "--count", "20",
                                         "--seed", "3",     "--database", database};
  const CommandOutcome printed = run_slide3(draw);
  CHECK(printed.code == 0);
  CHECK(std::ranges::count(printed.out, '\n') == 40);
  CHECK(printed.out.find('/') == std::string::npos);
  CHECK(run_slide3(draw).out == printed.out);

  std::vector<std::string> to_file = draw;
  const std::string file = (folder / "sample").string();
  to_file.insert(to_file.end(), {"--out", file});
  CHECK(run_slide3(to_file).err == "20 positions of DTW 5, seed 3 in " + file + "\n");
  CHECK(test::content_of(file) == printed.out);

  // The same positions and the same games, whether drawn or read.
  const std::vector<std::string> player = {"--depth", "2", "--format", "csv", "--quiet"};
  std::vector<std::string> read = {"autoplay", "--sample", file, "--seed", "3"};
  std::vector<std::string> drawn = draw;
  drawn.front() = "autoplay";
  for (auto* command : {&read, &drawn})
    command->insert(command->end(), player.begin(), player.end());
  const std::string games = run_slide3(read).out;
  CHECK_THAT(games, StartsWith("games,won,winning_quota,"));
  CHECK(run_slide3(drawn).out == games);

  for (const auto& [dtw, count, text] :
       {std::tuple{"27", "1", "27"}, std::tuple{"x", "1", "--dtw: is 'x', a whole number or 'all'"},
        std::tuple{"-1", "1", "--dtw: is '-1'"}, std::tuple{"0", "2", "2 positions"}}) {
    const CommandOutcome outcome =
        run_slide3({"sample", "--dtw", dtw, "--count", count, "--database", database});
    CHECK(outcome.code == 2);
    CHECK(test::is_one_line(outcome.err));
    CHECK_THAT(outcome.err, ContainsSubstring(text));
  }
}

TEST_CASE("slide3 solve prints a way that slide3 verify accepts") {
  const test::TemporaryFolder folder;
  const CommandOutcome solved = run_slide3({"solve"});
  CHECK(solved.code == 0);
  CHECK_THAT(solved.out,
             StartsWith("# DTW 24: no shorter way to Win\nslide 3\nfrom 115/987654321"));
  const std::string file = folder.file("solution", solved.out);
  CHECK_THAT(run_slide3({"verify", file}).out,
             StartsWith("24 moves from 115/987654321 to Win of "));
  CHECK(run_slide3({"verify", file, "--format", "csv"}).out ==
        "k,position,moves\n3,115/987654321,24\n");

  const std::string wrong = folder.file("wrong", solved.out + " R1>\n");
  const CommandOutcome refused = run_slide3({"verify", wrong});
  CHECK(refused.code == 2);
  CHECK(test::is_one_line(refused.err));
  CHECK_THAT(refused.err, StartsWith(wrong + ":"));

  CHECK(slide3_json({"solve", "--k", "2"})["dtw"] == 10);
  CHECK(run_slide3({"solve", "win", "--k", "2", "--format", "csv"}).out ==
        "number,move,position,dtw\n");
  for (const char* position : {"115/987654312", "115/98765432", "hello", "999/123456789"}) {
    const CommandOutcome outcome = run_slide3({"solve", position});
    CHECK(outcome.code == 2);
    CHECK(outcome.out == "");
    CHECK(test::is_one_line(outcome.err));
    CHECK_THAT(outcome.err, StartsWith("position '"));
  }
}

TEST_CASE("slide3 four counts positions around Win and finds ways to it") {
  const test::TemporaryFolder folder;
  const CommandOutcome levels = run_slide3({"four", "levels", "--depth", "3", "--format", "csv"});
  CHECK(levels.code == 0);
  CHECK_THAT(levels.out, StartsWith("depth,positions,start_at_least\n0,1,2\n1,8,4\n"));
  // Levels beyond give the same bound, uncounted.
  const CommandOutcome beyond =
      run_slide3({"four", "levels", "--depth", "2", "--steps", "1", "--format", "csv"});
  CHECK(beyond.out == "depth,positions,start_at_least\n0,1,2\n1,8,4\n2,36,6\n3,,8\n");
  // A folder keeps the last two levels, from which the next run goes on.
  const std::string kept = folder / "levels";
  CHECK(run_slide3({"four", "levels", "--depth", "2", "--folder", kept}).code == 0);
  const CommandOutcome on =
      run_slide3({"four", "levels", "--depth", "3", "--folder", kept, "--format", "csv"});
  CHECK(on.out == "depth,positions,start_at_least\n2,36,6\n3,140,8\n");
  const CommandOutcome back = run_slide3({"four", "levels", "--depth", "1", "--folder", kept});
  CHECK(back.code == 2);
  CHECK(back.err ==
        fmt::format("--depth: is 1, but the folder '{}' holds level 3 already\n", kept));
  CHECK(back.out.empty());
  const CommandOutcome outcome = run_slide3({"four", "sove"});
  CHECK(outcome.code == 2);
  CHECK(outcome.err ==
        "slide3 four: 'sove' is not a command, did you mean 'solve'?; allowed: levels or solve\n");
  CHECK(run_slide3({"four"}).code == 2);

  const CommandOutcome solved = run_slide3({"four", "solve", "--width", "1000"});
  CHECK(solved.code == 0);
  const std::string file = folder.file("solution", solved.out);
  CHECK_THAT(run_slide3({"verify", file}).out,
             Catch::Matchers::EndsWith("of SlideFour, all possible\n"));
}

}  // namespace ntune
