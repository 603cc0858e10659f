#include "ntune/study/results/verdict.h"

namespace ntune {

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kUse:
      return "use";
    case Verdict::kKeep:
      return "keep";
    case Verdict::kNotDecided:
      return "not_decided";
    case Verdict::kStopped:
      break;
  }
  return "stopped";
}

std::optional<Verdict> verdict_of(const SavedResult& result) {
  if (result.cells) return std::nullopt;
  if (!result.is_done() || !result.recommendation) return Verdict::kStopped;
  if (!result.incumbent) return Verdict::kUse;
  const SavedDefault& other = *result.incumbent;
  if (other.point == result.recommendation->point) return Verdict::kKeep;
  switch (other.finding.value_or(IncumbentFinding::kNotShown)) {
    case IncumbentFinding::kBetter:
      return Verdict::kUse;
    case IncumbentFinding::kKeep:
      return Verdict::kKeep;
    case IncumbentFinding::kNotShown:
      break;
  }
  return Verdict::kNotDecided;
}

std::optional<Point> setting_of(const SavedResult& result) {
  const auto verdict = verdict_of(result);
  if (!verdict || !result.recommendation) return std::nullopt;
  const bool stays = *verdict == Verdict::kKeep || *verdict == Verdict::kNotDecided;
  return stays ? result.incumbent->point : result.recommendation->point;
}

}  // namespace ntune
