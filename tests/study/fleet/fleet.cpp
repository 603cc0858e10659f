#include "ntune/study/fleet/fleet.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/core/rng.h"
#include "ntune/study/fleet/fleet_backend.h"
#include "ntune/study/fleet/fleet_desk.h"
#include "ntune/version.h"
#include "study/make.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace {

using Kind = Fleet::Handout::Kind;

/// A fleet whose clock is set by hand, and calls that wait for answers.
class Fleets {
 public:
  explicit Fleets(double lease = 10.0) : fleet(lease, [this] { return now.load(); }) {}
  ~Fleets() { stop_ = true; }

  void pass(double seconds) {
    now = now.load() +
          std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  void ask(const Json& request) {
    calls.push_back(std::async(std::launch::async, [this, request]() -> std::string {
      const auto answer = fleet.call(request, stop_);
      if (!answer) return "stopped";
      const Outcome& outcome = answer->outcome;
      return outcome.failure.empty() ? std::to_string(outcome.payoff) : outcome.failure;
    }));
  }
  /// What a worker is given; waits for it.
  Fleet::Handout take(std::int64_t worker) { return fleet.take(worker, 5.0); }
  Kind try_take(std::int64_t worker) { return fleet.take(worker, 0.0).kind; }
  bool pay(std::int64_t worker, const Fleet::Handout& work, double payoff, double seconds = 0.1) {
    return fleet.answer(worker, work.lease, work.request, {{.payoff = payoff}, seconds});
  }
  bool fail(std::int64_t worker, const Fleet::Handout& work, const char* why = "no file",
            Blame blame = Blame::kPoint) {
    return fleet.answer(worker, work.lease, work.request, {{.failure = why, .blame = blame}, 0.1});
  }

  std::atomic<Clock::time_point> now = Clock::time_point();
  Fleet fleet;
  std::vector<std::future<std::string>> calls;

 private:
  std::atomic<bool> stop_ = false;
};

std::string text(double payoff) { return std::to_string(payoff); }

}  // namespace

TEST_CASE("an evaluation of a silent worker is dealt again, and the first answer is taken") {
  Fleets fleets;
  const auto anna = fleets.fleet.join("anna", 4);
  const auto ben = fleets.fleet.join("ben", 4);
  fleets.ask({{"index", 1}});
  const auto first = fleets.take(anna);
  REQUIRE(first.kind == Kind::kWork);
  fleets.pass(9.0);
  CHECK(fleets.fleet.renew(anna, {first.lease}).empty());
  fleets.pass(9.0);
  CHECK(fleets.try_take(ben) == Kind::kNothing);
  fleets.pass(2.0);
  const auto again = fleets.take(ben);
  REQUIRE(again.kind == Kind::kWork);
  CHECK(again.request == first.request);
  CHECK(fleets.fleet.renew(anna, {first.lease}) == std::vector{first.lease});
  CHECK(fleets.fleet.workers()[0].lost == 1);
  CHECK(fleets.fleet.workers()[0].lost_seconds == 20.0);

  SECTION("by the one who has it now") {
    CHECK(fleets.pay(ben, again, 2.0));
    CHECK(fleets.calls[0].get() == text(2.0));
    CHECK_FALSE(fleets.pay(anna, first, 1.0));
    CHECK_FALSE(fleets.pay(ben, again, 2.0));
  }
  SECTION("by the one who has lost it") {
    CHECK(fleets.pay(anna, first, 1.0));
    CHECK_FALSE(fleets.pay(ben, again, 2.0));
    CHECK(fleets.calls[0].get() == text(1.0));
    CHECK(fleets.fleet.renew(ben, {again.lease}) == std::vector{again.lease});
  }
}

TEST_CASE("what nobody else has begun goes on with the worker that was silent") {
  Fleets fleets;
  const auto anna = fleets.fleet.join("anna", 1);
  fleets.ask({{"index", 1}});
  const auto work = fleets.take(anna);
  fleets.pass(11.0);
  CHECK(fleets.fleet.renew(anna, {work.lease}).empty());
  CHECK(fleets.try_take(anna) == Kind::kNothing);
  CHECK(fleets.pay(anna, work, 1.0));
  CHECK(fleets.calls[0].get() == text(1.0));
}

