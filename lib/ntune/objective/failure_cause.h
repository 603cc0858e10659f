#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ntune {

// The failure of a program is one line: what went wrong, then the command, and the last lines of
// its two outputs, each behind its mark.
inline constexpr std::string_view kCommandMark = "; command: ";
inline constexpr std::string_view kErrorMark = "; stderr ends: ";
inline constexpr std::string_view kOutputMark = "; stdout ends: ";
/// Between the last lines of an output.
inline constexpr std::string_view kLineMark = " | ";

/// Bytes of a failure that are kept.
inline constexpr std::size_t kLongestFailure = 4000;

/// The kind of a failure, the same for failures that differ in the evaluation alone: what went
/// wrong, and the last line of a program's error output; without such output, the last line of its
/// output that speaks of an error. Numbers are N (exit statuses and signals
/// stay), folders of absolute paths are "…", and so are names that stand in a temporary folder.
std::string failure_cause(std::string_view failure);
/// The problem of a failure as it is, with numbers and paths.
std::string failure_problem(std::string_view failure);

/// What a failure says, part by part. Of what is no program the problem is all.
struct FailureParts {
  std::string problem;
  std::string command = {};     ///< that repeats the call
  std::string last_words = {};  ///< the last line of the error output, else of the output
};
FailureParts failure_parts(std::string_view failure);

}  // namespace ntune
