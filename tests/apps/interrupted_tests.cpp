// `ntune verify` and `ntune deviations` that were interrupted go on with --resume.

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "apps/ntune/live_studies.h"
#include "apps/process.h"
#include "catch.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using test::command;
using test::CommandOutcome;
using test::content_of;

namespace {

/// The folder of a finished study of a program, of which an evaluation takes a millisecond or two.
std::string finished(const test::TemporaryFolder& folder) {
  const std::string study =
      folder.file("study.yaml",
                  "objective:\n"
                  "  command: 'echo $((5 * {y} - 10 * ({x} - 2) * ({x} - 2) + {seed} % (17 + {x} + "
                  "2 * {y})))'\n"
                  "  shell: true\n"
                  "space: {x: {integers: [0, 4]}, y: {integers: [0, 1]}}\n"
                  "runs: 1\niterations: 30\nhold_out: 0\noptimiser: ntbea\n");
  (void)folder.file("other.yaml", "{x: 1, y: 0}\n");
  const std::string out = (folder / "out").string();
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == 0);
  return out;
}

/// Journal of a test that is under way in a study's folder; empty: none.
fs::path journal_in(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const fs::path journal = entry.path() / "journal.log";
    if (entry.is_directory(error) && fs::exists(journal, error)) return journal;
  }
  return {};
}

/// Waits until the journal of a test has so many bytes.
void wait_for_journal(const fs::path& folder, std::uintmax_t bytes) {
  for (int i = 0; i < 20000; ++i) {
    std::error_code error;
    const fs::path journal = journal_in(folder);
    if (!journal.empty() && fs::file_size(journal, error) >= bytes && !error) return;
    std::this_thread::sleep_for(1ms);
  }
}

/// Interrupts a test once its journal has grown. It says how to go on, and keeps a result file.
/// False where it ended before.
bool interrupt(std::vector<std::string> words, const fs::path& folder, const fs::path& result) {
  std::atomic<bool> interrupted = false;
  std::jthread watch([&] {
    wait_for_journal(folder, 2'000);
    interrupted = true;
  });
  words.insert(words.end(), {"--out", result.string(), "--threads", "1"});
  const CommandOutcome outcome = command(words, &interrupted);
  CAPTURE(outcome.err);
  if (outcome.code == cli::kDone) return false;
  CHECK(outcome.code == cli::kInterrupted);
  CHECK_THAT(outcome.err, ContainsSubstring("To go on: the same command with --resume\n"));
  CHECK_THAT(outcome.out, !ContainsSubstring("--evaluations allows more"));
  CHECK(Json::parse(content_of(result))["status"] == "interrupted");
  CHECK_FALSE(journal_in(folder).empty());
  return true;
}

/// What the test comes to, interrupted, killed and resumed, must be what it comes to at once.
void check_goes_on(const std::vector<std::string>& test) {
  const test::TemporaryFolder folder;
  const std::string out = finished(folder);
  std::vector<std::string> words = test;
  words[1] = out;
  for (std::string& word : words) {
    if (word == "OTHER") word = (folder / "other.yaml").string();
  }
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return more;
  };
  const CommandOutcome whole = command(with({"--format", "json", "--quiet"}));
  REQUIRE(whole.code == 0);
  // A test keeps its journal.
  while (!journal_in(out).empty()) fs::remove_all(journal_in(out).parent_path());
  const CommandOutcome nothing = command(with({"--resume"}));
  CHECK(nothing.code == cli::kWrongInput);
  CHECK_THAT(nothing.err, ContainsSubstring("holds nothing of this test"));

  if (!interrupt(words, out, folder / "result.json")) {
    WARN("the test ended before it could be interrupted");
    return;
  }
  const std::string journal = content_of(journal_in(out));
  // A process that goes on, and is killed.
  test::Process process(with({"--resume", "--quiet"}));
  wait_for_journal(out, journal.size() + 300);
  process.signal(SIGKILL);
  process.wait(20s);
  REQUIRE_FALSE(journal_in(out).empty());
  CHECK(content_of(journal_in(out)).starts_with(journal));
  const CommandOutcome resumed =
      command(with({"--resume", "--format", "json", "--quiet", "--threads", "2"}));
  CAPTURE(resumed.err);
  CHECK(resumed.code == 0);
  CHECK(resumed.out == whole.out);
}

}  // namespace

TEST_CASE("verify that was interrupted and killed goes on to the same decision") {
  check_goes_on({"verify", "", "--against", "OTHER", "--effect0", "0.9", "--effect1", "0.901",
                 "--evaluations", "200"});
}

TEST_CASE("deviations that were interrupted and killed go on to the same table") {
  check_goes_on({"deviations", "", "--evaluations", "200"});
}

