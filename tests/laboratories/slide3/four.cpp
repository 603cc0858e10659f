#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/slide3/four/keys.h"
#include "apps/slide3/four/levels.h"
#include "apps/slide3/four/packed_keys.h"
#include "apps/slide3/four/path.h"
#include "apps/slide3/four/reversed_pair.h"
#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/parallel.h"
#include "ntune/core/rng.h"
#include "ntune/games/slide/codes.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace {

template <int K>
std::set<SlidePosition<K>> neighbours(const std::set<SlidePosition<K>>& positions) {
  std::set<SlidePosition<K>> reached;
  for (const SlidePosition<K>& position : positions) {
    for_each_line(position.moves(), [&](int line) { reached.insert(position.after(line)); });
  }
  return reached;
}

/// Positions by their distance from Win, plainly.
template <int K>
std::vector<std::set<SlidePosition<K>>> plain_levels(int depth) {
  std::vector<std::set<SlidePosition<K>>> levels = {{SlidePosition<K>::win()}};
  while (static_cast<int>(levels.size()) <= depth) {
    std::set<SlidePosition<K>> fresh = neighbours(levels.back());
    if (levels.size() > 1) {
      for (const SlidePosition<K>& old : levels[levels.size() - 2]) fresh.erase(old);
    }
    levels.push_back(std::move(fresh));
  }
  return levels;
}

/// Where the way ends.
template <int K>
SlidePosition<K> slid(SlidePosition<K> position, const std::vector<int>& lines) {
  for (const int line : lines) {
    REQUIRE(position.can_slide(line));
    position.slide(line);
  }
  return position;
}

/// Depth at which a level is first its own reversal's neighbour, after `stored` levels by steps.
template <int K>
int depth_of_meeting(int stored) {
  Parallel parallel(2);
  SlideLevels<K> levels(parallel);
  while (levels.depth() < stored) {
    if (levels.meeting()) return levels.depth();
    levels.advance();
  }
  for (int steps = 0;; ++steps) {
    if (levels.meeting(steps)) return levels.depth() + steps;
  }
}

}  // namespace

TEST_CASE("a key holds a position's tiles, and its reversal Start's") {
  using SquarePosition = SlidePosition<4>;
  const SquarePosition win = SquarePosition::win();
  CHECK(slide_key(win) == 0x0123456789abcdef);
  CHECK(reverse_tiles<4>(slide_key(win)) == slide_key(SquarePosition::start()));
  CHECK(slide_key_position<4>(win.pattern(), slide_key(win)) == win);
  CHECK(reverse_tiles<3>(slide_key(SlidePosition<3>::win())) ==
        slide_key(SlidePosition<3>::start()));
}

TEMPLATE_TEST_CASE_SIG("transposing leaves Win and Start as they are, and moves are moves after it",
                       "", ((int K), K), 2, 3, 4) {
  using SquarePosition = SlidePosition<K>;
  CHECK(transposed(SquarePosition::win()) == SquarePosition::win());
  CHECK(transposed(SquarePosition::start()) == SquarePosition::start());
  const auto plain = plain_levels<K>(3);
  for (const SquarePosition& position : plain[3]) {
    CHECK(transposed(transposed(position)) == position);
    CHECK(transposed(position).pattern() == transposed_pattern<K>(position.pattern()));
    for_each_line(position.moves(), [&](int line) {
      const int mirror = (line + K + 1) % SquarePosition::kLines;
      CHECK(transposed(position.after(line)) == transposed(position).after(mirror));
    });
  }
}

TEMPLATE_TEST_CASE_SIG("steps between keys are moves", "", ((int K), K), 2, 3, 4) {
  using SquarePosition = SlidePosition<K>;
  constexpr std::uint64_t kOrders = slide_position_count<K>() / SquarePosition::kPatterns;
  for (const int from : slide_pattern_classes<K>()) {
    const auto position =
        slide_position_at<K>(static_cast<std::uint64_t>(from) * kOrders + kOrders / 3);
    const auto moved = neighbours<K>({position, transposed(position)});
    for (int to = 0; to < SquarePosition::kPatterns; ++to) {
      for (const SlideStep<K>& step : slide_steps_to<K>(to)) {
        if (step.from() != from) continue;
        CHECK(moved.contains(slide_key_position<K>(to, step(slide_key(position)))));
      }
    }
  }
}

