#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/core/json.h"
#include "ntune/plot/layout.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/page/page.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/results/result_files.h"
#include "ntune/study/results/summary.h"
#include "ntune/study/run_study.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace {

/// What a page reads of a study that was run with its journal.
ReportData data_of_study(const test::TemporaryFolder& folder, const std::string& yaml) {
  const Study study = read_study(parse_yaml(yaml));
  {
    StudyProgress progress;
    Journal journal(folder.path(), study, Journal::Open::kNew);  // whole once it is closed
    const StudyResult result = run_study(study, progress, &journal);
    write_result(folder.path(), study, result, summarise(study, result));
  }
  return read_report(folder.path(), {});
}

/// The data of the first table of calls.
Json table_of_calls(const ReportData& data) {
  std::vector<ReportData> studies;
  studies.push_back(read_report(data.study.folder, {}));
  const std::string page = report_page(studies);
  const std::string begin = "<div class=\"calls\">";
  const std::size_t at = page.find(begin);
  REQUIRE(at != std::string::npos);
  const std::size_t first = page.find('{', at);
  return parse_json(page.substr(first, page.find("</script>", first) - first));
}

std::size_t field_of(const Json& table, const std::string& name) {
  const auto& fields = table["fields"];
  return static_cast<std::size_t>(std::ranges::find(fields, Json(name)) - fields.begin());
}

/// The blocks of a colour, and lines of a dash, in the only panel.
std::ptrdiff_t blocks_in(const Figure& figure, int colour, bool strong) {
  return std::ranges::count_if(figure.panels[0].marks, [&](const Mark& mark) {
    const auto* block = std::get_if<Block>(&mark);
    return block != nullptr && block->colour == colour && (block->opacity > 0.5) == strong;
  });
}

constexpr const char* kSeeds =
    "{objective: {command: 'test {size} != 3 || exit 4; echo {seed}', shell: true}, space: {size: "
    "{integers: [1, 4], default: 1}, two words: [\"a b\", \"it's\", \"1\"]}, runs: 2, iterations: "
    "30, "
    "optimiser: random, hold_out: 3, fail: skip, parallel_evaluations: 2, seed: 5}";

}  // namespace

TEST_CASE("The seed of a call on the page is the one that its program was given") {
  const test::TemporaryFolder folder;
  const ReportData data = data_of_study(folder, kSeeds);
  CHECK(data.calls.of == std::ssize(data.calls.list));
  CHECK(data.calls.times.size() == data.calls.list.size());
  std::int64_t fresh = 0;
  for (const Call& call : data.calls.list) {
    CHECK(call.seed.has_value() == (call.key.stage != Stage::kReEvaluation));
    if (!call.seed) continue;
    if (call.value) CHECK(*call.value == static_cast<double>(*call.seed));
    CHECK(call.value.has_value() == call.failure.empty());
    fresh += call.key.stage == Stage::kHoldOut ? 1 : 0;
  }
  CHECK(fresh >= 3);
}

TEST_CASE("The table of calls has the columns that say something, and words for a shell") {
  const test::TemporaryFolder folder;
  const ReportData data = data_of_study(folder, kSeeds);
  const Json table = table_of_calls(data);
  for (const char* absent : {"cost", "instance", "against", "repeat", "cell"}) {
    CHECK(field_of(table, absent) == table["fields"].size());
  }
  CHECK(table["rows"].size() == data.calls.list.size());
  for (const Json& row : table["rows"]) {
    CHECK(row.size() == table["fields"].size());
    const bool failed = row[field_of(table, "value")].is_null();
    CHECK(failed == (row[field_of(table, "ending")] == "failed"));
    CHECK(failed == !row[field_of(table, "failure")].is_null());
  }
  for (const Json& failure : table["failures"]) {
    REQUIRE(failure.size() == 2);
    CHECK_THAT(failure[1].get<std::string>(), Catch::Matchers::StartsWith("cd "));
  }
  std::vector<std::string> words;
  for (const Json& value : table["parameters"][1]["values"]) {
    REQUIRE(value.is_array());
    words.push_back(value[1]);
  }
  CHECK(words == std::vector<std::string>{R"('two words="a b"')", R"('two words="it'\''s"')",
                                          R"('two words="1"')"});
}

TEST_CASE("A timeline has a row for each call at once, and shows what failed and took long") {
  const test::TemporaryFolder folder;
  ReportData data = data_of_study(folder, kSeeds);
  data.calls.times.clear();
  CHECK(timeline_figure(data).empty());
  // Two at once for 40 seconds, one of them failed and one took long; an hour later 10 more.
  for (int i = 0; i < 20; ++i) {
    const double begin = 2.0 * i;
    data.calls.times.push_back({.begin = begin, .end = begin + 2.0, .number = 2 * i + 1});
    if (i % 5 == 0 && i > 0) continue;  // the row waits for the long one
    data.calls.times.push_back({.begin = begin,
                                .end = begin + (i % 5 == 4 ? 3.9 : 2.0),
                                .failed = i == 7,
                                .number = 2 * i + 2});
  }
  data.calls.times[1].end = 2.0;
  data.calls.times.push_back({.begin = 4000.0, .end = 4020.0, .number = 99});
  const std::vector<Figure> figures = timeline_figure(data);
  REQUIRE(figures.size() == 1);
  const Figure& figure = figures[0];
  CHECK(figure.panels[0].y.categories.size() == 2);
  CHECK(blocks_in(figure, kTruth, true) == 1);
  CHECK(blocks_in(figure, kInk, true) == 1);  // 20 seconds, where the others take 2 to 4
  CHECK(figure.legend.size() == 3);
  CHECK(figure.panels[0].x.high < 70.0);  // the hour is left out
  CHECK_THAT(figure.caption, Catch::Matchers::ContainsSubstring("stood still"));
  CHECK(figure.data.rows.size() == data.calls.times.size());
}

