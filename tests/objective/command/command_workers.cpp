// Workers: programs that stay and answer requests in JSON lines.

#include <signal.h>
#include <stdlib.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/core/clock.h"
#include "ntune/core/process.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/instance.h"
#include "objective/command/command_make.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::observe;

namespace {

/// A worker in Python: `body` sees `request`, the number `n` of requests before, and answer(…).
class Script {
 public:
  explicit Script(const std::string& body) {
    std::string text =
        "import json, os, sys, time\n"
        "open('starts', 'a').write(f'{os.getpid()}\\n')\n"
        "def say(text):\n"
        "    print(text, flush=True)\n"
        "def answer(value, **more):\n"
        "    say(json.dumps({'id': request['id'], 'value': value, **more}))\n"
        "for n, line in enumerate(sys.stdin):\n"
        "    request = json.loads(line)\n"
        "    p = request['params']\n";
    text += "    " + body + "\n";
    text += "open('ends', 'a').write('end\\n')\n";
    path_ = folder_.file("worker.py", text);
  }

  [[nodiscard]] std::unique_ptr<Objective> make(const std::string& more = "retries: 0") const {
    const YamlNode root = parse_yaml(
        test::command_study("{command: [/usr/bin/python3, -S, worker.py], protocol: worker, " +
                            more + "}"),
        (folder_ / "study.yaml").string());
    const YamlNode& options = *root.find("objective");
    return find_objective(options).make(options, root.find("space"));
  }
  /// Lines of a file that the workers write.
  [[nodiscard]] int count(const std::string& name) const {
    int lines = 0;
    for (const char c : test::content_of(folder_ / name)) lines += c == '\n' ? 1 : 0;
    return lines;
  }
  [[nodiscard]] const test::TemporaryFolder& folder() const { return folder_; }

 private:
  test::TemporaryFolder folder_;
  std::string path_;
};

}  // namespace

TEST_CASE("a worker starts once, answers all requests and ends with its input") {
  const Script script("answer(10 * p['depth'] + p['book'])");
  {
    const auto objective = script.make();
    for (int i = 0; i < 50; ++i) {
      Rng rng(1);
      const int depth = 1 + i % 3;
      const Outcome outcome =
          observe(*objective, test::depth_and_book(depth, i % 2 == 0), rng, {.evaluation = i});
      REQUIRE(outcome.failure.empty());
      REQUIRE(outcome.payoff == 10 * depth + (i % 2 == 0 ? 1 : 0));
    }
    CHECK(script.count("ends") == 0);
    CHECK_THAT(objective->description(), StartsWith("worker: /usr/bin/python3 -S worker.py"));
  }
  CHECK(script.count("starts") == 1);
  CHECK(script.count("ends") == 1);
}

TEST_CASE("a request holds everything about the evaluation") {
  const Script script("say(json.dumps({'id': request['id'], 'error': line.strip()}))");
  const std::string failure =
      observe(*script.make(), {.repeat = 3, .run = 4, .evaluation = 5}).failure;
  Rng rng(1);
  const std::string request =
      fmt::format(R"({{"id":0,"run":4,"evaluation":5,"repeat":3,"seed":{},"params":)"
                  R"({{"depth":2,"book":true}}}})",
                  1 + rng.below(2147483647));
  CAPTURE(failure);
  CHECK_THAT(failure, StartsWith("the program reports the error '" + request));
  CHECK_THAT(failure, ContainsSubstring("; command: cd " + script.folder().path().string() +
                                        " && /usr/bin/python3 -S worker.py <<< '" + request + "'"));
}

TEST_CASE("banners and empty lines are ignored, several values are taken") {
  const Script good(
      "say('hello\\n\\n[1]'); say(json.dumps(dict(id=request['id'], values=[1, 0])))");
  const Outcome outcome = observe(*good.make("observations: each"));
  CHECK(outcome.failure.empty());
  CHECK(outcome.observations == std::vector<double>{1, 0});
}

TEST_CASE("an error that a worker reports is a failure, and the worker stays") {
  const Script script(
      "say(json.dumps({'id': request['id'], 'error': 'no', 'retry': n == 0})) if n < 2 else "
      "answer(n)");
  const auto objective = script.make("retries: 5, backoff: 0");
  const Outcome outcome = observe(*objective);
  CHECK(outcome.attempts == 2);
  CHECK_THAT(outcome.failure, StartsWith("the program reports the error 'no'; 2 attempts; "));
  CHECK(observe(*objective).payoff == 2.0);
  CHECK(script.count("starts") == 1);
}