TEST_CASE("the patterns of SlideFour fall into two halves, and every move leads to the other one") {
  using SquarePosition = SlidePosition<4>;
  std::vector<int> half(SquarePosition::kPatterns, -1);
  std::vector<int> reached = {SquarePosition::win().pattern()};
  half[static_cast<std::size_t>(reached.front())] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const int side = half[static_cast<std::size_t>(reached[i])];
    const auto order = slide_order(SquarePosition::win());
    const SquarePosition position = slide_position<4>(reached[i], order);
    for_each_line(position.moves(), [&](int line) {
      const int next = position.after(line).pattern();
      int& other = half[static_cast<std::size_t>(next)];
      if (other < 0) reached.push_back(next);
      if (other < 0) other = 1 - side;
      CHECK(other == 1 - side);
    });
  }
  CHECK(reached.size() == SquarePosition::kPatterns);
  CHECK(SquarePosition::start().pattern() == SquarePosition::win().pattern());
}

TEST_CASE("SlideFour's levels grow as known") {
  Parallel parallel(2);
  SlideLevels<4> levels(parallel);
  for (const std::uint64_t count :
       {1U, 8U, 36U, 140U, 520U, 1'844U, 6'317U, 21'216U, 70'054U, 227'866U}) {
    CHECK(levels.count() == count);
    CHECK_FALSE(levels.meeting());
    levels.advance();
  }
}

TEMPLATE_TEST_CASE_SIG("levels hold what a plain search finds, and are closed under transposition",
                       "", ((int K), K), 2, 3, 4) {
  constexpr int kDepth = K == 2 ? 12 : 6;
  const auto plain = plain_levels<K>(kDepth);
  Parallel parallel(2);
  SlideLevels<K> levels(parallel);
  for (int depth = 0; depth <= kDepth; ++depth) {
    const auto positions = levels.positions();
    const std::set<SlidePosition<K>> found(positions.begin(), positions.end());
    CHECK(found.size() == levels.count());
    CHECK(found == plain[static_cast<std::size_t>(depth)]);
    CHECK(std::ranges::all_of(found, [&](const auto& p) { return found.contains(transposed(p)); }));
    levels.advance();
  }
}

TEST_CASE("the balls around Win and Start meet half-way, with levels stored or not") {
  CHECK(depth_of_meeting<2>(100) == 5);
  CHECK(depth_of_meeting<2>(2) == 5);
  CHECK(depth_of_meeting<3>(100) == 12);
  CHECK(depth_of_meeting<3>(10) == 12);
}

TEST_CASE("keys whose reversal comes too are found among many, in any order") {
  std::vector<SlideKey> keys;
  Rng rng(1);
  SlideOrder<4> order = slide_order<4>(SlidePosition<4>::win());
  for (int i = 0; i < 20'000; ++i) {
    for (std::size_t j = order.size() - 1; j > 0; --j)
      std::swap(order[j], order[rng.below(static_cast<std::uint32_t>(j + 1))]);
    const SlideKey key = slide_key(slide_position<4>(0, order));
    // One of each pair at most.
    keys.push_back(std::min(key, reverse_tiles<4>(key)));
    if (i % 2 == 1) keys.back() = reverse_tiles<4>(keys.back());
  }
  const auto pair = [&] {
    return find_reversed_pair<4>(keys.size(), [&](const auto& visit) {
      for (const SlideKey key : keys) visit(key);
    });
  };
  CHECK(pair() == std::nullopt);
  keys.insert(keys.begin() + 7'000, reverse_tiles<4>(keys[15'000]));
  REQUIRE(pair().has_value());
  CHECK((*pair() == keys[7'000] || *pair() == reverse_tiles<4>(keys[7'000])));
}

