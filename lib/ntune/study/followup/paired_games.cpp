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
  evidence_ = {};
  for (const std::array<double, 2>& pair : pairs_) count(pair);
}

void PairedGames::count(const std::array<double, 2>& pair) {
  evidence_.add_pair(single_game(scales_.front().score(pair[0])),
                     single_game(scales_.front().score(pair[1])));
}

}  // namespace ntune
