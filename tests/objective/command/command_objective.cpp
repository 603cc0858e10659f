// Programs that are started for every evaluation.

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/clock.h"
#include "ntune/core/descriptor.h"
#include "ntune/core/error.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/instance.h"
#include "objective/command/command_make.h"
#include "support/file_size_limit.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::make_command;
using test::observe;

namespace {

/// The objective of a study file in the folder.
std::unique_ptr<Objective> make_in(const test::TemporaryFolder& folder,
                                   const std::string& objective) {
  const YamlNode root = read_yaml(folder.file("study.yaml", test::command_study(objective)));
  const YamlNode& options = *root.find("objective");
  return find_objective(options).make(options, root.find("space"));
}

int lines_in(const std::filesystem::path& path) {
  int lines = 0;
  for (const char c : test::content_of(path)) lines += c == '\n' ? 1 : 0;
  return lines;
}

}  // namespace

TEST_CASE("a command gets the parameters and gives a payoff") {
  const auto objective = make_command("{command: [echo, '{depth}']}");
  const Outcome outcome = observe(*objective);
  CHECK(outcome.failure.empty());
  CHECK(outcome.payoff == 2.0);
  CHECK(outcome.observations.empty());
  CHECK(outcome.attempts == 1);
  Rng rng(1);
  CHECK(objective->evaluate(test::depth_and_book(3, false), rng) == 3.0);
  CHECK(is_external(*objective));
  CHECK(objective->description() == "command: echo {depth}");
  CHECK(observe(*make_command("{command: [echo, '{depth}'], direction: minimise}")).payoff == -2.0);
}

TEST_CASE("the seed is a positive number of 31 bits from the stream, and the same when retried") {
  const auto objective = make_command("{command: [echo, '{seed}'], environment: {A: '{depth}'}}");
  const double first = observe(*objective, {}, 7).payoff;
  CHECK(first >= 1.0);
  CHECK(first <= 2147483647.0);
  CHECK(observe(*objective, {}, 7).payoff == first);
  CHECK(observe(*objective, {}, 8).payoff != first);
  const test::TemporaryFolder folder;
  const auto again = make_in(folder,
                             "{command: 'echo {seed} {depth} >> seeds; exit 75', shell: true, "
                             "retries: 2, backoff: 0}");
  CHECK(observe(*again).attempts == 3);
  const std::string seeds = test::content_of(folder / "seeds");
  REQUIRE(seeds.size() % 3 == 0);
  const std::string line = seeds.substr(0, seeds.size() / 3);
  CHECK(seeds == line + line + line);
}

TEST_CASE("environment variables and the folder are the study's") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "sub");
  const auto objective = make_in(
      folder,
      "command: 'pwd -P >out; echo $A $NTUNE_RUN $NTUNE_EVALUATION $NTUNE_REPEAT >>out; test "
      "$NTUNE_SEED = {seed} && echo 1'\n  shell: true\n  directory: sub\n  environment: {A: "
      "'d={depth} b={book}'}");
  CHECK(observe(*objective, {.repeat = 4, .run = 5, .evaluation = 6}).payoff == 1.0);
  CHECK(test::content_of(folder / "sub" / "out") ==
        std::filesystem::canonical(folder / "sub").string() + "\nd=2 b=true 5 6 4\n");
}

TEST_CASE("parameters come as JSON on standard input or in a file that is removed") {
  const test::TemporaryFolder folder;
  CHECK(observe(*make_in(folder, "{command: [sh, -c, 'cat > got; echo 1'], parameters: stdin}"))
            .payoff == 1.0);
  CHECK(test::content_of(folder / "got") == "{\"depth\":2,\"book\":true}\n");
  const auto file = make_in(folder,
                            "{command: [sh, -c, 'cp $1 copy; echo $1 > path; echo 2', sh, "
                            "'{params:file}'], parameters: file}");
  CHECK(observe(*file).payoff == 2.0);
  CHECK(test::content_of(folder / "copy") == "{\"depth\":2,\"book\":true}\n");
  std::string path = test::content_of(folder / "path");
  path.pop_back();
  CHECK_THAT(path, Catch::Matchers::EndsWith(".json"));
  CHECK_FALSE(std::filesystem::exists(path));
  // A program that does not read is no harm.
  CHECK(observe(*make_command("{command: [echo, 3], parameters: stdin}")).payoff == 3.0);
}

