#include "ntune/study/serve/serve.h"

#include <chrono>
#include <cmath>
#include <functional>
#include <sstream>
#include <streambuf>
#include <thread>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/objective/capabilities.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/journal/recorded_study.h"
#include "study/make.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace {

/// A client on the other side: `next` sees the last answer and gives the next request; an empty
/// object ends the input.
class ScriptedClient final : public std::streambuf {
 public:
  explicit ScriptedClient(std::function<Json(const Json&)> next) : next_(std::move(next)) {}

  StudyResult serve(const Study& study, Journal* journal = nullptr, ServeOptions options = {}) {
    std::istream in(this);
    return serve_study(study, journal, in, out_, options);
  }

  std::vector<Json> answers;

 private:
  int_type underflow() override {
    read_answers();
    const Json request = next_(answers.empty() ? Json() : answers.back());
    if (request.is_object() && request.empty()) return traits_type::eof();
    line_ = (request.is_string() ? request.get<std::string>() : request.dump()) + "\n";
    setg(line_.data(), line_.data(), line_.data() + line_.size());
    return traits_type::to_int_type(line_[0]);
  }

  void read_answers() {
    std::istringstream lines(out_.str().substr(seen_));
    seen_ = out_.str().size();
    for (std::string line; std::getline(lines, line);) answers.push_back(Json::parse(line));
  }

  std::function<Json(const Json&)> next_;
  std::ostringstream out_;
  std::size_t seen_ = 0;
  std::string line_;
};

const Json kAsk = {{"op", "ask"}};
const Json kEnd = Json::object();

const std::string kExact = "{objective: {function: hartmann3, noise: none}, ";

double exact_value(const Study& study, const Json& params) {
  const Objective& objective = *study.objectives[0].objective;
  const Point point = read_point(parse_yaml(params.dump()), objective.space());
  return *true_value_of(objective, point);
}

/// Asks and tells until done, or until `evaluations` have been told.
std::function<Json(const Json&)> diligent(const Study& study, int evaluations = 1'000'000) {
  return [&study, left = evaluations](const Json& answer) mutable -> Json {
    if (answer.contains("id") && left-- > 0) {
      return {
          {"op", "tell"}, {"id", answer["id"]}, {"value", exact_value(study, answer["params"])}};
    }
    if (answer.contains("done") || left < 0) return kEnd;
    return kAsk;
  };
}

/// Sends the requests one after the other.
std::vector<Json> answers_to(const Study& study, std::vector<Json> requests,
                             Journal* journal = nullptr, ServeOptions options = {}) {
  ScriptedClient client([&, i = std::size_t{0}](const Json&) mutable {
    return i < requests.size() ? requests[i++] : kEnd;
  });
  client.serve(study, journal, options);
  // The answers to the last requests are read by one more.
  Json last = kEnd;
  return client.answers;
}

Json tell(int id, double value) { return {{"op", "tell"}, {"id", id}, {"value", value}}; }

}  // namespace

TEST_CASE("a served study gives the result of one that runs by itself") {
  for (const char* rest :
       {"runs: 3, iterations: 30, hold_out: 2}", "runs: 1, iterations: 20}",
        "runs: 2, iterations: 15, repeats: 2}", "optimisers: [ntbea, rmhc], iterations: 12}",
        "budget: 120, splits: [1 x 40, {runs: 4}]}"}) {
    CAPTURE(rest);
    const Study study = test::study_of(kExact + rest);
    ScriptedClient client(diligent(study));
    const StudyResult served = client.serve(study);
    CHECK_FALSE(served.interrupted);
    CHECK(test::outputs(study, served) == test::outputs(study));
  }
}

TEST_CASE("a client that leaves and comes back gets the same study") {
  const test::TemporaryFolder folder;
  Study study = test::study_of(kExact + "runs: 2, iterations: 25, hold_out: 3}");
  study.execution.record = Recording::kEvaluations;
  const std::string whole = test::outputs(study);
  for (int visit = 0; visit < 30; ++visit) {
    Journal journal(folder.path() / "out", study, Journal::Open::kResume);
    ScriptedClient client(diligent(study, 3));
    const StudyResult result = client.serve(study, &journal);
    if (result.interrupted) continue;
    CHECK(test::outputs(study, result) == whole);
    return;
  }
  FAIL("the study never ended");
}

TEST_CASE("several evaluations can be asked for, and told in any order") {
  const Study study =
      test::study_of(kExact + "runs: 1, iterations: 40, hold_out: 4, parallel_evaluations: 4}");
  std::vector<Json> held;
  std::size_t most = 0;
  ScriptedClient client([&](const Json& answer) -> Json {
    if (answer.contains("id")) {
      held.push_back(answer);
      most = std::max(most, held.size());
      return kAsk;
    }
    if (answer.contains("wait")) {
      CHECK(answer["wait"].size() == held.size());
      const Json last = held.back();
      held.pop_back();
      return {{"op", "tell"}, {"id", last["id"]}, {"value", exact_value(study, last["params"])}};
    }
    return answer.contains("done") ? kEnd : kAsk;
  });
  const StudyResult served = client.serve(study);
  CHECK(most == 4);
  CHECK(test::outputs(study, served) == test::outputs(study));
}

TEST_CASE("an answer names all that an evaluation needs") {
  const Study study = test::study_of(kExact + "runs: 1, iterations: 5}");
  const Json first = answers_to(study, {kAsk, {{"op", "status"}}}).at(0);
  CHECK(first["id"] == 0);
  CHECK(first["run"] == 0);
  CHECK(first["evaluation"] == 0);
  CHECK(first["stage"] == "search");
  CHECK(first["seed"].get<std::int64_t>() >= 0);
  CHECK(first["seed"].get<std::int64_t>() < (std::int64_t{1} << 31));
  CHECK(first["params"].size() == 3);
}

