#pragma once

#include <map>
#include <memory>
#include <string>

#include "apps/amazons/sample.h"
#include "ntune/agents/combinatorial_game/tds_options.h"
#include "ntune/core/append_file.h"

namespace ntune::amazons {

/// How a search of one case went.
struct CaseResult {
  bool is_finished = false;
  ThermographValue value;
  std::int64_t nodes = 0;
  double seconds = 0.0;
};

/// Results of searches in a CSV file, found by a key that stands for everything they depend on. A
/// line is added for every search, so that a long computation can be broken off.
class ResultFile {
 public:
  /// An empty path: results are not kept. Throws InputError "path:line: …" where it is damaged; a
  /// last line without an end was cut off and does not count.
  explicit ResultFile(std::string path);

  static std::string key(const TdsOptions& options, const Case& one);
  [[nodiscard]] const CaseResult* find(const std::string& key) const;
  /// Adds a result. Call it from one thread at a time.
  void add(const std::string& key, const TdsOptions& options, const Case& one,
           const CaseResult& result);

 private:
  std::map<std::string, CaseResult> results_;
  std::unique_ptr<AppendFile> file_;
};

}  // namespace ntune::amazons
