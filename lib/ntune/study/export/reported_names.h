#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/study/model/evaluation.h"

namespace ntune {

/// What evaluations have reported by name beside their values: `recorded.jsonl` in the folder of a
/// study, a line for each evaluation that has names. The package for Python writes it.
class ReportedNames {
 public:
  /// None where the folder has no such file.
  explicit ReportedNames(const std::filesystem::path& folder);

  /// Reads whole lines that are new. A line that was torn as its process died is passed over.
  void read_news();
  /// All names, in the order in which they came.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// What the evaluation has reported, an object; null where that is nothing.
  [[nodiscard]] const Json& of(const EvaluationKey& key) const;

 private:
  struct KeyHash {
    std::size_t operator()(const EvaluationKey& key) const noexcept { return key.hash(); }
  };

  void take(std::string_view line);

  std::filesystem::path file_;
  std::uintmax_t read_ = 0;  ///< bytes of it
  std::vector<std::string> names_;
  std::unordered_map<EvaluationKey, Json, KeyHash> reported_;
};

}  // namespace ntune
