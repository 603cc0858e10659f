// `ntune serve --listen` and `ntune work`: processes of this machine that come, go and are killed.

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "apps/process.h"
#include "catch.h"
#include "ntune/core/json.h"
#include "ntune/core/rng.h"

namespace ntune {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using test::content_of;

namespace {

/// Its calls take 20 ms and pay what follows from their seed.
constexpr const char* kFleetStudy =
    "objective:\n  command: [sh, -c, 'sleep 0.02; {}echo $(($1 * 3 + $2 % 7))', x, '{{x}}', "
    "'{{seed}}']\n"
    "space: {{x: {{integers: [0, 7]}}}}\nruns: 2\niterations: 40\nhold_out: 40\n"
    "parallel_evaluations: 4\nthreads: 4\n{}\n";

std::string fleet_study(const char* script = "", const char* keys = "") {
  return fmt::format(fmt::runtime(kFleetStudy), script, keys);
}

/// A study, its token file, and the command lines for both sides.
class FleetFolder {
 public:
  explicit FleetFolder(const std::string& yaml) : study(folder.file("study.yaml", yaml)) {}

  [[nodiscard]] std::unique_ptr<test::Process> serve(const std::vector<std::string>& more = {},
                                                     const std::string& address = "127.0.0.1:0") {
    std::vector<std::string> words = {"serve", study, "--listen", address,   "--token", token,
                                      "--out", out,   "--resume", "--lease", "1"};
    words.insert(words.end(), more.begin(), more.end());
    auto server = std::make_unique<test::Process>(words);
    for (int i = 0; i < 2000 && server->err().find(" until the study") == std::string::npos; ++i) {
      std::this_thread::sleep_for(5ms);
    }
    const std::string told = server->err();
    const std::size_t at = told.find("http");
    url = at == std::string::npos ? "" : told.substr(at, told.find(' ', at) - at);
    return server;
  }
  [[nodiscard]] std::unique_ptr<test::Process> work(const std::string& name, int jobs = 2,
                                                    const std::string& copy = "") const {
    return std::make_unique<test::Process>(std::vector<std::string>{
        "work", url, "--token", token, "--study", copy.empty() ? study : copy, "-j",
        std::to_string(jobs), "--name", name, "--patience", "3"});
  }
  /// What a worker with these arguments says.
  [[nodiscard]] test::CommandOutcome work_in_vain(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"work", url};
    words.insert(words.end(), more.begin(), more.end());
    return test::command(words);
  }
  [[nodiscard]] std::string results(const std::string& name) const {
    return content_of(folder / name / "result.json") + content_of(folder / name / "runs.csv");
  }
  /// What one machine finds.
  [[nodiscard]] std::string expected() const {
    REQUIRE(test::command({"run", study, "--quiet", "--out", (folder / "alone").string()}).code ==
            0);
    return results("alone");
  }
  [[nodiscard]] std::size_t lines() const {
    const std::string text = content_of(fs::path(out) / "journal.log");
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
  }
  void wait_for_lines(std::size_t count) const {
    for (int i = 0; i < 4000 && lines() < count; ++i) std::this_thread::sleep_for(5ms);
    REQUIRE(lines() >= count);
  }

  test::TemporaryFolder folder;
  std::string study;
  std::string token = (folder / "token").string();
  std::string out = (folder / "served").string();
  std::string url;
};

}  // namespace

TEST_CASE("three workers, one of which is killed, find what one machine finds") {
  FleetFolder fleet(fleet_study());
  const auto server = fleet.serve();
  const auto anna = fleet.work("anna");
  const auto ben = fleet.work("ben");
  const auto carl = fleet.work("carl");
  fleet.wait_for_lines(40);
  carl->signal(SIGKILL);
  CHECK(server->wait(60s) == 0);
  CHECK(anna->wait(10s) == 0);
  CHECK(ben->wait(10s) == 0);
  CHECK_THAT(anna->err(), ContainsSubstring("anna works for " + fleet.url));
  CHECK_THAT(server->err(), ContainsSubstring("worker carl has been silent for"));
  CHECK(fleet.results("served") == fleet.expected());
  const Json status = parse_json(test::command({"status", fleet.out, "--format", "json"}).out);
  REQUIRE(status.at("workers").size() == 3);
  CHECK(status["workers"][0]["calls"].get<int>() > 10);
  CHECK_THAT(test::command({"status", fleet.out}).out, ContainsSubstring("  anna: gone, "));
  // Who is refused the folder leaves it as it is.
  const std::string workers = content_of(fs::path(fleet.out) / "workers.json");
  const auto refused = test::command({"serve", fleet.study, "--listen", "127.0.0.1:0", "--token",
                                      fleet.token, "--out", fleet.out});
  CHECK(refused.code == 2);
  CHECK(content_of(fs::path(fleet.out) / "workers.json") == workers);
}

