// Which words of a command name a file that is not there.

#include "ntune/objective/command/missing_file.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "catch.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace {

/// A folder with a script, a program and a folder.
class Agents {
 public:
  Agents() {
    namespace fs = std::filesystem;
    for (const char* name : {"agent.py", "run.sh", "play", "Main.java", "app.js"}) {
      (void)folder_.file(name, "#!/bin/sh\n");
    }
    fs::permissions(folder_ / "play", fs::perms::owner_exec, fs::perm_options::add);
    fs::create_directories(folder_ / "lib");
  }

  /// "command[2]: there is no file …" of an objective; empty: nothing is missing.
  [[nodiscard]] std::string missing(const std::string& objective) const {
    const YamlNode node = parse_yaml(objective, (folder_ / "study.yaml").string());
    const auto found = missing_file(node);
    if (!found) return {};
    std::string problem = found->problem;
    const std::string place = " in " + folder_.path().string();
    if (const std::size_t at = problem.find(place); at != std::string::npos) {
      problem.erase(at, place.size());
    }
    return found->place.path() + ": " + problem;
  }
  [[nodiscard]] std::string missing_word(const std::string& command) const {
    return missing("{command: " + command + "}");
  }

 private:
  test::TemporaryFolder folder_;
};

std::string no_file(int word, const std::string& name) {
  return "command[" + std::to_string(word) + "]: there is no file '" + name +
         "', where the program runs";
}

}  // namespace

TEST_CASE("programs and scripts that are not there are found behind interpreters and starters") {
  const Agents agents;
  CHECK(agents.missing_word("[./no_such, '{x}']") == no_file(1, "./no_such"));
  CHECK(agents.missing_word("[../elsewhere/no_such]") == no_file(1, "../elsewhere/no_such"));
  CHECK(agents.missing_word("[lib/]") == "command[1]: is 'lib/', a folder; a program is allowed");
  CHECK(agents.missing_word("[./agent.py, '{x}']") ==
        "command[1]: the file './agent.py' may not be executed; allow it by 'chmod +x', or write "
        "its interpreter before it");
  CHECK(agents.missing_word("[no-such-program]") ==
        "command[1]: there is no program 'no-such-program' on the PATH");
  CHECK(agents.missing_word("[play]") ==
        "command[1]: there is no program 'play' on the PATH; did you mean './play'?");
  for (const char* interpreter : {"python3, ", "sh, ", "sh, -e, ", "bash, -eo, pipefail, ",
                                  "python3, -u, -W, ignore, ", "env, A=1, python3, --, "}) {
    CAPTURE(interpreter);
    const std::string before = interpreter;
    const int place = 1 + static_cast<int>(std::ranges::count(before, ','));
    CHECK(agents.missing_word("[" + before + "missing.py, '{x}']") == no_file(place, "missing.py"));
    CHECK(agents.missing_word("[" + before + "agent.py, '{x}']").empty());
  }
  CHECK(agents.missing_word("[timeout, -k, '5', '10', nice, -n, '5', ./no_such]") ==
        no_file(8, "./no_such"));
  CHECK(agents.missing_word("[taskset, -c, '0', sh, missing]") == no_file(5, "missing"));
}

TEST_CASE("a missing file keeps its place when the file that was read is gone") {
  std::optional<MissingFile> found;
  {
    // Longer than what a string holds without memory of its own.
    const YamlNode study = parse_yaml("objective:\n  match:\n    command: [sh, ./no_such]\n",
                                      "a_study_with_a_name_of_more_than_a_few_letters.yaml");
    found = missing_file(*study.find("objective"));
  }
  REQUIRE(found);
  CHECK(found->place.place() ==
        "a_study_with_a_name_of_more_than_a_few_letters.yaml:3: objective.match.command[2]");
  CHECK_THROWS_WITH(found->fail(), Catch::Matchers::ContainsSubstring(
                                       "command[2]: there is no file './no_such' in "));
}

TEST_CASE("other interpreters are known too, though none of them may be installed") {
  const Agents agents;
  const auto missing = [&](const std::string& command) {
    // The folder of the interpreter is the program's own: here every name is a program.
    return agents.missing("{command: " + command + ", environment: {PATH: '{x}'}}");
  };
  for (const char* command :
       {"[java, -jar, no.jar]", "[java, -cp, no.jar, no.java]", "[node, no.js]", "[perl, no.pl]",
        "[python3.11, no.py]", "[ruby, -w, no.rb]", "[Rscript, --vanilla, no.R]", "[php, no.php]",
        "[lua5.4, no.lua]", "[julia, --project=., no.jl]", "[dotnet, no.dll]", "[mono, no.exe]"}) {
    CAPTURE(command);
    CHECK_THAT(missing(command), Catch::Matchers::ContainsSubstring("there is no file 'no."));
  }
  for (const char* command :
       {"[java, -cp, no.jar, Main]", "[java, -jar, '{x}']", "[java, Main.java]", "[node, app.js]",
        "[node, app]", "[node, -e, 'print(1)']", "[julia, --eval=1, no.jl]", "[dotnet, run]",
        "[perl, -e, 'print 1', no.pl]", "[Rscript, -e, '1', no.R]", "[perl, -S, no.pl]"}) {
    CAPTURE(command);
    CHECK(missing(command).empty());
  }
}

