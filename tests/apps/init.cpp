// `ntune init` and `ntune tune`: what they write runs.

#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "apps/command.h"
#include "apps/process.h"
#include "catch.h"
#include "ntune/core/files.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using test::command;

namespace {

const std::string kNtune = std::string("'") + NTUNE_EXECUTABLE + "'";

/// Makes a program of the folder.
std::string program_in(const test::TemporaryFolder& folder, const std::string& name,
                       const std::string& text) {
  const std::string file = folder.file(name, "#!/bin/sh\n" + text);
  fs::permissions(file, fs::perms::owner_all);
  return file;
}

/// A call that plays the study of the file once.
void check_that_it_runs(const std::string& study) {
  const auto tried = command({"check", "--dry-run", study});
  CAPTURE(tried.err, read_file(study, 1'000'000));
  CHECK(tried.code == 0);
  const auto result = command({"run", study, "--quiet"});
  CAPTURE(result.err);
  CHECK(result.code == 0);
}

}  // namespace

TEST_CASE("init: the study of a command line, of a file and of a command with a file runs") {
  const test::TemporaryFolder folder;
  program_in(folder, "program", "echo $#\n");
  const std::string pcs = folder.file("space.pcs", "a {1,2,3} [2]\nb [0,1] [0.5]\n");
  const std::string in = fmt::format("cd {} && {} ", folder.path().string(), kNtune);
  int files = 0;
  const auto init = [&](const std::string& words) {
    const std::string name = fmt::format("{}.yaml", ++files);
    const auto outcome = test::shell(in + "init -o " + name + " --budget 12 " + words);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.err, ContainsSubstring("Next: ntune check --dry-run " + name));
    check_that_it_runs((folder / name).string());
    return read_file(folder / name, 1'000'000);
  };
  CHECK_THAT(init("-- ./program {depth:1..4=2} '{mode:a|b=a}'"),
             ContainsSubstring(R"(command: ["./program", "{depth}", "{mode}"])"));
  CHECK_THAT(init(pcs), ContainsSubstring(R"(command: ["./program", "{params:gnu}")"));
  // irace minimises, which a command of the user's own does not say.
  const std::string irace = folder.file("parameters.txt", "a \"-a \" i (1, 9)\n");
  CHECK_THAT(init(irace), ContainsSubstring("direction: minimise   # as irace does"));
  CHECK_THAT(init("--result number " + irace), !ContainsSubstring("direction"));
  CHECK_THAT(init(pcs), !ContainsSubstring("direction"));
  CHECK_THAT(init("--minimise --space " + pcs + " -- ./program {a} {b}"),
             ContainsSubstring("direction: minimise"));
  // Words in brackets stay whole, and a program starts where the command line was written.
  const auto printed =
      test::shell("mkdir " + (folder / "sub").string() + " && " + in +
                  "init -o sub/s.yaml -- ./program '[a,b]' '[]' {x:1..3} && cat sub/s.yaml && " +
                  in + "check --dry-run sub/s.yaml");
  CAPTURE(printed.err);
  CHECK(printed.code == 0);
  CHECK_THAT(printed.out, ContainsSubstring(R"(command: ["./program", "[a,b]", "[]", "{x}"])"));
  CHECK_THAT(printed.out, ContainsSubstring("value       3"));
  CHECK(test::shell(in + "tune --minimise --budget 60 --quiet --out less -- echo {x:1..4=3}")
            .out.starts_with("Use the new setting: its cost is 1"));
}

TEST_CASE("init: an engine's options are tuned by duels, but for those of its housekeeping") {
  const test::TemporaryFolder folder;
  const std::string engine =
      program_in(folder, "engine",
                 "echo 'option name Hash type spin default 16 min 1 max 64'\n"
                 "echo 'option name Threads type spin default 1 min 1 max 8'\n"
                 "echo 'option name UCI_Elo type spin default 1500 min 1000 max 2000'\n"
                 "echo 'option name King Safety type spin default 3 min -2 max 5'\necho uciok\n");
  program_in(folder, "fastchess",
             "echo 'Games: 4, Wins: 1, Losses: 1, Draws: 2, Points: 2.0 (50.00 %)'\n"
             "echo 'Ptnml(0-2): [0, 1, 0, 1, 0]'\n");
  const std::string file = (folder / "engine.yaml").string();
  const test::CommandOutcome made = test::shell(fmt::format(
      "PATH={}:$PATH {} init --uci {} --budget 8 -o {} && PATH={}:$PATH {} run {} --quiet",
      folder.path().string(), kNtune, engine, file, folder.path().string(), kNtune, file));
  CAPTURE(made.out);
  CHECK(made.code == 0);
  const std::string study = read_file(file, 1'000'000);
  CHECK_THAT(study, ContainsSubstring("\"King Safety\": {integers: [-2, 5], default: 3}"));
  CHECK_THAT(study, ContainsSubstring("option.Hash=16"));
  CHECK_THAT(study, ContainsSubstring("option.Threads=1"));
  CHECK_THAT(study, !ContainsSubstring("UCI_Elo"));
  // The openings that it names are there.
  const std::size_t book = study.find("file=");
  REQUIRE(book != std::string::npos);
  CHECK(fs::exists(study.substr(book + 5, study.find('"', book) - book - 5)));
  CHECK_THAT(study, ContainsSubstring("cmd=" + engine));
}