TEST_CASE("a server that ends and begins again finds what one machine finds") {
  FleetFolder fleet(fleet_study());
  std::string address;
  for (const int signal : {SIGTERM, SIGKILL}) {
    CAPTURE(signal);
    auto server = fleet.serve({}, address.empty() ? "127.0.0.1:0" : address);
    address = fleet.url.substr(fleet.url.find("//") + 2);
    const auto anna = fleet.work("anna");
    fleet.wait_for_lines(fleet.lines() + 10);
    server->signal(signal);
    const int code = server->wait(10s);
    if (signal == SIGTERM) {
      CHECK(code == 130);
      CHECK_THAT(server->err(), ContainsSubstring("To go on: ntune serve "));
      CHECK_THAT(server->err(), ContainsSubstring(" --listen " + address + " --token "));
    }
    // The worker tries again, and goes on with what is started anew.
    server = fleet.serve({}, address);
    fleet.wait_for_lines(fleet.lines() + 10);
    anna->signal(SIGINT);
    CHECK(anna->wait(5s) == 130);
    CHECK_THAT(anna->err(), ContainsSubstring(" too late"));
  }
  const auto server = fleet.serve({}, address);
  const auto ben = fleet.work("ben");
  CHECK(server->wait(60s) == 0);
  CHECK(ben->wait(10s) == 0);
  CHECK(fleet.results("served") == fleet.expected());
}

TEST_CASE("a worker whose server is gone ends with one line") {
  FleetFolder fleet(fleet_study());
  const auto server = fleet.serve();
  const auto anna = fleet.work("anna");
  fleet.wait_for_lines(5);
  server->signal(SIGKILL);
  server->wait(5s);
  CHECK(anna->wait(20s) == 3);
  CHECK_THAT(anna->err(), ContainsSubstring(fleet.url + ": the server has not answered for 3 s\n"));
}

TEST_CASE("a program that fails on one machine alone costs that machine its place") {
  FleetFolder fleet(fleet_study("test -z \"$BROKEN\" || exit 5; ", "fail: skip"));
  const auto server = fleet.serve();
  const auto ben = fleet.work("ben");
  fleet.wait_for_lines(5);
  ::setenv("BROKEN", "1", 1);
  const auto anna = fleet.work("anna");
  ::unsetenv("BROKEN");
  CHECK(server->wait(60s) == 0);
  CHECK(ben->wait(10s) == 0);
  CHECK(anna->wait(10s) == 2);
  CHECK_THAT(anna->err(), ContainsSubstring("set aside: 3 evaluations in a row failed on it"));
  CHECK_THAT(server->err(), ContainsSubstring("worker anna is set aside: 3 evaluations in a row"));
  const std::string status = test::command({"status", fleet.out}).out;
  CHECK_THAT(status, ContainsSubstring("  anna: set aside, "));
  CHECK_THAT(status, ContainsSubstring(" failed here alone"));
  CHECK_THAT(status, ContainsSubstring(": 3 evaluations in a row failed on it"));
  CHECK_THAT(status, ContainsSubstring(" % of all their time\n"));
  CHECK(fleet.results("served") == fleet.expected());
}

TEST_CASE("a failure that ends the study ends its workers") {
  FleetFolder fleet(fleet_study("exit 5; "));
  const auto server = fleet.serve({"--quiet"});
  const auto anna = fleet.work("anna");
  CHECK(server->wait(20s) == 3);
  CHECK(anna->wait(10s) == 0);
}

TEST_CASE("wrong workers are refused in one line") {
  FleetFolder fleet(fleet_study());
  const auto server = fleet.serve();
  REQUIRE(fleet.url != "");
  const std::string other = fleet.folder.file("other.yaml", fleet_study("", "optimiser: random"));
  const std::string wrong = fleet.folder.file("wrong", "0123456789abcdef\n");
  const auto check = [&](const std::vector<std::string>& words, const std::string& text) {
    const test::CommandOutcome outcome = fleet.work_in_vain(words);
    CHECK(outcome.code == 2);
    CHECK(test::is_one_line(outcome.err));
    CHECK_THAT(outcome.err, ContainsSubstring(text));
  };
  check({"--token", wrong, "--study", fleet.study}, "the server has another token");
  check({"--token", fleet.token, "--study", other},
        "the study is another one than the server's: 'optimiser.algorithm' is");
  check({"--token", fleet.token}, "--study: is missing, your copy of the study");
  check({"--token", fleet.study + "x", "--study", fleet.study}, "x: ");
  fleet.url.replace(0, 16, "http://192.0.2.1");
  check({"--token", fleet.token, "--study", fleet.study}, "https:// is allowed");
  fleet.url = "ftp://x";
  check({"--token", fleet.token, "--study", fleet.study}, "is no URL");
}