TEST_CASE("a worker that came back is found silent once more") {
  Fleets fleets;
  const auto anna = fleets.fleet.join("anna", 1);
  fleets.ask({{"index", 1}});
  const auto work = fleets.take(anna);
  fleets.pass(11.0);
  CHECK(fleets.fleet.renew(anna, {work.lease}).empty());
  fleets.pass(11.0);
  const auto ben = fleets.fleet.join("ben", 1);
  const auto again = fleets.take(ben);
  REQUIRE(again.kind == Kind::kWork);
  CHECK(again.request == work.request);
  CHECK(fleets.fleet.workers()[0].lost == 2);
  CHECK(fleets.pay(ben, again, 1.0));
  CHECK(fleets.calls[0].get() == text(1.0));
}

TEST_CASE("a worker that leaves gives back what it has, oldest first") {
  Fleets fleets;
  const auto anna = fleets.fleet.join("anna", 1);
  const auto ben = fleets.fleet.join("anna", 1);
  CHECK(fleets.fleet.workers()[1].name == "anna-2");
  fleets.ask({{"index", 1}});
  const auto work = fleets.take(anna);
  fleets.fleet.leave(anna);
  const auto again = fleets.take(ben);
  REQUIRE(again.kind == Kind::kWork);
  CHECK(again.request == work.request);
  CHECK(fleets.pay(ben, again, 1.0));
}

TEST_CASE("an answer to an earlier server is taken by what it answers") {
  Fleets fleets;
  const auto anna = fleets.fleet.join("anna", 1);
  fleets.ask({{"index", 1}});
  Fleet::Handout before{.kind = Kind::kWork, .lease = 5, .request = {{"index", 1}}};
  while (!fleets.pay(anna, before, 3.0)) std::this_thread::yield();
  CHECK(fleets.calls[0].get() == text(3.0));
  CHECK_FALSE(fleets.pay(anna, before, 3.0));
  CHECK(fleets.try_take(anna + 1'000'000) == Kind::kUnknown);
}

TEST_CASE("a failure counts where another worker fails too, or there is none") {
  Fleets fleets;
  const auto anna = fleets.fleet.join("anna", 1);
  fleets.ask({{"index", 1}});
  CHECK(fleets.fail(anna, fleets.take(anna), "alone"));
  CHECK(fleets.calls[0].get() == "alone");

  const auto ben = fleets.fleet.join("ben", 1);
  fleets.ask({{"index", 2}});
  CHECK(fleets.fail(anna, fleets.take(anna), "first"));
  CHECK(fleets.try_take(anna) == Kind::kNothing);
  CHECK(fleets.fail(ben, fleets.take(ben), "second"));
  CHECK(fleets.calls[1].get() == "first");

  SECTION("but not where the same one fails twice") {
    fleets.ask({{"index", 3}});
    const auto first = fleets.take(anna);
    fleets.pass(11.0);
    CHECK(fleets.fleet.renew(ben, {}).empty());  // anna was silent, and has the call again
    const auto second = fleets.take(anna);
    CHECK(fleets.fail(anna, first, "third"));
    CHECK(fleets.fail(anna, second, "fourth"));
    CHECK(fleets.pay(ben, fleets.take(ben), 1.0));
    CHECK(fleets.calls[2].get() == text(1.0));
  }
  SECTION("or the other one goes") {
    fleets.ask({{"index", 3}});
    CHECK(fleets.fail(anna, fleets.take(anna), "third"));
    fleets.fleet.leave(ben);
    CHECK(fleets.calls[2].get() == "third");
  }
  SECTION("or falls silent") {
    fleets.ask({{"index", 3}});
    CHECK(fleets.fail(anna, fleets.take(anna), "third"));
    fleets.pass(8.0);
    CHECK(fleets.fleet.renew(anna, {}).empty());
    fleets.pass(3.0);
    CHECK(fleets.calls[2].get() == "third");
  }
}

