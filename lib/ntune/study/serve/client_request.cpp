#include "ntune/study/serve/client_request.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/objective/command/result_parser.h"

namespace ntune {

namespace {

using Op = ClientRequest::Op;

const std::vector<std::pair<std::string, Op>> kOps = {
    {"ask", Op::kAsk},       {"tell", Op::kTell},
    {"fail", Op::kFail},     {"recommend", Op::kRecommend},
    {"status", Op::kStatus}, {"quit", Op::kQuit}};

const Json& field(const Json& request, const char* key, const char* what) {
  if (!request.contains(key)) throw RequestFault(fmt::format("'{}' is missing, {}", key, what));
  return request[key];
}

Op op_of(const Json& request) {
  const Json& named = field(request, "op", "one of ask, tell, fail, recommend, status, quit");
  const std::string name = named.is_string() ? named.get<std::string>() : named.dump();
  const auto found = std::ranges::find(kOps, name, &std::pair<std::string, Op>::first);
  if (found != kOps.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [op, value] : kOps) names.push_back(op);
  throw RequestFault(
      fmt::format("there is no op '{}'; allowed: {}", printable(name), list_text(names)));
}

double number_of(const Json& value, const char* key) {
  if (!value.is_number() || !std::isfinite(value.get<double>())) {
    throw RequestFault(
        fmt::format("'{}' is {}, a finite number is allowed", key, printable(value.dump())));
  }
  return value.get<double>();
}

/// Takes counts of games, as programs report them.
void read_games(const Json& request, ClientRequest& read) {
  ParsedResult parsed = parse_game_counts(request);
  if (!parsed.problem.empty()) throw RequestFault(parsed.problem);
  read.values = std::move(parsed.values);
  read.games = parsed.games;
}

std::vector<double> values_of(const Json& request) {
  if (!request.contains("values")) {
    return {number_of(field(request, "value", "the observed value, a number"), "value")};
  }
  const Json& list = request["values"];
  if (!list.is_array() || list.empty()) {
    throw RequestFault("'values' is not a list of one or more numbers");
  }
  std::vector<double> values;
  for (const Json& value : list) values.push_back(number_of(value, "values"));
  return values;
}

void read_values(const Json& request, ClientRequest& read) {
  const bool has_value = request.contains("value");
  const bool has_values = request.contains("values");
  if (request.contains("games")) {
    if (has_value || has_values || has_game_counts(request)) {
      throw RequestFault("has both 'games' and other results, one of them is allowed");
    }
    read.by_seat = request["games"];
  } else if (has_game_counts(request)) {
    if (has_value || has_values) {
      throw RequestFault(
          "has both counts of games and 'value' or 'values', one of them is allowed");
    }
    read_games(request, read);
  } else if (has_value && has_values) {
    throw RequestFault("has both 'value' and 'values', one of them is allowed");
  } else if (has_value && request["value"].is_object()) {
    read.by_goal = request["value"];
  } else {
    read.values = values_of(request);
  }
}

std::string reason_of(const Json& request) {
  constexpr std::size_t kLongest = 1000;
  const Json reason = request.value("reason", Json());
  return reason.is_string() ? printable(reason.get<std::string>(), kLongest) : "no reason given";
}

void read_lease(const Json& request, ClientRequest& read) {
  if (!request.contains("lease")) return;
  const Json& lease = request["lease"];
  read.lease = lease == "auto" ? ClientRequest::Lease::kAuto : ClientRequest::Lease::kSeconds;
  if (lease == "auto") return;
  if (!lease.is_number() || !(lease.get<double>() >= 0.0)) {
    throw RequestFault(fmt::format("'lease' is {}, auto or seconds of at least 0 are allowed",
                                   printable(lease.dump())));
  }
  read.lease_seconds = lease.get<double>();
}

std::optional<std::uint64_t> request_number(const Json& request) {
  if (!request.contains("request")) return std::nullopt;
  const Json& number = request["request"];
  if (number.is_number_unsigned()) return number.get<std::uint64_t>();
  throw RequestFault(fmt::format("'request' is {}, a whole number of at least 0 is allowed",
                                 printable(number.dump())));
}

/// The number behind the first "id": in a text that need not be JSON.
std::optional<std::int64_t> id_in(std::string_view text) {
  constexpr std::string_view kKey = "\"id\"";
  constexpr std::string_view kBlank = " \t";
  const std::size_t key = text.find(kKey);
  if (key == std::string_view::npos) return std::nullopt;
  text.remove_prefix(key + kKey.size());
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
  if (!text.starts_with(':')) return std::nullopt;
  text.remove_prefix(1);
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  return error == std::errc() ? std::optional(id) : std::nullopt;
}

/// Why a line is no JSON, as far as that is easily told, and of which evaluation it speaks.
std::string not_json(const std::string& line) {
  const auto id = id_in(line);
  std::string text = fmt::format("{}the line {}", id ? fmt::format("evaluation {}: ", *id) : "",
                                 json_problem(line));
  for (const char* word : {"NaN", "Infinity"}) {
    if (line.find(word) == std::string::npos) continue;
    return fmt::format(
        "{}: JSON has no {}; 'tell' takes finite numbers, 'fail' an evaluation that gave none",
        text, word);
  }
  return text;
}

}  // namespace

ClientRequest read_request(const std::string& line) {
  const Json json = parse_json(line);
  if (json.is_discarded()) throw RequestFault(not_json(line));
  if (!json.is_object()) throw RequestFault("the line is not a JSON object");
  return request_of(json);
}

ClientRequest request_of(const Json& json) {
  ClientRequest request{.op = op_of(json)};
  if (request.op == Op::kAsk) read_lease(json, request);
  if (request.op != Op::kTell && request.op != Op::kFail) return request;
  request.number = request_number(json);
  if (request.op == Op::kTell && !json.contains("id") && json.contains("params")) {
    request.params = json["params"];
    if (!request.params.is_object()) throw RequestFault("'params' is not a map of parameters");
  } else {
    request.id = field(json, "id", "the id that the answer to 'ask' named");
  }
  request.instance = json.value("instance", Json());
  if (request.op == Op::kTell) read_values(json, request);
  if (json.contains("cost")) {
    request.cost = number_of(json["cost"], "cost");
    if (*request.cost < 0.0) {
      throw RequestFault(
          fmt::format("'cost' is {}, a number of at least 0 is allowed", *request.cost));
    }
  }
  if (request.op == Op::kFail) request.reason = reason_of(json);
  return request;
}

void name_evaluation(const std::string& line, Json& answer) {
  if (const auto id = id_in(line)) answer["id"] = *id;
}

}  // namespace ntune