TEST_CASE("an evaluation has a scratch folder of its own, which is removed after it") {
  const test::TemporaryFolder folder;
  const auto works = make_in(folder,
                             "{command: 'echo {scratch} >> seen; : > {scratch}/{depth}; ls -A "
                             "{scratch} | wc -l', shell: true}");
  CHECK(observe(*works).payoff == 1.0);
  CHECK(observe(*works).payoff == 1.0);
  const std::string seen = test::content_of(folder / "seen");
  const std::string first = seen.substr(0, seen.find('\n'));
  const std::string second = seen.substr(first.size() + 1, first.size());
  CHECK(first != second);
  CHECK_FALSE(std::filesystem::exists(first));
  CHECK_FALSE(std::filesystem::exists(second));
}

TEST_CASE("a scratch folder is removed after a failure, whose command makes a new one") {
  const test::TemporaryFolder folder;
  const auto fails =
      make_in(folder,
              "{command: [sh, -c, 'mkdir \"$1/a\"; echo $1 > \"$1/a/b\"; echo $1 > seen; "
              "exit 9', '{depth}', '{scratch}'], environment: {X: 'a b {scratch}'}}");
  const std::string failure = observe(*fails).failure;
  const std::string path = test::content_of(folder / "seen");
  CHECK_FALSE(std::filesystem::exists(path.substr(0, path.size() - 1)));
  CHECK_THAT(failure, ContainsSubstring("&& scratch=$(mktemp -d) && "));
  CHECK_THAT(failure, ContainsSubstring("X='a b '\"$scratch\"'' sh -c"));
  CHECK_THAT(failure, Catch::Matchers::EndsWith("2 \"$scratch\""));
  // Also where temporary files are in a folder whose name has a blank.
  std::filesystem::create_directory(folder / "a b");
  const std::string command =
      "export TMPDIR='" + (folder / "a b").string() + "'; " + failure.substr(failure.find("cd "));
  CHECK(std::system(command.c_str()) == 9 << 8);
  CHECK_THAT(test::content_of(folder / "seen"),
             Catch::Matchers::StartsWith((folder / "a b").string() + "/"));
}

TEST_CASE("several results are one evaluation or one each") {
  const std::string letters = "{command: [echo, W D L W, '{depth}'], result: {regex: '(.)$'}}";
  const std::string games = "{command: [sh, -c, 'echo WDLW', '{depth}'], result: letters";
  const Outcome mean = observe(*make_command(games + "}"));
  CHECK(mean.payoff == Approx(0.25));
  CHECK(mean.observations.empty());
  const Outcome each = observe(*make_command(games + ", observations: each}"));
  CHECK(each.payoff == Approx(0.25));
  CHECK(each.observations == std::vector<double>{1, 0, -1, 1});
  const Outcome costs = observe(*make_command(
      "{command: [echo, '{{\"values\": [1, {depth}]}}'], direction: minimise, observations: "
      "each}"));
  CHECK(costs.payoff == -1.5);
  CHECK(costs.observations == std::vector<double>{-1, -2});
  CHECK(observe(*make_command(letters)).payoff == 2.0);
}

