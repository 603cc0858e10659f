#include "ntune/study/model/evaluation.h"

#include <array>

#include "ntune/core/hash.h"
#include "ntune/objective/capabilities.h"

namespace ntune {

const char* stage_name(Stage stage) {
  constexpr std::array kNames = {"search", "re_evaluation", "hold_out"};
  return kNames[static_cast<std::size_t>(stage)];
}

std::uint64_t EvaluationKey::hash() const {
  std::uint64_t hash = mix64((std::uint64_t{cell} << 8) + static_cast<std::uint64_t>(stage));
  for (const std::int64_t part : {repeat, run, index}) {
    hash = mix64(hash + static_cast<std::uint64_t>(part) + 1);
  }
  return hash;
}

const Point& opponent_of(const Request& request) {
  if (request.opponent != nullptr) return *request.opponent;
  return request.objective->matches()->anchor_for(request.stream);
}

bool is_without_game(const Request& request) {
  return are_duels(*request.objective) && opponent_of(request) == *request.point;
}

}  // namespace ntune
