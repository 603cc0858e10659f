#include <string>
#include <vector>

#include "apps/ntune/status_line.h"
#include "catch.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"

namespace ntune {

TEST_CASE("findings stand behind their rows, or below them on a narrow terminal") {
  TextTable table({"<study", "calls"});
  table.add_row({"pig", "400"});
  table.add_row({"a longer name", "2"});
  const std::vector<std::string> findings = {"rush 100 → 80, which wins more of its games", ""};
  CHECK(cli::with_findings(table.text(), findings, 200) ==
        "study          calls  finding\n"
        "-------------  -----  -------------------------------------------\n"
        "pig              400  rush 100 → 80, which wins more of its games\n"
        "a longer name      2\n");
  CHECK(cli::with_findings(table.text(), findings, 40) ==
        "study          calls\n"
        "-------------  -----\n"
        "pig              400\n"
        "    rush 100 → 80, which wins more of\n"
        "    its games\n"
        "a longer name      2\n");
}

}  // namespace ntune
