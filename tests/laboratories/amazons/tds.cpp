// amazons tds, coverage, error, conjecture, reproduce.

#include <sstream>
#include <string>

#include "catch.h"
#include "laboratories/amazons/amazons.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::amazons_json;
using test::CommandOutcome;
using test::run_amazons;

namespace {

const std::string kFigure2 = "####/#.##/.#B#/W.##";

/// A file with some positions of the sample.
std::string cases_in(const test::TemporaryFolder& folder) {
  return folder.file("cases.csv",
                     "# a comment\nid,board,empties,mean,temperature\n"
                     "0,####/#.##/.#B#/W.##,3,3/4,5/4\n"
                     "1,####/####/.###/BW.#,2,-1/2,-1/2\n"
                     "2,..../..../.#.#/B..W,12,0,11\n");
}

}  // namespace

TEST_CASE("amazons tds prints value, settings and principal variation") {
  const CommandOutcome outcome =
      run_amazons({"tds", kFigure2, "--variant", "TDS", "--ties", "board", "--reading", "top"});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, StartsWith("mean         3/4\ntemperature  5/4\n"));
  CHECK_THAT(outcome.out, ContainsSubstring("1. C(17/8)  2. C(2)  3. C(15/8)"));
  std::string variation;  // on one line
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line); variation += line) {
    CAPTURE(line);
    CHECK(line.size() <= 80);
  }
  CHECK_THAT(variation, ContainsSubstring("7. C(11/8)  8. A1-A2xB1  9. C(5/4)"));

  const Json json = amazons_json({"tds", kFigure2});
  CHECK(json["mean"] == "3/4");
  CHECK(json["temperature"] == "5/4");
  CHECK(json["exact"] == true);
  CHECK(json["delta"] == "1/8");
  CHECK(json["variation"].size() > 5);
  CHECK(amazons_json({"tds", kFigure2, "--variant", "all"})["temperature"] == "5/4");
  CHECK(amazons_json({"tds", "B...W/##.##"})["exact"] == true);
}

TEST_CASE("amazons tds --replay plays the principal variation with what the command prints") {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "tds.html").string();
  const CommandOutcome outcome = run_amazons({"tds", kFigure2, "--replay", file});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err, ContainsSubstring("Replay in "));
  const Json json = amazons_json({"tds", kFigure2});
  const Json data = test::replay_data(file);
  const std::size_t ticks = json["variation"].size() + 1;
  for (const char* part : {"boards", "scores", "shown", "squares", "texts"}) {
    CAPTURE(part);
    CHECK(data[part].size() == ticks);
  }
  const Json& start = data["boards"][0][0];
  CHECK(start["mean"] == json["mean"]);
  CHECK(start["temperature"] == json["temperature"]);
  CHECK(start["walls"].size() == 2);
  std::size_t moves = 0;
  for (std::size_t t = 1; t < ticks; ++t) {
    const auto move = json["variation"][t - 1].get<std::string>();
    CAPTURE(t, move);
    CHECK_THAT(data["texts"][t].get<std::string>(), ContainsSubstring(": " + move + "\n"));
    // A coupon changes no board, a move burns a square.
    const bool is_move = !move.starts_with("C(");
    CHECK((data["boards"][t] != data["boards"][t - 1]) == is_move);
    CHECK(data["squares"][t].size() == (is_move ? 3 : 0));
    moves += is_move ? 1 : 0;
  }
  CHECK(moves >= 2);
  CHECK_THAT(test::content_of(file), ContainsSubstring("Mean 3/4, temperature 5/4, exact"));
  // The legend names the lines, and neither frames of several boards nor what is not exact.
  for (const char* legend : {"Black's wall", "White's wall", "<b>mast</b>", "dashed square"}) {
    CHECK(test::times_in(test::content_of(file), legend) == 1);
  }
  CHECK(test::times_in(test::content_of(file), "framed board") == 0);
  CHECK(test::times_in(test::content_of(file), "~ stands") == 0);
}

TEST_CASE("amazons tds --literal shows where the paper's letter fails") {
  std::vector<std::string> command = {"tds", "####/####/.###/WB.#", "--variant", "TDS_23"};
  CHECK(amazons_json(command)["mean"] == "1/2");
  command.emplace_back("--literal");
  CHECK(amazons_json(command)["mean"] == "0");
  CHECK(amazons_json(command)["exact"] == false);
  command = {"tds", "####/.###/#.#./W.B#", "--variant", "134"};
  CHECK(amazons_json(command)["temperature"] == "1");
  command.emplace_back("--literal");
  CHECK(amazons_json(command)["temperature"] == "17/16");
}

