#pragma once

#include "ntune/optim/models/smoothed_model.h"
#include "ntune/optim/ntbea/ntbea.h"

namespace ntune {

class Options;

struct SmoothedNTupleOptions {
  NtbeaOptions values;

  SmoothedNTupleOptions() { values.model.horizon = 1000.0; }

  void visit(Options& options);
};

/// NTBEA on the SmoothedModel.
class SmoothedNTuple final : public Ntbea<SmoothedModel> {
 public:
  SmoothedNTuple(const SmoothedNTupleOptions& options, const OptimiserContext& context)
      : Ntbea(options.values, context) {}
};

}  // namespace ntune
