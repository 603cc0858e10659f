#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/objective/command/command_result.h"
#include "ntune/objective/command/command_values.h"
#include "ntune/objective/objective.h"

namespace ntune {

/// Exit statuses, by their number.
using ExitStatuses = std::bitset<256>;

/// Which ends of a program give no solution, though nothing is wrong: the option `unsolved`. They
/// count as what is cut off does.
struct UnsolvedRule {
  /// By the output of competitions, and by their codes where 10 or 20 are accepted: 0 is unknown.
  bool automatic = true;
  ExitStatuses statuses = {};
  std::string text = {};                 ///< that a line of the output has
  std::string pattern = {};              ///< that a line of the output matches
  std::string field = {};                ///< of the answer, see answer_field
  std::vector<std::string> values = {};  ///< of the field, in lower case

  void visit(Options& options);
  /// True if the file names any end.
  [[nodiscard]] bool is_given() const;
  [[nodiscard]] bool is_none() const { return !automatic && !is_given(); }
  /// What a program's result is: the time alone, or what else is minimised.
  enum class Result { kTime, kCost, kOther };
  /// Tells whether a program that ended with this status and output has found nothing. `accepted`:
  /// statuses with which a result counts.
  [[nodiscard]] bool fits(int status, std::string_view output, const ExitStatuses& accepted,
                          Result result) const;
  /// The same for the answer of a worker, which has no status.
  [[nodiscard]] bool fits(std::string_view answer) const;
};

/// What a program says of its problem by its status, where `accepted` has those of competitions, by
/// a line such as `s SATISFIABLE`, or by the field `answer` of its answer. `status`: nothing for a
/// worker.
SolverAnswer solver_answer(std::optional<int> status, std::string_view output,
                           const ExitStatuses& accepted);
/// What a text says of a problem: sat, unsat, satisfiable, unsatisfiable, 10 or 20; else nothing.
SolverAnswer read_solver_answer(std::string_view text);
/// "satisfiable" or "unsatisfiable".
const char* answer_name(SolverAnswer answer);

/// Reads one exit status or a list of them into the bits.
void read_statuses(const YamlNode& node, ExitStatuses& statuses);
/// The statuses as a list.
Json statuses_json(const ExitStatuses& statuses);
/// The schema of a status, or of a list of them.
Json statuses_schema();

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
  bool says_direction = true;  ///< no option: the study has `direction`
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
