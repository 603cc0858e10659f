#include "apps/amazons/experiments/conjecture.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "ntune/agents/combinatorial_game/tds_stack.h"

namespace ntune {

namespace {

using Position = AmazonsRectangle::Position;

constexpr std::size_t kPositionsPerTask = 1024;

constexpr std::size_t number(Player player) { return static_cast<std::size_t>(player); }

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
  Program(const AmazonsRectangle& positions, int exponent, int most, Parallel& parallel)
      : positions_(positions),
        most_(most),
        stack_(exponent),
        parallel_(parallel),
        lines_(positions.entries()),
        below_(lines_) {}

  /// From the final stack up.
  void run(int last_level) {
    for (int level = 0; level <= last_level; ++level) {
      std::swap(lines_, below_);
      for (int empties = 0; empties <= most_; ++empties) {
        const std::vector<std::uint32_t>& layer = positions_.layer(empties);
        const std::size_t tasks = (layer.size() + kPositionsPerTask - 1) / kPositionsPerTask;
        parallel_.for_each(tasks, [&](std::size_t task) {
          const std::size_t end = std::min(layer.size(), (task + 1) * kPositionsPerTask);
          for (std::size_t i = task * kPositionsPerTask; i < end; ++i) solve(layer[i], level);
        });
      }
    }
  }
  [[nodiscard]] const Line& line(const Position& position, Player player) const {
    const auto [entry, is_negative] = positions_.image(position);
    return lines_[entry][number(is_negative ? opponent(player) : player)];
  }

 private:
  /// The best board move of a player of an entry at the present level, below all values if none.
  [[nodiscard]] std::int32_t board(std::uint32_t entry, Player player) const {
    std::int32_t least = kTdsInfinity;
    for (const std::uint32_t option : positions_.options(entry, player)) {
      least = std::min(least, lines_[option / 2][option % 2].value);
    }
    return -least;
  }

  void solve(std::uint32_t entry, int level) {
    const std::optional<int> integer = positions_.integer(entry);
    for (const Player player : {Player::kLeft, Player::kRight}) {
      Line& line = lines_[entry][number(player)];
      const Line& next = below_[entry][number(opponent(player))];
      if (integer) {
        const int sign = player == Player::kLeft ? kTdsOne : -kTdsOne;
        line = {*integer * sign + stack_.alone(level), 0, 0};
        continue;
      }
      const std::int32_t best = board(entry, player);
      if (level == 0) {
        const std::int32_t after_coupon = std::max(board(entry, opponent(player)), -kTdsOne / 2);
        line = {std::max(best, -kTdsOne - after_coupon), 0, 0};
        continue;
      }
      const std::int32_t coupon = stack_.coupon(level) - next.value;
      line = {std::max(best, coupon), best > coupon ? level : next.coupon_ties,
              best >= coupon ? level : next.board_ties};
    }
  }

  const AmazonsRectangle& positions_;
  int most_;
  CouponStack stack_;
  Parallel& parallel_;
  std::vector<Lines> lines_;
  std::vector<Lines> below_;
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

ConjectureReport check_two_delta_conjecture(const AmazonsRectangle& positions, int exponent,
                                            int least, int most, std::size_t failures,
                                            Parallel& parallel) {
  assert(exponent >= 0 && exponent <= 15 && least >= 0 && least <= most &&
         most <= positions.most());
  const CouponStack stack(exponent);
  // Above n - 1, the highest temperature of games born by day n.
  const int level = stack.level_from(std::max(most - 1, 0)) + 1;
  Program program(positions, exponent, most, parallel);
  program.run(level);
  const Judge judge(stack, level, failures);
  ConjectureReport report;
  for (int empties = least; empties <= most; ++empties) {
    positions.for_each_position(empties, [&](const Position& position) {
      const ThermographValue truth = positions.value(position);
      for (const Player first : {Player::kLeft, Player::kRight}) {
        judge.add(report, position, first, program.line(position, first), truth);
      }
    });
  }
  return report;
}

}  // namespace ntune
