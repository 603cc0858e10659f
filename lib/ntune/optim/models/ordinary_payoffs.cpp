#include "ntune/optim/models/ordinary_payoffs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace ntune {

namespace {

// These are the numbers of the rule in the class comment.
constexpr std::size_t kMostSampled = 2048;
constexpr double kFences = 30.0;
constexpr double kWidths = 5.0;
constexpr double kMostAbove = 0.1;
constexpr double kLopsided = 1000.0;
constexpr std::int64_t kLastChange = 1024;

}  // namespace

OrdinaryPayoffs::OrdinaryPayoffs(std::optional<double> low, std::optional<double> high,
                                 double slack)
    : declared_(low && high && *low < *high) {
  if (!declared_) {
    sample_.reserve(kMostSampled);
    log_.reserve(kLogged);
    return;
  }
  low_ = *low - slack;
  high_ = *high + slack;
}

/// Adds a payoff to the sample. A full sample keeps every second payoff, those at multiples of
/// twice the stride, and takes half as many from then on.
void OrdinaryPayoffs::sample(double payoff) {
  if (sample_.size() == kMostSampled) {
    for (std::size_t i = 0; i < kMostSampled / 2; ++i) sample_[i] = sample_[2 * i + 1];
    sample_.resize(kMostSampled / 2);
    stride_ *= 2;
    if (count_ % stride_ != 0) return;
  }
  sample_.push_back(payoff);
}

/// While extreme payoffs are too many to be set aside, they are remembered: their share may fall.
void OrdinaryPayoffs::watch(const Point& point, double payoff, const Changes& changes) {
  if (count_ >= next_review_) review(changes);
  if (tolerated_ && payoff > fence_high_ && payoff <= highest_) {
    suspects_.push_back(
        {.point = point, .payoff = payoff, .counts_as = payoff, .place = log_.size()});
  }
}

/// Returns what a payoff counts as that is one of the first, or lies beyond all ordinary ones so
/// far. It may set the payoff aside, widen the range, or review all suspects.
double OrdinaryPayoffs::rate(const Point& point, double payoff, const Changes& changes) {
  const double width = highest_ - lowest_;
  // Within one width of the ordinary range a payoff only widens it; farther ones need a decision.
  const bool far = payoff > highest_ + width || payoff < lowest_ - width;
  if (count_ > kFirst && !far) {
    widen(payoff);
    return payoff;
  }
  const bool extreme = payoff < fence_low_ || (payoff > fence_high_ && !tolerated_);
  // After the 1,024th payoff a decision is for good, and the payoff is not remembered.
  if (extreme && set_aside_ > 0 && count_ > kLastChange) {
    ++for_good_;
    return std::clamp(payoff, lowest_, highest_);
  }
  suspects_.push_back(
      {.point = point, .payoff = payoff, .counts_as = payoff, .place = log_.size()});
  if (count_ < kFirst) {
    widen(payoff);
    return payoff;
  }
  // Others like it are set aside already, so it is too until the next review.
  if (count_ < next_review_ && extreme && set_aside_ > 0) {
    ++set_aside_;
    return suspects_.back().counts_as = std::clamp(payoff, lowest_, highest_);
  }
  // The payoff itself is not in the model yet: nothing is to be amended for it.
  suspects_.back().counts_as = std::numeric_limits<double>::quiet_NaN();
  review(changes);
  return std::clamp(payoff, lowest_, highest_);
}

/// Finds the fences, beyond which payoffs are extreme, by the rule in the class comment. There are
/// none where both quartiles equal the median.
void OrdinaryPayoffs::find_fences() {
  std::vector<double> sorted = sample_;
  std::ranges::sort(sorted);
  const auto quantile = [&](std::size_t eighths) { return sorted[sorted.size() * eighths / 8]; };
  const double median = quantile(4);
  const double below = median - quantile(2);
  const double above = quantile(6) - median;
  fence_low_ = -kInfinity;
  fence_high_ = kInfinity;
  const auto [smaller, larger] = std::minmax(below, above);
  if (!(larger > 0.0)) return;
  double s = larger;
  if (smaller == 0.0) s = std::max(median - quantile(1), quantile(7) - median);
  if (smaller > 0.0 && larger > kLopsided * smaller) s = smaller;
  double low = median;
  double high = median;
  const auto look = [&](double payoff) {
    if (std::abs(payoff - median) > kFences * s) return;
    low = std::min(low, payoff);
    high = std::max(high, payoff);
  };
  // Suspects are looked at too, as the sample may have dropped them.
  for (const double payoff : sorted) look(payoff);
  for (const Suspect& suspect : suspects_) look(suspect.payoff);
  fence_low_ = low - kWidths * (high - low);
  if (!accepted_) fence_high_ = high + kWidths * (high - low);
}

/// Gives all suspects what they count as within the ends of today.
void OrdinaryPayoffs::recount_suspects(const Changes& changes) {
  // A number so many times the size of the payoffs costs a sum that it is taken away from half of
  // its digits.
  constexpr double kCancels = 1e6;
  const double size = std::max(std::abs(lowest_), std::abs(highest_));
  std::vector<std::pair<std::size_t, double>> amended;  // suspects, and what they counted as
  bool cancels = false;
  set_aside_ = 0;
  for (std::size_t i = 0; i < suspects_.size(); ++i) {
    Suspect& suspect = suspects_[i];
    const double before = suspect.counts_as;
    suspect.counts_as = std::clamp(suspect.payoff, lowest_, highest_);
    if (suspect.counts_as != suspect.payoff) ++set_aside_;
    // The newest payoff has a NaN there, and is not in any sum yet.
    if (std::isnan(before) || suspect.counts_as == before) continue;
    amended.emplace_back(i, before);
    cancels = cancels || std::abs(before) > kCancels * size;
    if (suspect.place < log_.size()) log_[suspect.place].payoff = suspect.counts_as;
  }
  if (cancels && count_ <= kLogged) return changes.relearn(log_);
  for (const auto& [i, before] : amended) {
    changes.amend(suspects_[i].point, before, suspects_[i].counts_as);
  }
}

/// Decides anew about all suspects.
void OrdinaryPayoffs::review(const Changes& changes) {
  constexpr double kGrowth = 1.25;
  next_review_ = static_cast<std::int64_t>(kGrowth * static_cast<double>(count_)) + 1;
  find_fences();
  const auto above =
      std::ranges::count_if(sample_, [&](double payoff) { return payoff > fence_high_; });
  const double most = std::max(1.0, kMostAbove * static_cast<double>(sample_.size()));
  // So many payoffs above the fence are no accident but a part of what is searched for.
  tolerated_ = static_cast<double>(above) > most;
  const auto ordinary = [&](double payoff) {
    return payoff >= fence_low_ && (payoff <= fence_high_ || tolerated_);
  };
  if (tolerated_ || !std::ranges::all_of(suspects_, ordinary, &Suspect::payoff)) {
    lowest_ = kInfinity;
    highest_ = -kInfinity;
    for (const double payoff : sample_) {
      if (ordinary(payoff)) widen(payoff);
    }
  }
  for (const Suspect& suspect : suspects_) {
    if (ordinary(suspect.payoff)) widen(suspect.payoff);
  }
  recount_suspects(changes);
  // What is tolerated this late stays so for good, and then needs no fence and no suspects.
  if (tolerated_ && count_ > kLastChange) {
    accepted_ = true;
    tolerated_ = false;
    fence_high_ = kInfinity;
    std::erase_if(suspects_, [&](const Suspect& suspect) { return suspect.payoff >= fence_low_; });
  }
}

}  // namespace ntune
