#include "ntune/study/model/evaluation.h"

#include "ntune/core/hash.h"
#include "ntune/objective/capabilities.h"

namespace ntune {

const char* stage_name(Stage stage) {
  switch (stage) {
    case Stage::kReEvaluation:
      return "re_evaluation";
    case Stage::kHoldOut:
      return "hold_out";
    case Stage::kSearch:
      break;
  }
  return "search";
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
