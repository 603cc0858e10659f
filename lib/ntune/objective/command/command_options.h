#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/objective/command/command_result.h"
#include "ntune/objective/command/command_values.h"

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
  double timeout = 60.0;                ///< seconds
  std::int64_t memory = 0;              ///< 2^20 bytes; 0: no limit
  std::int64_t max_output = 1'000'000;  ///< bytes
  int retries = 2;
  int timeout_retries = 0;
  double backoff = 1.0;  ///< seconds, doubled each time

  void visit(Options& options);
  [[nodiscard]] std::optional<OptionProblem> problem() const;
  /// `values` with what the form of the result implies.
  [[nodiscard]] CommandValues complete_values() const;
};

}  // namespace ntune