TEST_CASE("a worker that fails where others succeed is set aside and named") {
  Fleets fleets;
  const auto anna = fleets.fleet.join("anna", 1);
  const auto ben = fleets.fleet.join("ben", 1);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(fleets.try_take(anna) == Kind::kNothing);
    fleets.ask({{"index", i}});
    CHECK(fleets.fail(anna, fleets.take(anna)));
    CHECK(fleets.pay(ben, fleets.take(ben), i));
    CHECK(fleets.calls.back().get() == text(i));
  }
  const auto refused = fleets.take(anna);
  REQUIRE(refused.kind == Kind::kSetAside);
  CHECK(refused.reason ==
        "3 evaluations in a row failed on it that others carried out; the last: no file");
  CHECK(fleets.fleet.workers()[0].state == FleetWorker::State::kSetAside);
  CHECK(fleets.fleet.workers()[0].refuted == 3);
  CHECK(fleets.fleet.workers()[0].reason == refused.reason);
  CHECK(fleets.fleet.take_news().back().starts_with("worker anna is set aside: 3 evaluations"));
}

TEST_CASE("a worker that lacks something is set aside at once") {
  Fleets fleets;
  const auto anna = fleets.fleet.join("anna", 1);
  fleets.ask({{"index", 1}});
  CHECK(fleets.fail(anna, fleets.take(anna), "no memory", Blame::kMachine));
  CHECK(fleets.try_take(anna) == Kind::kSetAside);
  // The study waits for another one.
  const auto ben = fleets.fleet.join("ben", 1);
  CHECK(fleets.pay(ben, fleets.take(ben), 1.0));
  CHECK(fleets.calls[0].get() == text(1.0));
}

TEST_CASE("a lease lasts three times the slowest call, from ten seconds to a minute") {
  std::atomic<bool> stop = false;
  Fleet fleet;
  const auto anna = fleet.join("anna", 1);
  for (const auto& [seconds, lease] :
       {std::pair(1.0, 10.0), {6.0, 18.0}, {2.0, 18.0}, {900.0, 60.0}}) {
    auto call = std::async(std::launch::async, [&] { return fleet.call({{"index", 1}}, stop); });
    const auto work = fleet.take(anna, 5.0);
    CHECK(fleet.answer(anna, work.lease, work.request, {{.payoff = 1.0}, seconds}));
    CHECK(call.get().has_value());
    CHECK(fleet.lease_seconds() == lease);
  }
  auto stopped = std::async(std::launch::async, [&] { return fleet.call({{"index", 2}}, stop); });
  const auto work = fleet.take(anna, 5.0);
  stop = true;
  CHECK_FALSE(stopped.get().has_value());
  CHECK(fleet.renew(anna, {work.lease}) == std::vector{work.lease});
  fleet.finish();
  CHECK(fleet.take(anna, 5.0).kind == Kind::kDone);
}

TEST_CASE("a worker with other files is refused, in a list, for a shell or as instances") {
  const auto identity_of = [](const test::TemporaryFolder& folder, const std::string& command,
                              const std::string& script, const std::string& problem) {
    (void)folder.file("play.sh", script);
    (void)folder.file("hard.txt", problem);
    return fleet_identity(
        read_study(parse_yaml("objective: {" + command +
                                  "}\ninstances: {folder: ., pattern: '*.txt'}\nspace: {x: "
                                  "{choices: [1, 2]}}\nbudget: 20",
                              folder / "study.yaml")));
  };
  const test::TemporaryFolder one;
  const test::TemporaryFolder other;
  for (const char* command : {"command: [sh, play.sh, '{x}', '{instance}']",
                              "command: [sh, cmd=play.sh, '{x}', '{instance}']",
                              "shell: true, command: 'PLAY=./play.sh; sh $PLAY {x} {instance}'",
                              "shell: true, command: 'sh ./play.sh {x} {instance} | tail -1'"}) {
    CAPTURE(command);
    const Json server = identity_of(one, command, "echo 1", "easy");
    CHECK(identity_fault(server, identity_of(other, command, "echo 1", "easy"), false) == "");
    const Json last_weeks = identity_of(other, command, "echo 2", "easy");
    CHECK_THAT(identity_fault(server, last_weeks, false),
               Catch::Matchers::ContainsSubstring("play.sh' is another one than the server's"));
    CHECK(identity_fault(server, last_weeks, true) == "");
    const Json harder = identity_of(other, command, "echo 1", "hard");
    for (const bool any_program : {false, true}) {
      CHECK_THAT(identity_fault(server, harder, any_program),
                 Catch::Matchers::ContainsSubstring(
                     "the instance 'hard.txt' is another one than the server's"));
    }
  }
}

