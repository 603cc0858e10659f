#include "ntune/report/data/evaluation_sample.h"

namespace ntune {

void EvaluationSample::add(const SearchEvaluation& evaluation) {
  if (of_++ % every_ != 0) return;
  kept_.push_back(evaluation);
  if (kept_.size() <= most_) return;
  for (std::size_t i = 0; 2 * i < kept_.size(); ++i) kept_[i] = kept_[2 * i];
  kept_.resize((kept_.size() + 1) / 2);
  every_ *= 2;
}

}  // namespace ntune
