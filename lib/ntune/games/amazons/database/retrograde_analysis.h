#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ntune/agents/combinatorial_game/thermograph.h"
#include "ntune/core/parallel.h"

namespace ntune {

/// Walls, each kept once.
class WallStore {
 public:
  struct Record {
    Dyadic start;
    Dyadic end;
    std::uint32_t first_turn = 0;
    std::uint32_t turns = 0;
  };

  /// The number of a wall: 0, 1 … in the order in which they came first.
  std::uint32_t number(const WallView& wall);
  [[nodiscard]] WallView wall(std::uint32_t number) const {
    const Record& record = records_[number];
    return {record.start, record.end, std::span(turns_).subspan(record.first_turn, record.turns)};
  }
  [[nodiscard]] const std::vector<Record>& records() const { return records_; }
  [[nodiscard]] const std::vector<Dyadic>& turns() const { return turns_; }

 private:
  std::vector<Record> records_;
  std::vector<Dyadic> turns_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> numbers_;
};

/// The thermographs of all entries of AmazonsIndex, each kept once.
struct AmazonsAnalysis {
  struct Record {
    ThermographValue value;
    std::uint32_t left_wall = 0;
    std::uint32_t right_wall = 0;
  };

  std::vector<std::uint16_t> entries;  ///< number of the thermograph
  std::vector<Record> thermographs;
  WallStore walls;
};

/// Computes all values by retrograde analysis, from the positions without empty squares on. The
/// same for any number of threads.
AmazonsAnalysis analyse_amazons(Parallel& parallel);

}  // namespace ntune
