// The files that the programs bring with them are found from any folder.

#include <string>

#include "apps/process.h"
#include "catch.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("studies and the data of the laboratories are found from any folder") {
  const test::TemporaryFolder folder;
  const std::string there = "cd '" + folder.path().string() + "' && ";
  for (const std::string command :
       {NTUNE_EXECUTABLE " check configs/hartmann6.yaml configs/pig.yaml",
        NTUNE_BAO " match default:depth=1 ga3:depth=1 --quiet"}) {
    CAPTURE(command);
    const test::CommandOutcome outcome = test::shell(there + command);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 0);
  }
  // What the current folder has comes first, and what nobody has is named as it was given.
  const std::string own = folder.file("hartmann6.yaml", "objective: {function: hartmann9}\n");
  CHECK(test::shell(there + "mkdir configs && mv " + own +
                    " configs && " NTUNE_EXECUTABLE " check configs/hartmann6.yaml")
            .code == 2);
  CHECK_THAT(test::shell(there + NTUNE_EXECUTABLE " run configs/none.yaml").err,
             ContainsSubstring("configs/none.yaml: cannot read"));
}

}  // namespace ntune
