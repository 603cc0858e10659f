#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/common/arguments.h"
#include "apps/common/result_file.h"
#include "apps/common/result_table.h"
#include "apps/common/terminal.h"
#include "ntune/agents/combinatorial_game/tds_options.h"
#include "ntune/core/progress.h"
#include "ntune/core/statistics.h"
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

/// Limits of one search, processor time or nodes: what a coverage or an error is stated for.
struct Limits {
  std::vector<double> seconds;
  std::vector<std::int64_t> nodes;  ///< one of the two is empty

  [[nodiscard]] std::size_t size() const { return seconds.size() + nodes.size(); }
  /// "10 s", "1,000 nodes".
  [[nodiscard]] std::string text(std::size_t i) const;
  /// Limit i as a number for a table of data.
  [[nodiscard]] double number(std::size_t i) const;
  void set(TdsOptions& options, std::size_t i) const;
  [[nodiscard]] bool allow(const CaseResult& result, std::size_t i) const;
};
/// Ascending, without doubles. Throws InputError where both or none are given.
Limits limits_of(std::vector<double> seconds, std::vector<std::int64_t> nodes);

/// Searches of cases by one variant, one after the other or at once; unset: not searched.
using CaseResults = std::vector<std::optional<CaseResult>>;

/// Searches positions as long as nobody interrupts.
class CaseRunner {
 public:
  /// `results`: a file of results; empty: there is none.
  CaseRunner(std::vector<Case> cases, const std::string& results,
             const cli::OutputArguments& output, const cli::Terminal& terminal);

  [[nodiscard]] const std::vector<Case>& cases() const { return cases_; }
  /// Results of the cases for which `known` is not set, with the limit in the options.
  /// `until_none`: no cases with more empty squares than those of which none was solved, which then
  /// count as not solved. Throws cli::Interrupted.
  CaseResults run(const TdsOptions& options, const std::string& unit, bool until_none,
                  CaseResults known = {});

 private:
  std::vector<Case> cases_;
  cli::ResultFile<CaseResult> results_;
  const cli::OutputArguments& output_;
  const cli::Terminal& terminal_;
};

/// How far off the answers of a variant are within a limit, over all cases.
struct Approximation {
  std::string variant;
  double limit = 0.0;
  std::string limit_text;
  int finished = 0;
  RunningStats temperature;  ///< absolute errors
  RunningStats mean;
};

/// Approximations by variant and limit.
std::vector<Approximation> approximations(CaseRunner& runner,
                                          const std::vector<TdsOptions>& variants,
                                          const Limits& limits);
cli::ResultTable table_of(const std::vector<Approximation>& approximations, const Limits& limits);

}  // namespace ntune::amazons
