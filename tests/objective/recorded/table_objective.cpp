// Tables of recorded observations: what is read, what is drawn, and what is refused.

#include "ntune/objective/recorded/table_objective.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/recorded/observation_table.h"
#include "ntune/objective/recorded/observation_values.h"
#include "objective/make.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace {

using Catch::Matchers::ContainsSubstring;

/// A study's `objective:` line for a table in several lines.
std::string study_of(const std::string& table, const std::string& more = "") {
  return "{objective: {table: " + Json(table).dump() + more + "}";
}

std::unique_ptr<Objective> make_table(const std::string& table, const std::string& more = "",
                                      const std::string& space = "") {
  return test::make(study_of(table, more) + (space.empty() ? "}" : ", space: " + space + "}"));
}

std::string table_error(const std::string& table, const std::string& more = "",
                        const std::string& space = "") {
  return test::input_error([&] { make_table(table, more, space); });
}

Point point_of(std::vector<std::uint16_t> indices) { return Point(indices); }

const std::string kGames =
    "# four settings, ten games each\n"
    "depth,book,observations\n"
    "2,true,1*8 -1*2\n"
    "2,false,1*6 -1*4\n"
    "1,true,-1*6 1*4\n"
    "1,false,1 1 1 -1*7\n";

}  // namespace

TEST_CASE("columns become parameters: numbers ascending, truth values, words as they come") {
  const auto table = make_table(
      "a,b,c,d,payoff\n"
      "10,true,slow,0.5,1\n2,true,slow,0.5,1\n10,False,slow,0.5,1\n2,false,slow,0.5,1\n"
      "10,true,\"a, b\",0.5,1\n2,true,\"a, b\",0.5,1\n10,false,\"a, b\",0.5,1\n"
      "2,false,\"a, b\",0.5,1\n");
  const SearchSpace& space = table->space();
  REQUIRE(space.names() == std::vector<std::string>{"a", "b", "c", "d"});
  CHECK(space[0].values == std::vector<Value>{std::int64_t{2}, std::int64_t{10}});
  CHECK(space[0].ordered);
  CHECK(space[1].kind == ParameterKind::kBoolean);
  CHECK(space[2].values == std::vector<Value>{std::string("slow"), std::string("a, b")});
  CHECK_FALSE(space[2].ordered);
  CHECK(space[3].values == std::vector<Value>{0.5});
  const auto words = make_table("a,payoff\n\"1\",1\n\"true\",1\n1,1\n");
  CHECK(words->space()[0].values ==
        std::vector<Value>{std::string("1"), std::string("true"), std::int64_t{1}});
  const auto reals = make_table("a,payoff\n1,1\n0.999,1\n");
  CHECK(reals->space()[0].values == std::vector<Value>{0.999, 1.0});
}

TEST_CASE("wins and losses: the true value is the share of wins") {
  const auto table = make_table(kGames);
  CHECK(true_value_of(*table, point_of({0, 0})) == 0.3);
  CHECK(true_value_of(*table, point_of({1, 1})) == 0.8);
  CHECK(optimum_of(*table) == 0.8);
  CHECK(table->unit().value_of(0.0) == 0.5);
  const Payoffs payoffs = table->payoffs();
  CHECK((payoffs.low == -1.0 && payoffs.high == 1.0 && payoffs.two_valued && payoffs.noisy));
  CHECK(table->description() == "table table (4 points, 40 observations)");
  const auto plain = make_table(kGames, ", win_loss: false");
  CHECK(true_value_of(*plain, point_of({1, 1})).value() == Approx(0.6));
  CHECK((plain->unit().value_of(-1.0) == -1.0 && plain->payoffs().two_valued));
  const auto costs = make_table(kGames, ", direction: minimise");
  CHECK(true_value_of(*costs, point_of({1, 1})).value() == Approx(0.6));
  CHECK(optimum_of(*costs).value() == Approx(-0.4));
  CHECK(costs->unit().value_of(1.0) == -1.0);
}

TEST_CASE("other observations are values themselves") {
  const auto table = make_table("x,observations\n1,2.5 3.5*3\n2,1e3\n3,-7\n");
  CHECK(true_value_of(*table, point_of({0})) == 3.25);
  CHECK(optimum_of(*table) == 1000.0);
  const Payoffs payoffs = table->payoffs();
  CHECK((payoffs.low == -7.0 && payoffs.high == 1000.0 && !payoffs.two_valued && payoffs.noisy));
  const auto exact = make_table("x,observations\n1,0.1*3\n2,0.7*10\n");
  CHECK((!exact->payoffs().noisy && exact->payoffs().two_valued));
  CHECK(true_value_of(*exact, point_of({0})) == 0.1);
}

