// What could have made the first programs of Heuser (2003) weaker than ours? Each hypothesis is a
// depth-t search with one thing changed; its winning quotas stand beside those of Tables A1 to A3
// of Althöfer and Heuser (2005), all from one sample of DTW 14. Adds rows to a CSV file.
//
//   slide_hypotheses --out benchmarks/results/slide3_hypotheses.csv

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/slide3/experiments/sample.h"
#include "benchmarks/programs/experiment.h"
#include "ntune/core/parallel.h"
#include "ntune/core/statistics.h"
#include "ntune/games/slide/evaluation.h"
#include "ntune/games/slide/exact/database.h"

namespace ntune {
namespace {

using Position = SlidePosition<3>;

constexpr int kDtw = 14;
constexpr int kMoves = 100;
constexpr int kTableBits = 19;

/// What may have been otherwise than the thesis's text and ours have it.
struct Hypothesis {
  enum class Key { kExact, kOrder, kIndex };
  enum class Ties { kRandom, kFirst, kLast, kCoin };
  enum class Endgame { kShallower, kNever, kAtLeaves, kOnce };

  const char* name;
  bool keeps_table = false;  ///< between the moves of a game
  bool any_depth = false;    ///< an entry of another depth counts
  bool leaves_in_table = true;
  Key key = Key::kExact;
  Ties ties = Ties::kRandom;
  double rounding = 0.0;      ///< values are rounded down to multiples; 0: not
  bool table_rounds = false;  ///< only what passes through the table
  Endgame endgame = Endgame::kShallower;
  double win_value = -1000.0;
  bool expands_win = false;  ///< Win counts at the leaves alone
  bool no_return = false;    ///< the move that takes back the last is not made
};

std::vector<Hypothesis> hypotheses() {
  using H = Hypothesis;
  std::vector<H> all;
  const auto add = [&](const char* name, const std::function<void(H&)>& change) {
    H hypothesis{.name = name};
    change(hypothesis);
    all.push_back(hypothesis);
  };
  add("none", [](H&) {});
  add("table without leaves", [](H& h) { h.leaves_in_table = false; });
  add("Win is worth 0", [](H& h) { h.win_value = 0.0; });
  add("table keeps values of earlier moves", [](H& h) { h.keeps_table = true; });
  add("table keeps earlier moves and no leaves", [](H& h) {
    h.keeps_table = true;
    h.leaves_in_table = false;
  });
  add("table takes values of another depth", [](H& h) { h.any_depth = true; });
  add("table keeps earlier moves of another depth",
      [](H& h) { h.any_depth = h.keeps_table = true; });
  add("table keeps earlier moves of another depth and no leaves", [](H& h) {
    h.any_depth = h.keeps_table = true;
    h.leaves_in_table = false;
  });
  add("key without the pattern", [](H& h) { h.key = H::Key::kOrder; });
  add("key is the index alone", [](H& h) { h.key = H::Key::kIndex; });
  add("key without the pattern and no leaves", [](H& h) {
    h.key = H::Key::kOrder;
    h.leaves_in_table = false;
  });
  add("ties to the first move", [](H& h) { h.ties = H::Ties::kFirst; });
  add("ties to the last move", [](H& h) { h.ties = H::Ties::kLast; });
  add("ties by coins from move to move", [](H& h) { h.ties = H::Ties::kCoin; });
  add("values rounded down to whole numbers", [](H& h) { h.rounding = 1.0; });
  add("values rounded down to tenths", [](H& h) { h.rounding = 0.1; });
  add("values rounded in the table alone", [](H& h) {
    h.rounding = 1.0;
    h.table_rounds = true;
  });
  add("never shallower after Win is seen", [](H& h) { h.endgame = H::Endgame::kNever; });
  add("shallower only where Win is a leaf", [](H& h) { h.endgame = H::Endgame::kAtLeaves; });
  add("shallower once", [](H& h) { h.endgame = H::Endgame::kOnce; });
  add("Win counts at the leaves alone", [](H& h) { h.expands_win = true; });
  add("no move is taken back", [](H& h) { h.no_return = true; });
  return all;
}

/// A cell of the tables: an evaluation, randomised or not.
struct Cell {
  SlideFeature feature;
  Randomisation chance;
  double intensity;
  std::array<double, 3> published;  ///< depths 4 to 6
};

constexpr std::array kCells = {
    Cell{SlideFeature::kEu, Randomisation::kNone, 0.0, {0.355, 0.463, 0.592}},
    Cell{SlideFeature::kMan, Randomisation::kNone, 0.0, {0.169, 0.271, 0.353}},
    Cell{SlideFeature::kNb, Randomisation::kNone, 0.0, {0.046, 0.086, 0.148}},
    Cell{SlideFeature::kPerm, Randomisation::kNone, 0.0, {0.045, 0.064, 0.139}},
    Cell{SlideFeature::kInv, Randomisation::kNone, 0.0, {0.050, 0.063, 0.134}},
    Cell{SlideFeature::kL2, Randomisation::kNone, 0.0, {0.003, 0.007, 0.009}},
    // One interval for each depth is published; these are near all three.
    Cell{SlideFeature::kEu, Randomisation::kMult, 0.1, {0.452, 0.645, 0.818}},
    Cell{SlideFeature::kMan, Randomisation::kMult, 0.2, {-1.0, 0.443, 0.623}},
    Cell{SlideFeature::kNb, Randomisation::kMult, 0.5, {-1.0, -1.0, 0.301}},
    Cell{SlideFeature::kInv, Randomisation::kMult, 0.5, {0.047, -1.0, 0.197}},
    Cell{SlideFeature::kL2, Randomisation::kMult, 0.5, {0.007, -1.0, 0.022}}};

/// Plays by depth-t search under a hypothesis.
class Player {
 public:
  Player(const Hypothesis& hypothesis, const Cell& cell, int depth)
      : hypothesis_(hypothesis),
        evaluator_(SlideEvaluation::of(cell.feature, cell.chance, cell.intensity), slide_tables()),
        full_depth_(depth),
        table_(std::size_t{1} << kTableBits) {
    Rng keys = Rng(7).stream("keys");
    for (std::uint32_t& key : keys_) key = static_cast<std::uint32_t>(keys());
  }

