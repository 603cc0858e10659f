#include "ntune/games/amazons/database/conjecture.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <optional>
#include <span>

#include "ntune/agents/combinatorial_game/tds_stack.h"
#include "ntune/agents/combinatorial_game/tds_temperatures.h"
#include "ntune/games/amazons/database/index.h"

namespace ntune {

namespace {

using Position = AmazonsPosition<4>;

constexpr std::size_t kPositionsPerTask = 1024;

constexpr std::size_t number(Player player) { return static_cast<std::size_t>(player); }

/// An entry of AmazonsIndex, or its negative.
struct Image {
  std::uint32_t entry;
  bool is_negative;
};

Image image_of(int black, int white, std::uint32_t empty) {
  const auto& placement = kAmazonsIndex.placement(black, white);
  return {placement.first_entry + kAmazonsIndex.set(placement, empty), placement.negative};
}

Image image_of(const Position& position) {
  return image_of(Position::Board::lowest(position.queens(Player::kLeft)),
                  Position::Board::lowest(position.queens(Player::kRight)), position.empty());
}

Position position_of(std::uint32_t entry) {
  const auto queens = kAmazonsIndex.queens(entry / AmazonsIndex::kSets);
  const std::uint32_t empty = AmazonsIndex::spread(
      entry % AmazonsIndex::kSets, std::min(queens[0], queens[1]), std::max(queens[0], queens[1]));
  return {empty, Position::Board::bit(queens[0]), Position::Board::bit(queens[1])};
}

/// One state's minimax value to the player on turn. The levels are those of the top coupon at the
/// first board move, with ties to the coupon and to the board; 0 also where there is no board move.
struct Line {
  std::int32_t value = 0;
  std::int32_t coupon_ties = 0;
  std::int32_t board_ties = 0;
};
using Lines = std::array<Line, 2>;  // by player

/// The dynamic program. Rows are kept for two levels.
class Program {
 public:
  Program(int exponent, int most, Parallel& parallel)
      : stack_(exponent), parallel_(parallel), lines_(AmazonsIndex::kEntries), below_(lines_) {
    make_layers(most);
    make_options();
  }

  /// From the final stack up.
  void run(int last_level) {
    for (int level = 0; level <= last_level; ++level) {
      std::swap(lines_, below_);
      for (const auto& layer : layers_) {
        const std::size_t tasks = (layer.size() + kPositionsPerTask - 1) / kPositionsPerTask;
        parallel_.for_each(tasks, [&](std::size_t task) {
          const std::size_t end = std::min(layer.size(), (task + 1) * kPositionsPerTask);
          for (std::size_t i = task * kPositionsPerTask; i < end; ++i) solve(layer[i], level);
        });
      }
    }
  }
  [[nodiscard]] const Line& line(const Image& image, Player player) const {
    return lines_[image.entry][number(image.is_negative ? opponent(player) : player)];
  }

 private:
  struct Options {
    std::array<std::uint32_t, 3> begin{};  ///< where Left's and Right's options begin, and the end
    std::optional<int> integer;
  };

  void make_layers(int most) {
    layers_.resize(static_cast<std::size_t>(most) + 1);
    for (std::uint32_t entry = 0; entry < AmazonsIndex::kEntries; ++entry) {
      const int empties = std::popcount(entry % AmazonsIndex::kSets);
      if (empties <= most) layers_[static_cast<std::size_t>(empties)].push_back(entry);
    }
  }

  void make_options() {
    options_.resize(AmazonsIndex::kEntries);
    for (const auto& layer : layers_) {
      for (const std::uint32_t entry : layer) {
        const Position position = position_of(entry);
        Options& options = options_[entry];
        options.integer = position.integer_value();
        for (const Player player : {Player::kLeft, Player::kRight}) {
          options.begin[number(player)] = static_cast<std::uint32_t>(edges_.size());
          if (!options.integer) add_options(position, player);
        }
        options.begin[2] = static_cast<std::uint32_t>(edges_.size());
      }
    }
  }

  /// Each once, as entry * 2 + the opponent's number there.
  void add_options(const Position& position, Player player) {
    const auto begin = static_cast<std::ptrdiff_t>(edges_.size());
    position.for_each_option(player, [&](const AmazonsMove&, const Position& option) {
      const Image image = image_of(option);
      const Player other = image.is_negative ? player : opponent(player);
      edges_.push_back(image.entry * 2 + static_cast<std::uint32_t>(number(other)));
      return true;
    });
    std::sort(edges_.begin() + begin, edges_.end());
    edges_.erase(std::unique(edges_.begin() + begin, edges_.end()), edges_.end());
  }

  /// The best board move of a player of an entry at the present level, below all values if none.
  [[nodiscard]] std::int32_t board(const Options& options, Player player) const {
    std::int32_t least = kTdsInfinity;
    for (std::uint32_t i = options.begin[number(player)]; i < options.begin[number(player) + 1];
         ++i) {
      least = std::min(least, lines_[edges_[i] / 2][edges_[i] % 2].value);
    }
    return -least;
  }

