#include "ntune/objective/recorded/foreign_observations.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/yaml.h"
#include "ntune/space/space_yaml.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;

namespace {

ForeignObservations read(const std::string& text, const ForeignOptions& options = {}) {
  const test::TemporaryFolder folder;
  return read_foreign_observations(folder.file("data", text), options);
}

std::string foreign_error(const std::string& text, const ForeignOptions& options = {}) {
  try {
    read(text, options);
  } catch (const InputError& error) {
    const std::string message = error.what();
    const std::size_t at = message.find("/data");
    return at == std::string::npos ? message : message.substr(at + 1);
  }
  return "no error";
}

std::string place_error(const std::string& text, const std::string& space) {
  const ForeignObservations data = read(text);
  std::vector<std::string> notes;
  try {
    place_observations(data, read_space(parse_yaml(space)), notes);
  } catch (const InputError& error) {
    const std::string message = error.what();
    return message.substr(message.find("/data") + 1);
  }
  return "no error";
}

const std::string kFloat =
    R"("{\"name\": \"FloatDistribution\", \"attributes\": {\"step\": 0.2, \"low\": 0.0, \"high\": 0.8, \"log\": false}}")";
const std::string kWords =
    R"("{\"name\": \"CategoricalDistribution\", \"attributes\": {\"choices\": [\"a\", \"b\", null]}}")";

std::string parameter(int trial, const std::string& name, const std::string& value,
                      const std::string& distribution) {
  return R"({"op_code": 5, "worker_id": "w", "trial_id": )" + std::to_string(trial) +
         R"(, "param_name": ")" + name + R"(", "param_value_internal": )" + value +
         R"(, "distribution": )" + distribution + "}\n";
}

std::string journal(int direction) {
  const std::string trial = R"({"op_code": 4, "worker_id": "w", "study_id": 0})";
  return R"({"op_code": 0, "worker_id": "w", "study_name": "s", "directions": [)" +
         std::to_string(direction) + "]}\n" + trial + "\n" +
         parameter(0, "x", "0.6000000000000001", kFloat) + parameter(0, "w", "2", kWords) +
         R"({"op_code": 6, "worker_id": "w", "trial_id": 0, "state": 1, "values": [3.5]})" + "\n" +
         trial + "\n" + parameter(1, "x", "0.0", kFloat) + parameter(1, "w", "0", kWords) +
         R"({"op_code": 6, "worker_id": "w", "trial_id": 1, "state": 1, "values": [1]})" + "\n" +
         trial + "\n" + parameter(2, "x", "0.0", kFloat) +
         R"({"op_code": 6, "worker_id": "w", "trial_id": 2, "state": 3, "values": null})" + "\n";
}

}  // namespace

TEST_CASE("a table of payoffs has a column for each parameter") {
  const ForeignObservations data =
      read("# games\ndepth,style,payoff\n3,calm,1\n1,wild,-0.5\n3,wild,2\n");
  CHECK(data.names == std::vector<std::string>{"depth", "style"});
  REQUIRE(data.parameters.size() == 2);
  CHECK(data.parameters[0].values == std::vector<Value>{std::int64_t{1}, std::int64_t{3}});
  CHECK(data.parameters[0].ordered);
  CHECK_FALSE(data.parameters[1].ordered);
  REQUIRE(data.observations.size() == 3);
  CHECK(data.observations[1].payoff == -0.5);
  CHECK(data.observations[1].line == 4);
  CHECK(data.notes.empty());
  CHECK(read("x,cost\n1,3\n", {.payoff = "cost", .minimise = true}).observations[0].payoff == -3.0);
}

TEST_CASE("a table of Optuna's data frame is known by its columns") {
  const ForeignObservations data = read(
      "number,value,datetime_start,params_x,params_y,state\n"
      "0,1.5,2026-01-01,3,a,COMPLETE\n1,,2026-01-01,4,b,FAIL\n2,2.5,2026-01-01,3,b,COMPLETE\n");
  CHECK(data.names == std::vector<std::string>{"x", "y"});
  CHECK(data.observations.size() == 2);
  CHECK(data.notes == std::vector<std::string>{"1 row left out: not complete"});
}

