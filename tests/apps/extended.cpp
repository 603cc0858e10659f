// A study that takes more, through the program: what is recorded is not carried out again.

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "apps/command.h"
#include "catch.h"
#include "ntune/core/json.h"
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

/// A study of a program that writes a line for each of its calls.
class CountedStudy {
 public:
  explicit CountedStudy(std::string keys) : keys_(std::move(keys)) {}

  /// Runs it with these sizes and returns what it has said.
  CommandOutcome run(const std::string& sizes) const {
    const std::string study = folder_.file(
        "study.yaml",
        fmt::format("objective: {{command: 'echo call >>{}; echo {{x}}', shell: true}}\n"
                    "space: {{x: {{integers: [1, 6]}}}}\nthreads: 2\n{}{}",
                    (folder_ / "calls").string(), keys_, sizes));
    return command({"run", study, "--out", out().string(), "--resume"});
  }
  [[nodiscard]] std::int64_t calls() const {
    return std::ranges::count(content_of(folder_ / "calls"), '\n');
  }
  [[nodiscard]] fs::path out() const { return folder_ / "out"; }
  [[nodiscard]] Json result() const { return Json::parse(content_of(out() / "result.json")); }

 private:
  TemporaryFolder folder_;
  std::string keys_;
};

}  // namespace

TEST_CASE("larger iterations, runs, hold-out and repeats go on from what is recorded") {
  const CountedStudy study("optimiser: ntbea\nre_evaluation: none\n");
  std::int64_t known = 0;
  std::size_t stage = 0;
  for (const char* sizes :
       {"runs: 1\niterations: 10\nhold_out: 0\n", "runs: 1\niterations: 25\nhold_out: 0\n",
        "runs: 2\niterations: 25\nhold_out: 0\n", "runs: 2\niterations: 25\nhold_out: 12\n"}) {
    CAPTURE(sizes);
    const CommandOutcome outcome = study.run(sizes);
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == cli::kDone);
    if (stage > 0) {
      CHECK_THAT(outcome.err, StartsWith(fmt::format("{} evaluations from the journal\n", known)));
      CHECK(fs::exists(study.out() / fmt::format("result-{}.json", stage)));
    }
    const Json result = study.result();
    CHECK(result["status"] == "done");
    CHECK(result["study"].value("extended_from", Json::array()).size() == stage);
    CHECK(study.calls() == result["evaluations"]);
    known = study.calls();
    ++stage;
  }
  CHECK(known == 62);
  // The study as it is now, and the one of the folder, have nothing left to do.
  CHECK(study.run("runs: 2\niterations: 25\nhold_out: 12\n").code == cli::kDone);
  const std::string out = study.out().string();
  CHECK(command({"run", out + "/study.yaml", "--out", out, "--resume"}).code == cli::kDone);
  CHECK(study.calls() == known);
  const CommandOutcome less = study.run("runs: 1\niterations: 25\nhold_out: 12\n");
  CHECK(less.code == cli::kWrongInput);
  CHECK_THAT(less.err, ContainsSubstring("runs 2, this one has 1"));
}

TEST_CASE("larger repeats go on from what is recorded") {
  const CountedStudy study("optimiser: ntbea\nre_evaluation: none\nruns: 2\niterations: 10\n");
  std::int64_t known = 0;
  for (const int repeats : {1, 2, 4}) {
    const CommandOutcome outcome = study.run(fmt::format("hold_out: 5\nrepeats: {}\n", repeats));
    CAPTURE(repeats, outcome.err);
    REQUIRE(outcome.code == cli::kDone);
    if (known > 0) {
      CHECK_THAT(outcome.err, StartsWith(fmt::format("{} evaluations from the journal\n", known)));
    }
    CHECK(study.result()["evaluations"] == 25 * repeats);
    known = 25 * repeats;
    CHECK(study.calls() == known);
  }
  const CommandOutcome less = study.run("hold_out: 5\nrepeats: 3\n");
  CHECK(less.code == cli::kWrongInput);
  CHECK_THAT(less.err, ContainsSubstring("repeats 4, this one has 3"));
  CHECK(study.calls() == known);
}