TEST_CASE("one row a point, one row an observation and any order of rows give the same draws") {
  const auto table = make_table(kGames);
  const auto rows = make_table(
      "payoff,book,depth\n1,false,1\n-1,false,1\n1,false,1\n-1,false,1\n-1,false,1\n-1,false,1\n"
      "1,false,1\n-1,false,1\n-1,false,1\n-1,false,1\r\n\n# a comment\n" +
      [] {
        std::string rest;
        for (int i = 0; i < 10; ++i) {
          rest += std::string(i < 4 ? "+1" : "-1") + ", true ,1\n";
          rest += std::string(i < 6 ? "1" : "-1") + ",false,2\n";
          rest += std::string(i < 8 ? "1.0" : "-1") + ",true,2\n";
        }
        return rest;
      }());
  for (int i = 0; i < 1000; ++i) {
    for (std::uint16_t depth = 0; depth < 2; ++depth) {
      for (std::uint16_t book = 0; book < 2; ++book) {
        Rng a(static_cast<std::uint64_t>(i));
        Rng b(static_cast<std::uint64_t>(i));
        REQUIRE(table->evaluate(point_of({depth, book}), a) ==
                rows->evaluate(point_of({book, depth}), b));
      }
    }
  }
}

TEST_CASE("observations are drawn as often as they were made", "[statistical]") {
  constexpr int kDraws = 100'000;
  const std::map<double, int> counts = {{-3, 1}, {0.5, 2}, {2, 30}, {7, 4}, {8, 11}, {9, 52}};
  std::string line = "1,";
  for (const auto& [value, count] : counts) {
    line += std::to_string(value) + "*" + std::to_string(count) + " ";
  }
  const auto table = make_table("x,observations\n" + line + "\n");
  std::map<double, int> drawn;
  Rng rng(5);
  for (int i = 0; i < kDraws; ++i) ++drawn[table->evaluate(point_of({0}), rng)];
  REQUIRE(drawn.size() == counts.size());
  for (const auto& [value, count] : counts) {
    const double p = count / 100.0;
    const double error = std::sqrt(p * (1 - p) / kDraws);
    CHECK(std::abs(drawn[value] / double{kDraws} - p) < 4.5 * error);
  }
}

TEST_CASE("a study's space is a part of the table's grid") {
  const auto part = make_table(kGames, "", "{depth: 2}");
  CHECK(part->space().grid_size() == 2.0);
  CHECK(true_value_of(*part, point_of({0, 0})) == 0.6);
  CHECK(optimum_of(*make_table(kGames, "", "{depth: [1]}")) == 0.4);
  CHECK(true_value_of(*make_table(kGames, "", "{depth: [2, 1]}"), point_of({0, 1})) == 0.8);
  const std::string gap = "a,b,observations\n1,1,1\n1,2,2\n2,1,3\n";
  CHECK_THAT(table_error(gap), ContainsSubstring("objective.table: has no row for a = 2, b = 2"));
  CHECK(optimum_of(*make_table(gap, "", "{forbid: [{a: 2, b: 2}]}")) == 3.0);
  CHECK(optimum_of(*make_table(gap, "", "{b: 1}")) == 3.0);
  CHECK_THAT(table_error(kGames, "", "{depth: [1, 3]}"),
             ContainsSubstring("space.depth: has the value '3', the table has 1 or 2"));
  CHECK_THAT(table_error(kGames, "", "{deph: 1}"), ContainsSubstring("space.deph"));
}

