// reproduce --list of every laboratory, and the files behind it.

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "apps/common/reproduction.h"
#include "catch.h"
#include "laboratories/amazons/amazons.h"
#include "laboratories/arcade/arcade.h"
#include "laboratories/bao/bao.h"
#include "laboratories/slide3/slide3.h"
#include "ntune/core/error.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

const std::vector<std::pair<std::string, test::LaboratoryProgram>>& laboratories() {
  static const std::vector<std::pair<std::string, test::LaboratoryProgram>> kAll = {
      {"amazons", ::ntune::amazons::run},
      {"arcade", ::ntune::arcade::run},
      {"bao", ::ntune::bao::run},
      {"slide3", ::ntune::slide3::run}};
  return kAll;
}

std::string folder_of_configs() { return std::string(NTUNE_SOURCE_DIR) + "/configs"; }

}  // namespace

TEST_CASE("reproduce --list shows every claim with its verdict, its command and its time") {
  for (const auto& [name, program] : laboratories()) {
    INFO(name);
    const std::string file = folder_of_configs() + "/claims/" + name + ".csv";
    const std::vector<cli::Claim> claims = cli::read_claims(file);
    REQUIRE(!claims.empty());
    std::ostringstream out;
    std::ostringstream err;
    const cli::Terminal terminal{.out = out, .err = err};
    REQUIRE(cli::list_claims(name, cli::Format::kText, terminal, folder_of_configs()) == 0);
    const std::string help = test::run_laboratory(program, {"reproduce", "--help"}).out;
    int checked = 0;
    for (const cli::Claim& claim : claims) {
      INFO(claim.place << ": " << claim.claim);
      CHECK_THAT(out.str(), ContainsSubstring(claim.command));
      // An experiment that a command names is one of the program's.
      const std::string prefix = name + " reproduce ";
      if (!claim.command.starts_with(prefix)) continue;
      const std::string experiment = claim.command.substr(
          prefix.size(), claim.command.find(' ', prefix.size()) - prefix.size());
      CHECK_THAT(test::run_laboratory(program, {"reproduce", experiment, "--list"}).err,
                 StartsWith("--list: does not go with an experiment"));
      CHECK_THAT(help, ContainsSubstring(" " + experiment + ": "));  // and what it repeats
      ++checked;
    }
    CHECK(checked > 0);
    CHECK_THAT(out.str(), ContainsSubstring("All commands together take"));
    CHECK_THAT(test::run_laboratory(program, {"reproduce"}).err,
               StartsWith("an experiment is missing: "));
    CHECK(test::run_laboratory(program, {"reproduce"}).code == 2);
  }
}

TEST_CASE("a file of claims is read with care") {
  const test::TemporaryFolder folder;
  const std::string header = "paper,place,claim,measured,n,verdict,command,time\n";
  const std::string good = "A (2000),Table 1,x,0.5,,open,slide3 reproduce 4.2,3 min\n";
  const std::vector<cli::Claim> claims = cli::read_claims(folder.file("good.csv", header + good));
  REQUIRE(claims.size() == 1);
  CHECK(claims[0].seconds == 180.0);
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"claim\n" + good, "the first line is not paper,place,"},
      {header + "A,T,x,0.5,,maybe,c,3 s\n",
       ":2: verdict is 'maybe'; allowed: confirmed, refuted, "},
      {header + "A,T,x,0.5,,open,,3 s\n", ":2: command is empty"},
      {header + "A,T,x,0.5,,open,c,soon\n", ":2: time is 'soon', a duration such as"},
      {header + "A,T\n", ":2: has 2 fields, 8 are needed"}};
  for (const auto& [text, message] : cases) {
    const std::string file = folder.file("bad.csv", text);
    try {
      cli::read_claims(file);
      FAIL("read " << text);
    } catch (const InputError& error) {
      CHECK_THAT(std::string(error.what()), ContainsSubstring(message));
    }
  }
}

}  // namespace ntune
