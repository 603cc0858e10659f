#include "ntune/study/followup/test_journal.h"

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/hash.h"
#include "ntune/core/json.h"
#include "ntune/study/keys/study_identity.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

constexpr const char* kResultName = "result.json";

/// The study as the journal of a test names it.
Study study_of_test(const Study& study, const std::string& test) {
  Study named = study;
  named.name = test;
  named.earlier.clear();
  named.config = study_identity(study.config);
  // The identity of the study, and what shows that points are of its space.
  for (const char* key : {"space", "iterations"}) {
    if (study.config.contains(key)) named.config[key] = study.config[key];
  }
  named.config["name"] = test;
  set_seed(named, study.seed);
  set_record(named, Recording::kEvaluations);
  return named;
}

/// "verify-1a2b3c4d" for a test that begins with that word.
std::string folder_name(const Study& test) {
  std::uint64_t hash = kFnvBegin;
  for (const char c : test.config.dump()) hash = fnv_step(hash, static_cast<unsigned char>(c));
  constexpr std::uint64_t kDigits = 0xFFFFFFFF;
  return fmt::format("{}-{:08x}", test.name.substr(0, test.name.find(' ')), hash & kDigits);
}

/// Whether files can be made in the folder. One of another user, or a disk that is only read, is no
/// reason not to test.
bool is_writable(const fs::path& folder) {
  try {
    ensure_writable_folder(folder);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

TestJournal::TestJournal(const fs::path& folder, const Study& study, const std::string& test,
                         bool resume)
    : study_(study_of_test(study, test)) {
  // The name follows from all that is tested: another test has another folder.
  folder_ = folder / folder_name(study_);
  std::error_code error;
  const bool held = fs::is_regular_file(folder_ / kJournalName, error);
  if (resume && !held) {
    throw InputError(fmt::format(
        "--resume: {} holds nothing of this test; a test goes on, or shows its result again, with "
        "the same folder, options and seed",
        path_text(folder)));
  }
  // Only who holds the folder may remove what is there.
  journal_ = std::make_unique<Journal>(folder_, study_,
                                       resume ? Journal::Open::kResume : Journal::Open::kAnew);
  if (!resume) fs::remove(folder_ / kResultName, error);
}

std::string TestJournal::keep_result(const Json& result) const {
  const fs::path file = folder_ / kResultName;
  write_file_atomically(file, result.dump(2) + '\n');
  if (result["status"] != "done") return "To go on: the same command with --resume\n";
  return fmt::format("Result in {}; the same command with --resume shows it again\n",
                     path_text(file));
}

std::unique_ptr<TestJournal> open_test_journal(const fs::path& folder, const Study& study,
                                               const std::string& test, bool resume) {
  if (!resume && !is_writable(folder)) return nullptr;
  return std::make_unique<TestJournal>(folder, study, test, resume);
}

}  // namespace ntune