TEST_CASE("wrong servers are refused in one line") {
  FleetFolder fleet(fleet_study());
  const auto server = fleet.serve();
  const std::string address = fleet.url.substr(fleet.url.find("//") + 2);
  const auto check = [&](const std::vector<std::string>& more, const std::string& text) {
    std::vector<std::string> words = {"serve", fleet.study};
    words.insert(words.end(), more.begin(), more.end());
    const test::CommandOutcome outcome = test::command(words);
    CHECK(outcome.code == 2);
    CHECK(test::is_one_line(outcome.err));
    CHECK_THAT(outcome.err, ContainsSubstring(text));
  };
  check({"--listen", address, "--token", fleet.token}, "cannot be used");
  check({"--listen", "127.0.0.1", "--token", fleet.token}, "ADDRESS:PORT such as");
  check({"--listen", "127.0.0.1:0"}, "needs --token FILE");
  check({"--listen", "127.0.0.1:0", "--token", fleet.token, "--lease", "soon"}, "--lease: is");
  const std::string bare = fleet.folder.file("bare", "0123456789abcdef\n");
  check({"--listen", "0.0.0.0:0", "--token", bare}, "has no certificate");
  // Where the folder is refused nothing is made, and nobody is invited.
  const std::string unmade = (fleet.folder / "unmade").string();
  check({"--listen", "127.0.0.1:0", "--token", unmade, "--out", bare + "/out"}, "bare/out: ");
  check({"--listen", "127.0.0.1:0", "--token", unmade, "--out", fleet.out}, "served");
  CHECK_FALSE(fs::exists(unmade));
}

TEST_CASE("beyond one machine all goes over TLS, to the server of the token file alone") {
  FleetFolder fleet(fleet_study());
  const auto server = fleet.serve({}, "0.0.0.0:0");
  REQUIRE(fleet.url.starts_with("https://"));
  CHECK((fs::status(fleet.token + ".key").permissions() & fs::perms::mask) ==
        (fs::perms::owner_read | fs::perms::owner_write));
  fleet.url = "https://127.0.0.1" + fleet.url.substr(fleet.url.rfind(':'));
  // The same word, and the certificate of another server.
  FleetFolder stranger(fleet_study());
  (void)stranger.serve();
  const std::string own = content_of(fleet.token);
  const std::string others = content_of(stranger.token);
  const std::string mixed =
      fleet.folder.file("mixed", own.substr(0, own.find('\n')) + others.substr(others.find('\n')));
  const test::CommandOutcome refused =
      fleet.work_in_vain({"--token", mixed, "--study", fleet.study});
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, ContainsSubstring("the server has another certificate"));
  const auto anna = fleet.work("anna", 4);
  CHECK(server->wait(60s) == 0);
  CHECK(anna->wait(10s) == 0);
  CHECK(fleet.results("served") == fleet.expected());
}

TEST_CASE("a worker that trusts its server needs no copy of the study") {
  FleetFolder fleet(fleet_study());
  const auto server = fleet.serve();
  const test::Process anna({"work", fleet.url, "--token", fleet.token, "--trust", "-j", "4"});
  CHECK(server->wait(60s) == 0);
  CHECK(fleet.results("served") == fleet.expected());
}

TEST_CASE("workers that are killed at random change nothing", "[slow]") {
  Rng rng(11);
  FleetFolder fleet(fleet_study("", "repeats: 3"));
  auto server = fleet.serve();
  const std::string address = fleet.url.substr(fleet.url.find("//") + 2);
  std::vector<std::unique_ptr<test::Process>> workers;
  for (int i = 0; i < 3; ++i) workers.push_back(fleet.work(fmt::format("w{}", i)));
  int kills = 0;
  std::optional<int> code;
  while (!code) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50 + rng.below(200)));
    if (rng.below(8) == 0) {
      server->signal(SIGKILL);
      server->wait(10s);
      server = fleet.serve({}, address);
    } else {
      const std::size_t which = rng.below(3);
      workers[which]->signal(SIGKILL);
      workers[which] = fleet.work(fmt::format("w{}", which));
    }
    ++kills;
    if (const int ended = server->wait(0ms); ended != -1) code = ended;
    if (kills == 100) code = server->wait(120s);
  }
  CHECK(*code == 0);
  CHECK(kills > 20);
  CHECK(fleet.results("served") == fleet.expected());
}

}  // namespace ntune