TEST_CASE("numbers are held against what the study declares") {
  const auto failure = [](const std::string& output, const std::string& more) {
    return observe(*make_command("{command: [echo, '" + output +
                                 "', '{depth}'], result: {regex: "
                                 "'^(\\S+)'}, " +
                                 more + "}"))
        .failure;
  };
  CHECK(failure("0.5", "payoffs: [0, 1]").empty());
  CHECK_THAT(failure("1.5", "payoffs: [0, 1]"),
             StartsWith("the value is 1.5, outside of payoffs: [0, 1]; exit status 0; command: "));
  CHECK_THAT(failure("0.5", "payoffs: [0, 1], two_valued: true"),
             StartsWith("the value is 0.5, neither 0 nor 1, as two_valued says"));
  const auto of = [](const std::string& objective) {
    return observe(*make_command(objective)).failure;
  };
  CHECK_THAT(of("{command: [echo, 'cost={depth}; status=SUCCESS']}"),
             StartsWith("the program reports a cost, which needs 'direction: minimise'"));
  CHECK(of("{command: [echo, 'cost={depth}; status=SUCCESS'], result: smac}").empty());
  CHECK_THAT(of("{command: [sh, -c, 'echo W', '{depth}'], direction: minimise}"),
             StartsWith("the program reports wins and losses, which need 'direction: maximise'"));
  CHECK_THAT(of("{command: [sh, -c, 'echo WL', '{depth}'], result: letters, two_valued: true}"),
             StartsWith("several results of one call need 'observations: each' with two_valued"));
}

TEST_CASE("a failure shows reason, status, command and the last lines") {
  const test::TemporaryFolder folder;
  const auto objective = make_in(folder,
                                 "command: [sh, -c, 'echo some; echo output; echo \"it broke\" "
                                 ">&2; echo \"badly\\a\" >&2; exit "
                                 "3', agent, '--depth={depth}']\n  environment: {MODE: a b}");
  const Outcome outcome = observe(*objective, {.run = 1, .evaluation = 17});
  CHECK(outcome.attempts == 1);
  Rng rng(1);
  const std::string seed = std::to_string(1 + rng.below(2147483647));
  CHECK(outcome.failure ==
        "exit status 3; command: cd " + folder.path().string() + " && NTUNE_SEED=" + seed +
            " NTUNE_RUN=1 NTUNE_EVALUATION=17 NTUNE_REPEAT=0 MODE='a b' sh -c 'echo some; echo "
            "output; echo \"it broke\" >&2; echo \"badly\\a\" >&2; exit 3' agent --depth=2; stderr "
            "ends: it broke | badly\\x07; stdout ends: some | output");
  CHECK_THROWS_AS(objective->evaluate(test::depth_and_book(1, true), rng), EvaluationError);
}

TEST_CASE("the command of a failure can be pasted into a shell") {
  const test::TemporaryFolder folder;
  for (const std::string objective :
       {"{command: [sh, -c, 'cat >got; echo $A >>got; exit 9'], parameters: stdin, environment: "
        "{A: \"it's\"}}",
        "{command: [bash, -c, 'cat \"$1\" >got; exit 9', x, '{params:file}'], parameters: file}",
        "{command: [bash, -c, 'cat \"${{1#*=}}\" >got; exit 9', x, 'a b={params:file}'], "
        "parameters: file}",
        "{command: 'echo {params:gnu} >got; exit 9', shell: true}"}) {
    CAPTURE(objective);
    const std::string failure = observe(*make_in(folder, objective)).failure;
    const std::string first = test::content_of(folder / "got");
    CHECK(first.size() > 5);
    const std::size_t begin = failure.find("command: ") + 9;
    const std::string line = failure.substr(begin, failure.find("; stderr ends") - begin);
    const std::string script = folder.file("again.sh", "rm -f got\n" + line + "\n");
    const int status = std::system(("bash " + script).c_str());
    CAPTURE(line);
    CHECK(WEXITSTATUS(status) == 9);
    CHECK(test::content_of(folder / "got") == first);
  }
}

