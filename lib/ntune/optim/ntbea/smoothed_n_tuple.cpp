#include "ntune/optim/ntbea/smoothed_n_tuple.h"

#include "ntune/core/options.h"
#include "ntune/optim/ntbea/ntbea_options.h"

namespace ntune {

/// Declares the bandwidth and the horizon of sharing; all else is as for `ntbea`, but for
/// weightings and tuples, which are fixed.
void SmoothedNTupleOptions::visit(Options& options) {
  options.number("bandwidth", values.model.bandwidth, between(0, 1e6),
                 "how far payoffs of ordered parameters are shared, of the range of their values");
  options.number("T", values.model.horizon, above(0),
                 "payoffs of its own at which a tuple takes half of what is shared with it");
  visit_search(options, values);
}

}  // namespace ntune
