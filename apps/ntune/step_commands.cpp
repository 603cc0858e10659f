// One request of `ntune serve` on the study of a folder, and the answer: ask, tell, status, and
// recommend where it is given a folder.

#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/ntune/commands.h"
#include "apps/ntune/fleet/fleet_status.h"
#include "apps/ntune/iterate.h"
#include "apps/ntune/served_study.h"
#include "apps/ntune/status_line.h"
#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/core/time_text.h"
#include "ntune/core/yaml.h"
#include "ntune/report/data/study_watch.h"
#include "ntune/study/journal/study_folder.h"
#include "ntune/study/keys/objective_maps.h"
#include "ntune/study/keys/study_identity.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/results/result_json.h"
#include "ntune/study/serve/serve.h"

namespace ntune::cli {

namespace fs = std::filesystem;

namespace {

/// Prints an answer. Throws what it says of a request that failed.
void print_answer(const std::string& folder, const Json& answer, const Terminal& terminal) {
  if (answer.is_object() && answer.contains("error")) {
    const std::string text =
        fmt::format("{}: {}", printable(folder, 1000), answer["error"].get<std::string>());
    if (answer.contains("ended")) throw EvaluationError(text);
    throw InputError(text);
  }
  terminal.out << json_line(answer) << '\n';
}

/// Carries out the request in this process, which goes through the whole journal.
Json answer_here(const Study& study, const std::string& folder, bool again, const Json& request) {
  constexpr auto kPatience = std::chrono::seconds(30);  // for other processes with the journal
  const auto journal = open_study_folder(folder, study, Journal::Open::kResume, kPatience);
  journal->count_waiting();
  StudySession session(study, journal.get(),
                       {.again = again, .finished = [&](const StudyResult& result) {
                          write_finished(folder, study, result);
                        }});
  Json answer = answer_line(session, request.dump());
  session.check();
  journal->sync();
  return answer;
}

/// Carries out the request on the study that the folder holds.
Json answer_of(const std::string& folder, bool again, const Json& request) {
  return answer_here(read_held_study(folder), folder, again, request);
}

/// True if the folder holds the study of that file, no more and no less.
bool holds_study(const std::string& folder, const Study& study) {
  std::error_code error;
  if (!fs::exists(fs::path(folder) / kStudyName, error)) return false;
  return is_same_study(read_held_study(folder).config, study.config);
}

bool is_finished(const StudyStatus& status) { return status.state == StudyStatus::State::kDone; }

/// The answer to a request that changes nothing: by the folder's journal where other programs
/// evaluate, else by what its files tell.
Json answer_to_question(const std::string& folder, const Json& request,
                        const std::function<Json(const StudyStatus&)>& answer_of_files) {
  const bool outside = !has_result_alone(folder) && is_asked(read_held_file(folder));
  const StudyStatus status = StudyWatch(folder).look();
  const bool by_journal = outside && !is_finished(status);
  Json answer = by_journal ? answer_of(folder, false, request) : answer_of_files(status);
  if (!answer.contains("error")) {
    // The journal makes the result of a study that is done anew.
    const bool is_mended = by_journal && answer.value("done", answer.value("final", false));
    if (!status.fault.empty() && !is_mended) answer["fault"] = status.fault;
    Json workers = read_fleet(folder);
    if (!workers.empty()) answer["workers"] = std::move(workers);
    const Iterate iterate = recorded_iterate(folder);
    if (!iterate.empty()) answer["iterate"] = iterate_json(iterate);
  }
  return answer;
}

Json status_of_files(const StudyStatus& status) {
  Json json = {{"evaluations", status.evaluations},
               {"total", is_finished(status) ? status.evaluations : status.total_evaluations},
               {"planned", status.total_evaluations},
               {"runs", status.runs},
               {"total_runs", status.total_runs},
               {"in_flight", Json::array()},
               {"done", is_finished(status)}};
  if (status.limits.seconds) {
    json["seconds_left"] =
        std::max(0.0, *status.limits.seconds - status.seconds_used.value_or(0.0));
  }
  if (status.limits.cost) json["cost_left"] = std::max(0.0, *status.limits.cost - status.cost_used);
  if (status.cut_off > 0) json["cut_off"] = status.cut_off;
  if (!status.games.empty()) {
    SavedElo elo = status.elo.value_or(saved_elo(status.games));
    if (!elo.from) elo.from = "search";
    json["elo"] = elo_json(std::move(elo));
  }
  return json;
}

/// Throws InputError where there is no recommendation.
Json recommendation_of_files(const std::string& folder, const StudyStatus& status) {
  if (status.parameters.is_null()) {
    throw InputError(fmt::format(
        "{}: {}", printable(folder, 1000),
        !status.front.empty() ? "several goals, and no setting to be named: " + status.front
        : status.comparison.empty()
            ? std::string("no run has a recommendation yet")
            : "a comparison recommends nothing; its table is in result.json once it is done"));
  }
  Json answer{{"params", status.parameters},
              {"estimate", status.estimate ? Json(*status.estimate) : Json()}};
  if (is_finished(status)) {
    answer["value"] = status.value ? Json(*status.value) : Json();
    const auto& interval = status.interval;
    answer["interval"] = interval ? Json::array({interval->low, interval->high}) : Json();
    answer["run"] = status.run;
  }
  if (!status.chosen.is_null()) answer.update(status.chosen);
  answer["final"] = is_finished(status);
  if (is_finished(status)) answer.update(status.verdict);
  return answer;
}

}  // namespace

int ask_command(const AskArguments& arguments, const Terminal& terminal) {
  end_at_signals();
  Json request{{"op", "ask"}, {"lease", "auto"}};
  if (arguments.lease != "auto") {
    const std::optional<double> seconds = read_duration(arguments.lease);
    if (!seconds) {
      throw InputError(
          fmt::format("--lease: is '{}', auto or a duration such as '10 min' is allowed",
                      printable(arguments.lease, 60)));
    }
    request["lease"] = *seconds;
  }
  if (!arguments.study.empty()) {
    Study study = read_served_study(arguments.study, arguments.folder);
    settle_served_study(arguments.folder, study);
    if (!holds_study(arguments.folder, study)) {
      print_answer(arguments.folder, answer_here(study, arguments.folder, arguments.again, request),
                   terminal);
      return kDone;
    }
  }
  print_answer(arguments.folder, answer_of(arguments.folder, arguments.again, request), terminal);
  return kDone;
}

namespace {

/// Puts what `--value` says into a request: numbers, or a map with one for each goal.
void add_values(Json& request, const std::vector<std::string>& values) {
  if (values.size() == 1 && values.front().starts_with('{')) {
    request["value"] = to_json(parse_yaml(values.front(), "--value"));
    return;
  }
  for (const std::string& text : values) {
    const std::optional<double> value = decimal_number(text);
    if (value && std::isfinite(*value)) {
      request["values"].push_back(*value);
      continue;
    }
    throw InputError(fmt::format(
        "--value: is {}, a finite number is allowed, or a map such as '{{a: 1, b: 2}}' of several "
        "goals; --fail REASON is for an evaluation that gave none",
        printable(text, 60)));
  }
}

/// The request that a call of `ntune tell` makes, but for cost and instance. Throws InputError.
Json bare_request(const TellArguments& arguments) {
  if (!arguments.reason.empty()) {
    if (!arguments.id) throw InputError("--fail: needs --id, of the evaluation that failed");
    return {{"op", "fail"}, {"id", *arguments.id}, {"reason", printable(arguments.reason, 1000)}};
  }
  Json request = Json::object();
  if (!arguments.games.empty()) {
    const Json games = parse_json(arguments.games);
    if (!games.is_array() && !games.is_object()) {
      throw InputError(
          R"(--games: is no JSON such as {"wins": 2, "draws": 1, "losses": 1}, or of seats )"
          R"([{"ranks": [2, 1, 3]}, …])");
    }
    if (games.is_object()) {
      request = games;
    } else {
      request["games"] = games;
    }
  } else if (arguments.values.empty()) {
    throw InputError("--value: is missing, the observed value");
  } else {
    add_values(request, arguments.values);
  }
  request["op"] = "tell";
  if (arguments.id) {
    request["id"] = *arguments.id;
  } else if (!arguments.params.empty()) {
    const YamlNode params = parse_yaml(arguments.params, "--params");
    if (!params.is_map()) {
      params.fail(
          fmt::format("is {}, a map such as '{{x: 1, y: 2}}' is allowed", params.describe()));
    }
    request["params"] = to_json(params);
  } else {
    throw InputError("--id: is missing, what ask printed; or --params, of what nobody asked for");
  }
  return request;
}

/// The same with cost and instance. Throws InputError.
Json request_of(const TellArguments& arguments) {
  Json request = bare_request(arguments);
  if (!is_utf8(arguments.instance)) throw InputError("--instance: is not UTF-8");
  if (!arguments.instance.empty()) request["instance"] = arguments.instance;
  if (!arguments.cost) return request;
  if (!std::isfinite(*arguments.cost) || *arguments.cost < 0.0) {
    throw InputError(
        fmt::format("--cost: is {}, a number of at least 0 is allowed", *arguments.cost));
  }
  request["cost"] = *arguments.cost;
  return request;
}

}  // namespace

int tell_command(const TellArguments& arguments, const Terminal& terminal) {
  end_at_signals();
  print_answer(arguments.folder, answer_of(arguments.folder, false, request_of(arguments)),
               terminal);
  return kDone;
}

int status_command(const StatusArguments& arguments, const Terminal& terminal) {
  if (arguments.format == Format::kText) {
    if (!has_result_alone(arguments.folder)) {
      (void)read_held_file(arguments.folder);  // or says that the folder holds no study
    }
    terminal.out << status_line(StudyWatch(arguments.folder).look()) << '\n'
                 << fleet_lines(read_fleet(arguments.folder))
                 << iterate_lines(recorded_iterate(arguments.folder));
    return kDone;
  }
  print_answer(arguments.folder,
               answer_to_question(arguments.folder, Json{{"op", "status"}}, status_of_files),
               terminal);
  return kDone;
}

int recommend_now(const std::string& folder, const Terminal& terminal) {
  const auto answer_of_files = [&](const StudyStatus& status) {
    return recommendation_of_files(folder, status);
  };
  print_answer(folder, answer_to_question(folder, Json{{"op", "recommend"}}, answer_of_files),
               terminal);
  return kDone;
}

}  // namespace ntune::cli