TEST_CASE("watch, board, page and live page show where a test stands that goes on") {
  const test::TemporaryFolder folder;
  const std::string out = finished(folder);
  const auto told = [&] { return command({"watch", out, "--once"}).out; };
  const std::string before = told();
  CHECK(before.find("verify") == std::string::npos);
  test::Process process({"verify", out, "--against", (folder / "other.yaml").string(), "--effect0",
                         "0.9", "--effect1", "0.901", "--evaluations", "1000000", "--quiet"});
  // Once it has come to something it is held, so that all look at the same state.
  const auto state = [&]() -> Json {
    const fs::path journal = journal_in(out);
    const fs::path result = journal.parent_path() / "result.json";
    if (journal.empty() || !fs::exists(result)) return {};
    return Json::parse(content_of(result));
  };
  for (int i = 0; i < 20000; ++i) {
    const Json now = state();
    if (now.is_object() && now["pairs"] > 2) break;
    std::this_thread::sleep_for(1ms);
  }
  process.signal(SIGSTOP);
  const Json test = state();
  REQUIRE(test.is_object());
  CHECK(test["status"] == "running");
  CHECK(test["decision"] == "undecided");
  const std::string ratio = fmt::format("log-likelihood ratio {:.2f} between ",
                                        test["log_likelihood_ratio"].get<double>());
  CHECK_THAT(told(), ContainsSubstring("verify against " + (folder / "other.yaml").string() + ": " +
                                       ratio + "-2.94 and 2.94, " +
                                       counted(test["pairs"].get<std::int64_t>(), "pair")));
  CHECK_THAT(command({"top", out, "--once"}).out, ContainsSubstring("verifying"));
  // Where there is no terminal one table is all.
  CHECK_THAT(command({"top", out}).out, ContainsSubstring("verifying"));
  const Json row = Json::parse(cli::LiveBoard(folder.path()).rows())["rows"][0];
  CHECK_THAT(row["cells"][0].get<std::string>(), ContainsSubstring("verifying"));
  const std::string bar = ratio + "the bounds -2.94 and 2.94";
  CHECK_THAT(row["cells"][4].get<std::string>(), ContainsSubstring(bar));
  cli::LiveStudy live(out);
  CHECK_THAT(Json::parse(live.state())["test"].get<std::string>(), ContainsSubstring(bar));
  const std::string page = (folder / "page.html").string();
  CHECK(command({"report", out, "-o", page, "--quiet"}).code == cli::kDone);
  CHECK_THAT(content_of(page), ContainsSubstring(">goes on</td>"));
  CHECK_THAT(content_of(page), ContainsSubstring(bar));
  // One that was killed does not go on, and the study is what it was.
  process.signal(SIGKILL);
  process.wait(20s);
  CHECK(told() == before);
  CHECK(Json::parse(live.state())["test"] == "");
  CHECK(command({"report", out, "-o", page, "--quiet"}).code == cli::kDone);
  CHECK(content_of(page).find("id=\"verified\"") == std::string::npos);
}

TEST_CASE("the result of a finished test stays, and is shown again without an evaluation") {
  const test::TemporaryFolder folder;
  const std::string out = finished(folder);
  const std::string other = (folder / "other.yaml").string();
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"verify", out, "--against", other, "--effect1", "0.5"},
        {"deviations", out, "--evaluations", "400"}}) {
    CAPTURE(words[0]);
    const CommandOutcome first = command(words);
    REQUIRE(first.code == cli::kDone);
    const fs::path journal = journal_in(out);
    REQUIRE_FALSE(journal.empty());
    const fs::path result = journal.parent_path() / "result.json";
    CHECK_THAT(first.err, ContainsSubstring("Result in " + result.string() +
                                            "; the same command with --resume shows it again\n"));
    CHECK(Json::parse(content_of(result))["status"] == "done");
    const std::string held = content_of(journal);
    std::vector<std::string> again = words;
    again.emplace_back("--resume");
    const CommandOutcome resumed = command(again);
    CHECK(resumed.code == cli::kDone);
    CHECK(resumed.out == first.out);
    CHECK(content_of(journal) == held);
    const std::string page = (folder / "page.html").string();
    REQUIRE(command({"report", out, "-o", page}).code == cli::kDone);
    const std::string html = content_of(page);
    CHECK((html.find("id=\"verified\"") != std::string::npos) == (words[0] == "verify"));
    if (words[0] == "verify") CHECK_THAT(html, ContainsSubstring("Tests by ntune verify"));
    // Without --resume it begins anew.
    CHECK(command(words).out == first.out);
    CHECK(content_of(journal) != held);
    fs::remove_all(journal.parent_path());
  }
  // There is nothing to keep of a test of one point.
  CHECK(command({"verify", out, "--against", out}).code == cli::kDone);
  CHECK(journal_in(out).empty());
}

}  // namespace ntune
