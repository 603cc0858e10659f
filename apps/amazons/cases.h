#pragma once

#include <string>
#include <vector>

#include "apps/common/result_file.h"
#include "ntune/agents/combinatorial_game/tds_options.h"
#include "ntune/games/amazons/database/database.h"

namespace ntune::amazons {

/// A position whose value is known.
struct Case {
  AmazonsDatabase::Position position;
  std::string board;
  ThermographValue value;
};

/// A CSV file with the columns board, mean and temperature, and maybe others; lines that begin with
/// '#' before the titles do not count. In order of the empty squares. Throws InputError "path:line:
/// …": malformed, board too large, not one queen each.
std::vector<Case> read_cases(const std::string& file);

inline constexpr const char* kUsualCases = "configs/amazons/sample_600.csv";

/// How a search of one case went.
struct CaseResult {
  bool is_finished = false;
  ThermographValue value;
  std::int64_t nodes = 0;
  double seconds = 0.0;
};

/// Results of searches in a file, or nowhere where the path is empty.
using ResultFile = cli::ResultFile<CaseResult>;
ResultFile open_results(const std::string& path);
std::string result_key(const TdsOptions& options, const Case& one);
/// The columns of a result but its key.
std::string result_line(const TdsOptions& options, const Case& one, const CaseResult& result);

}  // namespace ntune::amazons