TEST_CASE("a worker that waits less for a program, or reads it otherwise, is refused") {
  const auto identity_of = [](const std::string& options) {
    return fleet_identity(test::study_of("{objective: {command: [sh, '{x}']" + options +
                                         "}, space: {x: {choices: [1, 2]}}, budget: 20}"));
  };
  const Json server = identity_of("");
  CHECK(identity_fault(server, identity_of(", directory: /tmp"), false) == "");
  for (const char* options : {", timeout: 1", ", retries: 9", ", max_output: 10"}) {
    CAPTURE(options);
    CHECK_THAT(identity_fault(server, identity_of(options), true),
               Catch::Matchers::ContainsSubstring("the study is another one than the server's"));
  }
}

TEST_CASE("a worker with another version, study or program is refused in one line") {
  const Study study = test::study_of("{objective: hartmann3, iterations: 20, seed: 5}");
  Fleet fleet;
  FleetDesk desk(study, fleet, false);
  Json join = fleet_identity(study);
  join.update({{"op", "join"}, {"name", "anna"}, {"cores", 2}});
  const auto refusal = [&](const Json& changed) {
    Json other = join;
    other.merge_patch(changed);
    return desk.answer(other).value("error", "");
  };
  CHECK(desk.answer(join).at("seed") == 5);
  CHECK(refusal({{"version", "0.1.0"}}) ==
        fmt::format("the server is ntune {}, this is ntune 0.1.0", kVersion));
  CHECK(refusal(fleet_identity(test::study_of("{objective: hartmann6, iterations: 20}"))) != "");
  // How much is made of a study, and its seed, are the server's business.
  CHECK(refusal(fleet_identity(test::study_of("{objective: hartmann3, iterations: 90}"))) == "");
  const Json with_file = {
      {"version", "1"}, {"study", Json::object()}, {"files", {{"./play", "1a"}}}};
  Json other = with_file;
  other["files"]["./play"] = "2b";
  CHECK(identity_fault(with_file, other, false) ==
        "the file './play' is another one than the server's: digest 1a there, 2b here");
  CHECK(identity_fault(with_file, other, true) == "");
  for (const char* message : {R"({})", R"({"op": "dance"})", R"({"op": "work"})", R"({"op": 3})",
                              R"({"op": "work", "worker": 1, "answer": {"lease": "x"}})",
                              R"({"op": "join", "version": 7})"}) {
    CAPTURE(message);
    CHECK(desk.answer(parse_json(message)).contains("error"));
  }
}

TEST_CASE("an answer that no evaluation can have brought is refused, and the next one taken") {
  const Study study = test::study_of("{objective: hartmann3, iterations: 9}");
  Fleet fleet;
  FleetDesk desk(study, fleet, false);
  FleetBackend backend(study, fleet, 1);
  Json join = fleet_identity(study);
  join.update({{"op", "join"}, {"name", "anna"}, {"cores", 1}});
  const Json worker = desk.answer(join).at("worker");
  const Point point(study.objectives[0].objective->space().dimensions());
  const std::atomic<bool> stop = false;
  const Request request{.key = {},
                        .objective = study.objectives[0].objective.get(),
                        .point = &point,
                        .stream = Rng(3),
                        .stop = &stop};
  auto outcome = std::async(std::launch::async, [&] { return backend.evaluate(request); });
  const Json work = desk.answer({{"op", "work"}, {"worker", worker}, {"wait", 5.0}});
  const Json honest = {{"lease", work.at("lease")},
                       {"request", work.at("request")},
                       {"outcome", outcome_json({.payoff = 0.5})},
                       {"seconds", 0.1}};
  const auto answered = [&](const char* patch) {
    Json told = honest;
    told.merge_patch(parse_json(patch));
    return desk.answer({{"op", "answer"}, {"worker", worker}, {"answer", told}});
  };
  for (const char* patch :
       {R"({"outcome": {"attempts": 0}})", R"({"outcome": {"cost": -1}})",
        R"({"outcome": {"stood_still": -1e300}})", R"({"outcome": {"ending": 3}})",
        R"({"outcome": {"answer": -1}})", R"({"outcome": {"failure": "no", "blame": 9}})",
        R"({"outcome": {"payoff": 1e300}})", R"({"outcome": {"observations": [1, 2]}})",
        R"({"outcome": {"goals": [1]}})", R"({"seconds": -1})", R"({"seconds": 1e300})",
        R"({"outcome": {"games": [-1, 0, 0, [0, 0, 0, 0, 0], [[0, 0], [0, 0]]]}})"}) {
    CAPTURE(patch);
    CHECK(answered(patch).contains("error"));
  }
  CHECK(answered("{}").value("taken", false));
  CHECK(outcome.get()->payoff == 0.5);
}