TEST_CASE("ntune's own export of evaluations is known by its columns") {
  const std::string text =
      "stage,run,evaluation,instance,wins,draws,value,failure,seconds,attempts,start,complete,"
      "ending,cost,depth,cost\n"
      "search,0,0,easy,1,0,6,,0.02,1,2026-01-01T00:00:00.1,2026-01-01T00:00:00.2,,1.5,5,1\n"
      "search,0,1,hard,,,,\"exit status 1, no result\",0.01,2,x,x,,0.5,7,1\n"
      "search,0,2,hard,,,3,,0.01,1,x,x,at least,3,8,1\n"
      "hold-out,0,0,hard,,,50,,0.02,1,x,x,cut off,5,5,2\n";
  const ForeignObservations data = read(text, {.minimise = true});
  CHECK(data.names == std::vector<std::string>{"depth", "cost"});
  REQUIRE(data.observations.size() == 2);
  CHECK(data.observations[0].payoff == -6.0);
  CHECK(data.observations[0].instance == "easy");
  CHECK(data.observations[1].payoff == -50.0);
  CHECK(data.observations[1].instance == "hard");
  CHECK(data.observations[1].line == 5);
  REQUIRE(data.failures.size() == 1);
  CHECK(data.failures[0].values[0] == Value(std::int64_t{7}));
  CHECK(data.notes ==
        std::vector<std::string>{"1 row left out: ended early, so that only a bound is known",
                                 "1 evaluation failed and brought no value"});
  const SearchSpace space(data.parameters);
  CHECK(space[0].cardinality() == 2);  // 5 and 7, at which all has failed
  CHECK(place_failures(data, space).size() == 1);
  // Without instances, endings and costs; parameters may be named as other columns are.
  const std::string plain =
      "stage,run,evaluation,value,failure,seconds,attempts,start,complete,run,seconds\n"
      "search,0,0,1.5,,0.1,1,x,x,4,9\nsearch,0,1,2.5,,0.1,1,x,x,5,9\n";
  CHECK(read(plain).names == std::vector<std::string>{"run", "seconds"});
  CHECK_THAT(
      foreign_error("objective,optimiser,plan,repeat,stage,run,evaluation,value,failure,seconds,"
                    "attempts,start,complete,x\na,o,p,0,search,0,0,1,,1,1,s,c,1\n"
                    "b,o,p,0,search,0,0,1,,1,1,s,c,1\n"),
      ContainsSubstring("data:3: is of the objective b, the rows before are of a; one is "
                        "allowed"));
}

TEST_CASE("a parameter with the name of another column of ours is found under parameter.NAME") {
  const SearchSpace space = read_space(parse_yaml("{n: [4, 5], mean: [1, 2]}"));
  std::vector<std::string> notes;
  const ForeignObservations data =
      read("n,mean,parameter.n,parameter.mean\n7,0.5,5,1\n9,0.25,4,2\n", {.payoff = "mean"});
  const std::vector<Point> points = place_observations(data, space, notes);
  REQUIRE(points.size() == 2);
  CHECK(space.text(points[0]) == "n = 5, mean = 1");
  CHECK(space.text(points[1]) == "n = 4, mean = 2");
  CHECK(std::ranges::none_of(notes, [](const std::string& note) {
    return note.starts_with("parameter.");  // it was not left out
  }));
}

TEST_CASE("in an export of ours a parameter is never taken for another whose name has a prefix") {
  // The titles of `x`, `run` and of a parameter that is called `parameter.x`.
  const ForeignObservations data = read(
      "stage,run,evaluation,value,failure,seconds,attempts,start,complete,x,parameter.run,"
      "parameter.parameter.x\n"
      "search,0,0,1.5,,0.1,1,x,x,1,4,7\nsearch,0,1,2.5,,0.1,1,x,x,2,5,8\n");
  CHECK(data.names == std::vector<std::string>{"x", "run", "parameter.x"});
  const SearchSpace space =
      read_space(parse_yaml("{x: [1, 2], run: [4, 5], parameter.x: [7, 8, 1, 2]}"));
  std::vector<std::string> notes;
  const std::vector<Point> points = place_observations(data, space, notes);
  REQUIRE(points.size() == 2);
  CHECK(space.text(points[0]) == "x = 1, run = 4, parameter.x = 7");
  CHECK(space.text(points[1]) == "x = 2, run = 5, parameter.x = 8");
}

