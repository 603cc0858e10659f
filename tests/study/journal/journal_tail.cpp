#include <fstream>
#include <string>

#include "catch.h"
#include "ntune/study/journal/journal_reader.h"
#include "support/temporary_folder.h"

namespace ntune {

TEST_CASE("a line of a journal that is longer than a piece is read whole, a torn one not at all") {
  const test::TemporaryFolder folder;
  const std::string name = (folder / "journal.log").string();
  const std::string header =
      R"({"ntune":{"format":2,"version":"0","time":"2026-11-26T10:00:00.000001Z","study":{"name":")" +
      std::string(3'000'000, 'x') + "\"}}}\n";
  const auto visit = [](const JournalLine&) {};
  JournalTail tail(name);
  CHECK_FALSE(tail.read(visit));  // there is no file yet
  std::ofstream file(name, std::ios::binary);
  file << header.substr(0, header.size() / 2) << std::flush;
  CHECK_FALSE(tail.read(visit));
  file << header.substr(header.size() / 2) << std::flush;
  CHECK(tail.read(visit));
  CHECK_FALSE(tail.read(visit));
}

}  // namespace ntune
