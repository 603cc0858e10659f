#include "ntune/facts/failed_call_text.h"

#include <string_view>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/objective/failure_cause.h"

namespace ntune {

namespace {

constexpr std::size_t kLongestPart = 400;

/// A labelled line of the block, behind a line break.
std::string row(std::string_view label, const std::string& text) {
  return '\n' + wrapped(fmt::format("  {:<10}  {}", label, text), 14);
}

/// " after 0.25 s".
std::string time_taken(double seconds) {
  return fmt::format(" after {:.{}f} s", seconds, seconds < 10.0 ? 2 : seconds < 100.0 ? 1 : 0);
}

}  // namespace

std::string failed_call_text(const FailedCall::Facts& call, const std::string& head,
                             const std::string& next) {
  const FailureParts parts = failure_parts(call.failure);
  const bool is_program = !parts.command.empty();
  std::string ending = printable(parts.problem, kLongestPart);
  constexpr std::string_view kExit = "exit ";
  if (is_program && ending.starts_with(kExit)) ending.erase(0, kExit.size());
  if (call.seconds) ending += time_taken(*call.seconds);
  std::string text = wrapped(head, 2);
  text += row("setting", call.setting);
  text += row(is_program ? "exit" : "reason", ending);
  text += row("last words",
              parts.last_words.empty() ? "none" : printable(parts.last_words, kLongestPart));
  return text + row("go on", next);
}

std::string failed_call_line(const std::string& failure, const std::string& setting) {
  constexpr std::size_t kLongest = 200;
  const FailureParts parts = failure_parts(failure);
  return fmt::format("{}{}{} ({})", printable(parts.problem, kLongest),
                     parts.last_words.empty() ? "" : ", ", printable(parts.last_words, kLongest),
                     printable(setting, kLongest));
}

std::string repeated_call_text(const FailedCall::Facts& call) {
  const std::string command = failure_parts(call.failure).command;
  return command.empty() ? command : "\nThe call alone: " + command;
}

}  // namespace ntune
