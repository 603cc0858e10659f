#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "ntune/core/json_fwd.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// The journal of a test of a study's recommendation, in a folder of its own in the study's. It
/// stays there when the test has come to its end. Changes of the test's seed or of what it tests
/// begin another one; more evaluations go on.
class TestJournal {
 public:
  /// `test` says what is tested, in words: "verify x = 1 against x = 2". Without `resume` it begins
  /// anew. Throws InputError, also where `resume` finds nothing.
  TestJournal(const std::filesystem::path& folder, const Study& study, const std::string& test,
              bool resume);

  [[nodiscard]] StudyLog* log() { return journal_.get(); }
  /// Evaluations that it held before.
  [[nodiscard]] std::size_t known() const { return journal_->known(); }
  /// Keeps the result, also that of a test that goes on, beside the journal, as `result.json`.
  /// Returns a line that says what --resume does then. Throws InputError.
  std::string keep_result(const Json& result) const;

 private:
  std::filesystem::path folder_;
  Study study_;
  std::unique_ptr<Journal> journal_;
};

/// A journal of such a test, or nullptr where the folder cannot be written and nothing is to be
/// resumed.
std::unique_ptr<TestJournal> open_test_journal(const std::filesystem::path& folder,
                                               const Study& study, const std::string& test,
                                               bool resume);

}  // namespace ntune