TEST_CASE("a tell may say what the evaluation cost, and a budget of costs ends the study") {
  const Study study = test::study_of(kExact + "budget: {cost: 100}}");
  std::int64_t told = 0;
  ScriptedClient client([&](const Json& answer) -> Json {
    if (answer.contains("done")) return kEnd;
    if (!answer.contains("id")) return kAsk;
    ++told;
    return {{"op", "tell"},
            {"id", answer["id"]},
            {"value", exact_value(study, answer["params"])},
            {"cost", 2.0}};
  });
  client.serve(study, nullptr, {});
  CHECK(client.answers.back().contains("done"));
  CHECK((told >= 45 && told <= 50));
  const auto answers =
      answers_to(study, {kAsk, {{"op", "tell"}, {"id", 0}, {"value", 1.0}, {"cost", -1.0}}, kAsk});
  CHECK(answers.at(1)["error"] == "'cost' is -1, a number of at least 0 is allowed");
}

TEST_CASE("an evaluation that is out takes time, also between processes of one step each") {
  const test::TemporaryFolder folder;
  const auto wait = [](int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  };
  const auto step = [&](const Study& study, const char* name, const Json& request) {
    Journal journal(folder / name, study, Journal::Open::kResume);
    journal.count_waiting();
    answers_to(study, {request}, &journal, {.again = false});
    return journal.recorded_seconds().value();
  };
  const Study timed = test::study_of(kExact + "time: 1 h}");
  step(timed, "timed", kAsk);
  wait(500);
  const double used = step(timed, "timed", tell(0, 0.5));
  CHECK(used >= 0.5);
  wait(1500);  // nothing is out
  step(timed, "timed", kAsk);
  wait(200);
  const double later = step(timed, "timed", tell(1, 0.5));
  CHECK((later >= used + 0.2 && later < used + 1.5));
  // A process that goes on with all of the study begins its evaluations again.
  step(timed, "timed", kAsk);
  wait(500);
  const Journal again(folder / "timed", timed, Journal::Open::kResume);
  CHECK(again.used().value() < later + 0.5);

  const Study dear = test::study_of(kExact + "budget: {cost: 1000}}");
  step(dear, "dear", kAsk);
  wait(100);
  step(dear, "dear", tell(0, 0.5));
  Journal journal(folder / "dear", dear, Journal::Open::kResume);
  const double left =
      answers_to(dear, {{{"op", "status"}}, kAsk}, &journal).at(0)["cost_left"].get<double>();
  CHECK((left > 900.0 && left <= 999.9));
}