TEST_CASE("no value is carried out by a shell, and each arrives as it is") {
  const test::TemporaryFolder folder;
  const std::vector<std::string> values = {"; touch pwned; :",
                                           "a\ntouch pwned #",
                                           "$(touch pwned)",
                                           "`touch pwned`",
                                           "'; touch pwned; '",
                                           "\"; touch pwned; \"",
                                           "*",
                                           "  a  b ",
                                           "\\",
                                           "-n",
                                           "x\\ny",
                                           "$HOME",
                                           "~"};
  std::string list;
  for (const std::string& value : values) list += (list.empty() ? "" : ", ") + Json(value).dump();
  for (const std::string command :
       {"printf %s {text} >got; echo 1", "x={text}; printf %s \"$x\" >got; echo 1 # {text}",
        "f() {{ printf %s \"$1\"; }}; f {text} >got; echo 1 # don't {text}",
        "set -- b; x=\"$(printf %s. {text})\"; printf %s \"${{x%.}}\" >got; echo 1"}) {
    CAPTURE(command);
    const YamlNode root = read_yaml(folder.file(
        "study.yaml", "objective:\n  command: " + Json(command).dump() +
                          "\n  shell: true\nspace: {text: {choices: [" + list + "]}}\n"));
    const YamlNode& options = *root.find("objective");
    const auto objective = find_objective(options).make(options, root.find("space"));
    for (std::size_t i = 0; i < values.size(); ++i) {
      Rng rng(1);
      Point point(1);
      point[0] = static_cast<std::uint16_t>(i);
      const Outcome outcome = observe(*objective, point, rng, {});
      CHECK(outcome.failure == "");
      CHECK(test::content_of(folder / "got") == values[i]);
    }
  }
  CHECK_FALSE(std::filesystem::exists(folder / "pwned"));
}

TEST_CASE("numbers reach a shell's arithmetic") {
  CHECK(observe(*make_command("{command: 'echo $(( {depth} * 10 - (1 + 2) ))', shell: true}"))
            .payoff == 17.0);
}

TEST_CASE("a pipeline whose reader leaves ends, although ntune ignores that signal") {
  const auto before = ::signal(SIGPIPE, SIG_IGN);
  const Outcome outcome = observe(
      *make_command("{command: 'while :; do echo 1; done 2>/dev/null | head -n 1 >/dev/null; echo "
                    "{depth}', shell: true, timeout: 20}"));
  ::signal(SIGPIPE, before);
  CHECK(outcome.failure == "");
  CHECK(outcome.payoff == 2.0);
}

TEST_CASE("what ends together with this process is interrupted, whoever is told first") {
  struct Case {
    std::string script;
    double seconds;  ///< after which this process is told; below 0: before the program ends
    Blame blame;
  };
  const std::vector<Case> cases = {
      {"kill -TERM $$", 0.3, Blame::kInterruption},
      {"kill -KILL $$", 0.3, Blame::kInterruption},
      {"exit 143", 0.3, Blame::kInterruption},
      {"sleep 0.3; exit 1", 0.1, Blame::kInterruption},
      {"trap 'echo 5; exit 0' TERM; sleep 0.3; kill -TERM $$", 0.1, Blame::kInterruption},
      {"kill -TERM $$", 100.0, Blame::kPoint},
      {"kill -SEGV $$", 0.5, Blame::kPoint},
      {"exit 1", 0.5, Blame::kPoint}};
  for (const Case& c : cases) {
    CAPTURE(c.script, c.seconds);
    const auto objective = make_command("{command: [sh, -c, " + Json(c.script).dump() +
                                        ", sh, '{depth}'], retries: 0}");
    std::atomic<bool> stop = false;
    std::atomic<bool> over = false;
    const std::jthread teller([&] {
      const auto begin = Clock::now();
      while (!over && seconds_since(begin) < c.seconds) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      stop = true;
    });
    const Outcome outcome = observe(*objective, {.stop = &stop});
    over = true;
    CHECK_FALSE(outcome.failure.empty());
    CHECK(outcome.blame == c.blame);
  }
}

