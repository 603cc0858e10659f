#pragma once

#include <string>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/space/import/irace_settings.h"

namespace ntune {

/// The instances that a scenario names: in files and folders, or as lists of R. A line of a file
/// may have further words, which the program gets one by one; then instances are maps of named
/// words.
class IraceInstances {
 public:
  /// Throws InputError: there are no instances, or their lines have not equally many words.
  explicit IraceInstances(const IraceSettings& scenario);

  /// `instances:` of a study.
  [[nodiscard]] const Json& train() const { return train_; }
  /// `test_instances:`; null where none are named.
  [[nodiscard]] const Json& test() const { return test_; }
  /// The words of a command that stand for an instance.
  [[nodiscard]] std::vector<std::string> words() const;

 private:
  [[nodiscard]] Json read(const IraceSettings& scenario, const std::string& list,
                          const std::string& set);
  [[nodiscard]] Json as_maps(const IraceSettings& scenario, const std::string& word,
                             const std::vector<std::vector<std::string>>& lines,
                             const std::string& folder);

  std::size_t parts_ = 1;  ///< words of an instance
  Json train_;
  Json test_;
};

}  // namespace ntune