TEST_CASE("a worker that misbehaves is replaced") {
  struct Case {
    std::string body;
    std::string failure;
  };
  const std::vector<Case> cases = {
      {"sys.stderr.write('oh\\n'), os.kill(os.getpid(), 11)",
       "the worker ended before it had answered; signal 11 (Segmentation fault); command: "},
      {"sys.exit('bad luck')", "the worker ended before it had answered; exit status 1; command: "},
      {"say('{\"id\": 0, \"value\": }')",
       "the answer is not valid JSON: '{\"id\": 0, \"value\": }'"},
      {"say('{\"id\": ' + '[' * 9000 + ']' * 9000 + '}')",
       "the answer is JSON that nests deeper than 64 levels: '"},
      {"say('{\"value\": NaN}')", "the answer has not the request's id 0: '{\"value\": NaN}'"},
      {"say('{\"id\": 77, \"value\": 1}')",
       "the answer has not the request's id 0: '{\"id\": 77, \"value\": 1}'"},
      {"say('{\"value\": 1}')", "the answer has not the request's id 0: '{\"value\": 1}'"},
      {"say('x' * 50000)", "more than 20000 bytes of output, killed"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.body);
    const Script script("(answer(5) if os.path.exists('bad') else (open('bad', 'w'), " + c.body +
                        "))");
    const auto objective = script.make("retries: 0, max_output: 20000");
    CHECK_THAT(observe(*objective).failure, StartsWith(c.failure));
    CHECK(observe(*objective).payoff == 5.0);
    CHECK(script.count("starts") == 2);
  }
}

TEST_CASE(
    "a worker's own lines with braces are passed over, and its answer may take several lines") {
  const Script chatty(
      "(say(\"{'loss': 0.5}\"), say('{a=1}'), say('{ \"open'), say('{\"loss\": 2}'), "
      "say('\\x1b[32m{\\n\"id\": ' + str(request['id']) + ',\\n\"value\": 4\\n}\\x1b[0m'))");
  const auto objective = chatty.make("retries: 0, timeout: 20");
  CHECK(observe(*objective).payoff == 4.0);
  CHECK(observe(*objective).payoff == 4.0);
  CHECK(chatty.count("starts") == 1);
  const Script silent("say('{\"value\": ')");
  CHECK_THAT(
      observe(*silent.make("retries: 0, timeout: 1")).failure,
      StartsWith("no result within 1 s, killed; a line that begins with a brace is no answer: "
                 "'{\"value\":'"));
}

TEST_CASE("a number that is none is a failure, whoever reports it") {
  const Script script("say('{\"id\": ' + str(request['id']) + ', \"value\": NaN}')");
  const auto objective = script.make("retries: 0");
  CHECK_THAT(observe(*objective).failure, StartsWith("'value' must be a number: NaN"));
  CHECK_THAT(observe(*objective).failure, StartsWith("'value' must be a number: NaN"));
  CHECK(script.count("starts") == 1);
}

TEST_CASE("failures of workers that are worth it are retried") {
  const Script temporary(
      "(answer(5) if os.path.exists('bad') else (open('bad', 'w'), "
      "os._exit(75)))");
  const Outcome mended = observe(*temporary.make("backoff: 0"));
  CHECK((mended.payoff == 5.0 && mended.attempts == 2));
  const Script late(
      "(answer(6) if os.path.exists('bad') else (open('bad', 'w'), "
      "time.sleep(1000)))");
  const auto patient = late.make("backoff: 0, timeout: 2, timeout_retries: 1");
  const Outcome in_time = observe(*patient);
  CHECK((in_time.payoff == 6.0 && in_time.attempts == 2));
  const Script broken("sys.exit(1)");
  CHECK(observe(*broken.make("backoff: 0")).attempts == 1);
  CHECK(broken.count("starts") == 1);
}

TEST_CASE("the last error output of a worker is shown") {
  const Script script("(sys.stderr.write('x\\n' * 100000 + 'why\\n'), sys.exit(4))");
  CHECK_THAT(observe(*script.make()).failure,
             ContainsSubstring("stderr ends: … | x | x | x | x | why"));
}

TEST_CASE("a worker that ends between two requests is no failure") {
  const Script script("answer(n); (sys.exit(0) if n == 1 else None)");
  const auto objective = script.make();
  for (int i = 0; i < 6; ++i) {
    CHECK(observe(*objective).payoff == i % 2);
    if (i % 2 == 0) continue;
    // Until it has gone; in the middle of its exit a request would be lost.
    for (int wait = 0; wait < 500; ++wait) {
      const std::string starts = test::content_of(script.folder() / "starts");
      const std::string last = starts.substr(starts.rfind('\n', starts.size() - 2) + 1);
      const std::string state = test::content_of(fmt::format("/proc/{}/stat", std::stoi(last)));
      if (state.empty() || state.find(") Z ") != std::string::npos) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  CHECK(script.count("starts") == 3);
}

TEST_CASE("a worker that ends once it has answered costs no evaluation") {
  // The request may come before its end, at it or behind it.
  const Script script(
      "answer(n); sys.stdout.close(); time.sleep(0.002 * (request['id'] % 5)); os._exit(0)");
  const auto objective = script.make();
  for (int i = 0; i < 30; ++i) {
    const Outcome outcome = observe(*objective);
    REQUIRE(outcome.failure == "");
    REQUIRE(outcome.payoff == 0.0);
  }
  CHECK(script.count("starts") == 30);
}

TEST_CASE("a worker that ends together with this process is interrupted") {
  const Script script("os.kill(os.getpid(), 15)");
  std::atomic<bool> stop = false;
  const std::jthread teller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    stop = true;
  });
  CHECK(observe(*script.make(), {.stop = &stop}).blame == Blame::kInterruption);
}

