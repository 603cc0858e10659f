// Tables and files of results, which the experiments of all laboratories share.

#include "apps/common/result_table.h"

#include <optional>
#include <string>
#include <vector>

#include "apps/common/result_file.h"
#include "apps/common/rows.h"
#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {

TEST_CASE("a table of results shows every column as text and as data") {
  cli::ResultTable table;
  table.row()
      .both("name", "<player", "one")
      .count("games", "n", 1068)
      .estimate("quota", "<quota", 0.5, {0.25, 0.75})
      .data("seed", 7);
  table.rule_between("name", "one");
  table.row()
      .both("name", "<player", "two")
      .count("games", "n", 12)
      .estimate("quota", "<quota", 1.0, {0.75, 1.0})
      .data("seed", 8);
  table.rule_between("name", "three");
  CHECK(table.text() ==
        "player      n  quota\n"
        "------  -----  --------------------\n"
        "one     1,068  0.500 [0.250, 0.750]\n"
        "two        12  1.000 [0.750, 1.000]\n"
        "------  -----  --------------------\n");
  CHECK(cli::csv_text(table.rows()) ==
        "name,games,quota,quota_low,quota_high,seed\n"
        "one,1068,0.5,0.25,0.75,7\n"
        "two,12,1,0.75,1,8\n");
}

TEST_CASE("a line of a table of results may hold several rows of data") {
  cli::ResultTable table;
  table.line().text("depth", "4");
  for (const char* name : {"Eu", "Man"}) table.entry().data("name", name).both("ours", name, 2);
  CHECK(table.text() == "depth  Eu  Man\n-----  --  ---\n    4   2    2\n");
  REQUIRE(table.rows().size() == 2);
  CHECK(table.rows()[1].dump() == R"({"name":"Man","ours":2})");
  CHECK(cli::ResultTable().text().empty());
}

TEST_CASE("a file of results goes on behind its last whole line") {
  const test::TemporaryFolder folder;
  const cli::ResultFileForm form = {"key,number", "a laboratory", "the game played"};
  const auto open = [&](const std::string& path) {
    return cli::ResultFile<int>(path, form, [](const std::vector<CsvField>& fields) {
      int number = 0;
      const bool good = fields.size() == 2 && read_number(fields[1].text, number);
      return good ? std::optional(number) : std::nullopt;
    });
  };
  const std::string path = (folder / "results.csv").string();
  open(path).add("a", 1, "1");
  CHECK(test::content_of(path) == "key,number\na,1\n");
  REQUIRE(folder.file("results.csv", "key,number\na,1\nb,2") == path);  // cut off
  {
    cli::ResultFile<int> results = open(path);
    REQUIRE(results.find("a") != nullptr);
    CHECK(*results.find("a") == 1);
    CHECK(results.find("b") == nullptr);
    results.add("c", 3, "3");
  }
  CHECK(test::content_of(path) == "key,number\na,1\nc,3\n");
  const std::string damaged = folder.file("damaged.csv", "key,number\na,1\nb,x\n");
  CHECK(test::input_error([&] { open(damaged); }) ==
        damaged + ":3: damaged; delete the line to have the game played again");
  const std::string other = folder.file("other.csv", "hello\n");
  CHECK(test::input_error([&] { open(other); }) == other + ":1: no results of a laboratory");
  CHECK(open("").find("a") == nullptr);
}

}  // namespace ntune