TEST_CASE("tune: a command line is tuned, and its study is kept and goes on") {
  const test::TemporaryFolder folder;
  const std::string in = fmt::format("cd {} && {} ", folder.path().string(), kNtune);
  const test::CommandOutcome tuned =
      test::shell(in + "tune --budget 60 --out results/mine --quiet -- echo {x:1..4=2}");
  CAPTURE(tuned.out);
  CHECK(tuned.code == 0);
  CHECK_THAT(tuned.out, ContainsSubstring("Use the new setting: it scores 4"));
  CHECK(fs::exists(folder / "results/mine/result.json"));
  CHECK(test::shell(in + "run mine.yaml --out results/mine --resume --quiet").code == 0);
  // Differences that never vary are decided as soon as a test may end.
  CHECK_THAT(test::shell(in + "tune --budget 20 --out few --quiet -- echo {x:1..4=2}").out,
             ContainsSubstring("About 64 more calls would tell."));
  // Nothing is overwritten.
  const test::CommandOutcome again =
      test::shell(in + "tune --out results/mine -- echo {x:1..9} 2>&1");
  CHECK(again.code == 2);
  CHECK_THAT(again.out, ContainsSubstring("mine.yaml: is there already"));
}

TEST_CASE("init and tune: what is wrong is named as it stands on the command line") {
  const test::TemporaryFolder folder;
  const std::string in = fmt::format("cd {} && {} ", folder.path().string(), kNtune);
  const std::string place = " in " + folder.path().string() + ", where the program runs\n";
  for (const auto& [words, message] :
       {std::pair<std::string, std::string>{
            "tune -- ../no_such_program_of_a_long_name '{x:1..9}'",
            "COMMAND[1]: there is no file '../no_such_program_of_a_long_name'" + place},
        {"tune -- python3 no.py '{x:1..9}'", "COMMAND[2]: there is no file 'no.py'" + place},
        {"init --result nonsense -- echo '{x:1..9}'", "--result: is 'nonsense'; allowed: auto, "},
        {"init --result '{time: x}' -- echo '{x:1..9}'", "--result.time: "},
        {"init -- echo '{x:1..9}' '{y}'", "COMMAND[3]: has {y}, which is not known"}}) {
    const auto outcome = test::shell(in + words + " 2>&1");
    CAPTURE(words, outcome.out);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.out, ContainsSubstring(message));
    CHECK_THAT(outcome.out, !ContainsSubstring("the study:"));
  }
  CHECK_FALSE(fs::exists(folder / "study.yaml"));
}

TEST_CASE("init: what it cannot make a study of is refused in one line, and nothing is written") {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "study.yaml").string();
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{},
        {"--", "./program", "{x}"},
        {"--", "./program", "{x:1..a}"},
        {"--uci", "/nowhere/engine"},
        {"--result", "#", "--", "p", "{x:1..2}"},
        {"--result", "auto\nfail: skip", "--", "p", "{x:1..2}"},
        {"--only", "x", "--", "p", "{x:1..2}"},
        {"none.pcs"},
        {"--result", "nonsense", "--", "p", "{x:1..2}"},
        {"--space", (folder / "none.pcs").string(), "--", "p"}}) {
    std::vector<std::string> arguments = {"init", "-o", file};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const auto outcome = command(arguments);
    CAPTURE(words, outcome.err);
    CHECK(outcome.code != 0);
    CHECK(test::is_one_line(outcome.err));
    CHECK_FALSE(fs::exists(file));
  }
}

}  // namespace ntune