TEST_CASE("what is short on this machine is waited for, and is no fault of the point", "[slow]") {
  const auto objective = make_command("{command: [echo, '{depth}'], retries: 0}");
  CHECK(observe(*objective).payoff == 2.0);
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const Descriptor next(::dup(STDIN_FILENO));
  const rlimit few{.rlim_cur = static_cast<rlim_t>(next.get()) + 2, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &few);
  {
    const std::jthread reliever([&] {
      std::this_thread::sleep_for(std::chrono::seconds(1));
      ::setrlimit(RLIMIT_NOFILE, &before);
    });
    const Outcome late = observe(*objective);
    CHECK((late.failure == "" && late.payoff == 2.0 && late.attempts == 1));
  }
  ::setrlimit(RLIMIT_NOFILE, &few);
  const Outcome never = observe(*objective);
  ::setrlimit(RLIMIT_NOFILE, &before);
  CHECK(never.blame == Blame::kMachine);
  CHECK_THAT(never.failure, ContainsSubstring("Too many open files; tried for 10 s"));
}

TEST_CASE("output that is no result fails with its text") {
  const Outcome outcome = observe(*make_command("{command: [echo, 'depth: {depth}']}"));
  CHECK_THAT(outcome.failure, StartsWith("the output has no result, a last line with a JSON"));
  CHECK_THAT(outcome.failure, ContainsSubstring("its last line is 'depth: 2'; exit status 0; "));
  CHECK(outcome.failure.find('\n') == std::string::npos);
  const std::string killed =
      observe(*make_command("{command: [sh, -c, 'kill -9 $$', '{depth}']}")).failure;
  CHECK_THAT(killed, StartsWith("signal 9 (Killed); command: "));
  const std::string absent =
      observe(*make_command("{command: [no-such-program, '{depth}']}")).failure;
  CHECK_THAT(absent, StartsWith("cannot start 'no-such-program': there is no such program on the "
                                "PATH; command: cd "));
}

TEST_CASE("exit status 75 is retried with a doubled wait, others are not") {
  const test::TemporaryFolder folder;
  const auto begin = Clock::now();
  const Outcome outcome = observe(*make_in(
      folder, "{command: [sh, -c, 'echo >>calls; exit 75', '{depth}'], retries: 2, backoff: 0.1}"));
  CHECK(outcome.attempts == 3);
  CHECK(lines_in(folder / "calls") == 3);
  CHECK(seconds_since(begin) >= 0.3);
  CHECK_THAT(outcome.failure, StartsWith("exit status 75; 3 attempts; command: "));
  const Outcome late = observe(
      *make_in(folder,
               "{command: [sh, -c, 'test -e late && echo 4; touch late; exit 75', '{depth}'], "
               "backoff: 0, result: number}"));
  CHECK(late.attempts == 3);
  const Outcome mended =
      observe(*make_in(folder,
                       "{command: [sh, -c, 'test -e now && echo 4 || {{ touch now; exit 75; }}', "
                       "'{depth}'], backoff: 0}"));
  CHECK((mended.payoff == 4.0 && mended.attempts == 2 && mended.failure.empty()));
  CHECK(observe(*make_command("{command: ['false', '{depth}'], backoff: 0}")).attempts == 1);
  CHECK(observe(*make_command("{command: [echo, '{{\"error\": \"x {depth}\", \"retry\": true}}'], "
                              "backoff: 0, retries: 4}"))
            .attempts == 5);
}

TEST_CASE("a timeout is not retried unless the study says so") {
  const Outcome outcome =
      observe(*make_command("{command: [sleep, 1000, '{depth}'], timeout: 200 ms, retries: 5}"));
  CHECK(outcome.attempts == 1);
  CHECK_THAT(outcome.failure, StartsWith("no result within 0.2 s, killed; command: "));
}

