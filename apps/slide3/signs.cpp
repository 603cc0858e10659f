#include <algorithm>
#include <array>
#include <cmath>

#include "apps/slide3/reproduce.h"
#include "ntune/core/normal.h"
#include "ntune/core/statistics.h"

namespace ntune::slide3 {

namespace {

Interval normal_interval(double quota, double n) {
  const double half = kNormal95 * std::sqrt(quota * (1.0 - quota) / n);
  return {quota - half, quota + half};
}

}  // namespace

char sign_of(double quota, double plain, std::int64_t games) {
  const Interval a = normal_interval(quota, static_cast<double>(games));
  const Interval b = normal_interval(plain, static_cast<double>(games));
  return a.low > b.high ? '+' : a.high < b.low ? '-' : '=';
}

std::string sign_text(char sign) { return sign == '=' ? "≈" : std::string(1, sign); }

Pattern pattern_of(double plain, std::span<const double> quotas, std::int64_t games) {
  const auto against_plain = [&](double quota) { return sign_of(quota, plain, games); };
  const auto peak = std::ranges::max_element(quotas);
  const bool rises = against_plain(*peak) == '+';
  const bool falls_again = std::any_of(
      peak, quotas.end(), [&](double quota) { return sign_of(quota, *peak, games) == '-'; });
  const bool all_below =
      std::ranges::all_of(quotas, [&](double quota) { return against_plain(quota) == '-'; });
  const bool any_below =
      std::ranges::any_of(quotas, [&](double quota) { return against_plain(quota) == '-'; });
  Pattern pattern{.sign = rises ? '+' : any_below ? '-' : '='};
  if (all_below) {
    pattern.number = 4;
  } else if (rises && falls_again) {
    pattern.number = against_plain(quotas.front()) == '+' ? 1 : 2;
  } else if (!rises && against_plain(quotas.back()) == '-') {
    pattern.number = 3;
  }
  return pattern;
}

std::string pattern_text(const Pattern& pattern) {
  const std::string number = std::to_string(pattern.number);
  return pattern.number == 5 ? number + ' ' + sign_text(pattern.sign) : number;
}

const char* randomisation_title(Randomisation randomisation) {
  constexpr std::array kTitles = {"Det", "Add", "Mult", "Norm+", "Norm-", "Comb"};
  return kTitles[static_cast<std::size_t>(randomisation)];
}

}  // namespace ntune::slide3