TEST_CASE("games are observations where a row has no value, and never parameters") {
  const ForeignObservations data =
      read("depth,wins,draws,losses,pentanomial\n5,2,1,0,0 0 0 1 0\n7,0,0,1,\n8,,,,\n");
  CHECK(data.names == std::vector<std::string>{"depth"});
  std::vector<double> payoffs;
  for (const ForeignObservation& one : data.observations) payoffs.push_back(one.payoff);
  CHECK(payoffs == std::vector<double>{1.0, 1.0, 0.5, 0.0});
  CHECK(data.observations[3].values[0] == Value(std::int64_t{7}));
  CHECK(data.observations[3].line == 3);
  CHECK(data.notes ==
        std::vector<std::string>{"4 games of wins, draws and losses are an observation each",
                                 "1 row left out: not complete"});
  const ForeignObservations valued = read("depth,value,wins,losses\n5,0.25,1,3\n7,,1,0\n");
  CHECK(valued.names == std::vector<std::string>{"depth"});
  REQUIRE(valued.observations.size() == 2);
  CHECK(valued.observations[0].payoff == 0.25);
  CHECK(valued.observations[1].payoff == 1.0);
  CHECK(read("draws,value\n1,2\n").names == std::vector<std::string>{"draws"});
  CHECK_THAT(foreign_error("x,wins,losses\n1,2,-1\n"),
             ContainsSubstring("data:2: is '-1' in a column of games, a whole number up to"));
  CHECK_THAT(foreign_error("x,wins,losses\n1,600000,500000\n"),
             ContainsSubstring("data:2: is beyond the 1,000,000 games"));
  CHECK_THAT(foreign_error("x,wins,losses\n1,2,1\n", {.minimise = true}),
             ContainsSubstring("data:2: has wins, draws and losses in place of a cost"));
}

