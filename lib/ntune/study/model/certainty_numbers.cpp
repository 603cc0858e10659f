#include "ntune/study/model/certainty_numbers.h"

#include <cstddef>

namespace ntune {

namespace {

constexpr std::size_t kOfClaim = 4;

}  // namespace

std::vector<double> numbers_of(const Certainty& certainty) {
  std::vector<double> numbers = {certainty.sd};
  if (certainty.best_probability) numbers.push_back(*certainty.best_probability);
  if (const auto& claim = certainty.claim) {
    numbers.insert(numbers.end(), {claim->mean, claim->low, claim->high, claim->regret});
  }
  return numbers;
}

std::optional<Certainty> certainty_from(std::span<const double> numbers) {
  // The length tells what there is: one or two numbers, with or without the four of a claim.
  const bool claims = numbers.size() > kOfClaim;
  const std::size_t own = claims ? numbers.size() - kOfClaim : numbers.size();
  if (own != 1 && own != 2) return std::nullopt;
  Certainty certainty{.sd = numbers[0]};
  if (own == 2) certainty.best_probability = numbers[1];
  if (claims) {
    const auto claim = numbers.last(kOfClaim);
    certainty.claim =
        Claim{.mean = claim[0], .low = claim[1], .high = claim[2], .regret = claim[3]};
  }
  return certainty;
}

}  // namespace ntune