TEST_CASE("amazons tds marks what a limit stopped as approximate") {
  const Json json = amazons_json({"tds", "..../..../.#.#/B..W", "--nodes", "1000"});
  CHECK(json["exact"] == false);
  CHECK(json["finished"] == false);
  CHECK(json["nodes"] == 1000);
  CHECK_THAT(run_amazons({"tds", "..../..../.#.#/B..W", "--nodes", "1000"}).out,
             ContainsSubstring("\napproximate: stopped by the limit\n"));
}

TEST_CASE("amazons tds refuses wrong settings in one line") {
  using Arguments = std::vector<std::string>;
  for (const auto& [arguments, text] : {std::pair(Arguments{"--delta", "1/3"}, "--delta '1/3': "),
                                        {{"--delta", "3/4"}, "--delta '3/4': must be 1, 1/2, 1/4"},
                                        {{"--delta", "0"}, "--delta '0': "},
                                        {{"--delta", "x"}, "--delta 'x': "},
                                        {{"--t-max", "1/3"}, "--t-max '1/3': "},
                                        {{"--t-max", "-2"}, "--t-max '-2': "},
                                        {{"--t-max", "61"}, "--t-max '61': "},
                                        {{"--variant", "14"}, "variant TDS_14: e4 needs e3"},
                                        {{"--variant", "x"}, "variant 'x': "},
                                        {{"--nodes", "0"}, "--nodes"},
                                        {{"--nodes", "-1"}, "--nodes"},
                                        {{"--seconds", "0"}, "--seconds"},
                                        {{"--seconds", "nan"}, "--seconds"},
                                        {{"--table", "0"}, "--table"},
                                        {{"--ties", "left"}, "--ties"}}) {
    Arguments command = {"tds", kFigure2};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const CommandOutcome outcome = run_amazons(command);
    INFO(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(outcome.out == "");
    CHECK(test::is_one_line(outcome.err));
    CHECK_THAT(outcome.err, ContainsSubstring(text));
  }
  for (const std::string position : {"B..", "B..W/x", ""}) {
    CHECK(run_amazons({"tds", position}).code == 2);
  }
}

TEST_CASE("amazons coverage counts solved positions, the same for any number of threads") {
  const test::TemporaryFolder folder;
  const std::string cases = cases_in(folder);
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"coverage", "--cases",  cases,
                                          "--nodes",  "20,10000", "--variants",
                                          "TDS,TDS+", "--table",  "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_amazons(arguments);
  };
  const std::string csv = run({"--format", "csv", "--threads", "1"}).out;
  CHECK(csv ==
        "variant,nodes,solved,empties_2,empties_3,empties_12\n"
        "TDS,20,0,0,0,0\nTDS,10000,2,1,1,0\nTDS+,20,0,0,0,0\nTDS+,10000,2,1,1,0\n");
  CHECK(run({"--format", "csv", "--threads", "2"}).out == csv);
  CHECK(run({"--format", "csv", "--until-none"}).out == csv);
  CHECK(run({"--quiet"}).err == "");
  CHECK_THAT(run({"--quiet"}).out, StartsWith("3 positions, delta exact, table 1 MiB"));

  // Kept results are not computed again.
  const std::string out = (folder / "out.csv").string();
  CHECK(run({"--format", "csv", "--out", out}).out == csv);
  const std::string kept = test::content_of(out);
  CHECK_THAT(kept, StartsWith("key,variant,board,finished,mean,temperature,nodes,seconds\n"));
  CHECK(run({"--format", "csv", "--out", out}).out == csv);
  CHECK(test::content_of(out) == kept);
  // A line that was cut off is done again.
  CHECK(folder.file("out.csv", kept.substr(0, kept.size() - 5)) == out);
  CHECK(run({"--format", "csv", "--out", out}).out == csv);
  const std::string wrong = folder.file("wrong.csv", kept + "a,b\n");
  const CommandOutcome refused = run({"--out", wrong});
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, StartsWith(wrong + ":8: damaged"));
}

