#include "ntune/study/run/run_view.h"

#include "ntune/space/widened_space.h"
#include "ntune/study/instances/instance_aware_search.h"

namespace ntune {

namespace {

Recommendation in_objective(Recommendation recommendation, const WidenedSpace* widen) {
  if (widen != nullptr) recommendation.point = (*widen)(recommendation.point);
  return recommendation;
}

}  // namespace

Recommendation RunView::recommend_now() const {
  if (instance_aware == nullptr) return recommend();
  return in_objective(instance_aware->recommend_now(), widen);
}

Recommendation RunView::recommend() const { return in_objective(optimiser->recommend(), widen); }

}  // namespace ntune