TEST_CASE("a client without ntune is asked in names and values, and tells as in ntune serve") {
  const Study study = test::study_of(
      "{objective: {match: {ask_tell: agent}}, space: {n: {choices: [1, 2, 3], default: 1}}, "
      "runs: 1, iterations: 1, hold_out: 0, fail: skip}");
  Fleet fleet;
  FleetDesk desk(study, fleet, false, "1a");
  FleetBackend backend(study, fleet, 1);
  const Json join = {
      {"op", "join"}, {"name", "anna"}, {"cores", 1}, {"study", "1a"}, {"program", "3c"}};
  const auto refusal = [&](const char* key, const Json& value) {
    Json other = join;
    other[key] = value;
    return desk.answer(other).value("error", "");
  };
  const Json worker = desk.answer(join).at("worker");
  CHECK(refusal("study", "2b") ==
        "the study's file is another one than the server's: digest 1a there, 2b here");
  CHECK(refusal("program", "4d") ==
        "the program is another one than that of the first worker: digest 3c there, 4d here");
  CHECK_THAT(refusal("study", Json::object()),
             Catch::Matchers::StartsWith("the study has no command; its workers are programs"));

  Point point(1);
  point[0] = 1;
  const Point opponent(1);
  const std::atomic<bool> stop = false;
  const Request request{.key = {},
                        .objective = study.objectives[0].objective.get(),
                        .point = &point,
                        .opponent = &opponent,
                        .stream = Rng(3),
                        .stop = &stop};
  const auto told = [&](const Json& answer) {
    auto outcome = std::async(std::launch::async, [&] { return backend.evaluate(request); });
    const Json work = desk.answer({{"op", "work"}, {"worker", worker}, {"wait", 5.0}});
    CHECK(work.at("trial").at("params") == Json{{"n", 2}});
    CHECK(work["trial"].at("opponent") == Json{{"n", 1}});
    Json message = {{"op", "answer"},
                    {"worker", worker},
                    {"answer",
                     {{"lease", work["lease"]},
                      {"request", work["request"]},
                      {"told", answer},
                      {"seconds", 0.1}}}};
    CHECK(desk.answer(message).value("taken", false));
    CHECK_FALSE(desk.answer(message).value("taken", true));  // once
    message["worker"] = 1;
    CHECK(desk.answer(message).contains("unknown"));
    return *outcome.get();
  };
  const Outcome games = told({{"op", "tell"}, {"id", 1}, {"wins", 3}, {"draws", 1}, {"losses", 0}});
  CHECK(games.payoff == 0.875);
  CHECK(games.games.games.wins == 3);
  CHECK(games.games.games.draws == 1);
  const Outcome costly = told({{"op", "tell"}, {"id", 1}, {"values", {1, 0.5}}, {"cost", 7}});
  CHECK(costly.cost == 7.0);
  CHECK(costly.games.pairs.counts == std::array<std::int64_t, 5>{0, 0, 0, 1, 0});
  CHECK(told({{"op", "fail"}, {"id", 1}, {"reason", "no legs"}}).failure == "no legs");
  CHECK(told({{"op", "tell"}, {"id", 1}, {"value", 7}}).failure ==
        "'value': is 7, points per game from 0 to 1 are allowed");
  const Request itself{.key = {},
                       .objective = request.objective,
                       .point = &point,
                       .opponent = &point,
                       .stream = Rng(3),
                       .stop = &stop};
  CHECK(backend.evaluate(itself)->payoff == 0.5);

  const Study other = test::study_of("{objective: hartmann3, iterations: 20}");
  FleetDesk other_desk(other, fleet, false);
  CHECK(other_desk.answer(join).at("error") ==
        "the study has a command, which 'ntune work' carries out");
}

