#include "ntune/study/run/search_states.h"

namespace ntune {

SearchStates::SearchStates(const RunTask& task, Evaluator& evaluator, const StageSearch& search)
    : task_(task), recorder_(evaluator.recorder()) {
  const Execution& execution = evaluator.study().execution;
  const bool is_plain = task.earlier.empty() && !task.keeps_trace && execution.on_failure.learn &&
                        !evaluator.allowance().is_limited() && search.instance_aware == nullptr &&
                        execution.parallel_evaluations == 1;
  if (recorder_.has_log() && is_plain) place_ = search.optimiser->place();
}

std::optional<SearchState> SearchStates::last(std::int64_t iterations) const {
  if (place_ == nullptr) return std::nullopt;
  const auto state = recorder_.log().search_state(task_.key(0));
  return state && state->evaluations <= iterations ? state : std::nullopt;
}

void SearchStates::save(std::int64_t answered, const Rng& rng) {
  if (answered % SearchState::kInterval != 0 || place_ == nullptr) return;
  if (answered <= std::ssize(task_.beginning->starts)) return;  // nothing was asked for yet
  recorder_.record_search_state(
      task_.key(0), {.evaluations = answered, .optimiser = place_->asks, .stream = rng.state()});
}

}  // namespace ntune