  void solve(std::uint32_t entry, int level) {
    const Options& options = options_[entry];
    for (const Player player : {Player::kLeft, Player::kRight}) {
      Line& line = lines_[entry][number(player)];
      const Line& next = below_[entry][number(opponent(player))];
      if (options.integer) {
        const int sign = player == Player::kLeft ? kTdsOne : -kTdsOne;
        line = {*options.integer * sign + stack_.alone(level), 0, 0};
        continue;
      }
      const std::int32_t best = board(options, player);
      if (level == 0) {
        const std::int32_t after_coupon = std::max(board(options, opponent(player)), -kTdsOne / 2);
        line = {std::max(best, -kTdsOne - after_coupon), 0, 0};
        continue;
      }
      const std::int32_t coupon = stack_.coupon(level) - next.value;
      line = {std::max(best, coupon), best > coupon ? level : next.coupon_ties,
              best >= coupon ? level : next.board_ties};
    }
  }

  CouponStack stack_;
  Parallel& parallel_;
  std::vector<Lines> lines_;
  std::vector<Lines> below_;
  std::vector<std::vector<std::uint32_t>> layers_;
  std::vector<Options> options_;
  std::vector<std::uint32_t> edges_;
};

/// Compares one case with the truth.
class Judge {
 public:
  Judge(CouponStack stack, int level, std::size_t failures)
      : stack_(stack), level_(level), failures_(failures) {}

  void add(ConjectureReport& report, const Position& position, Player first, const Line& line,
           const ThermographValue& truth) const {
    ++report.cases;
    const Dyadic prior = found(line, ConjectureReading::kCouponPrior);
    const Dyadic delta = Dyadic::power(stack_.exponent());
    report.prior_exact += prior == truth.temperature ? 1 : 0;
    report.prior_below += prior == truth.temperature - delta ? 1 : 0;
    const Dyadic rounded = possible_temperature_from(prior, position.empties());
    report.rounded_wrong += rounded == truth.temperature ? 0 : 1;
    const Dyadic top = found(line, ConjectureReading::kBoardTop);
    report.top_exact += top == truth.temperature ? 1 : 0;
    report.top_above += top > truth.temperature ? 1 : 0;
    const int sign = first == Player::kLeft ? 1 : -1;
    const Dyadic mean = Dyadic::ratio(sign * (line.value - stack_.alone(level_)), kTdsBits);
    report.mean_exact += mean == truth.mean ? 1 : 0;
    report.worst_mean = std::max(report.worst_mean, (mean - truth.mean).abs());
    for (std::size_t i = 0; i < kConjectureReadings; ++i) {
      const Dyadic reading = found(line, static_cast<ConjectureReading>(i));
      ConjectureCount& count = report.readings[i];
      count.worst = std::max(count.worst, truth.temperature - reading);
      if (truth.temperature <= reading + 2 * delta) continue;
      ++count.violations;
      if (count.failures.size() >= failures_) continue;
      const bool is_even = (first == Player::kLeft) == (level_ % 2 == 0);
      count.failures.push_back({position, first, is_even, truth.temperature, reading});
    }
  }

 private:
  [[nodiscard]] Dyadic found(const Line& line, ConjectureReading reading) const {
    const bool to_coupon =
        reading == ConjectureReading::kCouponPrior || reading == ConjectureReading::kCouponTop;
    const bool is_prior =
        reading == ConjectureReading::kCouponPrior || reading == ConjectureReading::kBoardPrior;
    const int level = to_coupon ? line.coupon_ties : line.board_ties;
    if (level == 0) return -1;
    return stack_.coupon_value(is_prior ? std::min(level + 1, level_) : level);
  }

  CouponStack stack_;
  int level_;
  std::size_t failures_;
};

}  // namespace

ConjectureReport check_two_delta_conjecture(const AmazonsDatabase& database, int exponent,
                                            int least, int most, std::size_t failures,
                                            Parallel& parallel) {
  assert(exponent >= 0 && exponent <= 15 && least >= 0 && least <= most && most <= 14);
  const CouponStack stack(exponent);
  // Above n - 1, the highest temperature of games born by day n.
  const int level = stack.level_from(std::max(most - 1, 0)) + 1;
  Program program(exponent, most, parallel);
  program.run(level);
  const Judge judge(stack, level, failures);
  ConjectureReport report;
  for (int empties = least; empties <= most; ++empties) {
    for (std::uint32_t i = 0; i < AmazonsDatabase::kPositions; ++i) {
      if (std::popcount(i % AmazonsIndex::kSets) != empties) continue;
      const Position position = AmazonsDatabase::position_at(i);
      const Image image = image_of(position);
      const ThermographValue truth = database.value(position);
      for (const Player first : {Player::kLeft, Player::kRight}) {
        judge.add(report, position, first, program.line(image, first), truth);
      }
    }
  }
  return report;
}

}  // namespace ntune
