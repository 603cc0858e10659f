#include <cstdint>
#include <string>
#include <vector>

#include "apps/common/progress.h"
#include "catch.h"

namespace ntune {

using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using cli::progress_line;
using cli::progress_text;
using cli::ProgressView;

namespace {

const ProgressView kView{.done = 1'200,
                         .total = 4'000,
                         .unit = "evaluations",
                         .more = "3 of 10 runs",
                         .last = "run 3: 0.5312  hold 22  rush 80   pace 0.25"};

}  // namespace

TEST_CASE("the live line says how far a study is, how fast, and what it would recommend") {
  CHECK(progress_line(kView, 10.0, 200) ==
        "███████░░░░░░░░░░░░░░░░░  30 %  1,200 of 4,000 evaluations  3 of 10 runs    120/s"
        "       24 s left  run 3: 0.5312  hold 22  rush 80   pace 0.25");
}

TEST_CASE("the live line has a bar on a terminal of 80 columns, and nothing in it moves") {
  ProgressView view = kView;
  std::vector<std::size_t> places;
  for (const std::int64_t done : {1, 90, 400, 1'200, 3'999}) {
    view.done = done;
    const std::string line = progress_line(view, 10.0, 79);
    CAPTURE(line);
    places.push_back(line.find(" of 4,000"));
    places.push_back(line.find("run 3: ") + 1'000);
    // Of the bar's ten blocks each takes three bytes.
    CHECK(line.find('%') == 10 * 3 + 5);
  }
  for (std::size_t i = 2; i < places.size(); ++i) CHECK(places[i] == places[i - 2]);
}

TEST_CASE("a narrow terminal has a shorter bar, then no unit, no runs and no rate") {
  CHECK(progress_line(kView, 10.0, 115) ==
        "███░░░░░░░  30 %  1,200 of 4,000 evaluations  3 of 10 runs    120/s       24 s left"
        "  run 3: 0.5312  hold 22  rush …");
  CHECK(progress_line(kView, 10.0, 105) ==
        "███░░░░░░░  30 %  1,200 of 4,000  3 of 10 runs    120/s       24 s left"
        "  run 3: 0.5312  hold 22  rush 80…");
  CHECK(progress_line(kView, 10.0, 90) ==
        "███░░░░░░░  30 %  1,200 of 4,000    120/s       24 s left"
        "  run 3: 0.5312  hold 22  rush 8…");
  CHECK(progress_line(kView, 10.0, 79) ==
        "███░░░░░░░  30 %  1,200 of 4,000       24 s left"
        "  run 3: 0.5312  hold 22  rush…");
  for (std::size_t characters = 1; characters < 200; ++characters) {
    const std::string line = progress_line(kView, 10.0, characters);
    std::size_t written = 0;
    for (const char c : line) written += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    CHECK(written <= characters);
  }
}

TEST_CASE("the rate and the time left are those of this process") {
  ProgressView view = kView;
  view.before = 1'000;
  CHECK(progress_text(view, 10.0) ==
        " 30 %  1,200 of 4,000 evaluations  3 of 10 runs  20.0/s  2.3 min left");
  view.before = view.done;
  CHECK_THAT(progress_text(view, 10.0), EndsWith("0.0/s  waiting for the first result"));
  view.before = view.done + 1;  // recalled a moment before it is counted
  CHECK_THAT(progress_text(view, 10.0), EndsWith("  0.0/s  waiting for the first result"));
}

TEST_CASE("a limit of time stands in place of what the rate says") {
  ProgressView view = kView;
  view.seconds_limit = 7200.0;
  view.seconds_used = 1800.0;
  CHECK_THAT(progress_text(view, 10.0), EndsWith("120/s  90.0 min of time left"));
  view.total = 0;
  CHECK_THAT(progress_text(view, 10.0), StartsWith("1,200 evaluations  3 of 10 runs"));
}

}  // namespace ntune
