// amazons value, database.

#include <filesystem>
#include <string>

#include "catch.h"
#include "laboratories/amazons/amazons.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::CommandOutcome;
using test::run_amazons;

TEST_CASE("amazons value prints mean and temperature of a position") {
  const CommandOutcome json = run_amazons({"value", "####/#.##/.#B#/W.##", "--format", "json"});
  CHECK(json.code == 0);
  CHECK(json.err == "");
  CHECK(json.out == "{\"mean\": \"3/4\", \"temperature\": \"5/4\"}\n");
  CHECK(run_amazons({"value", "####/#.##/.#B#/W.##", "--format", "csv"}).out ==
        "position,mean,temperature\n####/#.##/.#B#/W.##,3/4,5/4\n");
  // 3x2 squares and two queens of one colour.
  CHECK(run_amazons({"value", "B.W/.B#", "--format", "json"}).code == 0);
  CHECK(run_amazons({"value", "BW", "--format", "json"}).out ==
        "{\"mean\": \"0\", \"temperature\": \"-1\"}\n");
}

TEST_CASE("amazons value draws the thermograph with values that increase to the left") {
  CHECK(run_amazons({"value", "####/#.##/.#B#/W.##"}).out ==
        R"(mean         3/4
temperature  5/4

temperature
          3 |             |
       11/4 |             |
        5/2 |             |
        9/4 |             |
          2 |             |
        7/4 |             |
        3/2 |             |
        5/4 |             +
          1 |            / \
        3/4 |           /   \
        1/2 |          /     \
        1/4 |         /       \
          0 |        /         \
       -1/4 |       /           \
       -1/2 |      /             |
       -3/4 |     /              |
         -1 |    |               |
            ++-------+-------+-------+
      value  4       2       0       -2
)");
}

TEST_CASE("amazons value --replay shows the position and what each option is worth") {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "value.html").string();
  const std::string position = "####/#.##/.#B#/W.##";
  const CommandOutcome outcome = run_amazons({"value", position, "--replay", file});
  CHECK(outcome.code == 0);
  CHECK(outcome.err == "Replay in " + file + "\n");
  const Json data = test::replay_data(file);
  const std::string page = test::content_of(file);
  const std::size_t steps = data["boards"].size();
  REQUIRE(steps > 3);
  CHECK(test::times_in(page, "onclick=\"jump(") == steps - 1);
  CHECK(data["boards"][0][0]["squares"] == position);
  CHECK(data["still"] == true);
  std::string player;
  double worst = 0.0;
  for (std::size_t t = 0; t < steps; ++t) {
    CAPTURE(t);
    const Json& board = data["boards"][t][0];
    const Json value = test::amazons_json({"value", board["squares"]});
    CHECK(value["mean"] == board["mean"]);
    CHECK(value["temperature"] == board["temperature"]);
    if (t == 0) continue;
    const std::string text = data["texts"][t];
    CHECK(data["squares"][t].size() == 3);
    CHECK_THAT(page, ContainsSubstring("jump(" + std::to_string(t) + ");scrollTo(0,0)\">" +
                                       text.substr(text.find(": ") + 2) + "</button>"));
    // Those of Black stand first, and all of a player from the best to the worst.
    const std::string now = text.find("Black") == std::string::npos ? "White" : "Black";
    const Json& wall = board["walls"][now == "Black" ? 1 : 0];
    const double temperature = data["boards"][0][0]["mast"][1];
    double worth = board["mast"][0];
    for (std::size_t i = 1; i < wall.size(); ++i) {
      const double before = wall[i - 1][1];
      const double after = wall[i][1];
      if (temperature < before || temperature > after || before == after) continue;
      const double share = (temperature - before) / (after - before);
      worth = (1.0 - share) * wall[i - 1][0].get<double>() + share * wall[i][0].get<double>();
    }
    if (now == "White") worth = -worth;
    if (now == player) CHECK(worth <= worst + 1e-9);
    if (now != player) CHECK(now == (player.empty() ? "Black" : "White"));
    player = now;
    worst = worth;
  }
  for (const char* legend : {"Black's wall", "White's wall", "<b>mast</b>", "dashed square"}) {
    CHECK(test::times_in(page, legend) == 1);
  }
  CHECK(test::times_in(page, "framed board") == 0);  // there is one board
  CHECK(test::times_in(page, "~ stands") == 0);      // all is exact

  // Two queens that cannot move have no options.
  REQUIRE(run_amazons({"value", "BW", "--replay", file}).code == 0);
  CHECK(test::replay_data(file)["boards"].size() == 1);
  CHECK(test::times_in(test::content_of(file), "dashed square") == 0);
  CHECK(test::times_in(test::content_of(file), "Black's wall") ==
        0);  // an integer has a mast alone
  CHECK(run_amazons({"value", "-", "--replay", file}).code == 2);
  const CommandOutcome nowhere = run_amazons({"value", position, "--replay", file + "/x.html"});
  CHECK(nowhere.code == 2);
  CHECK(test::is_one_line(nowhere.err));
}

