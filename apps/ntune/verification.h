#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/common/terminal.h"
#include "apps/ntune/commands.h"
#include "ntune/core/json_fwd.h"
#include "ntune/study/followup/recommended.h"
#include "ntune/study/followup/test_journal.h"

namespace ntune::cli {

// The beginning and the end of the commands that evaluate more of what a folder recommends.

/// The study of the folder and what it recommends, with the seed and threads that are asked for.
RecommendedStudy recommended_of(const VerificationArguments& arguments);

/// The point that an option says to compare with, and a note where the file says more or less.
Point incumbent_of(const std::string& against, const Study& study, bool quiet,
                   const Terminal& terminal, std::string_view option);

/// What a test has come to, in every form.
struct VerificationOutput {
  Json json;
  std::vector<Json> rows;
  std::string text;
  bool stopped = false;  ///< by a signal
};

/// Prints a test's result and keeps it in the file that is asked for and in the test's journal, if
/// there is one. Returns the exit code.
int show_verification(VerificationOutput output, const VerificationArguments& arguments,
                      const TestJournal* journal, const Terminal& terminal);

}  // namespace ntune::cli