TEST_CASE("a wrong request is answered and changes nothing") {
  const Study study = test::study_of(kExact + "runs: 1, iterations: 5}");
  const std::vector<std::pair<Json, std::string>> cases = {
      {"garbage", "the line is not valid JSON"},
      {"[1]", "the line is not a JSON object"},
      {R"({"op": "tell", "value": 1, "id": )" + std::string(100'000, '['),
       "the line is JSON that nests deeper than 64 levels"},
      {{{"id", 1}}, "'op' is missing, one of ask, tell, fail, recommend, status, quit"},
      {{{"op", "aks"}},
       "there is no op 'aks'; allowed: ask, tell, fail, recommend, status or quit"},
      {{{"op", 3}}, "there is no op '3'; allowed: ask, tell, fail, recommend, status or quit"},
      {{{"op", "tell"}}, "'id' is missing, the id that the answer to 'ask' named"},
      {tell(7, 1.0), "there is no open evaluation with id 7"},
      {{{"op", "tell"}, {"id", "0"}, {"value", 1}}, "there is no open evaluation with id \"0\""},
      {{{"op", "tell"}, {"id", 0}}, "'value' is missing, the observed value, a number"},
      {{{"op", "tell"}, {"id", 0}, {"value", "x"}}, "'value' is \"x\", a finite number is allowed"},
      {tell(0, 1e200), "'value': the payoff is 1e+200, numbers from -1e+100 to 1e+100 are allowed"},
      {R"({"op":"tell","id":0,"value":1e999})", "evaluation 0: the line is not valid JSON"},
      {R"({"op": "tell", "id" : 0, "value": NaN})",
       "evaluation 0: the line is not valid JSON: JSON has no NaN; 'tell' takes finite numbers, "
       "'fail' an evaluation that gave none"},
      {R"({"op": "tell", "value": -Infinity})",
       "the line is not valid JSON: JSON has no Infinity; 'tell' takes finite numbers, 'fail' "
       "an "
       "evaluation that gave none"},
      {{{"op", "tell"}, {"id", 0}, {"values", Json::array()}},
       "'values' is not a list of one or more numbers"},
      {{{"op", "tell"}, {"id", 0}, {"values", {1, nullptr}}},
       "'values' is null, a finite number is allowed"},
      {{{"op", "tell"}, {"id", 0}, {"value", 1}, {"values", {1, 2}}},
       "has both 'value' and 'values', one of them is allowed"},
      {{{"op", "recommend"}}, "no value has been told yet"},
  };
  for (const auto& [request, text] : cases) {
    CAPTURE(request);
    const auto answers =
        answers_to(study, {kAsk, request, kAsk, tell(0, 0.5), {{"op", "status"}}, kAsk});
    REQUIRE(answers.size() >= 4);
    CHECK(answers[1]["error"] == text);
    CHECK(answers[2]["wait"] == Json::array({0}));
    CHECK(answers[3]["told"] == 0);
    CHECK(answers[4]["evaluations"] == 1);
  }
}

TEST_CASE("an error names the id that the line names") {
  const Study study = test::study_of(kExact + "runs: 1, iterations: 5}");
  const auto error_of = [&](const Json& request) {
    return answers_to(study, {kAsk, request, kAsk})[1];
  };
  CHECK(error_of(R"({"op": "tell", "id": 0, "value": NaN})")["id"] == 0);
  CHECK(error_of(tell(7, 1.0))["id"] == 7);
  CHECK(error_of({{"op", "tell"}, {"id", 0}, {"value", "x"}})["id"] == 0);
  CHECK_FALSE(error_of({{"op", "aks"}}).contains("id"));
  CHECK_FALSE(error_of(R"({"op": "tell", "id": )").contains("id"));
}

TEST_CASE("the recommendation is there before the end and after it") {
  const Study study = test::study_of(kExact + "runs: 2, iterations: 10, hold_out: 1}");
  std::vector<Json> seen;
  bool asked = false;
  ScriptedClient client([&](const Json& answer) -> Json {
    if (asked) seen.push_back(answer);
    asked = answer.contains("told") || (answer.contains("done") && seen.empty());
    if (answer.contains("final") && answer["final"] == true) return kEnd;
    if (answer.contains("done") || answer.contains("told")) {
      asked = true;
      return {{"op", "recommend"}};
    }
    if (answer.contains("id")) {
      return {
          {"op", "tell"}, {"id", answer["id"]}, {"value", exact_value(study, answer["params"])}};
    }
    return kAsk;
  });
  client.serve(study);
  REQUIRE(seen.size() >= 20);
  for (const Json& json : seen) {
    CAPTURE(json);
    REQUIRE(json.contains("params"));
    CHECK(json["params"].size() == 3);
  }
  CHECK(seen.back()["final"] == true);
}

TEST_CASE("a finished study recommends with the verdict of its result.json") {
  // The default is the best of the grid, or far from it; or there is none.
  for (const auto& [today, verdict] :
       {std::pair{", default: 4", "keep"}, {", default: 9", "use"}, {"", "use"}}) {
    const Study study = test::study_of(
        fmt::format("{{objective: {{ask_tell: x, payoffs: [-100, 0], noisy: false}}, "
                    "space: {{x: {{integers: [1, 9]{}}}}}, optimiser: random, "
                    "runs: 1, iterations: 20, hold_out: 8}}",
                    today));
    CAPTURE(today);
    ScriptedClient client([over = false](const Json& answer) mutable -> Json {
      if (std::exchange(over, answer.contains("done"))) return kEnd;
      if (over) return {{"op", "recommend"}};
      if (!answer.contains("id")) return kAsk;
      const double x = answer["params"]["x"].get<double>() - 4.0;
      return tell(answer["id"].get<int>(), -x * x);
    });
    const StudyResult result = client.serve(study);
    const Json written = result_json(study, result, summarise(study, result));
    const Json& final = client.answers.back();
    CAPTURE(final);
    CHECK(final["verdict"] == verdict);
    CHECK(final["verdict"] == written["verdict"]);
    CHECK(final["setting"] == written["setting"]);
  }
}

TEST_CASE("failures follow the study's rule") {
  const Json failed = {{"op", "fail"}, {"id", 0}, {"reason", "no\nlicence"}};
  SECTION("abort ends the study") {
    const Study study = test::study_of(kExact + "runs: 1, iterations: 5}");
    ScriptedClient client([&, i = 0](const Json&) mutable { return i++ == 0 ? kAsk : failed; });
    CHECK_THROWS_WITH(client.serve(study),
                      Catch::Matchers::StartsWith("evaluation failed: hartmann3") &&
                          Catch::Matchers::ContainsSubstring("no\\nlicence at x1 = "));
  }
  SECTION("skip goes on, and the failure counts") {
    const Study study = test::study_of(kExact + "runs: 1, iterations: 5, fail: skip}");
    const auto answers = answers_to(study, {kAsk, failed, kAsk, {{"op", "status"}}, kAsk});
    CHECK(answers[1]["failed"] == 0);
    CHECK(answers[2]["id"] == 1);
    CHECK(answers[3]["evaluations"] == 1);
  }
}

TEST_CASE("what was handed out and not told is handed out again, or not") {
  const test::TemporaryFolder folder;
  Study study = test::study_of(kExact + "runs: 1, iterations: 9, parallel_evaluations: 2}");
  study.execution.record = Recording::kEvaluations;
  const auto visit = [&](std::vector<Json> requests, bool again) {
    Journal journal(folder.path() / "out", study, Journal::Open::kResume);
    requests.push_back({{"op", "status"}});
    return answers_to(study, requests, &journal, {.again = again});
  };
  CHECK(visit({kAsk}, false)[0]["id"] == 0);
  CHECK(visit({kAsk}, false)[0]["id"] == 1);
  CHECK(visit({kAsk}, false)[0]["wait"] == Json::array({0, 1}));
  CHECK(visit({kAsk}, true)[0]["id"] == 0);
  CHECK(visit({tell(1, 0.5)}, false)[0]["told"] == 1);
  CHECK(visit({kAsk}, false)[0]["wait"] == Json::array({0}));
  CHECK(visit({tell(0, 0.5)}, false)[0]["told"] == 0);
  CHECK(visit({kAsk}, false)[0]["id"] == 2);
}

namespace {

/// Asks and tells, offers a point after five tells, and leaves after every `visit` tells.
class Offerer {
 public:
  Offerer(const Study& study, Json params, double value) : study_(study) {
    offer_ = {{"op", "tell"}, {"params", std::move(params)}, {"value", value}};
  }

  StudyResult serve(Journal* journal, int visit) {
    ScriptedClient client([this, left = visit](const Json& answer) mutable -> Json {
      if (told_ == 5 && !std::exchange(offered_, true)) return offer_;
      if (answer.contains("done") || left == 0) return kEnd;
      if (!answer.contains("id")) return kAsk;
      ++told_;
      --left;
      return {
          {"op", "tell"}, {"id", answer["id"]}, {"value", exact_value(study_, answer["params"])}};
    });
    return client.serve(study_, journal);
  }

 private:
  const Study& study_;
  Json offer_;
  int told_ = 0;
  bool offered_ = false;
};

}  // namespace

TEST_CASE("what nobody asked for is learned by all searches from there on, also after a resume") {
  const Study study =
      test::study_of(kExact + "runs: 2, iterations: 12, hold_out: 1, record: evaluations}");
  const SearchSpace& space = study.objectives[0].objective->space();
  Point best(space.dimensions());
  for (int i = 0; i < best.size(); ++i) best[i] = static_cast<std::uint16_t>(i);
  // More than any other point is worth.
  const Json params = point_json(best, space);
  const test::TemporaryFolder folder;
  Journal whole(folder.path() / "whole", study, Journal::Open::kNew);
  const StudyResult at_once = Offerer(study, params, 50.0).serve(&whole, 1000);
  CHECK(at_once.search_evaluations == 24);
  for (const RunRecord& run : at_once.cells[0].runs) CHECK(run.point == best);
  const std::string expected = test::outputs(study, at_once);
  CHECK(test::outputs(study, Offerer(study, params, 50.0).serve(nullptr, 1000)) == expected);

  for (const int visit : {1, 4}) {
    CAPTURE(visit);
    const std::filesystem::path out = folder.path() / std::to_string(visit);
    Offerer offerer(study, params, 50.0);
    StudyResult result;
    result.interrupted = true;
    for (int i = 0; i < 60 && result.interrupted; ++i) {
      Journal journal(out, study, Journal::Open::kResume);
      result = offerer.serve(&journal, visit);
    }
    CHECK(test::outputs(study, result) == expected);
    RecordedStudy recorded(out, study.objectives[0].objective);
    StudyProgress progress;
    CHECK(test::outputs(study, replay_study(recorded, false, progress)) == expected);
  }
}

TEST_CASE("before its first payoff a study recommends what nobody asked for") {
  for (const char* optimiser : {"auto", "ntbea", "gaussian_process", "tpe", "pooled_starts",
                                "{algorithm: multi_start, optimiser: ntbea}"}) {
    CAPTURE(optimiser);
    const Study study = test::study_of(
        fmt::format("{}runs: 2, iterations: 40, hold_out: 1, optimiser: {}}}", kExact, optimiser));
    const Json params = {{"x1", 0.5}, {"x2", 0.5}, {"x3", 0.5}};
    const Json other = {{"x1", 0.0}, {"x2", 0.5}, {"x3", 0.9}};
    const auto offer = [](const Json& point, double value) {
      return Json{{"op", "tell"}, {"params", point}, {"value", value}};
    };
    const Json recommend = {{"op", "recommend"}};
    const test::TemporaryFolder folder;
    Study recorded = study;
    recorded.execution.record = Recording::kEvaluations;
    {
      Journal journal(folder.path(), recorded, Journal::Open::kNew);
      // A map has no number of a study of one goal, and must not reach the journal.
      const Json map = {{"op", "tell"}, {"params", params}, {"value", {{"a", 1}}}};
      const auto answers = answers_to(
          recorded, {recommend, offer(params, 0.9), offer(other, 0.1), recommend, map, kAsk},
          &journal);
      CHECK(answers.at(4).contains("error"));
      CHECK(answers.at(0)["error"] == "no value has been told yet");
      CHECK(answers.at(3)["params"] == params);
      CHECK(answers.at(3)["estimate"].get<double>() > 0.4);
      CHECK(answers.at(3)["final"] == false);
    }
    Journal journal(folder.path(), recorded, Journal::Open::kResume);
    CHECK(answers_to(recorded, {recommend, kAsk}, &journal).at(0)["params"] == params);
  }
}

TEST_CASE("the status of a finished study is whole") {
  const Study study =
      test::study_of(kExact +
                     "optimiser: gaussian_process, runs: 1, iterations: 60, hold_out: 1, "
                     "space: {x1: [0, 0.5], x2: [0, 0.5], x3: [0, 0.5]}}");
  Json last;
  ScriptedClient client([&](const Json& answer) -> Json {
    if (answer.contains("total")) {
      last = answer;
      return kEnd;
    }
    if (answer.contains("done")) return {{"op", "status"}};
    if (!answer.contains("id")) return kAsk;
    return {{"op", "tell"}, {"id", answer["id"]}, {"value", exact_value(study, answer["params"])}};
  });
  client.serve(study);
  CHECK(last["done"] == true);
  CHECK(last["planned"] == 61);
  CHECK(last["evaluations"] == 9);  // all points of the space, and the hold-out
  CHECK(last["total"] == last["evaluations"]);
}

TEST_CASE("what nobody asked for of a default off the grid counts at the nearest point") {
  for (const char* optimiser : {"auto", "ntbea", "gaussian_process", "tpe", "pooled_starts",
                                "{algorithm: multi_start, optimiser: ntbea}"}) {
    CAPTURE(optimiser);
    const Study study = test::study_of(fmt::format(
        "{{objective: {{ask_tell: x}}, space: {{a: {{integers: [0, 90], step: 10, default: 21}}, "
        "b: {{integers: [0, 90], step: 10, default: 21}}}}, runs: 1, iterations: 20, "
        "record: evaluations, optimiser: {}}}",
        optimiser));
    const Json offer = {{"op", "tell"}, {"params", {{"a", 21}, {"b", 21}}}, {"value", 5.0}};
    const Json recommend = {{"op", "recommend"}};
    const Json near = {{"a", 20}, {"b", 20}};
    const test::TemporaryFolder folder;
    {
      Journal journal(folder.path(), study, Journal::Open::kNew);
      const auto answers =
          answers_to(study, {kAsk, offer, tell(0, 1.0), kAsk, recommend, kAsk}, &journal);
      CHECK(answers.at(1)["told"].is_null());
      CHECK(answers.at(4)["params"] == near);
    }
    Journal journal(folder.path(), study, Journal::Open::kResume);
    CHECK(answers_to(study, {kAsk, recommend, kAsk}, &journal).at(1)["params"] == near);
  }
  const Study forbidden = test::study_of(
      "{objective: {ask_tell: x}, space: {a: {integers: [0, 90], step: 10, default: 21}, "
      "b: {integers: [0, 90], step: 10}, forbid: [{a: 20, b: 20}]}, runs: 1, iterations: 20, "
      "default: none}");
  const Json offer = {{"op", "tell"}, {"params", {{"a", 21}, {"b", 20}}}, {"value", 5.0}};
  CHECK(answers_to(forbidden, {kAsk, offer, kAsk}).at(1)["error"] ==
        "params:1: is forbidden on the grid of the space");
}

TEST_CASE(
    "what nobody asked for changes nothing for an optimiser that learns from its asks alone") {
  for (const char* other : {"spsa", "racing", "rmhc"}) {
    CAPTURE(other);
    const Study study = test::study_of(fmt::format(
        "{}optimisers: [ntbea, {}], runs: 1, iterations: 30, hold_out: 1}}", kExact, other));
    const Json params = {{"x1", 0.5}, {"x2", 0.5}, {"x3", 0.5}};
    const auto points = [&](bool offers) {
      std::vector<Json> asked;
      int offered = 0;
      ScriptedClient client([&](const Json& answer) -> Json {
        if (answer.contains("done")) return kEnd;
        if (offers && asked.size() == 1 && offered++ < 20) {
          return {{"op", "tell"}, {"params", params}, {"value", 50.0}};
        }
        if (!answer.contains("id")) return kAsk;
        if (answer["stage"] == "search") asked.push_back(answer["params"]);
        return {
            {"op", "tell"}, {"id", answer["id"]}, {"value", exact_value(study, answer["params"])}};
      });
      client.serve(study);
      return asked;
    };
    const auto without = points(false);
    const auto with = points(true);
    REQUIRE(without.size() == 60);
    REQUIRE(with.size() == 60);
    CHECK(std::equal(with.begin() + 30, with.end(), without.begin() + 30));
    CHECK_FALSE(std::equal(with.begin(), with.begin() + 30, without.begin()));
  }
}

TEST_CASE("what nobody asked for is refused where it can be of no use") {
  const Json params = {{"x1", 0.5}, {"x2", 0.5}, {"x3", 0.5}};
  const auto offer = [](const Json& point, const Json& value) {
    return Json{{"op", "tell"}, {"params", point}, {"value", value}};
  };
  const Study study = test::study_of(kExact + "runs: 1, iterations: 1, hold_out: 1}");
  const std::string error_of_value = "'value' is \"x\", a finite number is allowed";
  CHECK(answers_to(study, {kAsk, offer(params, "x"), kAsk}).at(1)["error"] == error_of_value);
  const auto wrong = answers_to(study, {kAsk, offer({{"x1", 7}}, 1.0), offer(3, 1.0), kAsk});
  CHECK_THAT(wrong.at(1)["error"].get<std::string>(), Catch::Matchers::StartsWith("params:1: x"));
  CHECK(wrong.at(2)["error"] == "'params' is not a map of parameters");
  const auto late = answers_to(study, {kAsk, tell(0, 0.5), offer(params, 1.0), kAsk});
  CHECK(late.at(2)["error"] == "the search has ended and can use no further evaluation");
  const Study climber = test::study_of(kExact + "runs: 1, iterations: 9, optimiser: rmhc}");
  CHECK(answers_to(climber, {kAsk, offer(params, 1.0), kAsk}).at(1)["error"] ==
        "the optimiser 'rmhc' learns only from what it asks for");
}

TEST_CASE("a tell may name the instance: it is checked, or the payoff is of that one") {
  Study study = test::study_of(
      "{objective: {ask_tell: bot}, space: {x: {integers: [0, 9]}}, instances: [{map: lake}, "
      "{map: hill, name: peak}, sea, 4], test_instances: [moor], runs: 1, iterations: 30, "
      "optimiser: ntbea}");
  study.execution.record = Recording::kEvaluations;
  const Json params = {{"x", 3}};
  const auto offer = [&](const Json& instance, double value) {
    return Json{{"op", "tell"}, {"params", params}, {"value", value}, {"instance", instance}};
  };
  const auto told = [&](const Json& instance, double value) {
    Json request = tell(0, value);
    request["instance"] = instance;
    return request;
  };
  const Json first = answers_to(study, {kAsk, kAsk}).at(0)["instance"];
  const Json other = first == "sea" ? Json(4) : Json("sea");
  const std::string name = first == Json{{"map", "lake"}}   ? "map=lake"
                           : first == Json{{"map", "hill"}} ? "peak"
                           : first == "sea"                 ? "sea"
                                                            : "4";
  const auto answers = answers_to(
      study, {kAsk, told("pond", 1.0), told(other, 1.0), told("moor", 1.0), offer("pond", 1.0),
              offer("moor", 1.0), offer("peek", 1.0), offer({{"map", "sea"}}, 1.0),
              Json{{"op", "fail"}, {"id", 0}, {"instance", "pond"}}, told(first, 1.0), kAsk});
  const std::string allowed = "map=lake, peak, sea, 4";
  CHECK(answers.at(1)["error"] == "'instance': there is no instance 'pond'; allowed: " + allowed);
  CHECK(answers.at(2)["error"] == fmt::format("'instance': the evaluation is of '{}', not of '{}'",
                                              name, other == "sea" ? "sea" : "4"));
  CHECK(answers.at(3)["error"] == "'instance': there is no instance 'moor'; allowed: " + allowed);
  CHECK(answers.at(4)["error"] == answers.at(1)["error"]);
  CHECK(answers.at(5)["error"] == answers.at(3)["error"]);
  CHECK(answers.at(6)["error"] ==
        "'instance': there is no instance 'peek'; allowed: peak, map=lake, sea, 4");
  CHECK_THAT(answers.at(7)["error"].get<std::string>(),
             Catch::Matchers::ContainsSubstring(R"(no instance '{"map":"sea"}')"));
  CHECK(answers.at(8)["error"] == answers.at(1)["error"]);
  CHECK(answers.at(9)["told"] == 0);
  CHECK(answers_to(study, {kAsk, told(name, 1.0), kAsk}).at(1)["told"] == 0);

  // Payoffs of a hard and an easy instance: what they differ by is taken out, also after a resume.
  std::vector<Json> requests = {kAsk};
  for (int i = 0; i < 6; ++i) {
    requests.push_back(offer("peak", 10.0 + 0.1 * i));
    requests.push_back(offer("sea", -10.0 + 0.1 * i));
    requests.push_back(offer({{"map", "lake"}}, 0.1 * i));
    requests.push_back(offer(4, 0.1 * i));
  }
  const Json recommend = {{"op", "recommend"}};
  requests.insert(requests.end(), {recommend, kAsk});
  const test::TemporaryFolder folder;
  Json now;
  {
    Journal journal(folder.path(), study, Journal::Open::kNew);
    const auto offered = answers_to(study, requests, &journal);
    for (std::size_t i = 1; i <= 24; ++i) CHECK(offered.at(i)["told"].is_null());
    now = offered.at(25);
  }
  CHECK(now["params"] == params);
  CHECK(std::abs(now["estimate"].get<double>() - 0.25) < 0.2);
  Journal journal(folder.path(), study, Journal::Open::kResume);
  CHECK(answers_to(study, {recommend, kAsk}, &journal).at(0) == now);
  const std::string text = test::content_of(folder / kJournalName);
  CHECK_THAT(text, Catch::Matchers::ContainsSubstring("\no0.") &&
                       Catch::Matchers::ContainsSubstring(" i1\n"));

  const Study alone = test::study_of(kExact + "runs: 1, iterations: 9}");
  CHECK(answers_to(alone, {kAsk, told("sea", 1.0), kAsk}).at(1)["error"] ==
        "'instance': the study has no instances");
}

TEST_CASE("who is asked for a match is told the opponent, and tells the scores of its games") {
  const Study study = test::study_of(
      "{objective: {match: {ask_tell: agent}}, space: {x: {integers: [1, 8], default: 3}}, "
      "budget: 120}");
  int asked = 0;
  ScriptedClient client([&](const Json& answer) -> Json {
    if (answer.contains("done")) return kEnd;
    if (!answer.contains("id")) return kAsk;
    ++asked;
    const int lead =
        answer.at("params").at("x").get<int>() - answer.at("opponent").at("x").get<int>();
    const double second = lead > 0 ? 0.5 : 0.0;
    return {{"op", "tell"}, {"id", answer["id"]}, {"values", {lead < 0 ? 0.0 : 1.0, second}}};
  });
  const StudyResult result = client.serve(study);
  CHECK_FALSE(result.interrupted);
  // A match is one evaluation; only that of the default against itself is not asked for.
  CHECK(asked > 100);
  CHECK(asked <= 120);
  const Pick& pick = result.cells.at(0).picks.at(0);
  CHECK(study.objectives[0].objective->space().text(pick.point) == "x = 8");
  CHECK(pick.hold_out.measured());
  CHECK(pick.games().games.games() == 2 * pick.hold_out.payoffs.count());
}

namespace {

/// A game of three seats, in which the largest x is ahead, told in one of the forms.
Json told_of_seats(const Json& game, std::size_t form) {
  std::vector<double> scores;
  for (const Json& seat : game.at("seats")) scores.push_back(seat.at("x").get<double>());
  if (form == 0) return {{"scores", scores}};
  const double best = std::ranges::max(scores);
  std::vector<int> ranks;
  std::vector<int> winners;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto ahead = std::ranges::count_if(scores, [&](double one) { return one > scores[i]; });
    ranks.push_back(static_cast<int>(ahead) + 1);
    if (scores[i] == best) winners.push_back(static_cast<int>(i) + 1);
  }
  return form == 1 ? Json{{"ranks", ranks}} : Json{{"winner", winners}};
}

}  // namespace

TEST_CASE("who is asked for a match with seats is told them by game, and tells results by seat") {
  const Study study = test::study_of(
      "{objective: {match: {ask_tell: agent}, players: 3}, space: {x: {integers: [1, 8], default: "
      "3}}, budget: 120}");
  ScriptedClient client([&](const Json& answer) -> Json {
    if (answer.contains("done")) return kEnd;
    if (!answer.contains("id")) return kAsk;
    const Json& games = answer.at("games");
    REQUIRE(games.size() == 2);
    CHECK(games[0].at("seed") == games[1].at("seed"));
    const Json& first = answer.at("params");
    Json told = Json::array();
    for (std::size_t seat = 0; seat < 3; ++seat) {  // they change seats
      const Json& one = games[0].at("seats").at(seat);
      const Json& other = games[1].at("seats").at(seat);
      CHECK((one == first) != (other == first));
      CHECK((one == first ? other : one) == answer.at("opponent"));
    }
    for (const Json& game : games) {
      told.push_back(told_of_seats(game, answer["id"].get<std::size_t>() % 3));
    }
    return {{"op", "tell"}, {"id", answer["id"]}, {"games", told}};
  });
  const StudyResult result = client.serve(study);
  CHECK_FALSE(result.interrupted);
  const Pick& pick = result.cells.at(0).picks.at(0);
  CHECK(study.objectives[0].objective->space().text(pick.point) == "x = 8");
  CHECK(pick.games().games.games() == 2 * pick.hold_out.payoffs.count());
}

TEST_CASE("results by seat that are none of the match are refused") {
  const std::string seats =
      "{objective: {match: {ask_tell: a}, players: 3}, space: {x: {integers: [1, 8], default: 3}}, "
      "runs: 1, iterations: 40}";
  const auto refusal = [](const std::string& study, const Json& games, Json more = {}) {
    Json request = {{"op", "tell"}, {"id", 0}, {"games", games}};
    if (!more.is_null()) request.update(more);
    return answers_to(test::study_of(study), {kAsk, request}).back().value("error", "");
  };
  const Json three = {{"ranks", {1, 2, 3}}};
  const auto contains = [](const char* text) { return Catch::Matchers::ContainsSubstring(text); };
  CHECK(refusal(seats, Json::array({three, three})).empty());
  CHECK_THAT(refusal(seats, Json::array({three})), contains("a list of 2 results by seat"));
  CHECK_THAT(refusal(seats, three), contains("no list"));
  CHECK_THAT(refusal(seats, Json::array({three, {{"ranks", {1, 2}}}})),
             contains("game 2: a JSON object with ranks [1,2]: 2 numbers for 3 seats"));
  CHECK_THAT(refusal(seats, Json::array({{{"winner", 4}}, three})),
             contains("game 1: 'winner': 4, the game has 3 seats"));
  CHECK_THAT(refusal(seats, Json::array({{{"score", 4}}, three})),
             contains("game 1: is no object with ranks, scores or the winner"));
  CHECK_THAT(refusal(seats, Json::array({three, three}), {{"value", 1}}),
             contains("'games' and other results"));
  CHECK_THAT(refusal("{objective: {ask_tell: a}, space: {x: {integers: [1, 8]}}, runs: 1, "
                     "iterations: 40}",
                     Json::array({three, three})),
             contains("the games of the study have no seats"));
}

TEST_CASE("counts of games are told as such") {
  const std::string space =
      "}, space: {a: {integers: [0, 9]}}, runs: 1, iterations: 1, hold_out: 2}";
  const auto answers = [&](const std::string& objective, const std::vector<Json>& told) {
    std::vector<Json> requests;
    for (std::size_t i = 0; i < told.size(); ++i) {
      Json request = told[i];
      request.update({{"op", "tell"}, {"id", i}});
      requests.insert(requests.end(), {kAsk, request});
    }
    return answers_to(test::study_of("{objective: {ask_tell: x" + objective + space), requests);
  };
  CHECK(answers("", {{{"wins", 1}, {"losses", 0}},
                     {{"wins", 2}, {"losses", 0}, {"pentanomial", {0, 0, 0, 0, 1}}},
                     {{"wins", 0}, {"losses", 1}}})
            .back()["told"] == 2);
  CHECK_THAT(answers("", {{{"wins", 1}}}).back().value("error", ""),
             Catch::Matchers::ContainsSubstring("counts of games lack 'losses'"));
  CHECK_THAT(answers("", {{{"wins", 3}, {"losses", 0}, {"pentanomial", {1, 0, 0, 0, 1}}}})
                 .back()
                 .value("error", ""),
             Catch::Matchers::ContainsSubstring("a JSON object with games"));
  CHECK_THAT(answers("", {{{"wins", -1}}}).back().value("error", ""),
             Catch::Matchers::ContainsSubstring("a count of games is allowed"));
  CHECK(answers(", direction: minimise", {{{"wins", 1}, {"losses", 0}}}).back()["error"] ==
        "'wins', 'draws', 'losses': the study is of no games");

  ScriptedClient client([](const Json& answer) -> Json {
    if (answer.contains("done")) return kEnd;
    if (!answer.contains("id")) return kAsk;
    return {{"op", "tell"}, {"id", answer["id"]}, {"wins", 1}, {"draws", 1}, {"losses", 0}};
  });
  const StudyResult result =
      client.serve(test::study_of("{objective: {ask_tell: x, payoffs: [0, 1]" + space));
  CHECK(result.cells.at(0).picks.at(0).games().games.wins == 2);
  CHECK(result.cells.at(0).picks.at(0).games().pairs.counts.at(3) == 2);
}

TEST_CASE("what is told keeps to the payoffs that the objective declares, by every request") {
  const auto refusals = [](const std::string& declared, std::vector<double> values) {
    const Study study =
        test::study_of("{objective: {ask_tell: x, " + declared +
                       "}, space: {a: {integers: [0, 9]}}, runs: 1, iterations: 10}");
    std::vector<Json> requests = {kAsk};
    for (const double value : values) {
      requests.push_back(tell(0, value));
      requests.push_back({{"op", "tell"}, {"id", 0}, {"values", {value}}});
      requests.push_back({{"op", "tell"}, {"params", {{"a", 3}}}, {"value", value}});
    }
    requests.push_back({{"op", "status"}});
    std::vector<Json> answers = answers_to(study, requests);
    CHECK(answers.back()["evaluations"] == 0);
    answers.erase(answers.begin());
    answers.pop_back();
    return answers;
  };
  for (const Json& answer : refusals("payoffs: [0, 1]", {-0.5, 1.5, 7})) {
    CHECK_THAT(answer.value("error", ""),
               Catch::Matchers::ContainsSubstring(", outside of payoffs: [0, 1]"));
  }
  for (const Json& answer : refusals("payoffs: [-1, 1], two_valued: true", {0.0, 0.5, -0.99})) {
    CHECK_THAT(answer.value("error", ""),
               Catch::Matchers::ContainsSubstring(", neither -1 nor 1, as two_valued says"));
  }
  for (const Json& answer : refusals("payoffs: [0, 10], direction: minimise", {-1, 11})) {
    CHECK_THAT(answer.value("error", ""),
               Catch::Matchers::ContainsSubstring(", outside of payoffs: [0, 10]"));
  }
  const Study study = test::study_of(
      "{objective: {ask_tell: x, payoffs: [0, 10], two_valued: true, direction: minimise}, "
      "space: {a: {integers: [0, 9]}}, runs: 1, iterations: 10}");
  CHECK(answers_to(study, {kAsk, tell(0, 10), kAsk, tell(1, 0), {{"op", "status"}}})
            .back()["evaluations"] == 2);
}

TEST_CASE("what a dead client holds is handed out again when its lease ends") {
  const Study study =
      test::study_of(kExact + "runs: 1, iterations: 40, hold_out: 0, parallel_evaluations: 2}");
  const auto lease = [](const Json& seconds) { return Json{{"op", "ask"}, {"lease", seconds}}; };
  const auto answers =
      answers_to(study, {kAsk, kAsk, lease(0), lease(0), lease(1000), lease("auto"), kAsk,
                         lease(1e300), tell(0, 0.5), lease(1000), lease("soon"), lease(-1)});
  CHECK((answers.at(0)["id"] == 0 && answers.at(1)["id"] == 1));
  // The one that was handed out first, with its point and seed; then the other.
  CHECK(answers.at(2) == answers.at(0));
  CHECK(answers.at(3) == answers.at(1));
  CHECK(answers.at(4)["wait"] == Json::array({0, 1}));
  CHECK((answers.at(4)["seconds"] > 990 && answers.at(4)["seconds"] <= 1000));
  CHECK((answers.at(5)["seconds"] > 3590 && answers.at(5)["seconds"] <= 3600));
  CHECK(answers.at(6) == Json{{"wait", {0, 1}}});
  CHECK(answers.at(7) == answers.at(6));  // for ever
  CHECK(answers.at(8)["told"] == 0);
  CHECK(answers.at(9)["id"] == 2);
  CHECK(answers.at(10)["error"] ==
        "'lease' is \"soon\", auto or seconds of at least 0 are allowed");
  CHECK(answers.at(11).contains("error"));
}

TEST_CASE("a lease lasts ten times the longest evaluation, over processes of one step each") {
  const test::TemporaryFolder folder;
  Study study =
      test::study_of(kExact + "runs: 1, iterations: 40, hold_out: 0, parallel_evaluations: 2}");
  study.execution.record = Recording::kEvaluations;
  const auto step = [&](const Json& request) {
    Journal journal(folder.path() / "out", study, Journal::Open::kResume);
    return answers_to(study, {request}, &journal, {.again = false}).at(0);
  };
  const auto lease = [](const Json& seconds) { return Json{{"op", "ask"}, {"lease", seconds}}; };
  CHECK(step(kAsk)["id"] == 0);
  CHECK(step(kAsk)["id"] == 1);
  CHECK(step(lease(1000))["wait"] == Json::array({0, 1}));
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  // Once more, and for whoever comes next it has just been handed out.
  CHECK(step(lease(0.02))["id"] == 0);
  CHECK(step(lease(0.02))["id"] == 1);
  CHECK(step(lease(5))["wait"] == Json::array({0, 1}));
  // Whoever tells first is heard, the other is told so.
  CHECK(step(tell(0, 0.25))["told"] == 0);
  CHECK(step(tell(0, 0.5))["error"] == "there is no open evaluation with id 0");
  CHECK(step(kAsk)["id"] == 2);
  const Json waiting = step(lease("auto"));
  CHECK((waiting["seconds"] > 50 && waiting["seconds"] <= 60));
  Journal journal(folder.path() / "out", study, Journal::Open::kResume);
  CHECK((journal.longest_asked() > 0.0 && journal.longest_asked() < 10.0));
}

TEST_CASE("a request that comes a second time is answered and not carried out again") {
  const test::TemporaryFolder folder;
  Study study = test::study_of(
      kExact + "runs: 1, iterations: 40, hold_out: 0, fail: skip, optimiser: ntbea}");
  study.execution.record = Recording::kEvaluations;
  const auto steps = [&](const std::vector<Json>& requests) {
    Journal journal(folder.path() / "out", study, Journal::Open::kResume);
    return answers_to(study, requests, &journal, {.again = false});
  };
  const SearchSpace& space = study.objectives[0].objective->space();
  Rng rng(5);
  const Json params = point_json(space.sample(rng), space);
  const Json offered = {{"op", "tell"}, {"params", params}, {"value", 0.5}, {"request", 11}};
  Json told = tell(1, 0.5);
  told["request"] = 12;
  const Json failed = {{"op", "fail"}, {"id", 2}, {"reason", "broke"}, {"request", UINT64_MAX}};
  CHECK(steps({offered}).at(0) == Json{{"told", nullptr}});
  CHECK(steps({offered, kAsk, told, told, offered}).back() == Json{{"told", nullptr}});
  CHECK(steps({told, kAsk, failed, failed, told}).back() == Json{{"told", 1}});
  CHECK(steps({failed}).at(0) == Json{{"failed", 2}});
  Journal journal(folder.path() / "out", study, Journal::Open::kResume);
  CHECK(journal.offered().size() == 1);
  CHECK(journal.known() == 2);
}

}  // namespace ntune
