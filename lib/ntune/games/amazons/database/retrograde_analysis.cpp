#include "ntune/games/amazons/database/retrograde_analysis.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <span>

#include "ntune/core/hash.h"
#include "ntune/core/rng.h"
#include "ntune/games/amazons/database/index.h"
#include "ntune/games/amazons/position.h"

namespace ntune {

namespace {

/// Most squares that can be empty beside two queens.
constexpr int kMostEmpties = AmazonsIndex::kSetBits;
constexpr std::size_t kEntriesPerTask = 512;

/// Walls of one entry, as numbers: -L_t and R_t.
struct EntryWalls {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};

/// Entries of the same number of empty squares, one after the other.
struct TaskResult {
  std::vector<Thermograph> thermographs;
};

/// One thread's work on an entry.
class EntryAnalysis {
 public:
  EntryAnalysis(std::span<const EntryWalls> entries, const WallStore& walls)
      : entries_(entries), walls_(walls) {}

  Thermograph analyse(std::uint32_t entry) {
    const auto queens = kAmazonsIndex.queens(entry / AmazonsIndex::kSets);
    const int black = queens[0];
    const int white = queens[1];
    const std::uint32_t empty = AmazonsIndex::spread(
        entry % AmazonsIndex::kSets, std::min(black, white), std::max(black, white));
    left_.clear();
    right_.clear();
    add_options(black, empty, left_, [&](int to) { return option(to, white, false); });
    add_options(white, empty, right_, [&](int to) { return option(black, to, true); });
    return Thermograph(left_, right_);
  }

 private:
  struct Option {
    const AmazonsIndex::Placement& placement;
    bool left_wall;  ///< whether the left wall of the entry is what counts
  };
  /// A left option counts by its right wall, which is the left one of its negative.
  static Option option(int black, int white, bool of_right) {
    const auto& placement = kAmazonsIndex.placement(black, white);
    return {placement, placement.negative != of_right};
  }

  template <class OptionOf>
  void add_options(int from, std::uint32_t empty, WallMaximum& maximum, const OptionOf& option_of) {
    // Every square that the queen reaches is a target, one bit after the other.
    for (std::uint32_t targets = AmazonsBoard<4>::reach(from, empty); targets != 0;
         targets &= targets - 1) {
      const int to = AmazonsBoard<4>::lowest(targets);
      // The square that the queen leaves is empty for the arrow.
      const std::uint32_t left_over =
          (empty | AmazonsBoard<4>::bit(from)) & ~AmazonsBoard<4>::bit(to);
      const Option option = option_of(to);
      const std::uint32_t set = kAmazonsIndex.set(option.placement, left_over);
      // Arrows and empty squares are numbered alike, so an arrow is a bit less in the set.
      std::uint32_t arrows =
          kAmazonsIndex.set(option.placement, AmazonsBoard<4>::reach(to, left_over));
      for (; arrows != 0; arrows &= arrows - 1) {
        // The walls of the options are known: they have fewer empty squares.
        const EntryWalls& walls =
            entries_[option.placement.first_entry + (set ^ (arrows & (0U - arrows)))];
        maximum.add(walls_.wall(option.left_wall ? walls.left : walls.right));
      }
    }
  }

  std::span<const EntryWalls> entries_;
  const WallStore& walls_;
  WallMaximum left_;
  WallMaximum right_;
};

/// The entries with each number of empty squares, ascending.
std::array<std::vector<std::uint32_t>, kMostEmpties + 1> entries_by_empties() {
  std::array<std::vector<std::uint32_t>, kMostEmpties + 1> entries;
  for (std::uint32_t entry = 0; entry < AmazonsIndex::kEntries; ++entry) {
    entries[static_cast<std::size_t>(std::popcount(entry % AmazonsIndex::kSets))].push_back(entry);
  }
  return entries;
}

}  // namespace

std::uint32_t WallStore::number(const WallView& wall) {
  // The hash begins with the foot, and each turn is mixed in.
  auto hash = static_cast<std::uint64_t>(wall.start.units());
  for (const Dyadic turn : wall.turns) {
    hash = mix64(hash) ^ static_cast<std::uint64_t>(turn.units());
  }
  // Several walls may have one hash, so they are compared.
  const auto [begin, end] = numbers_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    const WallView known = this->wall(at->second);
    if (known.start == wall.start &&
        std::equal(known.turns.begin(), known.turns.end(), wall.turns.begin(), wall.turns.end())) {
      return at->second;
    }
  }
  const auto number = static_cast<std::uint32_t>(records_.size());
  records_.push_back({wall.start, wall.end, static_cast<std::uint32_t>(turns_.size()),
                      static_cast<std::uint32_t>(wall.turns.size())});
  turns_.insert(turns_.end(), wall.turns.begin(), wall.turns.end());
  numbers_.emplace(hash, number);
  return number;
}

AmazonsAnalysis analyse_amazons(Parallel& parallel) {
  AmazonsAnalysis analysis;
  analysis.entries.resize(AmazonsIndex::kEntries);
  std::vector<EntryWalls> walls(AmazonsIndex::kEntries);
  std::unordered_map<std::uint64_t, std::uint16_t> numbers;
  // Layers follow by the number of empty squares: each move fills one.
  for (const std::vector<std::uint32_t>& layer : entries_by_empties()) {
    std::vector<std::vector<Thermograph>> results((layer.size() + kEntriesPerTask - 1) /
                                                  kEntriesPerTask);
    // Within a layer entries do not depend on each other. Only the numbering of walls and
    // thermographs is done by one thread, in order.
    parallel.for_each(results.size(), [&](std::size_t task) {
      EntryAnalysis worker(walls, analysis.walls);
      const std::size_t end = std::min(layer.size(), (task + 1) * kEntriesPerTask);
      for (std::size_t i = task * kEntriesPerTask; i < end; ++i) {
        results[task].push_back(worker.analyse(layer[i]));
      }
    });
    for (std::size_t i = 0; i < layer.size(); ++i) {
      const Thermograph& thermograph = results[i / kEntriesPerTask][i % kEntriesPerTask];
      const std::uint32_t entry = layer[i];
      walls[entry] = {analysis.walls.number(thermograph.left_wall()),
                      analysis.walls.number(thermograph.right_wall())};
      // Equal pairs of walls make equal thermographs, which get one number.
      const std::uint64_t pair = std::uint64_t{walls[entry].left} << 32 | walls[entry].right;
      const auto next = static_cast<std::uint16_t>(analysis.thermographs.size());
      const auto [found, is_new] = numbers.emplace(pair, next);
      if (is_new) {
        assert(analysis.thermographs.size() <= 0xffff);
        analysis.thermographs.push_back(
            {thermograph.value(), walls[entry].left, walls[entry].right});
      }
      analysis.entries[entry] = found->second;
    }
  }
  return analysis;
}

}  // namespace ntune
