#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "apps/common/arguments.h"
#include "apps/common/data_path.h"
#include "apps/common/terminal.h"

namespace ntune::cli {

/// What a paper says, and what was measured of it. A line of configs/claims/LABORATORY.csv.
struct Claim {
  std::string paper;     ///< authors and year
  std::string place;     ///< section, table or figure
  std::string claim;     ///< in our words
  std::string measured;  ///< with its interval
  std::string n;         ///< of what was counted: "1,068 games a cell"; may be empty
  std::string verdict;   ///< one of claim_verdicts()
  std::string command;   ///< repeats the measurement
  double seconds = 0.0;  ///< processor time of the command on one core
};

/// confirmed, refuted, open, answered (a question that the paper leaves open).
const std::vector<std::string>& claim_verdicts();

/// Reads a file of claims. Throws InputError "path:line: …": not its header, an unknown verdict, no
/// command, a time that is no duration.
std::vector<Claim> read_claims(const std::filesystem::path& file);

/// Prints the claims of a laboratory's papers: `reproduce --list`. Returns the exit code.
int list_claims(const std::string& laboratory, Format format, const Terminal& terminal,
                const std::string& folder = data_path("configs"));

}  // namespace ntune::cli
