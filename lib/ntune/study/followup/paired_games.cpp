#include "ntune/study/followup/paired_games.h"

namespace ntune {

bool PairedGames::Scale::fits(double payoff) const {
  const double points = score(payoff);
  return points == 0.0 || points == 0.5 || points == 1.0;
}

PairedGames::PairedGames(const Payoffs& payoffs) {
  if (payoffs.two_valued && payoffs.low && payoffs.high) {
    scales_ = {{*payoffs.low, *payoffs.high - *payoffs.low}};
    return;
  }
  if (!payoffs.low || *payoffs.low >= 0.0) scales_.push_back({0.0, 1.0});
  if (!payoffs.low || *payoffs.low < 0.0) scales_.push_back({-1.0, 2.0});
}

void PairedGames::add(double first, double second) {
  if (!are_games()) return;
  pairs_.push_back({first, second});
  const double low = scales_.front().low;
  std::erase_if(scales_,
                [&](const Scale& scale) { return !scale.fits(first) || !scale.fits(second); });
  if (!are_games()) return;
  if (scales_.front().low == low) return count(pairs_.back());
  first_ = second_ = {};
  elo_ = {};
  pentanomial_ = {};
  for (const std::array<double, 2>& pair : pairs_) count(pair);
}

void PairedGames::count(const std::array<double, 2>& pair) {
  const double first = scales_.front().score(pair[0]);
  const double second = scales_.front().score(pair[1]);
  first_.add(first);
  second_.add(second);
  elo_.add(first, second);
  pentanomial_.add(1.0 + first - second);
}

}  // namespace ntune
