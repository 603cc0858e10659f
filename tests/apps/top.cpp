#include <string>
#include <vector>

#include "apps/ntune/status_line.h"
#include "catch.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("games by which a setting was chosen are told as such, fresh ones are not") {
  StudyStatus status;
  status.games.games = {.wins = 26, .draws = 0, .losses = 14};
  const std::string selected = " (of the games that chose it: expect less)";
  CHECK_THAT(cli::status_line(status), ContainsSubstring("+26 =0 -14" + selected));
  SavedElo elo{.elo = match_elo(status.games), .games = status.games, .from = "comparison"};
  status.elo = elo;
  CHECK_THAT(cli::status_line(status), ContainsSubstring(selected));
  elo.from = "hold_out";
  status.elo = elo;
  CHECK_THAT(cli::status_line(status),
             ContainsSubstring("+26 =0 -14") && !ContainsSubstring(selected));
}

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
