// Engines that a study names: the command check looks for them and asks them for their options.

#include <filesystem>
#include <string>

#include "apps/command.h"
#include "catch.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using test::command;

namespace {

const char* const kUciEngine =
    "#!/bin/sh\n"
    "echo 'option name Space type spin default 100 min 0 max 200'\n"
    "echo 'option name King Safety type spin default 40 min 0 max 100'\n"
    "echo 'option name Style type combo default Calm var Calm var Bold'\n"
    "echo uciok\n";

std::string engine_study(const std::string& words, const std::string& space) {
  return "objective:\n  match:\n    command: [sh, -c, 'echo D', x, -engine, name=a, " + words +
         "]\n    result: letters\nspace: {" + space + "}\nbudget: 60\n";
}

}  // namespace

TEST_CASE("check finds the engines in the words of fastchess and cutechess") {
  const test::TemporaryFolder folder;
  const std::string space =
      "Space: {integers: [0, 200], step: 50, default: 100}, King Safety: {integers: [10, 90], "
      "step: 20, default: 50}";
  const std::string both =
      "'{params:option.{name}={value}}', -engine, name=b, "
      "'{opponent.params:option.{name}={value}}', -each, cmd=./engine, tc=1, -rounds, '2'";
  const std::string study = folder.file("study.yaml", engine_study(both, space));
  const std::string there = (folder / "engine").string();
  const std::string missing =
      "study.yaml:3: objective.match.command[12]: there is no './engine' "
      "that can be started in ";
  // Nothing is started without --dry-run, and the engine may be on another machine.
  CHECK(command({"check", study}).code == 0);
  CHECK_THAT(command({"check", study}).err,
             ContainsSubstring("warning: ") && ContainsSubstring(missing));
  CHECK(command({"check", "--dry-run", study}).code == 2);
  CHECK_THAT(command({"check", "--dry-run", study}).err, ContainsSubstring(missing));

  (void)folder.file("engine", kUciEngine);
  CHECK_THAT(command({"check", study}).err, ContainsSubstring(missing));
  std::filesystem::permissions(there, std::filesystem::perms::owner_all);
  CHECK(command({"check", study}).err.empty());
  const test::CommandOutcome good = command({"check", "--dry-run", study});
  CHECK(good.code == 0);
  CHECK_THAT(good.err, ContainsSubstring(
                           "note: " + study +
                           ": space.King Safety: the default is 50, that of the engine is 40\n"));

  const auto refused = [&](const std::string& words, const std::string& names) {
    const test::CommandOutcome outcome =
        command({"check", "--dry-run", folder.file("other.yaml", engine_study(words, names))});
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.out, !ContainsSubstring("sent"));
    return outcome.err;
  };
  CHECK_THAT(refused(both, "Spice: {integers: [0, 200], step: 50, default: 100}"),
             ContainsSubstring("space.Spice: is no option of the engine, did you mean 'Space'?"));
  CHECK_THAT(
      refused(both, "Space: {integers: [0, 300], step: 50, default: 100}"),
      ContainsSubstring("space.Space: 250 is no value of the engine's option, which has 0 to "
                        "200"));
  // One option by its own name, and an engine in a folder of its own.
  const std::string one = "cmd=engine, 'dir=" + folder.path().string() +
                          "', 'option.Style={style}', -engine, cmd=true, "
                          "'{opponent.params[other*]:--{name}={value}}'";
  CHECK_THAT(refused(one,
                     "style: {choices: [Calm, Wild], default: Calm}, other: {choices: [1, 2], "
                     "default: 1}"),
             ContainsSubstring("space.style: 'Wild' is no value of the engine's option, which has "
                               "'Calm' or 'Bold'"));
  // What a template names is known to a call alone, and so is an engine of xboard's protocol.
  for (const std::string& words :
       {both.substr(0, both.find("cmd=")) + "'cmd=./{Space}'",
        both.substr(0, both.find("./engine")) + "/bin/true, proto=xboard"}) {
    const test::CommandOutcome outcome =
        command({"check", "--dry-run", folder.file("other.yaml", engine_study(words, space))});
    CAPTURE(outcome.err);
    CHECK(outcome.code == 0);
  }
  const std::string silent = both.substr(0, both.find("./engine")) + "/bin/true";
  CHECK_THAT(
      command({"check", "--dry-run", folder.file("other.yaml", engine_study(silent, space))}).err,
      ContainsSubstring("/bin/true: has not answered uci with uciok"));
}

}  // namespace ntune
