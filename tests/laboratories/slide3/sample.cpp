#include "apps/slide3/experiments/sample.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "ntune/core/parallel.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {
namespace {

using test::input_error;

const SlideDatabase<3>& database() {
  static const auto kDatabase = [] {
    Parallel parallel(2);
    return SlideDatabase<3>::build(parallel);
  }();
  return kDatabase;
}

/// What reading a file of this content says, with "F" for its name.
std::string read_error(const std::string& content) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("file", content);
  std::string error = input_error([&] { read_positions(path); });
  if (error.starts_with(path)) error.replace(0, path.size(), "F");
  return error;
}

}  // namespace

// One case, for every case is a process of its own and builds the database.
TEST_CASE("slide sample: drawing") {
  SECTION("positions of one distance, each once") {
    for (const int dtw : {0, 1, 8, 14, 24, 26}) {
      const auto all =
          static_cast<std::int64_t>(database().counts()[static_cast<std::size_t>(dtw)]);
      const std::int64_t count = std::min<std::int64_t>(1068, all);
      const auto sample = sample_positions(database(), dtw, count, Rng(5));
      REQUIRE(static_cast<std::int64_t>(sample.size()) == count);
      CHECK(std::set(sample.begin(), sample.end()).size() == sample.size());
      for (const auto& position : sample) {
        REQUIRE(slide_solvable(position));
        REQUIRE(database().dtw(position) == dtw);
      }
    }
    CHECK(sample_positions(database(), 14, 0, Rng(5)).empty());
  }

  SECTION("a seed names a sample, and a longer sample begins with a shorter one") {
    const auto sample = sample_positions(database(), 14, 100, Rng(1));
    CHECK(sample == sample_positions(database(), 14, 100, Rng(1)));
    CHECK(sample != sample_positions(database(), 14, 100, Rng(2)));
    const auto longer = sample_positions(database(), 14, 200, Rng(1));
    CHECK(std::equal(sample.begin(), sample.end(), longer.begin()));
  }

  SECTION("uniform over the positions of a distance") {
    // Chi-squared over the 108 positions of DTW 4, 27 of them drawn 200 times: 107 degrees of
    // freedom, and a quarter of a sample's variance goes with drawing without repetition.
    constexpr int kRounds = 200;
    constexpr double kExpected = kRounds * 27.0 / 108.0;
    std::vector<int> drawn(slide_position_count<3>());
    for (int round = 0; round < kRounds; ++round) {
      const Rng rng = Rng(3).stream("round", static_cast<std::uint64_t>(round));
      for (const auto& p : sample_positions(database(), 4, 27, rng)) ++drawn[slide_index(p)];
    }
    double chi_squared = 0.0;
    for (const std::uint32_t index : database().positions_at(4)) {
      chi_squared += (drawn[index] - kExpected) * (drawn[index] - kExpected) / kExpected / 0.75;
    }
    CHECK(chi_squared > 65.0);
    CHECK(chi_squared < 165.0);  // each one in about 3,000
  }

  SECTION("from all positions if no distance is given") {
    const auto sample = sample_positions(database(), std::nullopt, 5'000, Rng(7));
    CHECK(std::set(sample.begin(), sample.end()).size() == 5'000);
    const auto twenty = std::count_if(sample.begin(), sample.end(), [](const auto& position) {
      return database().dtw(position) == 20;
    });
    CHECK(std::abs(static_cast<double>(twenty) - 5'000 * (1'910'400 / 11'612'160.0)) < 4 * 26.2);
  }

  SECTION("what cannot be drawn is refused") {
    const auto error = [](std::optional<int> dtw, std::int64_t count) {
      return input_error([&] { sample_positions(database(), dtw, count, Rng(1)); });
    };
    CHECK(error(26, 185) == "a sample of 185 positions: allowed are 0 to the 184 that there are");
    CHECK(error(26, -1) == "a sample of -1 positions: allowed are 0 to the 184 that there are");
    CHECK(error(std::nullopt, 11'612'161) ==
          "a sample of 11612161 positions: allowed are 0 to the 11612160 that there are");
    CHECK(error(27, 1) == "no position has the distance to win 27; allowed: 0 to 26");
    CHECK(error(-1, 1) == "no position has the distance to win -1; allowed: 0 to 26");
    CHECK(error(26, 184) == "no error");
  }
}

TEST_CASE("slide sample: files in the thesis's format") {
  const test::TemporaryFolder folder;
  const std::vector<SlidePosition<3>> two = {SlidePosition<3>::start(), SlidePosition<3>::win()};
  write_positions(folder / "two", two);
  CHECK(test::content_of(folder / "two") == "115\n987654321\n115\n123456789\n");
  CHECK(read_positions(folder / "two") == two);
  CHECK(read_positions(folder.file("dos", "115\r\n987654321\r\n115\r\n123456789")) == two);

  std::vector<SlidePosition<3>> sample;
  constexpr std::uint64_t kStride = 98'765;
  for (std::uint64_t index = 0; index < slide_position_count<3>(); index += kStride) {
    sample.push_back(slide_position_at<3>(index));
  }
  write_positions(folder / "sample", sample);
  CHECK(read_positions(folder / "sample") == sample);
}

TEST_CASE("slide sample: malformed files are refused with file and line") {
  const std::string start = "115\n987654321\n";
  const auto needed = [](const std::string& line, const std::string& code, int digits) {
    return "'" + line + "': the " + code + " code of " + std::to_string(digits) +
           " digits is needed here";
  };
  CHECK(read_error("") == "F: holds no positions");
  CHECK(read_error("\n") == "F:1: " + needed("", "pattern", 3));
  CHECK(read_error(start + "\n" + start) == "F:3: " + needed("", "pattern", 3));
  CHECK(read_error(start + "987654321\n") == "F:3: " + needed("987654321", "pattern", 3));
  CHECK(read_error("115/987654321\n") == "F:1: " + needed("115/987654321", "pattern", 3));
  CHECK(read_error(start + "115\n98765432\n") == "F:4: " + needed("98765432", "order", 9));
  CHECK(read_error("115\n98765432x\n") == "F:2: " + needed("98765432x", "order", 9));
  CHECK(read_error("115\n987654321 \n") == "F:2: " + needed("987654321 ", "order", 9));
  CHECK(read_error(start + "115\n") ==
        "F:3: the order code is missing that belongs below this line");
  CHECK(read_error(std::string("\0\0\0\n", 4)) ==
        "F:1: " + needed("\\x00\\x00\\x00", "pattern", 3));
  CHECK(read_error("116\n987654321\n") ==
        "F:2: position '116/987654321': has the pattern code 116; allowed: 1 to 4, then two digits "
        "from 00 to 15");
  CHECK(read_error(start + "115\n987654322\n") ==
        "F:4: position '115/987654322': holds no permutation of the tiles 1 to 9");
  CHECK(read_error(start + "308\n857126493\n") ==
        "F:4: position '308/857126493': cannot be solved: its order of tiles has the wrong parity");
  const test::TemporaryFolder folder;
  const std::string none = (folder / "none").string();
  CHECK(input_error([&] { read_positions(none); }) ==
        none + ": cannot read it: No such file or directory");
  CHECK(input_error([&] { write_positions(none + "/file", {}); }) ==
        none + "/file: cannot write it: No such file or directory");
}

TEST_CASE("slide sample: shortest solutions reach Win by the lowest lines that lead nearer") {
  CHECK(shortest_solution(database(), SlidePosition<3>::win()).empty());
  for (const auto& start : sample_positions(database(), std::nullopt, 300, Rng(9))) {
    auto position = start;
    const std::vector<int> lines = shortest_solution(database(), start);
    REQUIRE(static_cast<int>(lines.size()) == database().dtw(start));
    for (const int line : lines) {
      REQUIRE(position.can_slide(line));
      for_each_line(position.moves() & ((1U << line) - 1), [&](int lower) {
        REQUIRE(database().dtw(position.after(lower)) > database().dtw(position));
      });
      position.slide(line);
    }
    REQUIRE(position == SlidePosition<3>::win());
  }
  CHECK(shortest_solution(database(), SlidePosition<3>::start()).size() == 24);
  Parallel parallel(1);
  const auto two = SlideDatabase<2>::build(parallel);
  CHECK(shortest_solution(two, SlidePosition<2>::start()).size() == 10);
}

}  // namespace ntune