TEST_CASE("a timeout kills what the program has started, and is retried where that is asked for") {
  const test::TemporaryFolder folder;
  const Outcome outcome = observe(
      *make_in(folder,
               "{command: [sh, -c, 'sleep 1000 & echo $! >>children; wait', '{depth}'], timeout: "
               "0.7, timeout_retries: 1, backoff: 0}"));
  CHECK(outcome.attempts == 2);
  CHECK_THAT(outcome.failure, StartsWith("no result within 0.7 s, killed; 2 attempts; command: "));
  REQUIRE(lines_in(folder / "children") == 2);
  const std::string children = test::content_of(folder / "children");
  const pid_t child = std::stoi(children);
  bool gone = false;
  for (int i = 0; i < 500 && !gone; ++i) {
    gone = test::content_of("/proc/" + std::to_string(child) + "/cmdline").empty();
    if (!gone) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  CHECK(gone);
}

TEST_CASE("limits on output and memory") {
  CHECK_THAT(observe(*make_command("{command: ['yes', '{depth}'], max_output: 5000}")).failure,
             StartsWith("more than 5000 bytes of output, killed; command: "));
  const std::string memory =
      observe(*make_command("{command: [/usr/bin/python3, -c, 'x = bytearray(400_000_000)', "
                            "'{depth}'], memory: 300}"))
          .failure;
  CHECK_THAT(memory, StartsWith("exit status 1 (with memory: 300); command: "));
  CHECK_THAT(memory, ContainsSubstring("MemoryError"));
}

TEST_CASE("the stop switch ends an evaluation and the wait for the next attempt") {
  std::atomic<bool> stop = false;
  const auto begin = Clock::now();
  const std::jthread thread([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    stop = true;
  });
  const auto slow = make_command("{command: [sleep, 1000, '{depth}']}");
  CHECK_THAT(observe(*slow, {.stop = &stop}).failure, StartsWith("stopped; command: "));
  CHECK(seconds_since(begin) < 5.0);
  const Outcome outcome = observe(*slow, {.stop = &stop});
  CHECK_THAT(outcome.failure, StartsWith("stopped"));
  stop = false;
  const std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    stop = true;
  });
  const auto waiting =
      make_command("{command: [sh, -c, 'exit 75', '{depth}'], backoff: 1000, retries: 9}");
  CHECK(observe(*waiting, {.stop = &stop}).attempts == 1);
  CHECK(seconds_since(begin) < 10.0);
}

TEST_CASE("many threads evaluate at once") {
  const auto objective = make_command("{command: [echo, '{seed}'], environment: {A: '{depth}'}}");
  std::atomic<int> right = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 6; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 20; ++i) {
          const auto seed = static_cast<std::uint64_t>(100 * t + i);
          Rng rng(seed);
          const double expected = 1.0 + rng.below(2147483647);
          right += observe(*objective, {}, seed).payoff == expected ? 1 : 0;
        }
      });
    }
  }
  CHECK(right == 120);
}

TEST_CASE("a parameter that decides on others is of use to a program that gets these") {
  const auto unused = [](const std::string& command) {
    return test::make("objective: {command: " + command +
                      "}\nspace: {g: [off, on], alpha: {choices: [1, 2], when: {g: [on]}}, "
                      "beta: {choices: [1, 2], when: {alpha: [2]}}}\n")
        ->outside_program()
        ->unused_parameters();
  };
  CHECK(unused("[echo, '{beta}']").empty());
  CHECK(unused("[echo, '{alpha}']") == std::vector<std::string>{"beta"});
  CHECK(unused("[echo, '{g}']") == std::vector<std::string>{"alpha", "beta"});
}

