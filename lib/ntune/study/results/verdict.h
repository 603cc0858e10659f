#pragma once

#include <optional>

#include "ntune/study/results/saved_result.h"

namespace ntune {

/// What to do with what a study has found.
enum class Verdict {
  kUse,         ///< the new setting is shown to be better, or there is none to compare it with
  kKeep,        ///< the setting of today, the default: nothing is shown to be better
  kNotDecided,  ///< neither is shown to be better, so that the default stays for now
  kStopped,     ///< the study has ended before its last evaluation
};

/// "use", "keep", "not_decided" or "stopped".
const char* verdict_name(Verdict verdict);

/// The verdict on what a study recommends; nothing of a comparison.
std::optional<Verdict> verdict_of(const SavedResult& result);

/// The setting that the verdict says: the recommended one, or the default where that is to stay.
std::optional<Point> setting_of(const SavedResult& result);

}  // namespace ntune