TEST_CASE("a command that works is never said to lack a file") {
  const Agents agents;
  for (const char* command :
       {"[sh, -c, 'echo 1', no.sh, '{x}']", "[python3, -m, http.server, no.py]", "[./play, no.py]",
        "[python3, -c, 'print(1)', no.py]", "[python3, -uc, 'print(1)', no.py]", "[sh, -s, no.sh]",
        "[python3, '{script}']", "[python3, '{x}.py']", "['./{x}']", "[python3, '{flags}', no.py]",
        "[python3, -, no.py]", "[python3, lib]", "[cat, no.py]", "[env, -C, lib, python3, no.py]",
        "[env, echo, python3, no.py]", "[env, PATH=/nowhere, no-such-program]", "[sh, +x, no.sh]",
        "[bash, --rcfile, no.sh, run.sh]", "[sh, true]"}) {
    CAPTURE(command);
    CHECK(agents.missing_word(command).empty());
  }
}

TEST_CASE("a book of openings that is not there is named with its word") {
  const Agents agents;
  const std::string gone = "command[3]: is 'file=no.epd': there is no such file, seen from ";
  CHECK_THAT(agents.missing("{command: [echo, -openings, file=no.epd, format=epd]}"),
             Catch::Matchers::StartsWith(gone));
  CHECK_THAT(agents.missing("{command: [no-such-program, -openings, file=no.epd]}"),
             Catch::Matchers::StartsWith(gone));
  CHECK_THAT(agents.missing("{match: {command: [echo, -openings, file=lib/no, '{x}']}}"),
             Catch::Matchers::StartsWith("match.command[3]: is 'file=lib/no'"));
  CHECK_THAT(agents.missing("{command: [echo, file=/no/book.pgn]}"),
             Catch::Matchers::StartsWith("command[2]: is 'file=/no/book.pgn'"));
  // There, known to a call alone, no path, or a file that is written.
  for (const char* words : {"-openings, file=./agent.py", "-openings, 'file={x}.epd'",
                            "-openings, file=book", "-pgnout, file=games.pgn"}) {
    CAPTURE(words);
    CHECK(agents.missing(fmt::format("{{command: [echo, {}]}}", words)).empty());
  }
}

TEST_CASE("files are looked for where the program would run, in every form of a command") {
  const Agents agents;
  CHECK(agents.missing("{command: [python3, agent.py], directory: lib}") ==
        "command[2]: there is no file 'agent.py'/lib, where the program runs");
  CHECK(agents.missing("{command: [python3, ../agent.py], directory: lib}").empty());
  CHECK(agents.missing("{command: [python3, no.py], directory: nowhere}").empty());
  CHECK(agents.missing("{command: [python3, no.py], protocol: worker}") == no_file(2, "no.py"));
  CHECK(agents.missing("{match: {command: [./no]}}") == "match." + no_file(1, "./no"));
  CHECK(agents.missing("{command: [no-such-program], environment: {PATH: '{x}'}}").empty());
  CHECK(agents.missing("{ask_tell: a}").empty());
  CHECK(agents.missing("hartmann6").empty());
  const auto shell = [&](const std::string& text) {
    return agents.missing("{command: '" + text + "', shell: true}");
  };
  for (const char* text : {"sh no.sh {x}", "A=1 python3 no.py {params:-s {name}={value}}",
                           "./no {x} 2>&1 | tail -1", "exec python3 -u no.py"}) {
    CAPTURE(text);
    CHECK_THAT(shell(text), Catch::Matchers::StartsWith("command: there is no file "));
  }
  for (const char* text :
       {"./no {x} || echo 0", "cd lib; ./no", "if true; then ./no; fi", "no-such-program {x}",
        "python3 $SCRIPT", "echo 1 > ./no", "make no && ./no", "python3 \"a b.py\"", "./play {x}",
        "(./no)", "sh run.sh | ./no", "./no*"}) {
    CAPTURE(text);
    CHECK(shell(text).empty());
  }
}

}  // namespace ntune