  bool wins(Position position, Rng& rng) {
    depth_ = full_depth_;
    bool was_shallower = false;
    int last_line = -1;
    ++search_;
    for (int move = 0; move < kMoves; ++move) {
      if (!hypothesis_.keeps_table) ++search_;
      win_seen_ = false;
      const int line = choose(position, last_line, rng);
      position.slide(line);
      if (position == Position::win()) return true;
      last_line = line;
      using Endgame = Hypothesis::Endgame;
      const bool may = hypothesis_.endgame != Endgame::kNever &&
                       !(hypothesis_.endgame == Endgame::kOnce && was_shallower);
      if (win_seen_ && may) {
        depth_ = std::max(1, depth_ - 1);
        was_shallower = true;
      }
    }
    return false;
  }

 private:
  struct Entry {
    std::uint64_t key = 0;
    float value = 0.0F;
    int ply = 0;
    std::uint32_t search = 0;
  };

  [[nodiscard]] std::uint32_t hash(const Position& position) const {
    std::uint32_t value = 0;
    for (int s = 0; s < Position::kSquares; ++s) {
      const int tile = position.at(s);
      if (tile > 0) value ^= keys_[static_cast<std::size_t>((tile - 1) * 16 + s)];
    }
    return value & ((1U << kTableBits) - 1);
  }

  [[nodiscard]] std::uint64_t key(const Position& position) const {
    switch (hypothesis_.key) {
      case Hypothesis::Key::kExact:
        return position.bits();
      case Hypothesis::Key::kIndex:
        return 1;
      case Hypothesis::Key::kOrder:
        break;
    }
    std::uint64_t order = 0;
    for (int s = 0; s < Position::kSquares; ++s) {
      if (position.at(s) > 0) order = order * 16 + static_cast<std::uint64_t>(position.at(s));
    }
    return order;
  }

  /// A table by orders finds its place by the order.
  [[nodiscard]] std::uint32_t place(const Position& position, std::uint64_t key) const {
    if (hypothesis_.key != Hypothesis::Key::kOrder) return hash(position);
    return static_cast<std::uint32_t>((key * 0x9e3779b97f4a7c15U) >> (64 - kTableBits));
  }

  float rounded(float value) const {
    const auto step = static_cast<float>(hypothesis_.rounding);
    return step > 0.0F ? std::floor(value / step) * step : value;
  }