TEST_CASE("packed keys come back, from a file too") {
  const test::TemporaryFolder folder;
  const std::vector<SlideKey> keys = {0x0123456789abcdef, 0x0123456789abcdfe, 0x0213456789abcdef,
                                      0xfedcba9876543210};
  SlideKeyPacker<4> packer;
  for (const SlideKey key : keys) packer.add(key);
  const PackedSlideKeys<4> packed = std::move(packer).packed();
  const std::string file = (folder / "keys").string();
  packed.save(file);
  for (const auto& kept : {packed, PackedSlideKeys<4>::load(file)}) {
    std::vector<SlideKey> found;
    kept.for_each([&](SlideKey key) { found.push_back(key); });
    CHECK(found == keys);
    CHECK(kept.count() == keys.size());
  }
  std::filesystem::resize_file(file, packed.bytes() - 8);
  CHECK_THROWS_AS(PackedSlideKeys<4>::load(file), InputError);
  std::filesystem::resize_file(file, 7);
  CHECK_THROWS_AS(PackedSlideKeys<4>::load(file), InputError);
}

TEST_CASE("levels in a folder are those in memory, and a run that was broken off goes on") {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder / "levels";
  Parallel parallel(2);
  SlideLevels<3> plain(parallel);
  while (plain.depth() < 8) plain.advance();
  {
    SlideLevels<3> kept(parallel, path);
    while (kept.depth() < 7) kept.advance();
    CHECK_FALSE(kept.meeting(2));
    std::filesystem::copy(path / "6", folder / "6");
    kept.advance();
  }
  CHECK_FALSE(std::filesystem::exists(path / "6"));
  CHECK(SlideLevels<3>(parallel, path).depth() == 8);
  // As if the eighth level had not been finished: without a pattern of it.
  std::filesystem::copy(folder / "6", path / "6");
  std::filesystem::remove(path / "8" / "whole");
  const auto some = std::to_string(plain.positions().front().pattern());
  REQUIRE(std::filesystem::remove(path / "8" / some));
  SlideLevels<3> kept(parallel, path);
  CHECK(kept.depth() == 7);
  kept.advance();
  CHECK(kept.count() == plain.count());
  CHECK(kept.positions() == plain.positions());
  // Patterns known to be apart are not looked at again, so that a false mark hides a meeting.
  CHECK(kept.meeting(4).has_value());
  for (const int pattern : slide_pattern_classes<3>()) {
    std::ofstream(path / "12" / fmt::format("{}.apart", pattern));
  }
  CHECK_FALSE(kept.meeting(4));
}

TEST_CASE("a meeting lies half-way between Win and Start") {
  Parallel parallel(1);
  SlideLevels<3> levels(parallel);
  while (!levels.meeting()) levels.advance();
  const SlidePosition<3> middle = *levels.meeting();
  CHECK(find_slides(middle, SlidePosition<3>::win()).size() == 12);
  CHECK(find_slides(middle, SlidePosition<3>::start()).size() == 12);
}

TEMPLATE_TEST_CASE_SIG("the shortest way is as long as the plain distance", "", ((int K), K), 2, 3,
                       4) {
  constexpr int kDepth = 6;
  const auto plain = plain_levels<K>(kDepth);
  for (int depth = 0; depth <= kDepth; ++depth) {
    const SlidePosition<K> far = *plain[static_cast<std::size_t>(depth)].rbegin();
    const std::vector<int> lines = find_slides(far, SlidePosition<K>::win());
    CHECK(static_cast<int>(lines.size()) == depth);
    CHECK(slid(far, lines) == SlidePosition<K>::win());
  }
}

TEST_CASE("a narrow beam leads from SlideFour's Start to Win") {
  const auto start = SlidePosition<4>::start();
  const SlidePathOptions options = {.width = 1'000, .seed = 1};
  const std::vector<int> lines = find_slides(start, SlidePosition<4>::win(), options);
  CHECK(lines.size() >= 36);
  CHECK(lines.size() <= 80);
  CHECK(lines.size() % 2 == 0);
  CHECK(slid(start, lines) == SlidePosition<4>::win());
  CHECK(find_slides(start, SlidePosition<4>::win(), options) == lines);
}

}  // namespace ntune