namespace {

/// Workers of a study in this process that fall silent, come late, leave and come back at random.
class RandomWorkers {
 public:
  RandomWorkers(const Study& study, Fleet& fleet, FleetDesk& desk, int count)
      : study_(study), fleet_(fleet), desk_(desk) {
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back([this, i] { work(Rng(7).stream("worker", i)); });
    }
  }

  std::map<std::string, int> taken;  ///< how often an answer to each request was taken
  std::atomic<int> deaths = 0;

 private:
  void work(Rng rng) {
    Json join = fleet_identity(study_);
    join.update({{"op", "join"}, {"name", "anna"}, {"cores", 1}});
    const std::atomic<bool> stop = false;
    std::int64_t worker = desk_.answer(join).at("worker");
    Json answer;
    while (true) {
      Json message = {{"op", "work"}, {"worker", worker}, {"wait", 0.02}};
      if (!answer.is_null()) message["answer"] = answer;
      const Json reply = parse_json(json_line(desk_.answer(parse_json(json_line(message)))));
      if (reply.value("taken", false)) {
        const std::lock_guard lock(mutex_);
        ++taken[answer["request"].dump()];
      }
      answer = Json();
      if (reply.contains("done")) return;
      if (!reply.contains("lease")) continue;
      const Outcome outcome = carry_out_remote(study_, reply["request"], stop);
      const double fate = rng.uniform();
      if (fate < 0.1) {  // it dies, and comes again by another name
        ++deaths;
        worker = desk_.answer(join).at("worker");
        continue;
      }
      if (fate < 0.15) std::this_thread::sleep_for(std::chrono::milliseconds(40));
      if (fate > 0.9) fleet_.renew(worker, {reply["lease"].get<std::int64_t>()});
      answer = {{"lease", reply["lease"]},
                {"request", reply["request"]},
                {"outcome", outcome_json(outcome)},
                {"seconds", 0.001}};
      if (fate > 0.95) desk_.answer({{"op", "work"}, {"worker", worker}, {"answer", answer}});
    }
  }

  const Study& study_;
  Fleet& fleet_;
  FleetDesk& desk_;
  std::mutex mutex_;
  std::vector<std::jthread> threads_;
};

/// The study by random workers gives what threads give, and takes each evaluation once.
int check_random_workers(const std::string& yaml) {
  CAPTURE(yaml);
  const Study study = test::study_of(yaml);
  Fleet fleet(0.02);
  FleetDesk desk(study, fleet, false);
  test::MemoryLog log;
  StudyResult result;
  int deaths = 0;
  {
    RandomWorkers workers(study, fleet, desk, 6);
    FleetBackend backend(study, fleet, 16);
    StudyProgress progress;
    result = run_study(study, backend, progress, &log);
    fleet.finish();
    fleet.wait_until_told(5.0);
    for (const auto& [request, times] : workers.taken) CHECK(times == 1);
    deaths = workers.deaths;
  }
  CHECK(test::outputs(study, result) == test::outputs(study));
  return deaths;
}

}  // namespace

TEST_CASE("no evaluation is lost or counts twice, whatever becomes of the workers") {
  CHECK(check_random_workers("{objective: {function: hartmann3, noise: {gaussian: 0.2}}, "
                             "parallel_evaluations: 4, record: evaluations, runs: 2, "
                             "iterations: 60, hold_out: 40}") > 5);
}

TEST_CASE("no evaluation is lost or counts twice in a thousand deaths", "[slow]") {
  int deaths = 0;
  for (int seed = 1; deaths < 1000; ++seed) {
    deaths += check_random_workers(
        fmt::format("{{objective: {{function: hartmann6, noise: {{gaussian: 0.2}}}}, "
                    "parallel_evaluations: 6, record: evaluations, runs: 3, seed: {}, "
                    "iterations: 200, hold_out: 200}}",
                    seed));
  }
}

}  // namespace ntune
