#pragma once

#include <set>
#include <string>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/space/import/irace_settings.h"

namespace ntune {

/// The instances that a scenario names: in files and folders, or as lists of R. A line need not be
/// a file and may have several words, which the program gets one by one, as a shell splits them.
class IraceInstances {
 public:
  /// Throws InputError: there are no instances.
  explicit IraceInstances(const IraceSettings& scenario);

  /// `instances:` of a study.
  [[nodiscard]] const Json& train() const { return train_; }
  /// `test_instances:`; null where none are named.
  [[nodiscard]] const Json& test() const { return test_; }
  /// What is left out.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
  /// The word of a command that stands for an instance.
  [[nodiscard]] std::string word() const { return splits_ ? "{instance:shell}" : "{instance}"; }

 private:
  [[nodiscard]] Json read(const IraceSettings& scenario, const std::string& list,
                          const std::string& set);

  bool splits_ = false;            ///< an instance has what a shell would split
  std::set<std::string> trained_;  ///< instances for training, where they are named one by one
  std::vector<std::string> warnings_;
  Json train_;
  Json test_;
};

}  // namespace ntune