TEST_CASE("matches against several opponents do not compare") {
  const auto opponents_error = [](const std::string& text) {
    try {
      refuse_several_opponents(read(text));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const std::string one = "depth,opponent.depth,value\n5,3,0.75\n";
  CHECK(read(one).names == std::vector<std::string>{"depth"});
  CHECK(opponents_error(one + "7,3,0.5\n") == "no error");
  CHECK_THAT(opponents_error(one + "7,4,0.5\n"),
             ContainsSubstring("data:3: is a match against another opponent than line 2: their "
                               "values do not compare; keep the rows of one opponent"));
  // As an export of ntune has them: without the opponent where that is the default.
  const std::string level =
      "stage,run,evaluation,wins,draws,losses,pentanomial,value,failure,seconds,attempts,start,"
      "complete,depth,opponent.depth\nsearch,0,0,,,,,0.5,,0.01,1,x,x,5,\n";
  CHECK(read(level).names == std::vector<std::string>{"depth"});
  const std::string failure = "search,0,1,,,,,,crashed,0.01,1,x,x,6,7\n";
  CHECK(opponents_error(level + failure) == "no error");
  CHECK_THAT(opponents_error(level + failure + "search,0,2,1,0,1,0 0 1 0 0,0.5,,0.01,1,x,x,6,7\n"),
             ContainsSubstring("data:4: is a match against another opponent than line 2"));
  // As a journal of ntune has them.
  const auto trial = [](int opponent) {
    return fmt::format(
        R"({{"op_code": 4, "worker_id": "w", "study_id": 0, "state": 1, "value": 1, )"
        R"("params": {{"x": 1}}, "user_attrs": {{"opponent": {{"x": {}}}}}}})"
        "\n",
        opponent);
  };
  const std::string begin =
      R"({"op_code": 0, "worker_id": "w", "study_name": "s", "directions": [2]})"
      "\n";
  CHECK(opponents_error(begin + trial(2) + trial(2)) == "no error");
  CHECK_THAT(opponents_error(begin + trial(2) + trial(3)),
             ContainsSubstring("data:3: is a match against another opponent than line 2"));
}

TEST_CASE("an answer in ntune's journal is of the point and the instance of its own name") {
  const ForeignObservations data =
      read(R"({"ntune": {"study": {"name": "n", "space": {"x": {"integers": [1, 4]}}}, )"
           R"("units": [{"zero": 0, "slope": 1}], "instances": ["a", "b"], )"
           R"("test_instances": ["c", "d"]}})"
           "\n"
           "r0.0 2 ? 0\n"
           "r0.1 3 ? 0\n"
           "r0.1 = 1.5 0 i1\n"
           "r0.0 = 0.5 0 i0\n"
           "h0 1 2.5 0 i0\n");
  REQUIRE(data.observations.size() == 3);
  const auto has = [&](std::size_t at, std::int64_t x, double payoff, const char* instance) {
    const ForeignObservation& made = data.observations[at];
    return made.values == std::vector<std::optional<Value>>{Value(x)} && made.payoff == payoff &&
           made.instance == instance;
  };
  CHECK(has(0, 4, 1.5, "b"));
  CHECK(has(1, 3, 0.5, "a"));
  CHECK(has(2, 2, 2.5, "c"));
}

TEST_CASE("many numbers of a column are a range") {
  std::string text = "x,payoff\n";
  for (int i = 0; i <= 30; ++i) text += std::to_string(0.1 * i) + ",1\n";
  const ForeignObservations data = read(text, {.points = 4});
  CHECK(data.parameters[0].values.size() == 4);
  REQUIRE(data.notes.size() == 1);
  CHECK_THAT(data.notes[0],
             ContainsSubstring("x: has 31 different values, taken as 4 from 0 to 3"));
  std::vector<std::string> notes;
  const SearchSpace space(data.parameters);
  const std::vector<Point> points = place_observations(data, space, notes);
  CHECK(points[6][0] == 1);  // 0.6 is nearer to 1 than to 0
  CHECK(points[30][0] == 3);
  REQUIRE(notes.size() == 1);
  CHECK_THAT(notes[0], ContainsSubstring("x: 27 of 31 observations count at the nearest value"));
}

TEST_CASE("what lies beyond the values of a space is of no point in it") {
  ForeignObservations data =
      read("x,log,word,payoff\n0,0.1,a,1\n1.4,31,a,2\n1.6,1,a,3\n1,32,a,4\n-1,99,a,5\n1,0,a,6\n");
  const SearchSpace space({make_range("x", 0.0, 1.0, 2), make_log_range("log", 0.1, 10.0, 3),
                           make_choices("word", {std::string("a")})});
  std::vector<std::string> notes;
  leave_out_beyond(data, space, notes);
  CHECK(notes == std::vector<std::string>{
                     "x: 2 observations beyond the values of the space are left out",
                     "log: 2 observations beyond the values of the space are left out"});
  std::vector<double> payoffs;
  for (const ForeignObservation& one : data.observations) payoffs.push_back(one.payoff);
  CHECK(payoffs == std::vector<double>{1.0, 2.0});
}

TEST_CASE("many whole numbers of a column stay whole numbers") {
  std::string text = "hold,seed,payoff\n";
  for (int i = 30; i >= 10; --i) {
    if (i != 17) text += fmt::format("{},{},1\n", -2 * i, 1000 * i * i);
  }
  text += "-62,1,1\n";
  const ForeignObservations data = read(text, {.points = 4});
  const Parameter& hold = data.parameters[0];
  CHECK(hold.kind == ParameterKind::kIntegers);
  CHECK(hold.values.size() == 22);  // -62, -60 … -20, with the -34 that nobody tried
  CHECK(hold.values[0] == Value(std::int64_t{-62}));
  CHECK(hold.values[21] == Value(std::int64_t{-20}));
  CHECK(hold.ordered);
  // Too far apart for a value each.
  CHECK(data.parameters[1].values == std::vector<Value>{std::int64_t{1}, std::int64_t{300'001},
                                                        std::int64_t{600'000},
                                                        std::int64_t{900'000}});
  CHECK(data.parameters[1].ordered);
  REQUIRE(data.notes.size() == 1);
  CHECK_THAT(data.notes[0], ContainsSubstring("seed: has 21 different values, taken as 4"));
}

TEST_CASE("ntune's own export keeps every value of a fine grid") {
  std::string text = "stage,run,evaluation,value,failure,seconds,attempts,start,complete,x\n";
  for (int i = 0; i <= 30; ++i) text += fmt::format("search,0,{},1,,0.1,1,s,c,{}\n", i, 0.1 * i);
  const ForeignObservations data = read(text);
  CHECK(data.parameters[0].values.size() == 31);
  CHECK(data.parameters[0].ordered);
  CHECK(data.notes.empty());
}

TEST_CASE("wrong tables are named with file, line and column") {
  CHECK_THAT(foreign_error(""), ContainsSubstring("is empty"));
  CHECK_THAT(foreign_error("x,y\n1,2\n"),
             ContainsSubstring("data:1: has no column payoff or value; its columns are x and y"));
  CHECK_THAT(foreign_error("x,payof\n1,2\n", {.payoff = "payoff"}),
             ContainsSubstring("has no column payoff, did you mean 'payof'?"));
  CHECK_THAT(foreign_error("x,payoff\n1,2\n3\n"), ContainsSubstring("data:3: has 1 fields"));
  CHECK_THAT(foreign_error("x,payoff\n1,nan\n"),
             ContainsSubstring("data:2: is 'nan' in the column"));
  CHECK_THAT(foreign_error("x,x,payoff\n1,2,3\n"), ContainsSubstring("x: stands twice"));
  CHECK_THAT(foreign_error("x,payoff\n"), ContainsSubstring("holds no finished observation"));
  CHECK_THAT(foreign_error("x,payoff\n\"1,2\n"), ContainsSubstring("data:2: has a quote"));
}

TEST_CASE("observations must stand in the space") {
  const std::string text = "a,b,payoff\n1,x,1\n2,y,1\n,x,3\n";
  CHECK(place_error("a,b,payoff\n1,x,1\n1.9999999999999,y,1\n", "{a: [1, 2], b: [x, y]}") ==
        "no error");
  CHECK_THAT(place_error(text, "{a: [1, 2], b: [x, z]}"),
             ContainsSubstring("data:3: b: has the value 'y', allowed: x or z"));
  CHECK_THAT(place_error(text, "{a: [1, 2], b: [x, y]}"),
             ContainsSubstring("data:4: a: has no value, although it is active"));
  CHECK_THAT(place_error(text, "{a: [1, 2], c: [x, y]}"),
             ContainsSubstring("has no values of 'c', a parameter of the space; it has a and b"));
  CHECK_THAT(place_error(text, "{a: [1, 2], b: [x, y], forbid: [{a: 2, b: y}]}"),
             ContainsSubstring("data:3: is forbidden in the space: a = 2, b = y"));
  CHECK(place_error("b,a,payoff\ny,,1\nx,2,1\n",
                    "{b: [x, y], a: {choices: [1, 2], when: {b: x}}}") == "no error");
}

TEST_CASE("an Optuna journal may name infinite numbers and NaN, as Python writes them") {
  const auto trial = [](const std::string& values, int x) {
    return fmt::format(
        R"({{"op_code": 4, "worker_id": "w", "study_id": 0, "datetime_start": null, "state": 1, )"
        R"("values": {}, "params": {{"x": {}}}, "user_attrs": {{"-Infinity": "a \" NaN", )"
        R"("score": NaN}}}})"
        "\n",
        values, x);
  };
  const ForeignObservations data = read(
      R"({"op_code": 0, "worker_id": "w", "study_name": "s", "directions": [1]})"
      "\n" +
      trial("[1.5]", 1) + trial("[-Infinity]", 2) + trial("[NaN]", 2) + trial("[2.5]", 2) +
      R"({"op_code": 7, "worker_id": "w", "trial_id": 0, "step": 1, "intermediate_value": NaN})"
      "\n");
  REQUIRE(data.observations.size() == 2);
  CHECK(data.observations[0].payoff == -1.5);
  CHECK(data.observations[1].payoff == -2.5);
  CHECK(data.notes.front() == "2 trials left out: not complete, or without a finite value");
  CHECK_THAT(foreign_error("{\"op_code\": NaNa}\n"),
             ContainsSubstring("data:1: is no line of an Optuna journal"));
}

TEST_CASE("an Optuna journal tells parameters, direction and what is complete") {
  const ForeignObservations data = read(journal(2));
  CHECK_FALSE(data.minimise);
  CHECK(data.observations.size() == 2);
  CHECK(data.observations[0].payoff == 3.5);
  CHECK(data.notes ==
        std::vector<std::string>{"1 trial left out: not complete, or without a finite value"});
  const SearchSpace space(data.parameters);
  CHECK(space[space.find("x")].values.size() == 5);
  CHECK(space[space.find("w")].values ==
        std::vector<Value>{std::string("a"), std::string("b"), std::string("None")});
  std::vector<std::string> notes;
  const std::vector<Point> points = place_observations(data, space, notes);
  CHECK(points[0][space.find("x")] == 3);
  CHECK(points[0][space.find("w")] == 2);
  CHECK(notes.empty());
  CHECK(read(journal(1)).observations[0].payoff == -3.5);
}

TEST_CASE("steps of Optuna that are too many for a value each are thinned") {
  const auto ranged = [](const std::string& kind, const std::string& high,
                         const std::string& step) {
    return R"({"name": ")" + kind + R"(", "attributes": {"low": 0, "high": )" + high +
           R"(, "log": false, "step": )" + step + "}}";
  };
  std::string text = R"({"op_code": 0, "worker_id": "w", "study_name": "s", "directions": [1]})"
                     "\n";
  for (int i = 0; i <= 30; ++i) {
    const std::string number = std::to_string(i);
    text += R"({"op_code": 4, "worker_id": "w", "study_id": 0})"
            "\n" +
            parameter(i, "n", std::to_string(100'000 * i + i % 2),
                      ranged("IntDistribution", "4000000", "1")) +
            parameter(i, "few", number, ranged("IntDistribution", "65534", "1")) +
            parameter(i, "x", "0." + number, ranged("FloatDistribution", "1", "0.00001")) +
            R"({"op_code": 6, "worker_id": "w", "trial_id": )" + number +
            R"(, "state": 1, "values": [1]})"
            "\n";
  }
  const ForeignObservations data = read(text, {.points = 4});
  const SearchSpace space(data.parameters);
  CHECK(space[space.find("n")].values ==
        std::vector<Value>{std::int64_t{0}, std::int64_t{1'000'000}, std::int64_t{2'000'000},
                           std::int64_t{3'000'000}});
  CHECK(space[space.find("few")].values.size() == 65'535);
  CHECK(space[space.find("x")].values.size() == 4);
  CHECK(data.observations.size() == 31);
}

TEST_CASE("choices of Optuna that are lists or maps are texts") {
  const auto with_choices = [](const std::string& choices) {
    const std::string distribution =
        R"({"name": "CategoricalDistribution", "attributes": {"choices": )" + choices + "}}";
    return journal(2) + parameter(0, "layers", "1", distribution) +
           parameter(1, "layers", "0", distribution);
  };
  const std::vector<std::pair<std::string, std::vector<Value>>> cases = {
      {"[[64, 64], [128]]", {std::string("[64,64]"), std::string("[128]")}},
      {R"([{"units": 8}, 3])", {std::string(R"({"units":8})"), std::int64_t{3}}}};
  for (const auto& [choices, values] : cases) {
    const ForeignObservations data = read(with_choices(choices));
    const SearchSpace space(data.parameters);
    const int layers = space.find("layers");
    CHECK(space[layers].values == values);
    std::vector<std::string> notes;
    const std::vector<Point> points = place_observations(data, space, notes);
    CHECK(points[0][layers] == 1);
    CHECK(points[1][layers] == 0);
  }
  CHECK_THAT(foreign_error(with_choices("[1, 1]")),
             ContainsSubstring("data: parameter 'layers': "));
}

TEST_CASE("wrong journals are named with file and line") {
  CHECK_THAT(foreign_error("{\"a\": 1}\n"),
             ContainsSubstring("data:1: is no line of an Optuna journal"));
  CHECK_THAT(foreign_error(journal(2) + "{\"op_code\": 6}\n"),
             ContainsSubstring("data:13: is no known line of an Optuna journal"));
  CHECK_THAT(foreign_error(journal(2) + "nonsense\n"), ContainsSubstring("data:13: is no line"));
  CHECK_THAT(foreign_error(journal(2), {.study = "t"}),
             ContainsSubstring("holds no study 't'; allowed: s"));
  const std::string other =
      R"({"op_code": 0, "worker_id": "w", "study_name": "t", "directions": [1]})";
  CHECK_THAT(foreign_error(journal(2) + other + "\n"),
             ContainsSubstring("holds 2 studies; --optuna-study says which: s or t"));
}

}  // namespace ntune
