#include "ntune/report/data/evaluation_sample.h"

#include <limits>

#include "ntune/core/hash.h"

namespace ntune {

std::uint64_t code_of(const SearchEvaluation& evaluation) {
  std::uint64_t code = fnv_step(kFnvBegin, evaluation.cell);
  for (const std::int64_t part : {evaluation.repeat, evaluation.run, evaluation.index}) {
    code = fnv_step(code, static_cast<std::uint64_t>(part));
  }
  return mix64(code);
}

void EvaluationSample::add(const SearchEvaluation& evaluation) {
  ++of_;
  if (code_of(evaluation) % every_ != 0) return;
  kept_.push_back(evaluation);
  // The payoffs of one call share a code: they stay or go together.
  while (kept_.size() > most_ && every_ <= std::numeric_limits<std::uint64_t>::max() / 2) {
    every_ *= 2;
    std::erase_if(kept_, [this](const SearchEvaluation& e) { return code_of(e) % every_ != 0; });
  }
}

}  // namespace ntune
