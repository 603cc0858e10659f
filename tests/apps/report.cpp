// `ntune report`, `plot`, `watch` and `top` as a user meets them.

#include <filesystem>
#include <string>

#include "apps/process.h"
#include "catch.h"
#include "ntune/core/json.h"
#include "ntune/report/figures/figures.h"

namespace ntune {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using test::command;
using test::CommandOutcome;
using test::content_of;

namespace {

std::string run_study(const test::TemporaryFolder& folder) {
  const std::string study = folder.file(
      "study.yaml",
      "{objective: {function: branin, noise: win_loss}, runs: 3, iterations: 100, hold_out: 50, "
      "seed: 1}");
  const std::string out = (folder / "out").string();
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == cli::kDone);
  return out;
}

}  // namespace

TEST_CASE("ntune report writes one page, and ntune plot every figure that it names") {
  const test::TemporaryFolder folder;
  const std::string out = run_study(folder);
  const std::string page = (folder / "report.html").string();
  const CommandOutcome report = command({"report", out, "-o", page, "--default", "x1=4"});
  CHECK(report.code == cli::kDone);
  CHECK(test::is_one_line(report.err));
  const std::string html = content_of(page);
  CHECK(html.starts_with("<!doctype html>"));
  CHECK(html.size() < 5'000'000);
  int plotted = 0;
  for (const FigureEntry& entry : figure_table()) {
    const std::string name = entry.name;
    const std::string file = (folder / (name + ".svg")).string();
    const CommandOutcome plot = command({"plot", out, "--figure", name, "-o", file});
    CAPTURE(name, plot.err);
    const bool on_page = html.find("data-figure=\"" + name + "\"") != std::string::npos;
    CHECK(plot.code == (on_page ? cli::kDone : cli::kWrongInput));
    if (!on_page) continue;
    ++plotted;
    CHECK(content_of(file).starts_with("<?xml"));
    const std::string numbers = (folder / (name + ".csv")).string();
    CHECK(command({"plot", out, "--figure", name, "-o", numbers}).code == cli::kDone);
    CHECK_THAT(content_of(numbers), ContainsSubstring("\n"));
  }
  CHECK(plotted == 12);  // the others are of comparisons
  const std::string file = (folder / "one.svg").string();
  CHECK(command({"plot", out, "--figure", "main_effects", "--parameters", "x2", "--title",
                 "Only the second", "--font-size", "14", "-o", file})
            .code == cli::kDone);
  CHECK_THAT(content_of(file), ContainsSubstring(">Only the second</text>"));
  CHECK_THAT(content_of(file), ContainsSubstring(">x2</text>"));
  CHECK_THAT(content_of(file), !ContainsSubstring(">x1</text>"));
}

TEST_CASE("ntune report: an Elo of games that were all won has no upper end") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      "objective: {match: {command: 'echo W W # {A} {opponent.A}', shell: true, result: letters}}\n"
      "space: {A: {integers: [1, 4], default: 2}}\nbudget: 10\n");
  const std::string out = (folder / "out").string();
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == cli::kDone);
  const Json result = Json::parse(content_of(out + "/result.json"));
  REQUIRE(result["elo"]["interval"][1].is_null());
  const std::string page = (folder / "report.html").string();
  CHECK(command({"report", out, "-o", page}).code == cli::kDone);
  CHECK_THAT(content_of(page), ContainsSubstring(", –]</span>"));
}

TEST_CASE("What cannot be reported or plotted is said in one line, and nothing is left") {
  const test::TemporaryFolder folder;
  const std::string out = run_study(folder);
  const std::string file = (folder / "a.svg").string();
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& text) {
    const CommandOutcome outcome = command(arguments);
    CHECK(outcome.code == cli::kWrongInput);
    CHECK(test::is_one_line(outcome.err));
    CHECK_THAT(outcome.err, ContainsSubstring(text));
  };
  refused({"report", (folder / "nowhere").string(), "-o", file}, "is not a folder");
  refused({"report", folder.path().string(), "-o", file}, "holds no study");
  refused({"report", out, "-o", (folder / "no" / "a.html").string()}, "a.html");
  refused({"report", out, "-o", file, "--default", "x9=1"}, "'x1'");
  refused({"plot", out, "--figure", "convergance", "-o", file}, "did you mean 'convergence'?");
  refused({"plot", out, "--figure", "scores", "-o", file}, "nothing for the figure");
  refused({"plot", out, "--figure", "pairs", "-o", (folder / "a.gif").string()},
          ".svg, .pdf, .png or .csv");
  refused({"plot", out, "--figure", "pairs", "-o", file, "--parameters", "x1,y"}, "'y' names no");
  refused({"plot", out, "--figure", "pairs", "-o", file, "--parameters", "x1,"}, "'' names no");
  refused({"plot", out, "--figure", "pairs", "-o", file, "--objective", "2"}, "--objective");
  // The study is in a folder below this one.
  const std::string above = folder.path().string();
  const std::string advice =
      "such as " + out + ", or see all by 'ntune watch " + above + " --serve 8000'";
  for (const char* name : {"watch", "top", "export"}) refused({name, above}, advice);
  CHECK_FALSE(fs::exists(file));
}

