#pragma once

#include <string>

#include "ntune/study/evaluation/carry_out.h"

namespace ntune {

/// A failed call as a block of five lines: `head` says what failed, then setting, exit and last
/// words, then `next`, how to go on.
std::string failed_call_text(const FailedCall::Facts& call, const std::string& head,
                             const std::string& next);
/// The same in a line: "exit status 1, no memory (threads = 8, mode = fast)".
std::string failed_call_line(const std::string& failure, const std::string& setting);
/// The line that repeats the call of a program, behind a line break; empty: it is none.
std::string repeated_call_text(const FailedCall::Facts& call);

}  // namespace ntune