TEST_CASE("wrong tables are refused with file, line and column") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"# nothing\n", "(table): holds no observations"},
      {"a,observations\n", "(table): holds no observations"},
      {"a,b\n1,2\n", "(table):1: has no column 'observations' ('1*734 -1*266') or 'payoff'"},
      {"a,payoff,observations\n1,2,3\n", "(table):1: has two columns of observations"},
      {"payoff\n1\n", "(table):1: has 0 columns of parameters, 1 to 1024 are allowed"},
      {"a,,payoff\n1,1,1\n", "(table):1: column 2 has no name"},
      {"a,a,payoff\n1,1,1\n", "(table):1: a: stands twice among the columns"},
      {"a,payoff\n1\n", "(table):2: has 1 fields, the header has 2"},
      {"a,payoff\n1,2,3\n", "(table):2: has 3 fields, the header has 2"},
      {"a,payoff\n,2\n", "(table):2: a: is empty"},
      {"a,payoff\n1,\n", "(table):2: payoff: is empty"},
      {"a,payoff\n1,1 2\n", "(table):2: payoff: is '2', one finite number is allowed"},
      {"a,payoff\n1,1*2\n", "(table):2: payoff: is '1*2', one finite number is allowed"},
      {"a,payoff\n1,nan\n", "(table):2: payoff: is 'nan'"},
      {"a,observations\n1,1 inf\n",
       "(table):2: observations: is 'inf', a finite number or number*count is allowed"},
      {"a,observations\n1,1*0\n", "observations: is '1*0'"},
      {"a,observations\n1,1*-1\n", "observations: is '1*-1'"},
      {"a,observations\n1,1*1.5\n", "observations: is '1*1.5'"},
      {"a,observations\n1,1*4294967296\n", "observations: is '1*4294967296'"},
      {"a,observations\n1,1*4294967295 1\n", "more than 4,294,967,295 observations of one point"},
      {"a,observations\n1,win\n", "observations: is 'win'"},
      {"a,payoff\n\"1,1\n", "(table):2: has a quote that is not closed"},
      {"a,payoff\n\"1\"x,1\n", "(table):2: has a quote that is not closed, or a text behind one"},
      {"forbid,payoff\n1,1\n2,1\n", "(table): parameter 'forbid': no parameter may be called"},
  };
  for (const auto& [table, text] : cases) {
    CAPTURE(table);
    CHECK_THAT(table_error(table), ContainsSubstring(text));
  }
  CHECK_THROWS_WITH(ObservationTable::parse("a,payoff\n1,1\n2,1", "t.csv"),
                    "t.csv:3: has no line end: the file has been cut off");
  CHECK_THAT(table_error("a,payoff\n1,0\n2,1\n", ", win_loss: true"),
             ContainsSubstring("not all observations are +1 or -1"));
  CHECK_THAT(table_error(kGames, ", win_loss: yes"), ContainsSubstring("auto, true or false"));
  CHECK_THAT(table_error(kGames, ", win_loss: true, direction: minimise"),
             ContainsSubstring("objective.direction: is 'minimise'"));
  CHECK_THAT(
      test::input_error([] { test::make("objective: {table: none.csv}"); }),
      ContainsSubstring("study.yaml:1: objective.table: the file 'none.csv' does not exist"));
  CHECK_THAT(test::input_error([] { test::make("objective: {table: ''}"); }),
             ContainsSubstring("objective.table: is empty"));
}

TEST_CASE("the file is looked for in the study file's folder") {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("games.csv", kGames);
  const YamlNode root = parse_yaml("objective: {table: games.csv}", folder.file("study.yaml", ""));
  const YamlNode& options = *root.find("objective");
  const ObjectiveEntry& entry = find_objective(options);
  CHECK(entry.make(options, nullptr)->description() == "table games (4 points, 40 observations)");
  CHECK(entry.label(entry.resolved(options)) == "games");
  const std::string cut = folder.file("games.csv", kGames.substr(0, kGames.size() - 3));
  CHECK_THAT(test::input_error([&] { entry.make(options, nullptr); }),
             ContainsSubstring(cut + ":6: has no line end"));
}

TEST_CASE("what is written reads back the same") {
  std::vector<Value> words;
  for (const char* word :
       {"plain", "", "1", "-2.5", "true", "a,b", "say \"so\"", " blank ", "#x", "1e5", "\u00e9"}) {
    words.emplace_back(std::string(word));
  }
  const SearchSpace space({make_choices("#word", words), make_integers("n", 1, 2),
                           make_range("x", 0.0, 1.0, 7), make_boolean("flag")});
  std::string text = observation_header(space);
  std::map<Point, Observed> expected;
  Rng rng(3);
  space.for_each_point([&](const Point& point) {
    Observed observed;
    const std::uint32_t count = 1 + rng.below(4);
    for (std::uint32_t i = 0; i < count; ++i) observed.push_back({.value = rng.normal()});
    observed.push_back({.value = -1.0, .count = 1000});
    tidy(observed);
    text += observation_line(space, point, observed);
    expected[point] = observed;
    return true;
  });
  const ObservationTable table = ObservationTable::parse(text, "text");
  REQUIRE(table.points() == expected.size());
  const TableIndex index(table, space);
  for (const auto& [point, observed] : expected) REQUIRE(*index.find(point) == observed);
}

TEST_CASE("large tables are read in time and drawn from without searching") {
  std::string text = "a,b,payoff\n";
  for (int a = 0; a < 300; ++a) {
    for (int b = 0; b < 300; ++b) {
      text += std::to_string(a) + "," + std::to_string(b) + "," + std::to_string(a * b) + "\n";
    }
  }
  const auto table = make_table(text);
  CHECK(table->space().grid_size() == 90'000.0);
  CHECK(optimum_of(*table) == 299.0 * 299.0);
}

TEST_CASE("a table's text is quoted where it would be read as something else") {
  for (const char* text : {"linear", "a b", "1e", "3 of 4", "-"}) {
    CHECK(value_field(std::string(text)) == text);
  }
  for (const char* text :
       {" a", "a\t", "\ta", "", "#a", "12", "+1", "0.5", "true", "FALSE", "a,b"}) {
    CHECK(value_field(std::string(text)) == '"' + std::string(text) + '"');
  }
  CHECK(value_field(std::string("a\"b")) == "\"a\"\"b\"");
  CHECK(value_field(std::int64_t{12}) == "12");
}

}  // namespace ntune
