#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/objective/command/command_result.h"
#include "ntune/objective/command/command_values.h"
#include "ntune/objective/command/unsolved.h"

namespace ntune {

/// The options of `objective: {command: …}`.
struct CommandOptions {
  enum class Protocol {
    kOnce,   ///< a process for every evaluation
    kWorker  ///< processes that stay, and answer requests in JSON lines
  };
  enum class Parameters { kNone, kStdin, kFile };
  enum class Observations { kMean, kEach };

  std::vector<std::string> command = {};  ///< with `shell` one text
  bool is_text = false;                   ///< written as a text, not as a list
  bool shell = false;
  Protocol protocol = Protocol::kOnce;
  Parameters parameters = Parameters::kNone;
  std::vector<std::pair<std::string, std::string>> environment = {};
  std::string directory = ".";
  ResultFormat result = {};
  CommandValues values = {};
  Observations observations = Observations::kMean;
  ExitStatuses accepted{1};            ///< exit statuses with which the result counts
  double timeout = 60.0;               ///< seconds
  std::optional<double> cutoff = {};   ///< seconds after which it counts with a penalty
  double par = 10.0;                   ///< the penalty of a time, in cutoffs
  std::optional<double> penalty = {};  ///< declared, in the unit of the result
  UnsolvedRule unsolved = {};
  std::int64_t memory = 0;              ///< 2^20 bytes; 0: no limit
  std::int64_t max_output = 1'000'000;  ///< bytes
  int retries = 2;
  int timeout_retries = 0;
  double backoff = 1.0;  ///< seconds, doubled each time

  void visit(Options& options);
  [[nodiscard]] std::optional<OptionProblem> problem() const;
  /// `values` with what the form of the result implies.
  [[nodiscard]] CommandValues complete_values() const;
  /// What counts for an evaluation that was cut off or unsolved, where that is known.
  [[nodiscard]] std::optional<double> penalty_value() const;
  [[nodiscard]] bool measures_time() const { return result.kind == ResultFormat::Kind::kTime; }

 private:
  [[nodiscard]] std::optional<OptionProblem> problem_of_worker() const;
  [[nodiscard]] std::optional<OptionProblem> problem_of_cutoff() const;
};

}  // namespace ntune