TEST_CASE("the stop switch ends a request") {
  const Script script("time.sleep(1000)");
  const auto objective = script.make();
  std::atomic<bool> stop = false;
  const auto begin = Clock::now();
  const std::jthread thread([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop = true;
  });
  CHECK_THAT(observe(*objective, {.stop = &stop}).failure, StartsWith("stopped"));
  CHECK(Clock::now() - begin < std::chrono::seconds(5));
}

TEST_CASE("a worker that does not end with its input is killed") {
  const Script script("answer(1); sys.stdin.close(); time.sleep(1000)");
  const auto begin = Clock::now();
  CHECK(observe(*script.make()).payoff == 1.0);
  CHECK(Clock::now() - begin < std::chrono::seconds(20));
  const pid_t worker = std::stoi(test::content_of(script.folder() / "starts"));
  CHECK(test::content_of(fmt::format("/proc/{}/cmdline", worker)).empty());
}

TEST_CASE("many threads share as many workers as they need") {
  const Script script("answer(request['seed'])");
  {
    const auto objective = script.make();
    std::atomic<int> right = 0;
    {
      std::vector<std::jthread> threads;
      for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
          for (int i = 0; i < 100; ++i) {
            const auto seed = static_cast<std::uint64_t>(1000 * t + i);
            Rng rng(seed);
            const double expected = 1.0 + rng.below(2147483647);
            right += observe(*objective, {}, seed).payoff == expected ? 1 : 0;
          }
        });
      }
    }
    CHECK(right == 400);
  }
  CHECK(script.count("starts") >= 1);
  CHECK(script.count("starts") <= 4);
  // Each was closed in order: none holds the input of another open.
  CHECK(script.count("ends") == script.count("starts"));
}

TEST_CASE("a worker is rehearsed like a command") {
  const Script script("sys.stderr.write('loaded\\n'); answer(p['depth'])");
  Rng rng(1);
  const std::string text = rehearse(*script.make(), test::depth_and_book(2, true), rng).text;
  CAPTURE(text);
  CHECK_THAT(text, ContainsSubstring("command     cd "));
  CHECK_THAT(text, ContainsSubstring("worker.py <<< '{\"id\":0,"));
  CHECK_THAT(text, ContainsSubstring("stdout      {\"id\": 0, \"value\": 2}\n"));
  CHECK_THAT(text, ContainsSubstring("understood  a JSON object: 2\nvalue       2\n"));
}

namespace {

/// Plays games with an example worker, which a study starts by this command.
void play_with_example(const std::string& command) {
  CAPTURE(command);
  const auto objective = test::make_command("{command: [" + command +
                                            "], protocol: worker, payoffs: [0, 1], two_valued: "
                                            "true, retries: 0}");
  constexpr int kGames = 2000;
  double wins = 0.0;
  for (int i = 0; i < kGames; ++i) {
    const Outcome outcome = observe(*objective, {}, static_cast<std::uint64_t>(i));
    CAPTURE(outcome.failure);
    REQUIRE(outcome.failure.empty());
    wins += outcome.payoff;
  }
  // Depth 2 with book: 0.45 + 0.1 - 0.024; six standard errors are 0.067.
  CHECK(wins / kGames == Approx(0.526).margin(0.067));
  // Against level 20 nobody wins.
  const Instance hard{.name = "20", .value = std::int64_t{20}};
  EvaluationId id;
  id.instance = &hard;
  for (int i = 0; i < 20; ++i) {
    Rng rng(static_cast<std::uint64_t>(i));
    const Outcome lost =
        objective->outside_program()->observe(Point(objective->space().dimensions()), rng, id);
    CHECK(lost.failure.empty());
    CHECK(lost.payoff == 0.0);
  }
  const auto broken =
      test::make("objective: {command: [" + command + "], protocol: worker}\nspace: {x: [1, 2]}");
  Rng rng(1);
  CHECK_THAT(observe(*broken, Point(1), rng, {}).failure,
             StartsWith("the program reports the error '"));
}

const std::string kExamples = std::string(NTUNE_SOURCE_DIR) + "/apps/examples/";

}  // namespace

TEST_CASE("the example worker in Python agrees with its own odds") {
  play_with_example("/usr/bin/python3, " + kExamples + "worker.py");
}

TEST_CASE("the example worker in Java agrees with its own odds") {
  const test::TemporaryFolder folder;
  const Program javac{.arguments = {"javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC",
                                    "-d", folder.path().string(), kExamples + "Worker.java"}};
  ProcessResult compiled;
  try {
    compiled = run_program(javac, "", {});
  } catch (const ProcessError& error) {
    WARN("skipped: " << error.what() << " (Debian: default-jdk-headless)");
    return;
  }
  CAPTURE(compiled.err);
  REQUIRE(compiled.status.code == 0);
  play_with_example("java, -Xmx64m, -cp, " + folder.path().string() + ", Worker");
}

}  // namespace ntune