TEST_CASE("a rehearsal tells what was sent and understood") {
  Rng rng(1);
  const Point point = test::depth_and_book(2, true);
  const std::string text =
      rehearse(
          *make_command("{command: [sh, -c, 'echo hm >&2; echo WLW', '{depth}'], result: letters}"),
          point, rng)
          .text;
  CAPTURE(text);
  CHECK_THAT(text, StartsWith("point       depth = 2, book = true\ncommand     cd "));
  CHECK_THAT(text, ContainsSubstring("sh -c 'echo hm >&2; echo WLW' 2\nnot passed  book\n"
                                     "stdout      WLW\nstderr      hm\ntook        0."));
  CHECK_THAT(text,
             ContainsSubstring(" s, exit status 0\nunderstood  letters (+2 -1 =0): 1, 0, 1\n"));
  CHECK_THAT(text, Catch::Matchers::EndsWith("value       0.6666666666666666\n"));
  // A match goes on without an option that the engine does not have: its warning is not overlooked.
  const std::string warned =
      rehearse(*make_command(
                   "{command: [sh, -c, 'for i in 1 2; do echo \"Warning; no option Hsah\"; done; "
                   "seq 9; echo W', '{depth}'], result: letters}"),
               point, rng)
          .text;
  CHECK_THAT(warned, ContainsSubstring("\nwarning     Warning; no option Hsah\ntook "));
  const Rehearsal failed = rehearse(
      *make_command("{command: ['false', '{params:file}'], parameters: file}"), point, rng);
  CAPTURE(failed.text);
  CHECK_THAT(failed.failure, StartsWith("exit status 1; command: cd "));
  CHECK((failed.kind == Rehearsal::Kind::kEvaluated && failed.seconds > 0.0));
  CHECK_THAT(failed.text, ContainsSubstring("false <(echo '{\"depth\":2,\"book\":true}')\n"));
  CHECK_THAT(failed.text,
             Catch::Matchers::EndsWith(", exit status 1\nfailed      exit status 1\n"));
  const Rehearsal missing =
      rehearse(*make_command("{command: [no-such-agent, '{depth}']}"), point, rng);
  CHECK(missing.kind == Rehearsal::Kind::kNotStarted);
  CHECK_THAT(missing.failure, ContainsSubstring("cannot start 'no-such-agent'"));
}

TEST_CASE("a rehearsal says which of several numbers it has taken") {
  Rng rng(1);
  const auto text = [&](const std::string& program) {
    return rehearse(*make_command("{command: [sh, -c, '" + program + "', '{depth}']}"),
                    test::depth_and_book(1, false), rng)
        .text;
  };
  CHECK_THAT(
      text("echo 0.3; echo 0.7"),
      ContainsSubstring("value       0.7\nnote        another line ends also with a number"));
  CHECK_THAT(text("echo 0.3 0.7"),
             ContainsSubstring("value       0.3\nnote        the last line has two numbers"));
  CHECK_THAT(text("echo 0.7"), !ContainsSubstring("note "));
}

TEST_CASE("a command like a target runner of irace says that larger results win") {
  const auto doubt = [](const std::string& options) {
    const auto objective =
        test::make("objective: {command: " + options + "}\nspace: {a: [1, 2]}\n");
    return objective->outside_program()->doubt();
  };
  CHECK_THAT(doubt("[./runner, '1', '1', '{seed}', '{instance}', '{params:gnu}']"),
             ContainsSubstring("direction: minimise"));
  CHECK_THAT(doubt("'./runner --a={a} {evaluation} {instance} {seed}', shell: true"),
             ContainsSubstring("irace's target runners"));
  CHECK_THAT(doubt("[./runner, '1', '1', '{seed}', '{instance}', '{a}'], result: number"),
             ContainsSubstring("larger results win"));
  for (const char* said :
       {"[./runner, '1', '1', '{seed}', '{instance}', '{a}'], direction: minimise",
        "[./runner, '1', '1', '{seed}', '{instance}', '{a}'], direction: maximise",
        "[./runner, '1', '1', '{seed}', '{instance}', '{a}'], result: {cost: number}",
        "[./runner, '1', '1', '{seed}', '{instance}', '{a}'], result: letters",
        "[./solve, '{instance}', '{seed}', '{a}']", "[./solve, '{a}', '1', '{seed}']"}) {
    CAPTURE(said);
    CHECK(doubt(said).empty());
  }
}