TEST_CASE("amazons coverage refuses wrong limits, cases and variants in one line") {
  const test::TemporaryFolder folder;
  const std::string cases = cases_in(folder);
  using Arguments = std::vector<std::string>;
  const std::string board = folder.file("board.csv", "board,mean,temperature\nB..,0,0\n");
  const std::string burnt =
      folder.file("burnt.csv", "# a comment\nboard,mean,temperature\n#B/W.,1/2,-1/2\nB..,0,0\n");
  const std::string mean = folder.file("mean.csv", "board,mean,temperature\nBW,1/3,0\n");
  const std::string short_line = folder.file("short.csv", "board,mean,temperature\nBW,1\n");
  const std::string titles = folder.file("titles.csv", "a,b\n");
  for (const auto& [arguments, text] :
       {std::pair(Arguments{"--cases", cases}, "--seconds or --nodes"),
        {{"--cases", cases, "--nodes", "1", "--seconds", "1"}, "--seconds or --nodes"},
        {{"--cases", cases, "--nodes", "0"}, "--nodes"},
        {{"--cases", cases, "--seconds", "0"}, "--seconds"},
        {{"--cases", cases, "--nodes", "1", "--variants", "TDS,x"}, "variant 'x'"},
        {{"--cases", "/no/such/file", "--nodes", "1"}, "/no/such/file: "},
        {{"--cases", board, "--nodes", "1"}, "board.csv:2: board "},
        {{"--cases", burnt, "--nodes", "1"}, "burnt.csv:4: board "},
        {{"--cases", mean, "--nodes", "1"}, "mean.csv:2: mean '1/3'"},
        {{"--cases", short_line, "--nodes", "1"}, "short.csv:2: "},
        {{"--cases", titles, "--nodes", "1"}, "titles.csv:1: "}}) {
    Arguments command = {"coverage"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const CommandOutcome outcome = run_amazons(command);
    INFO(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(outcome.out == "");
    CHECK(test::is_one_line(outcome.err));
    CHECK_THAT(outcome.err, ContainsSubstring(text));
  }
}

TEST_CASE("amazons error measures how far off answers are") {
  const test::TemporaryFolder folder;
  const std::string cases = cases_in(folder);
  const Json json = amazons_json({"error", "--cases", cases, "--nodes", "20,10000", "--variants",
                                  "TDS+", "--table", "1", "--quiet"});
  REQUIRE(json["rows"].size() == 2);
  CHECK(json["rows"][1]["finished"] == 2);
  CHECK(json["rows"][1]["temperature_error"] <= json["rows"][0]["temperature_error"]);
  CHECK(run_amazons({"error", "--cases", cases}).code == 2);
}

TEST_CASE("amazons conjecture counts and prints counter-examples") {
  const CommandOutcome outcome = run_amazons({"conjecture", "--delta", "1/2", "--least", "4",
                                              "--most", "4", "--failures", "1000", "--quiet"});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, ContainsSubstring("delta 1/2, R1: ####/#.##/.W.#/#B#."));
  CHECK(outcome.out.find("R2: ") == std::string::npos);
  CHECK(run_amazons({"conjecture", "--least", "3", "--most", "2"}).code == 2);
  CHECK(run_amazons({"conjecture", "--delta", "1/3"}).code == 2);
  const CommandOutcome wider = run_amazons({"conjecture", "--size", "4x5", "--delta", "1/2",
                                            "--most", "4", "--failures", "1000", "--quiet"});
  // The position of 4x4 with a file or rank burnt beside it.
  CHECK_THAT(wider.out, ContainsSubstring("delta 1/2, R1: ####/####/#.##/.W.#/#B#."));
  for (const char* size : {"4", "4x6", "1x1", "0x5", "4x4x4", "axb"}) {
    CHECK_THAT(run_amazons({"conjecture", "--size", size}).err, StartsWith("--size '"));
  }
  CHECK_THAT(run_amazons({"conjecture", "--most", "15"}).err,
             StartsWith("--most: is 15; allowed on 4x4 with two queens: at most 14"));
  CHECK_THAT(run_amazons({"conjecture", "--size", "5x5", "--most", "20"}).err,
             StartsWith("--most: with 20 there are "));
}

TEST_CASE("amazons reproduce sets published coverage beside ours") {
  const test::TemporaryFolder folder;
  const Json json = amazons_json({"reproduce", "1", "--cases", cases_in(folder), "--time-scale",
                                  "0.0002", "--longest", "2.5", "--table", "1", "--quiet"});
  REQUIRE(json["rows"].size() == 26);
  CHECK(json["time_scale"] == 0.0002);
  CHECK(json["rows"][1]["seconds"] == 0.0005);
  CHECK(json["rows"][1]["paper_solved"] == 73);
  const auto rows_of = [&](const char* experiment) {
    return amazons_json({"reproduce", experiment, "--cases", cases_in(folder), "--time-scale",
                         "0.0002", "--table", "1", "--quiet"})["rows"];
  };
  CHECK(rows_of("fig3").size() > 0);
  CHECK(rows_of("fig4").size() == 5);
  CHECK(rows_of("fig4")[0]["less"] == 0);
  CHECK(rows_of("e5").size() == 3);
  CHECK(rows_of("rules").size() == 2 * 5 * 3);
  CHECK(run_amazons({"reproduce", "7"}).code == 2);
  CHECK(run_amazons({"reproduce", "1", "--time-scale", "0"}).code == 2);
}

}  // namespace ntune
