#include "ntune/study/results/result_files.h"

#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/facts/result_text.h"
#include "ntune/study/keys/study_identity.h"
#include "study/make.h"
#include "support/error_text.h"
#include "support/spaces.h"
#include "support/temporary_folder.h"
#include "support/unwrapped.h"

namespace ntune {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using test::content_of;
using test::study_of;

namespace {

struct Finished {
  Study study;
  StudyResult result;
  std::vector<CellSummary> summaries;

  explicit Finished(const std::string& yaml, std::shared_ptr<const Objective> objective = nullptr)
      : study(study_of(yaml, std::move(objective))),
        result(test::run(study)),
        summaries(summarise(study, result)) {}

  [[nodiscard]] bool write(const fs::path& folder) const {
    return write_result(folder, study, result, summaries);
  }
};

std::string header_of(const std::string& csv) { return csv.substr(0, csv.find('\n')); }

const std::string kSmallResult = "{objective: hartmann3, runs: 2, iterations: 20}";

}  // namespace

TEST_CASE("a test and the fresh evaluations are told together where they agree") {
  const test::TemporaryFolder folder;
  Finished made(
      "{objective: {function: hartmann3, noise: win_loss}, runs: 2, iterations: 40, "
      "hold_out: 20, space: {x1: {choices: [0, 0.5], default: 0}, x2: {choices: [0, 0.5], "
      "default: 0}, x3: {choices: [0, 0.9], default: 0}}, seed: 1}");
  IncumbentComparison& incumbent = made.result.cells[0].picks[0].incumbent.value();
  const Point point = made.result.cells[0].picks[0].point;
  REQUIRE_FALSE(incumbent.recommended);
  using Finding = IncumbentFinding;
  struct Case {
    Finding finding;
    bool better;
    const char* verdict;
    const char* text;
  };
  for (const Case& one :
       {Case{Finding::kNotShown, true, "use", "better than the default: `ntune verify` found Elo"},
        {Finding::kBetter, true, "use", "better than the default: `ntune verify` found Elo"},
        {Finding::kKeep, true, "not_decided", "by the fresh calls it is worse, but `ntune verify`"},
        {Finding::kNotShown, false, "keep",
         "keep the default: `ntune verify` found no gain of 20 Elo in 400 pairs"},
        {Finding::kKeep, false, "keep", "keep the default: `ntune verify` found no gain"},
        {Finding::kBetter, false, "not_decided", "by the fresh calls it is better, but"}}) {
    CAPTURE(one.verdict, one.better);
    incumbent.finding = one.finding;
    incumbent.tested = std::nullopt;
    REQUIRE(made.write(folder.path()));
    const DecidedTest test{.better = one.better,
                           .test = "normalised",
                           .h1 = 20.0,
                           .pairs = 400,
                           .difference = Rating{0.1, {0.05, 0.15}},
                           .elo = Rating{30.0, {15.0, 45.0}}};
    CHECK_FALSE(keep_test(folder.path(), made.study, incumbent.point, point, test));
    REQUIRE(keep_test(folder.path(), made.study, point, incumbent.point, test));
    const Json json = Json::parse(content_of(folder.path() / "result.json"));
    CHECK(json["verdict"] == one.verdict);
    recall_test(folder.path(), made.study, made.result);
    CHECK(result_json(made.study, made.result, made.summaries) == json);
    CHECK_THAT(test::unwrapped(result_text(made.study, made.result, made.summaries)),
               ContainsSubstring(one.text));
    fs::remove(folder.path() / "result.json");
  }
}

TEST_CASE("a result is written and may be written again") {
  const test::TemporaryFolder folder;
  const Finished done(kSmallResult);
  check_result_folder(folder / "out", done.study);
  CHECK(fs::is_empty(folder / "out"));
  CHECK(done.write(folder / "out"));
  CHECK(content_of(folder / "out" / "result.json") ==
        result_json(done.study, done.result, done.summaries).dump(2) + "\n");
  CHECK(content_of(folder / "out" / "runs.csv") == runs_csv(done.study, done.result));
  CHECK_NOTHROW(check_result_folder(folder / "out", done.study));
  CHECK(done.write(folder / "out"));
}

TEST_CASE("a result says what auto stood for") {
  const auto algorithm = [](const std::string& yaml) {
    const Finished done(yaml);
    const Json json = result_json(done.study, done.result, done.summaries);
    return done.study.is_comparison() ? json["cells"][0]["algorithm"] : json["algorithm"];
  };
  CHECK(algorithm(kSmallResult) == "gaussian_process");
  CHECK(algorithm("{objective: nk, runs: 2, iterations: 5001}") ==
        "pooled_starts of gaussian_process");
  CHECK(algorithm("{objective: hartmann3, optimiser: rmhc, runs: 2, iterations: 20}") == "rmhc");
  CHECK(algorithm("{objective: branin, budget: 60, split: adaptive}") == "gaussian_process");
  CHECK(algorithm("{objectives: [hartmann3, branin], iterations: 20}") == "gaussian_process");

  const Finished chosen(kSmallResult);
  CHECK_THAT(test::unwrapped(result_text(chosen.study, chosen.result, chosen.summaries)),
             ContainsSubstring("\n  optimiser    gaussian_process, chosen by auto\n"));
  const Finished named("{objective: hartmann3, optimiser: rmhc, runs: 2, iterations: 20}");
  CHECK_THAT(test::unwrapped(result_text(named.study, named.result, named.summaries)),
             !ContainsSubstring("chosen by auto"));
}

TEST_CASE("a folder with the result of another study is refused") {
  const test::TemporaryFolder folder;
  const Finished done(kSmallResult);
  REQUIRE(done.write(folder.path()));
  const std::string name = folder.path().string();
  const auto error = [&](const char* other) {
    return test::input_error([&] { check_result_folder(folder.path(), study_of(other)); });
  };
  CHECK(error("{objective: hartmann3, runs: 3, iterations: 20}") ==
        name +
            ": holds a result of this study with another size: 'runs' is 2 there, 3 here; add "
            "--resume to go on with more, or name another folder");
  CHECK(error("{objective: hartmann3, runs: 2, iterations: 20, seed: 2}") ==
        name +
            ": holds the result of another study: 'seed' is 1 there, 2 here; name another "
            "folder");
  CHECK(error("{objective: branin, runs: 2, iterations: 20}") ==
        name +
            ": holds the result of another study: 'objective.function' is \"hartmann3\" there, "
            "\"branin\" here; name another folder");
  CHECK_NOTHROW(check_result_folder(folder.path(), study_of(kSmallResult)));
}

TEST_CASE("the same study with real numbers finds its own result") {
  const test::TemporaryFolder folder;
  const std::string yaml =
      "{objective: {function: branin, noise: {gaussian: 0.1}}, optimiser: {k: 0.3, epsilon: 1e-7}, "
      "space: {x1: {range: [-5, 10], points: 7}}, runs: 2, iterations: 20, hold_out: 30}";
  const Finished done(yaml);
  REQUIRE(done.write(folder.path()));
  CHECK_NOTHROW(check_result_folder(folder.path(), study_of(yaml)));
}

TEST_CASE("an interrupted result does not replace a finished one") {
  const test::TemporaryFolder folder;
  Finished done(kSmallResult);
  Finished interrupted(kSmallResult);
  interrupted.result.interrupted = true;
  interrupted.result.cells[0].runs[1].finished = false;
  CHECK(interrupted.write(folder.path()));
  CHECK(Json::parse(content_of(folder / "result.json"))["status"] == "interrupted");
  CHECK(interrupted.write(folder.path()));
  CHECK(done.write(folder.path()));
  const std::string finished = content_of(folder / "result.json");
  const std::string runs = content_of(folder / "runs.csv");
  CHECK_FALSE(interrupted.write(folder.path()));
  CHECK(content_of(folder / "result.json") == finished);
  CHECK(content_of(folder / "runs.csv") == runs);
}

TEST_CASE("a result that cannot be written is one line and leaves nothing behind") {
  const test::TemporaryFolder folder;
  const Finished done(kSmallResult);
  const fs::path regular = folder.file("regular", "");
  CHECK(test::input_error([&] { (void)done.write(regular); }) ==
        (regular / "runs.csv").string() + ": cannot write it: Not a directory");
  fs::create_directories(folder / "out" / "result.json");
  CHECK(test::input_error([&] { (void)done.write(folder / "out"); }) ==
        (folder / "out" / "result.json").string() + ": is a folder, a file is needed");
  for (const auto& entry : fs::directory_iterator(folder / "out")) {
    const std::string name = entry.path().filename();
    CHECK((name == "result.json" || name == "runs.csv"));
  }
  CHECK_THAT(test::input_error([&] { check_result_folder("/dev/full", done.study); }),
             StartsWith("/dev/full: cannot make the folder: "));
  CHECK_THAT(test::input_error([&] { check_result_folder(folder / "out", done.study); }),
             ContainsSubstring("result.json: is a folder, a file is needed"));
}

TEST_CASE("columns of the CSV files") {
  const Finished one("{objective: hartmann3, runs: 2, iterations: 20}");
  CHECK(header_of(runs_csv(one.study, one.result)) ==
        "run,evaluations,search_estimate,true_value,x1,x2,x3");
  const Finished table(
      "{objectives: [hartmann3, branin], optimisers: [ntbea, random], runs: 2, iterations: 20}");
  CHECK(header_of(runs_csv(table.study, table.result)) ==
        "objective,optimiser,plan,repeat,run,evaluations,search_estimate,true_value,x1,x2,x3");
  const Finished held_out("{optimisers: [ntbea, random], runs: 2, iterations: 20}",
                          test::coins({0.1, 0.9}));
  CHECK(header_of(runs_csv(held_out.study, held_out.result)) ==
        "objective,optimiser,plan,repeat,run,evaluations,search_estimate,true_value,hold_out,arm");
}

TEST_CASE("an estimate is one number in every file, and what ranked a run has another name") {
  const Finished done("{runs: 2, iterations: 60, hold_out: 10, optimiser: ntbea, seed: 3}",
                      test::coins({0.1, 0.5, 0.9}));
  const Pick& pick = done.result.cells[0].picks[0];
  const Json json = result_json(done.study, done.result, done.summaries);
  CHECK(json["recommendation"]["estimate"] == pick.estimate);
  const std::string csv = result_csv(done.study, done.result, done.summaries);
  CHECK(header_of(csv) == "value,low,high,n,true_value,estimate,arm");
  CHECK_THAT(csv, ContainsSubstring(fmt::format(",{},", pick.estimate)));
  CHECK_THAT(header_of(runs_csv(done.study, done.result)),
             !ContainsSubstring(",estimate") && ContainsSubstring(",search_estimate,"));
}

TEST_CASE("a parameter with the name of a column of a CSV file is parameter.NAME") {
  const auto objective = std::make_shared<LambdaObjective>(
      SearchSpace({make_integers("value", 1, 4), make_integers("run", 1, 2),
                   make_integers("seed", 1, 2), make_integers("x", 1, 2)}),
      [](const Point& point, Rng&) { return static_cast<double>(point[0]); });
  const Finished done(
      "{runs: 1, iterations: 20, hold_out: 10, default: {value: 1, run: 1, seed: 1, x: 1}}",
      objective);
  CHECK(header_of(runs_csv(done.study, done.result)) ==
        "run,evaluations,search_estimate,true_value,value,parameter.run,parameter.seed,x");
  CHECK(header_of(result_csv(done.study, done.result, done.summaries)) ==
        "point,value,low,high,n,true_value,estimate,difference,difference_low,difference_high,"
        "better,parameter.value,run,seed,x");
}

TEST_CASE("a parameter that the setting does not use is empty in every CSV file") {
  const auto objective = std::make_shared<LambdaObjective>(
      test::yaml_space("{mode: {choices: [a, b], default: b}, "
                       "depth: {integers: [1, 5], default: 3, when: {mode: [a]}}}"),
      [](const Point& point, Rng&) { return static_cast<double>(point[0]); });
  const Finished done("{runs: 1, iterations: 20, hold_out: 10, default: {mode: a, depth: 4}}",
                      objective);
  CHECK_THAT(runs_csv(done.study, done.result), EndsWith(",b,\n"));
  const std::string csv = result_csv(done.study, done.result, done.summaries);
  CHECK_THAT(csv, ContainsSubstring(",b,\n"));  // the recommendation
  CHECK_THAT(csv, EndsWith(",a,4\n"));          // the default
}

TEST_CASE("every evaluation has a name with its stage") {
  const Study study = study_of("{runs: 3, iterations: 20, re_evaluation: 12, hold_out: 7}",
                               test::coins({0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}));
  test::MemoryLog log;
  const StudyResult result = test::run(study, &log);
  const auto search = log.sorted(Stage::kSearch);
  REQUIRE(search.size() == 60);
  for (std::size_t i = 0; i < search.size(); ++i) {
    CHECK(search[i].key.run == static_cast<std::int64_t>(i / 20));
    CHECK(search[i].key.index == static_cast<std::int64_t>(i % 20));
  }
  CHECK(static_cast<std::int64_t>(log.sorted(Stage::kReEvaluation).size()) ==
        result.re_evaluations);
  const auto hold_out = log.sorted(Stage::kHoldOut);
  REQUIRE(hold_out.size() == 7);
  for (std::size_t i = 0; i < hold_out.size(); ++i) {
    CHECK(hold_out[i].key.run == -1);
    CHECK(hold_out[i].key.index == static_cast<std::int64_t>(i));
    CHECK(hold_out[i].point == result.cells[0].picks[0].point);
  }
}

TEST_CASE("study.yaml reads to the same study") {
  const test::TemporaryFolder folder;
  for (const char* yaml :
       {"{objective: hartmann3, runs: 2, iterations: 20, name: 'a: \"b\" # c'}",
        "{objectives: [hartmann3, {function: nk, dimensions: 6}], optimisers: [ntbea, {k: 2.5}], "
        "runs: 2, iterations: [20, 30], seed: 7}",
        "{objective: branin, space: {x1: [0, 5], x2: {range: [0, 15], points: 4}, "
        "forbid: [{x1: 0, x2: 0}]}, iterations: 20, fail: {value: -0.5}, max_failure_rate: 0.25, "
        "parallel_evaluations: 4, record: evaluations}"}) {
    const Study study = study_of(yaml);
    write_study_file(folder.path(), study);
    const Study again = read_study(read_yaml(folder / kStudyName));
    CHECK(again.config.dump() == study.config.dump());
  }
}

TEST_CASE("names with commas, quotes and line ends are quoted in CSV") {
  const auto objective = std::make_shared<LambdaObjective>(
      SearchSpace({make_choices("a,\"b\"", {std::string("x\ny"), std::string("z")})}),
      [](const Point&, Rng& rng) { return rng.uniform(); });
  const Finished done("{runs: 1, iterations: 20}", objective);
  CHECK_THAT(runs_csv(done.study, done.result),
             StartsWith("run,evaluations,search_estimate,true_value,\"a,\"\"b\"\"\"\n"));
}

TEST_CASE("result.json holds nothing of the machine") {
  const Finished done(kSmallResult);
  const Json json = result_json(done.study, done.result, done.summaries);
  for (const char* key : {"ntune", "status", "name", "seed", "evaluations", "budget", "objectives",
                          "recommendation", "recommended_by_runs", "study"}) {
    CHECK(json.contains(key));
  }
  CHECK(json["budget"]["search"] == 40);
  CHECK(json["objectives"][0]["points"] == 1000.0);
  CHECK(json["objectives"][0]["optimum"].is_number());
  const Json& best = json["recommendation"];
  CHECK(best["hold_out"]["n"] == 30);
  CHECK(best["hold_out"]["mean"] == best["value"]);
  std::int64_t runs = 0;
  for (const Json& row : json["recommended_by_runs"]) runs += row["runs"].get<std::int64_t>();
  CHECK(runs == 2);
}

TEST_CASE("a result without hold-out says so") {
  const Finished done("{objective: hartmann3, runs: 2, iterations: 20, hold_out: 0}");
  const Json best = result_json(done.study, done.result, done.summaries)["recommendation"];
  CHECK(best["value"].is_null());
  CHECK(best["interval"].is_null());
  CHECK(best["hold_out"].is_null());
  CHECK(best["true_value"].is_number());
}

TEST_CASE("files of others that have the names of ours are never replaced") {
  const Study study = study_of(kSmallResult);
  const auto error = [&](const test::TemporaryFolder& folder) {
    return test::input_error([&] { check_result_folder(folder.path(), study); });
  };
  for (const auto& [name, content] :
       {std::pair("study.yaml", "# my own study\nobjective: hartmann3\n"),
        {"runs.csv", "day,distance\n1,10\n"},
        {"lock", "of my door\n"}}) {
    const test::TemporaryFolder folder;
    const std::string file = folder.file(name, content);
    CHECK(error(folder) ==
          file + ": was not written by ntune, which would replace it; name another folder");
    CHECK(content_of(file) == content);
    CHECK(folder.names().size() == 1);
  }
  // Our own are replaced.
  const test::TemporaryFolder folder;
  write_study_file(folder.path(), study);
  (void)folder.file("runs.csv", "run\n");
  (void)folder.file("lock", "process 1 on there");
  CHECK(error(folder) == "no error");
}

TEST_CASE("an output that a user names is refused where its folder is not there") {
  const test::TemporaryFolder folder;
  const auto error = [&](const fs::path& file) {
    return test::input_error([&] { check_output_file(file); });
  };
  const std::string missing = (folder / "none").string();
  CHECK(error(folder / "none" / "o.json") ==
        missing + "/o.json: cannot write it: there is no folder " + missing);
  const std::string file = folder.file("file", "");
  CHECK_THAT(error(fs::path(file) / "o.json"), ContainsSubstring("there is no folder " + file));
  for (const fs::path& fine :
       {folder / "o.json", fs::path("o.json"), fs::path("/dev/stdout"), fs::path()}) {
    CHECK(error(fine) == "no error");
  }
}

TEST_CASE("an output that a user names is none of a study's own files") {
  const test::TemporaryFolder folder;
  const Finished done(kSmallResult);
  const auto error = [&](const fs::path& file) {
    return test::input_error([&] { check_output_file(file); });
  };
  // Where there is no study the names are free.
  for (const char* name : {"study.yaml", "journal.log", "lock"}) {
    CHECK(error(folder.file(name, "mine")) == "no error");
    fs::remove(folder / name);
  }
  REQUIRE(done.write(folder.path()));
  write_study_file(folder.path(), done.study);
  (void)folder.file("journal.log", "{\"ntune\":{}}\n");
  (void)folder.file("lock", "");
  (void)folder.file("result-1.json", "{}");
  (void)folder.file("runs-1.csv", "");
  for (const char* name : {"study.yaml", "journal.log", "lock", "result.json", "runs.csv",
                           "result-1.json", "runs-1.csv"}) {
    const std::string file = (folder / name).string();
    CHECK(error(file) == file + ": belongs to the study; name another file");
    fs::create_symlink(name, folder / "link");
    CHECK_THAT(error(folder / "link"), ContainsSubstring("belongs to the study"));
    fs::remove(folder / "link");
  }
  CHECK(error(folder / "page.html") == "no error");
  CHECK(error(folder / "runs-2.csv") == "no error");
  CHECK(error("/dev/null") == "no error");
  CHECK_THAT(error(folder.path()), ContainsSubstring("is a folder, a file is needed"));
}

TEST_CASE("only options that name files are placed, whatever files there are") {
  const test::TemporaryFolder folder;
  for (const char* name :
       {"agent", "once", "none", "auto", "line", "worker", "maximise", "arrow"}) {
    (void)folder.file(name, "a file that an option happens to be called as");
  }
  (void)folder.file("table.csv", "x,observations\n1,1*3 2*4\n2,3*3\n");
  const auto objective_of = [&](const std::string& objective) {
    const std::string yaml = folder.file(
        "given.yaml",
        "objective: " + objective + "\nspace: {x: [1, 2]}\nruns: 1\niterations: 20\nhold_out: 0\n");
    const Study study = read_study(read_yaml(yaml));
    fs::create_directories(folder / "out");
    write_study_file(folder / "out", study);
    const Study again = read_study(read_yaml(folder / "out" / kStudyName));
    CHECK(comparable_config(again.config) == comparable_config(study.config));
    return again.config["objective"];
  };
  CHECK(objective_of("{ask_tell: agent}")["ask_tell"] == "agent");
  const Json program = objective_of("{command: [./agent, '{x}'], protocol: once}");
  CHECK(program["protocol"] == "once");
  CHECK(program["cutoff"] == "none");
  CHECK(program["command"] == Json({"./agent", "{x}"}));
  CHECK(program["directory"] == "..");
  const Json line = objective_of("{command: agent, shell: true, parameters: stdin}");
  CHECK(line["command"] == "agent");
  CHECK(objective_of("{table: table.csv}")["table"] == "../table.csv");
}

}  // namespace ntune