TEST_CASE("a file of parameters that does not fit is told by its reason") {
  const auto objective = make_command("{command: [cat, '{params:file}'], parameters: file}");
  Outcome outcome;
  {
    const test::FileSizeLimit limit(10);  // less than {"depth":2,"book":true}
    outcome = observe(*objective);
  }
  CHECK_THAT(outcome.failure,
             StartsWith("cannot write ") && ContainsSubstring(".json: File too large; command: "));
}

TEST_CASE("a command that names the opponent plays matches") {
  const std::string start =
      "objective:\n  {command: [echo, '{depth} {opponent.depth} W{opponent.params:json}'], "
      "result: {regex: '(.*)'}}\n";
  const std::string space = "space: {depth: {choices: [1, 2, 3], default: 2}}\n";
  const auto objective = test::make(
      "objective: {command: [sh, -c, 'test $1 -gt $2 && echo WD || echo WL', sh, '{depth}', "
      "'{opponent.depth}'], result: letters}\n" +
      space);
  REQUIRE(objective->matches() != nullptr);
  CHECK(objective->payoffs().games);
  const auto depth = [](std::uint16_t value) {
    Point point(1);
    point[0] = static_cast<std::uint16_t>(value - 1);
    return point;
  };
  Rng rng(1);
  // An evaluation is a match against the default.
  CHECK(observe(*objective, depth(3), rng, {}).games == pair_of_games(1.0, 0.5));
  CHECK(observe(*objective, depth(1), rng, {}).games == pair_of_games(1.0, 0.0));
  // The default is level with itself, and no game says so.
  const Outcome level = observe(*objective, depth(2), rng, {});
  CHECK(level.games.empty());
  CHECK(objective->unit().value_of(level.payoff) == 0.5);
  const Outcome match = objective->matches()->play(depth(2), depth(1), rng, {});
  CHECK(match.failure.empty());
  CHECK(match.games == pair_of_games(1.0, 0.5));
  CHECK_THAT(objective->outside_program()->rehearse(depth(3), rng, {}).text,
             ContainsSubstring("letters (+1 -0 =1), pairs of 0 to 2 points 0 0 0 1 0") &&
                 !ContainsSubstring("warning"));
  // Who begins all games, or more of them, looks stronger than it is.
  const auto single = test::make(
      "objective: {command: [sh, -c, 'echo WDL', '{depth}', '{opponent.depth}'], result: "
      "letters}\n" +
      space);
  CHECK_THAT(single->outside_program()->rehearse(depth(3), rng, {}).text,
             ContainsSubstring("warning     an odd number of games: beginning counts"));
  CHECK(make_command("{command: [echo, '{depth}']}")->matches() == nullptr);
  CHECK_THAT(test::input_error([&] { test::make(start + "space: {depth: [1, 2, 3]}\n"); }),
             ContainsSubstring("objective.command: names the opponent, who has the default values; "
                               "depth: has no default"));
}

TEST_CASE("a command gets its instance in the template and in the environment") {
  const auto objective = make_command(
      "{command: [sh, -c, 'test \"$NTUNE_INSTANCE\" = \"$1\" && echo $2', sh, "
      "'{instance}', '{instance.size}{depth}']}");
  const Instance lake{.name = "lake", .values = {{"map", "lake"}, {"size", std::int64_t{7}}}};
  const Outcome outcome = observe(*objective, {.instance = &lake});
  CHECK(outcome.failure.empty());
  CHECK(outcome.payoff == 72.0);
  const YamlNode options = parse_yaml("{command: [a, b, c, d, e, f]}");
  const auto refusal = [&](const std::vector<Instance>& instances) {
    return test::input_error(
        [&] { objective->outside_program()->check_instances(instances, options); });
  };
  CHECK(refusal({lake}) == "no error");
  CHECK_THAT(refusal({}), ContainsSubstring("has {instance}, but the study has no 'instances:'"));
  CHECK_THAT(refusal({lake, {.name = "7", .value = std::int64_t{7}}}),
             ContainsSubstring("command[6]: has {instance.size}, which the instance '7' does not "
                               "have; it has no named values"));
}

}  // namespace ntune