TEST_CASE("Settings that were tried have the colour of their value, the best on top") {
  for (const bool cost : {false, true}) {
    const test::TemporaryFolder folder;
    const ReportData data = data_of_study(
        folder,
        fmt::format(
            "{{objective: {{command: 'echo $(( {{a}} * {{b}} ))', shell: true, "
            "direction: {}}}, space: {{a: {{integers: [1, 5], default: 2}}, b: "
            "{{integers: [1, 4], default: 3}}}}, runs: 1, iterations: 40, hold_out: 2, seed: 1}}",
            cost ? "minimise" : "maximise"));
    const std::vector<Figure> figures = tried_figure(data);
    REQUIRE(figures.size() == 1);
    REQUIRE(figures[0].shades);
    CHECK((figures[0].shades->high < figures[0].shades->low) == cost);
    std::vector<double> shades;
    std::vector<double> heights;
    std::ptrdiff_t marked = 0;
    for (const Mark& mark : figures[0].panels[0].marks) {
      const auto* line = std::get_if<Line>(&mark);
      if (line == nullptr || line->tip.empty()) continue;
      marked += line->shade ? 0 : 1;
      if (!line->shade) continue;
      shades.push_back(*line->shade);
      heights.push_back(line->points.back().y);
    }
    CHECK(shades.size() > 5);
    CHECK(std::ranges::is_sorted(shades));
    CHECK(std::ranges::is_sorted(heights));
    CHECK(heights.back() == 1.0);
    CHECK(marked == 2);
    CHECK(figures[0].legend.size() == 2);
  }
}

TEST_CASE("The model of a run says what each value is worth, and how sure it was on the way") {
  const char* const study =
      "{{objective: {{function: hartmann3, noise: win_loss}}, optimiser: {}, iterations: 60, "
      "hold_out: 20, record: {}, seed: 2}}";
  for (const char* record : {"evaluations", "runs"}) {
    CAPTURE(record);
    const test::TemporaryFolder folder;
    const ReportData data =
        data_of_study(folder, fmt::format(fmt::runtime(study), "gaussian_process", record));
    REQUIRE(data.model);
    REQUIRE(data.model->course.size() > 6);
    CHECK(data.model->course.back().evaluations == 60);
    CHECK(data.model->slices.size() == 3);
    for (const RunModel::Slice& slice : data.model->slices) {
      for (const RunModel::Slice::At& at : slice.values) {
        CHECK(at.interval.low <= at.mean);
        CHECK(at.mean <= at.interval.high);
        CHECK(at.interval.low >= 0.0);
        CHECK(at.interval.high <= 1.0);
      }
    }
    CHECK(effects_figure(data).size() == 1);
    CHECK(first_effects_figure(data)[0].name == "effects");
    const Figure course = course_figure(data)[0];
    const auto is_band = [](const Mark& mark) { return std::holds_alternative<Band>(mark); };
    CHECK(std::ranges::count_if(course.panels[0].marks, is_band) == 1);
    CHECK_FALSE(course.data.rows.back()[2].empty());
  }
  const test::TemporaryFolder folder;
  const ReportData data = data_of_study(folder, fmt::format(fmt::runtime(study), "ntbea", "runs"));
  REQUIRE(data.model);  // its optimiser says what a point is worth, not how sure it is of that
  CHECK(data.model->slices.empty());
  CHECK_FALSE(data.model->course.empty());
  CHECK(effects_figure(data).empty());
  CHECK_THAT(first_effects_figure(data)[0].title,
             Catch::Matchers::ContainsSubstring("means of what was tried"));
}

TEST_CASE("No figure of a study is taller than a page in a column of a paper") {
  constexpr double kColumnOfPaper = 85.0 * 96.0 / 25.4;
  for (const char* study :
       {"{objectives: [{function: branin}, {function: hartmann3}, {function: hartmann6}], "
        "optimisers: [random, ntbea, rmhc], runs: 3, iterations: 30, seed: 1}",
        "{objective: {function: gaussian_landscape, dimensions: 24}, runs: 3, iterations: 60, "
        "hold_out: 20, seed: 1}"}) {
    const test::TemporaryFolder folder;
    const ReportData data = data_of_study(folder, study);
    for (const FigureEntry& entry : figure_table()) {
      for (const Figure& figure : entry.make(data)) {
        CAPTURE(figure.name);
        const Layout layout = lay_out(figure, kColumnOfPaper);
        CHECK(layout.height <= 230.0 / 85.0 * kColumnOfPaper);
        for (const PlacedPanel& panel : layout.panels) {
          CHECK(panel.area.x + panel.area.width <= kColumnOfPaper);
        }
      }
    }
  }
}

}  // namespace ntune