  float visit(const Position& position, int ply, Rng& rng) {
    const auto win_value = static_cast<float>(hypothesis_.win_value);
    if (position == Position::win() && (!hypothesis_.expands_win || ply == depth_)) {
      if (hypothesis_.endgame != Hypothesis::Endgame::kAtLeaves || ply == depth_) win_seen_ = true;
      return win_value;
    }
    const bool is_leaf = ply == depth_;
    const bool in_table = !is_leaf || hypothesis_.leaves_in_table;
    const std::uint64_t key = in_table ? this->key(position) : 0;
    Entry* entry = in_table ? &table_[place(position, key)] : nullptr;
    if (entry != nullptr && entry->search == search_ && entry->key == key &&
        (hypothesis_.any_depth || entry->ply == ply)) {
      if (entry->value == win_value) win_seen_ = true;
      return entry->value;
    }
    float value = std::numeric_limits<float>::infinity();
    if (is_leaf) {
      value = evaluator_(position.bits(), rng);
      if (!hypothesis_.table_rounds) value = rounded(value);
    } else {
      for_each_line(position.moves(), [&](int line) {
        value = std::min(value, visit(position.after(line), ply + 1, rng));
      });
    }
    if (entry == nullptr) return value;
    const float kept = hypothesis_.table_rounds ? rounded(value) : value;
    if (entry->search != search_ || entry->key != key || entry->ply >= ply) {
      *entry = {.key = key, .value = kept, .ply = ply, .search = search_};
    }
    return value;
  }

  int choose(const Position& position, int last_line, Rng& rng) {
    float least = std::numeric_limits<float>::infinity();
    std::vector<int> best;
    for_each_line(position.moves(), [&](int line) {
      if (hypothesis_.no_return && line == last_line) return;  // a line slides back and forth
      const float value = visit(position.after(line), 1, rng);
      if (value < least) best.clear();
      least = std::min(least, value);
      if (value == least) best.push_back(line);
    });
    switch (hypothesis_.ties) {
      case Hypothesis::Ties::kFirst:
        return best.front();
      case Hypothesis::Ties::kLast:
        return best.back();
      case Hypothesis::Ties::kCoin: {
        int chosen = best.front();
        for (const int line : std::span(best).subspan(1)) {
          if (rng.below(2) == 0) chosen = line;
        }
        return chosen;
      }
      case Hypothesis::Ties::kRandom:
        break;
    }
    return best[best.size() == 1 ? 0 : rng.below(static_cast<std::uint32_t>(best.size()))];
  }

  Hypothesis hypothesis_;
  SlideEvaluator evaluator_;
  int full_depth_;
  std::vector<Entry> table_;
  std::array<std::uint32_t, 9 * 16> keys_{};
  std::uint32_t search_ = 0;
  int depth_ = 0;
  bool win_seen_ = false;
};

void run(const std::string& out, std::int64_t games, const std::vector<int>& depths) {
  Parallel parallel(1);
  const auto database = SlideDatabase<3>::build(parallel);
  const std::vector<Position> sample =
      sample_positions(database, kDtw, games, Rng(1).stream("hypotheses sample"));
  ResultRows rows(out,
                  "hypothesis,depth,evaluation,randomisation,intensity,games,published,quota,"
                  "low,high",
                  3);
  for (const Hypothesis& hypothesis : hypotheses()) {
    for (const int depth : depths) {
      for (const Cell& cell : kCells) {
        const double published = cell.published[static_cast<std::size_t>(depth - 4)];
        if (published < 0.0) continue;
        rows.add(fmt::format("{},{},{},{},{},{},{:.3f}", hypothesis.name, depth,
                             slide_feature_name(cell.feature),
                             cell.chance == Randomisation::kNone ? "none" : "mult", cell.intensity,
                             games, published),
                 [&] {
                   Player player(hypothesis, cell, depth);
                   int won = 0;
                   for (std::size_t i = 0; i < sample.size(); ++i) {
                     Rng rng = Rng(1).stream("hypotheses", i);
                     won += player.wins(sample[i], rng) ? 1 : 0;
                   }
                   const auto n = static_cast<double>(games);
                   const Interval interval = wilson_interval(won, n);
                   return fmt::format("{:.4f},{:.4f},{:.4f}", won / n, interval.low, interval.high);
                 });
      }
    }
  }
}

}  // namespace
}  // namespace ntune

int main(int argc, char** argv) {
  CLI::App program("hypotheses on the first programs of Heuser (2003)");
  std::string out;
  std::int64_t games = 1068;
  std::vector<int> depths = {5, 6};
  program.add_option("--out", out, "CSV file; rows that are there are not made again")->required();
  program.add_option("--games", games, "games a row");
  program.add_option("--depths", depths, "4 to 6, with commas")->delimiter(',');
  return ntune::run_experiment(program, argc, argv, [&] { ntune::run(out, games, depths); });
}
