#include "ntune/games/slide/exact/database.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "catch.h"
#include "ntune/core/files.h"
#include "ntune/core/parallel.h"
#include "support/error_text.h"
#include "support/file_size_limit.h"
#include "support/temporary_folder.h"

namespace ntune {
namespace {

using Catch::Matchers::StartsWith;
using test::input_error;

template <int K>
SlideDatabase<K> make(int threads = 1) {
  Parallel parallel(threads);
  return SlideDatabase<K>::build(parallel);
}

/// From Win, forward, with a queue.
std::vector<int> breadth_first_slide_two() {
  std::vector<int> distances(slide_position_count<2>(), -1);
  std::vector<SlidePosition<2>> queue = {SlidePosition<2>::win()};
  distances[slide_index(queue[0])] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const SlidePosition<2> position = queue[i];
    for_each_line(position.moves(), [&](int line) {
      int& distance = distances[slide_index(position.after(line))];
      if (distance >= 0) return;
      distance = distances[slide_index(position)] + 1;
      queue.push_back(position.after(line));
    });
  }
  return distances;
}

/// The file of a database of SlideTwo.
std::string slide_two_file() {
  const test::TemporaryFolder folder;
  make<2>().save(folder / "file");
  return test::content_of(folder / "file");
}

/// What loading a file of this content as a database of SlideTwo says after the name of the file.
std::string complaint(const std::string& content) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("file", content);
  const std::string error = input_error([&] { SlideDatabase<2>::load(path); });
  CHECK_THAT(error, StartsWith(path + ": "));
  return error.substr(std::min(error.size(), path.size() + 2));
}

/// The 184 positions that are farthest from Win, two of them in Figure H.2, and none beyond.
void check_positions_at(const SlideDatabase<3>& database) {
  const std::vector<std::uint32_t> farthest = database.positions_at(26);
  REQUIRE(farthest.size() == 184);
  CHECK(std::is_sorted(farthest.begin(), farthest.end()));
  for (const std::string text :
       {"7 8 9 . 5 4 6 . 1 2 3 . . . . .", "6 7 8 . 9 5 1 . 2 3 4 . . . . ."}) {
    const std::uint64_t index = slide_index(parse_slide_position<3>(text));
    CHECK(std::binary_search(farthest.begin(), farthest.end(), index));
  }
  CHECK(database.positions_at(0).size() == 1);
  CHECK(database.positions_at(27).empty());
  CHECK(database.positions_at(-1).empty());
  CHECK(database.positions_at(256 + 26).empty());
}

}  // namespace

TEST_CASE("slide database: SlideTwo as by breadth-first search") {
  const auto database = make<2>();
  const std::vector<int> expected = breadth_first_slide_two();
  for (std::uint64_t index = 0; index < expected.size(); ++index) {
    CHECK(database.dtw_at(index) == expected[index]);
    CHECK(database.dtw(slide_position_at<2>(index)) == expected[index]);
  }
  CHECK(database.dtw(SlidePosition<2>::start()) == 10);
  CHECK(database.counts() ==
        std::vector<std::uint64_t>{1, 4, 6, 8, 13, 24, 32, 32, 27, 20, 15, 8, 2});
}

TEST_CASE("slide database: SlideThree has the thesis's numbers") {
  const auto database = make<3>(2);
  CHECK(database.dtw(SlidePosition<3>::win()) == 0);
  CHECK(database.dtw(SlidePosition<3>::start()) == 24);
  const std::vector<std::uint64_t> counts = database.counts();
  CHECK(counts == std::vector<std::uint64_t>{
                      1,       6,       18,      44,      108,     272,    665,    1568,   3613,
                      8216,    18323,   39190,   80081,   156442,  289716, 502558, 807708, 1189006,
                      1580442, 1868500, 1910400, 1602090, 1014561, 428650, 100260, 9538,   184});
  CHECK(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) == 11'612'160);

  check_positions_at(database);
  std::uint64_t compared = 0;
  constexpr std::uint64_t kStride = 97;
  for (std::uint64_t index = 0; index < slide_position_count<3>(); index += kStride) {
    const SlidePosition<3> position = slide_position_at<3>(index);
    const int dtw = database.dtw_at(index);
    bool nearer = dtw == 0;
    for_each_line(position.moves(), [&](int line) {
      const int next = database.dtw(position.after(line));
      REQUIRE(std::abs(next - dtw) == 1);
      nearer = nearer || next < dtw;
      ++compared;
    });
    REQUIRE(nearer);
  }
  CHECK(compared > 4 * slide_position_count<3>() / kStride);
}

