#include "ntune/study/fleet/fleet_desk.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/study/evaluation/carry_out.h"
#include "ntune/study/evaluation/remote_evaluation.h"
#include "ntune/study/keys/objective_maps.h"
#include "ntune/study/keys/study_identity.h"
#include "ntune/study/serve/client_request.h"
#include "ntune/study/serve/evaluation_messages.h"
#include "ntune/version.h"

namespace ntune {

namespace {

namespace fs = std::filesystem;

/// The words of a command; of a text for a shell what stands between blanks, quotes and operators,
/// but for files that it writes.
std::vector<std::string> words_of(const Json& command) {
  std::vector<std::string> words;
  if (!command.is_string()) {  // there is none where clients evaluate by themselves
    for (const Json& word : command) {
      if (word.is_string()) words.push_back(word);
    }
    return words;
  }
  constexpr const char* kBetween = " \t\n'\"`|&;<>()";
  const auto& text = command.get_ref<const std::string&>();
  std::vector<std::string> written;
  std::size_t last = 0;
  for (std::size_t begin = text.find_first_not_of(kBetween); begin != std::string::npos;) {
    const std::size_t end = text.find_first_of(kBetween, begin);
    const bool is_written = text.substr(last, begin - last).find('>') != std::string::npos;
    (is_written ? written : words).push_back(text.substr(begin, end - begin));
    last = std::min(end, text.size());
    begin = text.find_first_not_of(kBetween, end);
  }
  std::erase_if(words, [&](const std::string& word) {
    return std::ranges::find(written, word) != written.end();
  });
  return words;
}

/// The words of a command that are files beside the study, with digests, or what stands in them
/// behind "=", as in cmd=./engine. A program that is looked for on the PATH is left out: each
/// system has its own Python.
void add_files(const Json& objective, const fs::path& study_folder, Json& files) {
  const fs::path folder = study_folder / objective.value("directory", ".");
  const auto add = [&](const std::string& file) {
    std::error_code error;
    if (!fs::is_regular_file(folder / file, error)) return;
    files[file] = MappedFile(folder / file).digest();
  };
  for (const std::string& word : words_of(objective["command"])) {
    add(word);
    if (const std::size_t equals = word.find('='); equals != word.npos)
      add(word.substr(equals + 1));
  }
}

/// The instances that are files, or have values that are, with digests. A file may lie elsewhere on
/// each machine, so that it goes by the name of its instance.
void add_instances(const InstanceList& instances, const fs::path& folder, Json& files) {
  const auto add = [&](const std::string& name, const Value& value) {
    const auto* text = std::get_if<std::string>(&value);
    std::error_code error;
    if (text == nullptr || !fs::is_regular_file(folder / *text, error)) return;
    files[name] = MappedFile(folder / *text).digest();
  };
  for (const Instance& instance : instances.all()) {
    if (instance.values.empty()) add(instance.name, instance.value);
    for (const auto& [key, value] : instance.values) add(instance.name + ": " + key, value);
  }
}

/// How programs are waited for and understood, for each objective. A study may be resumed with
/// other values of these; the workers of a fleet must all have the same.
Json patience_of(Json config) {
  Json all = Json::array();
  for_each_objective(config, [&](const Json& objective) {
    Json& patience = all.emplace_back(Json::object());
    for (const char* key : kCommandPatience) {
      if (objective.contains(key)) patience[key] = objective[key];
    }
    if (objective.contains("unsolved")) patience["unsolved"] = objective["unsolved"];
  });
  return all;
}

/// Which of the server's files is another one here, or none.
std::string file_fault(const Json& server, const Json& own, const char* what) {
  for (const auto& [file, digest] : server.items()) {
    const Json found = own.value(file, Json());
    if (found == digest) continue;
    return fmt::format("the {} '{}' is another one than the server's: digest {} there, {} here",
                       what, printable(file), digest.get<std::string>(),
                       found.is_string() ? printable(found.get<std::string>(), 60) : "no file");
  }
  return {};
}

/// What a client has told of an evaluation. What it may not tell is a failure, as in Python.
Outcome told_by_client(const Json& told, const Request& asked) {
  try {
    const ClientRequest request = request_of(told);
    if (request.op == ClientRequest::Op::kTell) return told_outcome(request, asked);
    if (request.op != ClientRequest::Op::kFail) throw RequestFault("'op' is neither tell nor fail");
    return {.failure = request.reason, .cost = request.cost};
  } catch (const RequestFault& fault) {
    return {.failure = fault.what()};
  }
}

/// No call of a worker takes longer; in seconds.
constexpr double kLongestCall = 1e9;

/// Throws std::invalid_argument where no evaluation of the objective can have brought this.
void check_answer(const Outcome& outcome, const Objective& objective) {
  if (outcome.goals.size() != objective.goals().size()) {
    throw std::invalid_argument("the answer has another number of goals than the study");
  }
  if (!outcome.observations.empty() && !objective.payoffs().several) {
    throw std::invalid_argument("the answer has several payoffs, the study takes one");
  }
  const std::string fault = fault_of(outcome, objective);
  if (!fault.empty()) throw std::invalid_argument("the answer: " + fault);
}

const char* state_name(FleetWorker::State state) {
  switch (state) {
    case FleetWorker::State::kHere:
      return "here";
    case FleetWorker::State::kSilent:
      return "silent";
    case FleetWorker::State::kLeft:
      return "left";
    case FleetWorker::State::kSetAside:
      return "set aside";
  }
  return "";
}

}  // namespace

Json fleet_identity(const Study& study) {
  Json identity = study_identity(study.config);
  identity["space"] = study.config.value("space", Json());
  identity["patience"] = patience_of(study.config);
  identity.erase("seed");  // the server's counts
  Json files = Json::object();
  Json config = study.config;
  for_each_objective(config, [&](const Json& objective) {
    if (objective.contains("command")) add_files(objective, study.folder, files);
  });
  Json instances = Json::object();
  add_instances(study.instances.train, study.folder, instances);
  add_instances(study.instances.test, study.folder, instances);
  return {{"version", kVersion}, {"study", identity}, {"files", files}, {"instances", instances}};
}

std::string identity_fault(const Json& server, const Json& worker, bool any_program) {
  if (worker.at("version") != server["version"]) {
    return fmt::format("the server is ntune {}, this is ntune {}",
                       server["version"].get<std::string>(),
                       printable(worker["version"].get<std::string>(), 60));
  }
  if (std::string found = config_difference(server["study"], worker.at("study")); !found.empty()) {
    return "the study is another one than the server's: " + found;
  }
  const Json none = Json::object();
  const std::string fault =
      file_fault(server.value("instances", none), worker.value("instances", none), "instance");
  if (!fault.empty() || any_program) return fault;
  return file_fault(server["files"], worker.at("files"), "file");
}

Json FleetDesk::answer(const Json& message) {
  try {
    const std::string op = message.at("op");
    if (op == "join") return join(message);
    if (op == "work") return work(message);
    if (op == "answer") return take_alone(message);
    if (op == "renew") {
      return {{"lost", fleet_.renew(message.at("worker"), message.at("leases"))}};
    }
    if (op == "leave") {
      fleet_.leave(message.at("worker"));
      return {{"left", true}};
    }
    if (op == "study") return {{"study", study_.config}};
    if (op == "workers") return {{"workers", workers()}};
    return {{"error", fmt::format("there is no op '{}'", printable(op))}};
  } catch (const std::exception& error) {
    return {{"error", printable(error.what())}};
  }
}

std::string FleetDesk::client_fault(const Json& message) {
  const std::string study = message.at("study");
  const std::string program = message.at("program");
  if (study != study_digest_) {
    return fmt::format(
        "the study's file is another one than the server's: digest {} there, {} here",
        study_digest_, printable(study, 60));
  }
  const std::lock_guard lock(mutex_);
  if (program_.empty()) program_ = program;
  if (any_program_ || program == program_) return {};
  return fmt::format(
      "the program is another one than that of the first worker: digest {} there, "
      "{} here",
      printable(program_, 60), printable(program, 60));
}

Json FleetDesk::join(const Json& message) {
  const bool is_client = message.at("study").is_string();
  if (is_client != is_asked(study_)) {
    return {{"error", is_client
                          ? "the study has a command, which 'ntune work' carries out"
                          : "the study has no command; its workers are programs that evaluate "
                            "it themselves, by ntune_client.py or NTune.java"}};
  }
  const std::string fault =
      is_client ? client_fault(message) : identity_fault(identity_, message, any_program_);
  if (!fault.empty()) return {{"error", fault}};
  const std::string name = message.at("name");
  const std::int64_t worker =
      fleet_.join(printable(name, 60), std::max(1, message.at("cores").get<int>()));
  return {{"worker", worker}, {"seed", study_.seed}, {"lease", fleet_.lease_seconds()}};
}

Json FleetDesk::work(const Json& message) {
  constexpr double kLongestWait = 10.0;
  Json reply = Json::object();
  if (message.contains("answer")) reply["taken"] = take_answer(message);
  const double wait = std::min(kLongestWait, message.value("wait", 0.0));
  Fleet::Handout handout = fleet_.take(message.at("worker"), wait);
  switch (handout.kind) {
    case Fleet::Handout::Kind::kWork:
      reply["lease"] = handout.lease;
      if (handout.request.contains("trial")) {  // a client gives the request back as a text, unread
        reply["trial"] = handout.request["trial"];
        reply["request"] = json_line(handout.request);
      } else {
        reply["request"] = std::move(handout.request);
      }
      break;
    case Fleet::Handout::Kind::kNothing:
      break;
    case Fleet::Handout::Kind::kDone:
      reply["done"] = true;
      break;
    case Fleet::Handout::Kind::kSetAside:
      reply["error"] = "set aside: " + handout.reason;
      break;
    case Fleet::Handout::Kind::kUnknown:
      reply["unknown"] = true;
      break;
  }
  return reply;
}

/// An answer without a wish for more.
Json FleetDesk::take_alone(const Json& message) {
  if (!fleet_.knows(message.at("worker"))) return {{"unknown", true}};
  return {{"taken", take_answer(message)}};
}

bool FleetDesk::take_answer(const Json& message) {
  const Json& told = message.at("answer");
  const bool is_client = told.contains("told");
  const Json request =
      is_client ? parse_json(told.at("request").get<std::string>()) : told.at("request");
  const StudyObjective& objective = study_.objectives.at(request.at("objective"));
  Fleet::Answer answer{
      .outcome = is_client ? told_by_client(told["told"], read_remote(study_, request).request())
                           : outcome_of(told.at("outcome")),
      .seconds = told.at("seconds")};
  if (answer.outcome.failure.empty()) check_answer(answer.outcome, *objective.objective);
  if (!(answer.seconds >= 0.0 && answer.seconds <= kLongestCall)) {
    throw std::invalid_argument("the answer took no time that a call can take");
  }
  return fleet_.answer(message.at("worker"), told.at("lease"), request, std::move(answer));
}

Json FleetDesk::workers() const {
  Json list = Json::array();
  for (const FleetWorker& worker : fleet_.workers()) {
    Json& entry = list.emplace_back(Json{{"name", worker.name},
                                         {"state", state_name(worker.state)},
                                         {"cores", worker.cores},
                                         {"running", worker.running},
                                         {"calls", worker.calls},
                                         {"seconds_each", nullptr},
                                         {"failures", worker.failures},
                                         {"refuted", worker.refuted},
                                         {"lost", worker.lost},
                                         {"lost_seconds", worker.lost_seconds}});
    if (worker.calls > 0) {
      entry["seconds_each"] = worker.seconds / static_cast<double>(worker.calls);
    }
    if (!worker.last_failure.empty()) entry["last_failure"] = worker.last_failure;
    if (!worker.reason.empty()) entry["reason"] = worker.reason;
  }
  return list;
}

}  // namespace ntune