TEST_CASE("amazons value reads positions from standard input, one a line") {
  const std::vector<std::string> command = {"value", "-", "--format", "json"};
  const CommandOutcome outcome =
      run_amazons(command, "####/#.##/.#B#/W.##\r\n\n..../..../.#.#/B..W\n..B/W..");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, StartsWith("{\"mean\": \"3/4\", \"temperature\": \"5/4\"}\n"
                                     "{\"mean\": \"0\", \"temperature\": \"11\"}\n"
                                     "{\"mean\": "));
  CHECK_THAT(run_amazons({"value", "-"}, "####/#.##/.#B#/W.##\n").out,
             StartsWith("####/#.##/.#B#/W.##  mean 3/4, temperature 5/4\n"));
  CHECK(run_amazons(command, "").out == "");

  const CommandOutcome wrong = run_amazons(command, "####/#.##/.#B#/W.##\nB..\n");
  CHECK(wrong.code == 2);
  CHECK(test::is_one_line(wrong.err));
  CHECK_THAT(wrong.err, StartsWith("standard input:2: board "));
}

TEST_CASE("amazons value refuses what is no position, in one line") {
  for (const std::string position :
       {"", "x", "B.", "W...", "...", "B.W/..", "B.W//...", "...........B.W",
        "B./W./../../../../../../../../..", "B.\xff"}) {
    const CommandOutcome outcome = run_amazons({"value", position});
    INFO(position);
    CHECK(outcome.code == 2);
    CHECK(outcome.out == "");
    CHECK(test::is_one_line(outcome.err));
  }
  CHECK(run_amazons({"value", "-", "--plot", "x.svg"}).code == 2);
  CHECK(run_amazons({"value", "BW", "--plot", "/no/such/folder/x.svg"}).code == 2);
}

TEST_CASE("amazons value --plot writes the thermograph as SVG, values increasing to the left") {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "plot.svg").string();
  CHECK(run_amazons({"value", "####/#.##/.#B#/W.##", "--plot", file, "--format", "json"}).code ==
        0);
  const std::string svg = test::content_of(file);
  CHECK_THAT(svg, StartsWith("<?xml"));
  CHECK_THAT(svg, ContainsSubstring("####/#.##/.#B#/W.##: mean 3/4, temperature 5/4</text>"));
  CHECK(svg.find(">3<") < svg.size());
  // The label of 3 stands left of that of 0.
  const auto place = [&](const std::string& label) {
    const std::size_t end = svg.find("\" text-anchor=\"middle\">" + label + "<");
    const std::size_t begin = svg.rfind(" x=\"", end) + 4;
    return std::stod(svg.substr(begin, svg.find('"', begin) - begin));
  };
  CHECK(place("3") < place("0"));
}

TEST_CASE("amazons database writes a file that other commands take, and refuses what is none") {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "db").string();
  const CommandOutcome built = run_amazons({"database", "--out", file});
  CHECK(built.code == 0);
  CHECK_THAT(built.err, ContainsSubstring("Database in " + file));
  CHECK(std::filesystem::file_size(file) < (std::uintmax_t{64} << 20));
  CHECK_THAT(built.out, ContainsSubstring("All counts are those of an independent program."));
  const CommandOutcome read = run_amazons({"database", "--database", file, "--quiet"});
  CHECK(read.out == built.out);
  CHECK(read.err == "");
  CHECK(test::amazons_json({"database", "--database", file})["as_known"] == true);
  CHECK(run_amazons({"value", "####/#.##/.#B#/W.##", "--database", file, "--format", "json"}).out ==
        "{\"mean\": \"3/4\", \"temperature\": \"5/4\"}\n");

  std::string content = test::content_of(file);
  const std::string cut = folder.file("cut", content.substr(0, 1000));
  content[content.size() / 2] ^= 1;
  const std::string damaged = folder.file("damaged", content);
  const std::string foreign = folder.file("foreign", "no database at all, but long enough text");
  for (const std::string& wrong : {cut, damaged, foreign, (folder / "none").string()}) {
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"database", "--quiet"}, {"value", "BW"}}) {
      std::vector<std::string> arguments = command;
      arguments.insert(arguments.end(), {"--database", wrong});
      const CommandOutcome outcome = run_amazons(arguments);
      CHECK(outcome.code == 2);
      CHECK(outcome.out == "");
      CHECK(test::is_one_line(outcome.err));
      CHECK_THAT(outcome.err, StartsWith(wrong + ": "));
    }
  }
}

}  // namespace ntune
