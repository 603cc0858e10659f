#include "ntune/core/text_table.h"

#include <sstream>
#include <string>

#include "catch.h"
#include "ntune/core/text.h"

namespace ntune {

TEST_CASE("a table that is too wide is broken into tables with the same names in front") {
  TextTable table({"<name", "first", "second", "third"});
  table.add_heading("a longer heading");
  table.add_row({"one", "1.5", "2.5", "3.5"});
  table.add_rule();
  table.add_row({"two", "10", "20", "30"});
  CHECK(table.text_within(80) == table.text());
  CHECK(table.text_within(20) ==
        "name  first  second\n"
        "----  -----  ------\n"
        "a longer heading\n"
        "one     1.5     2.5\n"
        "----  -----  ------\n"
        "two      10      20\n"
        "\n"
        "name  third\n"
        "----  -----\n"
        "a longer heading\n"
        "one     3.5\n"
        "----  -----\n"
        "two      30\n");
}

TEST_CASE("words of a last column go on below each other") {
  TextTable table({"rank", "<point"});
  table.add_heading("a longer heading");
  table.add_row({"1", "threads = 8, mode = fast, restart = 100"});
  table.add_rule();
  table.add_row({"2", ""});
  CHECK(table.text_within(80) == table.text());
  CHECK(table.text_within(30) ==
        "rank  point\n"
        "----  -------------------\n"
        "a longer heading\n"
        "   1  threads = 8, mode =\n"
        "      fast, restart = 100\n"
        "----  -------------------\n"
        "   2\n");
}

TEST_CASE("long names of a table lose their middle") {
  TextTable table({"<name", "value"});
  table.add_row({"a name of very many words that nobody reads to its end", "1"});
  table.add_row({"короткое имя", "2"});
  std::istringstream lines(table.text_within(40));
  for (std::string line; std::getline(lines, line);) CHECK(text_columns(line) <= 40);
  CHECK(without_middle("abcdefgh", 8) == "abcdefgh");
  CHECK(without_middle("abcdefgh", 5) == "ab…gh");
  CHECK(without_middle("ääääöööö", 5) == "ää…öö");
  CHECK(is_utf8(without_middle("ä€öü𝄞abc", 4)));
}

}  // namespace ntune