TEST_CASE("more time goes on from what is recorded") {
  const CountedStudy study("optimiser: ntbea\n");
  const auto evaluations = [&] {
    std::set<std::string> names;
    const std::string journal = content_of(study.out() / "journal.log");
    std::int64_t lines = 0;
    std::istringstream stream(journal);
    for (std::string line; std::getline(stream, line);) {
      if (line.starts_with('{')) continue;
      names.insert(line.substr(0, line.find(' ', line.find(' ') + 1)));  // key and point
      ++lines;
    }
    CHECK(lines == std::ssize(names));
    return lines;
  };
  REQUIRE(study.run("time: 500ms\n").code == cli::kDone);
  const std::int64_t before = study.calls();
  CHECK(evaluations() == before);
  const std::string journal = content_of(study.out() / "journal.log");
  const CommandOutcome more = study.run("time: 1500ms\n");
  CAPTURE(more.err);
  REQUIRE(more.code == cli::kDone);
  // As good as all of it is used.
  CHECK(study.result()["limits"]["time"]["used"].get<double>() > 1.0);
  CHECK(study.calls() > before);
  CHECK(evaluations() == study.calls());
  CHECK_THAT(content_of(study.out() / "journal.log"), StartsWith(journal));
  CHECK(study.result()["limits"]["time"]["limit"] == 1.5);
  const std::int64_t after = study.calls();
  REQUIRE(study.run("time: 1500ms\n").code == cli::kDone);
  CHECK(study.calls() == after);
}

TEST_CASE("a larger budget goes on from what is recorded") {
  const CountedStudy study("");
  REQUIRE(study.run("budget: 40\n").code == cli::kDone);
  const std::int64_t before = study.calls();
  const std::int64_t searched = study.result()["budget"]["search"];
  CHECK(before <= 40);
  const CommandOutcome more = study.run("budget: 90\n");
  CAPTURE(more.err);
  REQUIRE(more.code == cli::kDone);
  const Json result = study.result();
  CHECK(result["evaluations"] <= 90);
  // A hold-out of what was recommended before may be of another point now.
  CHECK(study.calls() - before <= 90 - searched);
  CHECK(study.calls() > before);
  const std::int64_t after = study.calls();
  REQUIRE(study.run("budget: 90\n").code == cli::kDone);
  CHECK(study.calls() == after);
}

TEST_CASE("a split that was chosen by simulation is kept in the journal") {
  const CountedStudy study("optimiser: ntbea\n");
  const CommandOutcome first = study.run("budget: 120\n");
  REQUIRE(first.code == cli::kDone);
  CHECK_THAT(first.out, ContainsSubstring("<- chosen"));
  const std::int64_t calls = study.calls();
  const std::string result = content_of(study.out() / "result.json");
  const fs::path journal = study.out() / "journal.log";
  CHECK_THAT(content_of(journal), ContainsSubstring(R"({"split":{"runs":)"));
  // Nobody simulates again, whatever asks.
  const CommandOutcome again = study.run("budget: 120\n");
  CAPTURE(again.err);
  CHECK(again.code == cli::kDone);
  CHECK_THAT(again.out, !ContainsSubstring("synthetic"));
  CHECK(study.calls() == calls);
  CHECK(content_of(study.out() / "result.json") == result);
  CHECK_FALSE(fs::exists(study.out() / "result-1.json"));
  CHECK(command({"export", study.out().string(), "--to", "csv"}).code == cli::kDone);
  // More of it keeps the number of runs; and more again.
  const auto runs = [&] { return study.result()["plans"][0]["runs"]; };
  const Json chosen = runs();
  for (const int budget : {200, 300, 300}) {
    const CommandOutcome more = study.run(fmt::format("budget: {}\n", budget));
    CAPTURE(budget, more.err);
    REQUIRE(more.code == cli::kDone);
    CHECK(runs() == chosen);
  }
  CHECK(study.result()["study"]["extended_from"].size() == 2);
}

TEST_CASE(
    "the journal says how the budget was divided, also where simulation would say otherwise") {
  const CountedStudy study("optimiser: ntbea\n");
  REQUIRE(study.run("budget: 120\n").code == cli::kDone);
  const fs::path journal = study.out() / "journal.log";
  std::string text = content_of(journal);
  const std::size_t begin = text.find(R"({"split":)");
  const std::size_t end = text.find('\n', begin);
  text.replace(begin, end - begin, R"({"split":{"runs":4,"iterations":20,"re_evaluation":10}})");
  text.resize(text.find('\n', begin) + 1);
  test::TemporaryFolder folder;
  fs::remove(study.out() / "result.json");
  (void)folder.file("journal.log", text);
  fs::copy_file(folder / "journal.log", journal, fs::copy_options::overwrite_existing);
  REQUIRE(study.run("budget: 120\n").code == cli::kDone);
  CHECK(study.result()["plans"][0]["runs"] == 4);
  CHECK(study.result()["plans"][0]["iterations"] == 20);
}

}  // namespace ntune