TEST_CASE("slide database: the same for any number of threads") {
  const auto one = make<3>(1);
  for (const int threads : {2, 8}) {
    const auto other = make<3>(threads);
    CHECK(std::equal(one.distances().begin(), one.distances().end(), other.distances().begin(),
                     other.distances().end()));
  }
}

TEST_CASE("slide database: a file gives back what was saved") {
  const test::TemporaryFolder folder;
  const auto built = make<3>(2);
  built.save(folder / "three");
  CHECK(std::filesystem::file_size(folder / "three") == 32 + slide_position_count<3>());
  const auto loaded = SlideDatabase<3>::load(folder / "three");
  CHECK(std::equal(built.distances().begin(), built.distances().end(), loaded.distances().begin(),
                   loaded.distances().end()));
  CHECK(loaded.dtw(SlidePosition<3>::start()) == 24);
  loaded.save(folder / "again");
  CHECK(test::content_of(folder / "again") == test::content_of(folder / "three"));
  loaded.save(folder / "three");  // in place of the file that is mapped
  CHECK(loaded.counts() == built.counts());
}

TEST_CASE("slide database: a moved one is as before") {
  auto built = make<2>();
  const std::vector<std::uint64_t> counts = built.counts();
  const auto moved = std::move(built);
  CHECK(moved.counts() == counts);
}

TEST_CASE("slide database: every changed byte of a file is noticed") {
  const std::string file = slide_two_file();
  REQUIRE(file.size() == 32 + 192);
  for (std::size_t i = 0; i < file.size(); ++i) {
    for (const int bit : {0, 3, 7}) {
      std::string changed = file;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      const std::string error = complaint(changed);
      CHECK_THAT(error, StartsWith("is "));
      if (i >= 24) CHECK(error == "is damaged: its checksum is not that of its content");
    }
  }
}

TEST_CASE(
    "slide database: bytes that change places or high bits that change in pairs are noticed") {
  const std::string file = slide_two_file();
  std::string swapped = file;
  std::swap_ranges(swapped.begin() + 32, swapped.begin() + 64, swapped.begin() + 64);
  REQUIRE(swapped != file);
  CHECK_THAT(complaint(swapped), StartsWith("is damaged"));
  std::string high = file;
  for (const std::size_t i : {39U, 71U}) high[i] = static_cast<char>(high[i] ^ 0x80);
  CHECK_THAT(complaint(high), StartsWith("is damaged"));
}

TEST_CASE("slide database: a file of another length is refused") {
  const std::string file = slide_two_file();
  for (std::size_t size = 0; size < file.size(); ++size) {
    const std::string error = complaint(file.substr(0, size));
    CHECK(error == (size < 32
                        ? "is no database of distances to win"
                        : "has " + std::to_string(size) + " bytes; a whole database has 224"));
  }
  CHECK(complaint(file + '\0') == "has 225 bytes; a whole database has 224");
}

TEST_CASE("slide database: foreign files and other versions are refused") {
  CHECK(complaint(std::string(1000, 'x')) == "is no database of distances to win");
  std::string file = slide_two_file();
  const std::uint32_t version = 2;
  std::memcpy(file.data() + 8, &version, sizeof(version));
  CHECK(complaint(file) == "is of version 2 of the format; this program reads version 1");

  const test::TemporaryFolder folder;
  const std::string path = folder.file("two", slide_two_file());
  CHECK(input_error([&] { SlideDatabase<3>::load(path); }) ==
        path + ": is for K = 2 with 192 positions; needed is K = 3 with 11612160");
}

TEST_CASE("slide database: files that cannot be read or written") {
  const test::TemporaryFolder folder;
  const std::string none = (folder / "none").string();
  CHECK(input_error([&] { SlideDatabase<2>::load(none); }) ==
        none + ": cannot read it: No such file or directory");
  const auto database = make<2>();
  CHECK(input_error([&] { database.save(none + "/file"); }) ==
        none + "/file: cannot write it: No such file or directory");
  database.save(folder / "kept");
  const std::string before = test::content_of(folder / "kept");
  {
    const test::FileSizeLimit full(100);
    CHECK(input_error([&] { database.save(folder / "kept"); }) ==
          (folder / "kept").string() + ": cannot write it: File too large");
  }
  CHECK(test::content_of(folder / "kept") == before);
  CHECK(folder.names() == std::vector<std::string>{"kept"});
}

}  // namespace ntune
