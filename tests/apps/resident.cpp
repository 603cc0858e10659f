// The process that stays between `ntune ask` and `tell`: it answers as the journal would, two of
// them agree, it may be killed at any moment, and it ends by itself.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "apps/process.h"
#include "catch.h"
#include "ntune/core/json.h"
#include "ntune/core/local_socket.h"
#include "ntune/version.h"

namespace ntune {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::CommandOutcome;
using test::content_of;
using test::Process;

namespace {

const std::string kSocket = std::string(".resident-") + kVersion;

const std::string kResidentStudy =
    "{objective: {ask_tell: bot}, space: {a: {integers: [1, 9]}, b: [x, y]}, runs: 1,"
    " iterations: 12, hold_out: 2, parallel_evaluations: 4}";

/// A copy of `ntune` that starts no residents by itself, however slow the machine is: programs of
/// other names do not.
const char* alone() {
  static const test::TemporaryFolder folder;
  static const std::string program = [] {
    fs::copy_file(NTUNE_EXECUTABLE, folder / "alone");
    return (folder / "alone").string();
  }();
  return program.c_str();
}

/// Runs `ntune WORDS…` as a process, and reads its answer.
Json answer(const std::vector<std::string>& words, const char* program = alone()) {
  Process process(words, program);
  const int ended = process.wait(60s);
  CAPTURE(process.out(), process.err());
  REQUIRE(ended == 0);
  return Json::parse(process.out());
}

/// Waits until a condition holds, at most 20 s.
template <class Condition>
bool eventually(const Condition& holds) {
  for (int i = 0; i < 2000; ++i) {
    if (holds()) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

bool answers(const fs::path& folder) {
  auto connection = connect_locally(folder, kSocket);
  return connection && connection->write_line(R"({"op":"status"})") &&
         connection->read_line(20s).has_value();
}

/// A resident of the folder that is ready to answer.
std::unique_ptr<Process> resident_of(const fs::path& folder) {
  auto resident = std::make_unique<Process>(std::vector<std::string>{"resident", folder.string()});
  REQUIRE(eventually([&] { return answers(folder); }));
  return resident;
}

double value_of(const Json& work) {
  return work["params"]["a"].get<double>() + (work["params"]["b"] == "x" ? 0.5 : 0.0);
}

void tell(const std::string& folder, const Json& work) {
  const std::string id = work["id"].dump();
  (void)answer({"tell", folder, "--id", id, "--value", fmt::format("{}", value_of(work))});
}

/// Carries the study out, and calls `between` after each tell with how many there have been.
template <class Between>
void to_the_end(const std::string& folder, const Between& between) {
  for (int told = 0; told < 100;) {
    const Json work = answer({"ask", folder});
    if (work.contains("done")) return;
    REQUIRE(work.contains("id"));
    tell(folder, work);
    between(++told);
  }
  FAIL("the study never ended");
}

/// A folder that has begun with the study and waits for the first answer.
std::string begun(const test::TemporaryFolder& folder, const std::string& name,
                  const std::string& yaml = kResidentStudy) {
  const std::string study = folder.file("study.yaml", yaml);
  const std::string out = (folder / name).string();
  tell(out, answer({"ask", out, "--study", study}));
  return out;
}

/// What a study comes to that nobody stays with.
std::string whole_result(const test::TemporaryFolder& folder) {
  const std::string out = begun(folder, "whole");
  to_the_end(out, [](int) {});
  return content_of(fs::path(out) / "result.json");
}

}  // namespace

TEST_CASE("a resident answers, and the result is that of the journal alone") {
  const test::TemporaryFolder folder;
  const std::string expected = whole_result(folder);
  const std::string out = begun(folder, "out");
  const auto resident = resident_of(out);
  // While it is stopped, nobody else answers in its place.
  resident->signal(SIGSTOP);
  Process status({"status", out, "--format", "json"}, alone());
  CHECK(status.wait(300ms) == -1);
  resident->signal(SIGCONT);
  CHECK(status.wait(20s) == 0);
  CHECK(Json::parse(status.out())["evaluations"] == 1);
  to_the_end(out, [](int) {});
  CHECK(content_of(fs::path(out) / "result.json") == expected);
  CHECK(answer({"recommend", out})["final"] == true);
}

TEST_CASE("a resident that is killed at any moment takes nothing with it") {
  const test::TemporaryFolder folder;
  const std::string expected = whole_result(folder);
  const std::string out = begun(folder, "out");
  auto resident = resident_of(out);
  to_the_end(out, [&](int told) {
    if (told % 3 != 0) return;
    resident->signal(SIGKILL);
    resident->wait(20s);
    // The socket that it has left behind is in nobody's way.
    CHECK(fs::exists(fs::path(out) / kSocket));
    if (told % 2 == 0) resident = resident_of(out);
  });
  CHECK(content_of(fs::path(out) / "result.json") == expected);
}

TEST_CASE("two residents and four questions at once hand out nothing twice") {
  const test::TemporaryFolder folder;
  const std::string out = begun(folder, "out");
  const auto first = resident_of(out);
  // The folder has one: a second one leaves.
  Process second({"resident", out});
  CHECK(second.wait(20s) == 0);
  CHECK(answers(out));
  std::vector<std::unique_ptr<Process>> askers;
  for (int i = 0; i < 4; ++i) {
    askers.push_back(std::make_unique<Process>(std::vector<std::string>{"ask", out}, alone()));
  }
  std::set<std::int64_t> ids;
  for (const auto& asker : askers) {
    REQUIRE(asker->wait(20s) == 0);
    ids.insert(Json::parse(asker->out())["id"].get<std::int64_t>());
  }
  CHECK(ids == std::set<std::int64_t>{1, 2, 3, 4});
  // Two that begin at the same time: whoever is left, the questions are answered.
  first->signal(SIGKILL);
  first->wait(20s);
  Process third({"resident", out});
  Process fourth({"resident", out});
  REQUIRE(eventually([&] { return answers(out); }));
  CHECK(answer({"ask", out})["wait"] == Json::array({1, 2, 3, 4}));
}

TEST_CASE("a resident ends when another process has written, and with its folder") {
  const test::TemporaryFolder folder;
  const std::string out = begun(folder, "out");
  const auto outrun = resident_of(out);
  // `ask --again` goes by the journal itself.
  CHECK(answer({"ask", out, "--again"})["id"] == 1);
  CHECK(answer({"ask", out})["id"] == 2);
  CHECK(outrun->wait(20s) == 0);
  CHECK_FALSE(fs::exists(fs::path(out) / kSocket));
  const auto orphan = resident_of(out);
  fs::remove_all(out);
  CHECK(orphan->wait(20s) == 0);
}

TEST_CASE("a long study gets a resident by itself") {
  const test::TemporaryFolder folder;
  constexpr int kTold = 1000;  // far longer than 20 ms on any machine
  const std::string study = folder.file(
      "study.yaml",
      "{objective: {ask_tell: bot}, space: {a: {integers: [1, 30]}, b: {integers: [1, 30]}, c: "
      "{integers: [1, 30]}}, optimiser: gaussian_process, runs: 1, iterations: 2000, hold_out: 0}");
  const std::string out = (folder / "out").string();
  std::ofstream requests(folder / "requests");
  for (int i = 0; i < kTold; ++i) {
    requests << fmt::format("{{\"op\":\"ask\"}}\n{{\"op\":\"tell\",\"id\":{},\"value\":{}}}\n", i,
                            i % 17);
  }
  requests.close();
  REQUIRE(test::shell(fmt::format("'{}' serve {} --out {} <{}", NTUNE_EXECUTABLE, study, out,
                                  (folder / "requests").string()))
              .code == 0);
  CHECK_FALSE(answers(out));
  const Json work = answer({"ask", out}, NTUNE_EXECUTABLE);
  CHECK(work["id"] == kTold);
  CHECK(eventually([&] { return answers(out); }));
  (void)answer({"tell", out, "--id", work["id"].dump(), "--value", "3"});
  CHECK(answer({"status", out, "--format", "json"})["evaluations"] == kTold + 1);
  // It ends with its folder.
  fs::remove_all(out);
}

}  // namespace ntune
