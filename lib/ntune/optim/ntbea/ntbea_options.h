#pragma once

#include <memory>
#include <string>

#include "ntune/optim/ntbea/ntbea.h"

namespace ntune {

class Options;

/// NtbeaOptions as they are written in a study file.
struct NtbeaYaml {
  NtbeaOptions values;
  std::string preset = "none";
  /// Resolves the names in `tuples`; must be set before reading.
  const SearchSpace* space = nullptr;

  /// Sets the choices of a preset; keys read afterwards override them.
  void apply_preset(const std::string& name);
  void visit(Options& options);
};

/// Picks the model that fits the space and the options.
std::unique_ptr<Optimiser> make_ntbea(const NtbeaOptions& options, const OptimiserContext& context);

}  // namespace ntune