TEST_CASE("ntune watch and top look at a study once") {
  const test::TemporaryFolder folder;
  const std::string out = run_study(folder);
  const CommandOutcome watch = command({"watch", out, "--once"});
  CHECK(watch.code == cli::kDone);
  CHECK_THAT(watch.out, ContainsSubstring("done"));
  CHECK_THAT(watch.out, ContainsSubstring("by the hold-out: x1 = "));
  const CommandOutcome top = command({"top", out, out, "--once"});
  CHECK(top.code == cli::kDone);
  CHECK_THAT(top.out, ContainsSubstring("finding") && ContainsSubstring("it wins "));
}

TEST_CASE("table, page and board say alike why a study needs a person") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", R"({objective: {command: [sh, -c,
      'test "$0" = 1 || {{ echo no memory >&2; exit 3; }}; echo 1', "{x}"]},
      space: {x: {integers: [1, 2]}}, budget: 20, seed: 1})");
  const std::string out = (folder / "out").string();
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code != cli::kDone);
  const std::string top = command({"top", out, "--once"}).out;
  CAPTURE(top);
  CHECK_THAT(top, ContainsSubstring("stopped  "));
  CHECK_THAT(top, ContainsSubstring("a call failed: exit status 3, no memory (x = 2)"));
  const std::string file = (folder / "page.html").string();
  REQUIRE(command({"report", out, out, "-o", file, "--quiet"}).code == cli::kDone);
  const std::string page = test::content_of(file);
  CHECK_THAT(page, ContainsSubstring("<td>a call failed: exit status 3, no memory (x = 2)</td>") &&
                       ContainsSubstring(", as a call failed: exit status 3, no memory (x = 2).<"));
}

TEST_CASE("watch, top and recommend know a comparison from a study") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      "{objectives: [{function: branin}, {function: hartmann3}], optimisers: [random, rmhc], "
      "iterations: 20, runs: 3}");
  const std::string out = (folder / "comparison").string();
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == cli::kDone);
  const std::string watch = command({"watch", out, "--once"}).out;
  CHECK_THAT(watch, EndsWith("  comparison of 2 optimisers on 2 objectives\n"));
  const std::string top = command({"top", out, "--once"}).out;
  CHECK_THAT(top, ContainsSubstring("comparison of 2 optimisers on 2 objectives\n"));
  CHECK_THAT(top, !ContainsSubstring("x1 = "));
  const CommandOutcome recommend = command({"recommend", out});
  CHECK(recommend.code == cli::kWrongInput);
  CHECK_THAT(recommend.err, ContainsSubstring("a comparison recommends nothing; its table is in"));
}

TEST_CASE("a study that took less than was planned is whole when it is done") {
  const test::TemporaryFolder folder;
  // A search without noise ends when its space is known.
  const std::string study = folder.file(
      "study.yaml",
      "{objective: {function: hartmann3, noise: none}, optimiser: gaussian_process, runs: 1, "
      "space: {x1: [0, 0.5], x2: [0, 0.5], x3: [0, 0.5]}, iterations: 60}");
  const std::string out = (folder / "early").string();
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == cli::kDone);
  CHECK_THAT(command({"watch", out, "--once"}).out,
             ContainsSubstring("done  100 %  9 of 61 evaluations planned"));
  CHECK_THAT(command({"top", out, "--once"}).out, ContainsSubstring("100 %"));
  const Json status = Json::parse(command({"status", out, "--format", "json"}).out);
  CHECK(status["evaluations"] == 9);
  CHECK(status["total"] == 9);
  CHECK(status["planned"] == 61);
  CHECK(status["done"] == true);
}

}  // namespace ntune
