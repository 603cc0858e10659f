#include "ntune/core/csv.h"

#include <string>
#include <vector>

#include "catch.h"
#include "support/error_text.h"

namespace ntune {

namespace {

/// The texts of all fields of all records.
std::vector<std::vector<std::string>> texts(std::string_view csv, CsvStyle style = {}) {
  CsvReader reader(csv, "f", style);
  std::vector<std::vector<std::string>> records;
  while (reader.next()) {
    std::vector<std::string>& record = records.emplace_back();
    for (const CsvField& field : reader.fields()) record.push_back(field.text);
  }
  return records;
}

std::string refusal(std::string_view csv, CsvStyle style = {}) {
  return test::input_error([&] { texts(csv, style); });
}

using Records = std::vector<std::vector<std::string>>;

}  // namespace

TEST_CASE("CSV fields are quoted where they must be") {
  CHECK(csv_field("plain text") == "plain text");
  CHECK(csv_field("") == "");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("say \"hi\"") == "\"say \"\"hi\"\"\"");
  CHECK(csv_field("two\nlines") == "\"two\nlines\"");
  CHECK(csv_field("cr\r") == "\"cr\r\"");
  CHECK(csv_field("a;b") == "a;b");
}

TEST_CASE("CSV records are read by RFC 4180") {
  CHECK(texts("a,\"b,\"\"\n\",c\n1,,\n") == Records{{"a", "b,\"\n", "c"}, {"1", "", ""}});
  CHECK(texts("a,b\r\n\"c\",\"d\"\r\n") == Records{{"a", "b"}, {"c", "d"}});
  CHECK(texts("a,b") == Records{{"a", "b"}});
  CHECK(texts("a,") == Records{{"a", ""}});
  CHECK(texts("\"a\"") == Records{{"a"}});
  CHECK(texts("a\"b,c\n") == Records{{"a\"b", "c"}});
  CHECK(texts(" a , b\t\n") == Records{{" a ", " b\t"}});
  CHECK(texts("") == Records{});
  CHECK(texts("\n\r\na\n\n") == Records{{"a"}});
  CHECK(texts("\xEF\xBB\xBF\"a\",b\n") == Records{{"a", "b"}});
}

TEST_CASE("CSV fields that were written are read back") {
  const std::vector<std::string> fields = {"plain", "", "a,b", "\"", "\"\"", "x\ny\r\nz", " b "};
  std::string csv;
  for (const std::string& field : fields) csv += csv_field(field) + ',' + csv_quoted(field) + '\n';
  const Records records = texts(csv);
  REQUIRE(records.size() == fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    CHECK(records[i] == std::vector<std::string>{fields[i], fields[i]});
  }
}

TEST_CASE("CSV records know their lines and their text") {
  const std::string csv = "# one\n\na,\"b\nc\"\r\nd,e\n#,f\n";
  CsvReader reader(csv, "f", {.comments = CsvStyle::Comments::kBeforeHeader});
  REQUIRE(reader.next());
  CHECK(reader.line() == 3);
  CHECK(reader.text() == "a,\"b\nc\"");
  CHECK(reader.fields() == std::vector<CsvField>{{"a"}, {"b\nc", true}});
  CHECK(reader.comments() == std::vector<std::string_view>{"# one"});
  CHECK(find_column(reader.fields(), "b\nc") == 1U);
  CHECK_FALSE(find_column(reader.fields(), "d"));
  REQUIRE(reader.next());
  CHECK(reader.line() == 5);
  CHECK(test::input_error([&] { reader.fail("is wrong"); }) == "f:5: is wrong");
  REQUIRE(reader.next());
  CHECK(reader.text() == "#,f");
  CHECK_FALSE(reader.next());
}

TEST_CASE("a CSV file may take the liberties of its style") {
  CHECK(texts("#a\nb\n#c\nd\n", {.comments = CsvStyle::Comments::kEverywhere}) ==
        Records{{"b"}, {"d"}});
  CHECK(texts("#a\nb\n") == Records{{"#a"}, {"b"}});
  CHECK(texts(" a ,\t\" b \" \r\n", {.trim = true}) == Records{{"a", " b "}});
  CHECK(texts("a, ", {.trim = true}) == Records{{"a", ""}});
  CHECK(texts("a\nb\n", {.whole = true}) == Records{{"a"}, {"b"}});
  CHECK(texts("a\n\"b\nc\"\r\n", {.whole = true}) == Records{{"a"}, {"b\nc"}});
}

TEST_CASE("damaged CSV is refused by its line") {
  const std::string quote = "has a quote that is not closed, or a text behind one";
  CHECK(refusal("a\n\"b\nc") == "f:2: " + quote);
  CHECK(refusal("a\n\"b\nc\"", {.line_ends = false}) == "f:2: " + quote);
  CHECK(refusal("\"a\"b\n") == "f:1: " + quote);
  CHECK(refusal("\"a\" ,b\n") == "f:1: " + quote);
  const std::string cut_off = "has no line end: the file has been cut off";
  CHECK(refusal("a\nb", {.whole = true}) == "f:2: " + cut_off);
  CHECK(refusal("a\n\"b\nc\"", {.whole = true}) == "f:2: " + cut_off);
  CHECK(refusal("a,\"b\n\nc\",d", {.whole = true}) == "f:1: " + cut_off);
  CHECK(refusal("a\n#b", {.comments = CsvStyle::Comments::kEverywhere, .whole = true}) ==
        "f:2: " + cut_off);
}

TEST_CASE("bytes that are not UTF-8 are refused at their line") {
  CsvReader reader("name,x\ncaf\xc3\xa9,1\ncaf\xe9,2\n", "table.csv");
  CHECK(reader.next());
  CHECK(reader.next());
  CHECK(test::input_error([&] { reader.next(); }) == "table.csv:3: holds a byte that is not UTF-8");
  CsvReader nul(std::string_view("a\nb\0c\n", 6), "table.csv");
  CHECK(nul.next());
  CHECK(test::input_error([&] { nul.next(); }) == "table.csv:2: holds the character NUL");
}

}  // namespace ntune
