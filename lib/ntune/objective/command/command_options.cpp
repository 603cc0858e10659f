#include "ntune/objective/command/command_options.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/text.h"
#include "ntune/core/time_text.h"
#include "ntune/core/yaml.h"

namespace ntune {

namespace {

using Direction = CommandValues::Direction;
using Environment = std::vector<std::pair<std::string, std::string>>;

/// The command as a list of arguments, or as one text for a shell.
void read_command(const YamlNode& node, CommandOptions& options) {
  options.command.clear();
  options.is_text = node.is_scalar();
  if (node.is_scalar()) {
    options.command.push_back(node.text());
  } else if (!node.is_list()) {
    node.fail(fmt::format("is {}, a list of arguments is allowed, such as [python3, agent.py]",
                          node.describe()));
  }
  for (const YamlNode& item : node.children()) {
    if (!item.is_scalar()) item.fail(fmt::format("is {}, a text is allowed", item.describe()));
    options.command.push_back(item.text());
  }
}

/// Schema of a scalar, which counts as a text.
Json scalar_schema() { return {{"type", {"string", "number", "boolean"}}}; }

Json command_schema() {
  const Json list = {{"type", "array"}, {"items", scalar_schema()}, {"minItems", 1}};
  return {{"anyOf", Json::array({list, scalar_schema()})}};
}

Json environment_schema() {
  return {
      {"type", "object"}, {"additionalProperties", scalar_schema()}, {"default", Json::object()}};
}

/// The command in the form in which it was read.
Json write_command(const CommandOptions& options) {
  return options.is_text ? Json(options.command.front()) : Json(options.command);
}

/// Variables of the environment by name; a name with '=' would be another variable.
void read_environment(const YamlNode& node, Environment& environment) {
  if (!node.is_map()) {
    node.fail(fmt::format("is {}, a map of names and texts is allowed", node.describe()));
  }
  environment.clear();
  for (const YamlNode& item : node.children()) {
    if (!item.is_scalar()) item.fail(fmt::format("is {}, a text is allowed", item.describe()));
    if (item.key().empty() || item.key().find('=') != std::string::npos) {
      item.fail("is no name of a variable: it is empty or has a '='");
    }
    environment.emplace_back(item.key(), item.text());
  }
}

Json write_environment(const Environment& environment) {
  Json map = Json::object();
  for (const auto& [name, text] : environment) map[name] = text;
  return map;
}

/// A number in the unit of the result, or `none`.
void read_penalty(const YamlNode& node, std::optional<double>& penalty) {
  penalty = node.number();
  const bool none = node.is_null() || (node.is_scalar() && node.text() == "none");
  if (none || (penalty && std::isfinite(*penalty))) return;
  node.fail(fmt::format("is {}, a number in the unit of the result is allowed, or none",
                        node.describe()));
}

Json write_penalty(const std::optional<double>& penalty) {
  return penalty ? Json(*penalty) : Json("none");
}

Json penalty_schema() {
  return {{"anyOf", Json::array({{{"type", "number"}}, {{"const", "none"}}})}, {"default", "none"}};
}

}  // namespace

void CommandOptions::visit(Options& options) {
  // No duration in an option is longer than a year.
  constexpr double kYear = 31'536'000.0;
  options.custom(
      "command", custom_option(*this, read_command, write_command, command_schema),
      "the program and its arguments; {x} is the value of parameter x, "
      "{params:-s {name}={value}} arguments repeated for all, {params[a*, b]:…} for some, "
      "{params:gnu} --k=v, {params:pairs} k v, {params:json} one JSON text, {params:file} "
      "the path of a JSON file; {scratch} a folder of the evaluation's own; {opponent.x} and "
      "{opponent.params:…} of the other player of a match; {seed}, {run}, {evaluation}, {repeat}; "
      "{{ and }} are braces");
  options.flag("shell", shell, "the command is one text for /bin/sh; values reach it in variables");
  options.choice<Protocol>(
      "protocol", protocol, {{"once", Protocol::kOnce}, {"worker", Protocol::kWorker}},
      "once: a process for every evaluation; worker: processes that stay and read requests");
  options.choice<Parameters>(
      "parameters", parameters,
      {{"none", Parameters::kNone}, {"stdin", Parameters::kStdin}, {"file", Parameters::kFile}},
      "the parameters as JSON on standard input, or in a file whose path is "
      "{params:file}");
  options.custom(
      "environment",
      custom_option(environment, read_environment, write_environment, environment_schema),
      "variables beside the inherited ones, with templates; NTUNE_SEED, NTUNE_RUN, "
      "NTUNE_EVALUATION and NTUNE_REPEAT are set too");
  options.text("directory", directory, "working directory, seen from the study file's folder");
  result.visit(options);
  // A cost is minimised unless someone says otherwise, which problem() refuses.
  if (result.is_cost()) values.direction = Direction::kMinimise;
  values.visit(options);
  options.choice<Observations>(
      "observations", observations, {{"mean", Observations::kMean}, {"each", Observations::kEach}},
      "several results of one call: one evaluation with their mean, or one evaluation each");
  options.custom("timeout",
                 duration_option(timeout, {.low = 0.0, .high = kYear, .low_excluded = true}),
                 "such as 30 s, of one attempt; then the whole process group is killed");
  options.custom("cutoff",
                 duration_option(cutoff, {.low = 0.0, .high = kYear, .low_excluded = true}),
                 "such as 5 s, or none: after it the program is ended, and the evaluation counts "
                 "with the `penalty`, of a time `par` times the cutoff (PAR10)");
  options.number("par", par, between(1.0, 1e6),
                 "where the result is a time, the cost of what is cut off, in cutoffs");
  options.custom("penalty", custom_option(penalty, read_penalty, write_penalty, penalty_schema),
                 "what counts for an evaluation that is cut off or unsolved, in the unit of the "
                 "result; none: of a time `par` times the cutoff");
  unsolved.visit(options);
  options.custom("exit", custom_option(accepted, read_statuses, statuses_json, statuses_schema),
                 "exit statuses with which the result counts, such as [0, 10, 20] of SAT solvers; "
                 "any other is a failure");
  options.integer("memory", memory, between(0, 1 << 24),
                  "megabytes of address space (RLIMIT_AS), 0: no limit; a JVM reserves far more "
                  "than it uses, limit it by -Xmx");
  options.integer("max_output", max_output, between(1, 1 << 30),
                  "bytes of output and error output of an attempt; more is a failure");
  options.integer("retries", retries, between(0, 100),
                  "further attempts after exit status 75 or \"retry\": true");
  options.integer("timeout_retries", timeout_retries, between(0, 100),
                  "further attempts after a timeout, which most programs meet again");
  options.custom("backoff", duration_option(backoff, between(0.0, kYear)),
                 "such as 5 s, before the first further attempt, doubled for each of the next");
}

std::optional<OptionProblem> CommandOptions::problem() const {
  if (command.empty() || command.front().empty()) {
    return OptionProblem{"command", "is empty, a list of arguments is needed"};
  }
  // A text and a list mean different things, so each needs the right value of `shell`.
  if (is_text && !shell) {
    return OptionProblem{"command",
                         "is a text, a list of arguments is allowed, such as [python3, agent.py]; "
                         "a text for a shell needs 'shell: true'"};
  }
  if (!is_text && shell) {
    return OptionProblem{"command", "is a list, with 'shell: true' one text is allowed"};
  }
  if (protocol == Protocol::kWorker && parameters != Parameters::kNone) {
    return OptionProblem{"parameters", "must be none: a worker gets them with each request"};
  }
  if (auto found = problem_of_worker()) return found;
  // Costs are minimised by definition.
  if (result.is_cost() && values.direction == Direction::kMaximise) {
    const char* what = result.cost ? "the result is a cost" : "SMAC's scripts report a cost";
    return OptionProblem{"direction", fmt::format("must be minimise: {}",
                                                  measures_time() ? "the result is a time" : what)};
  }
  if (auto found = problem_of_cutoff()) return found;
  if (result.is_score() && values.direction == Direction::kMinimise) {
    return OptionProblem{"direction", "must be maximise: the result is a score"};
  }
  // Scores have a fixed range, so another one can only be wrong.
  if (result.is_score() && values.range) {
    return OptionProblem{"payoffs", "must be left out: the score of a game is from 0 to 1"};
  }
  return complete_values().problem();
}

std::optional<OptionProblem> CommandOptions::problem_of_worker() const {
  if (protocol != Protocol::kWorker) return {};
  const auto kind = result.kind;
  // Workers answer in JSON; the other forms are read from the output of a program that ends.
  if (kind != ResultFormat::Kind::kAuto && kind != ResultFormat::Kind::kJson &&
      kind != ResultFormat::Kind::kTime) {
    return OptionProblem{"result", "must be json: a worker answers in JSON lines"};
  }
  if (result.processor) {
    return OptionProblem{"result", "must be time: the processor time of a worker is not measured"};
  }
  if (accepted != CommandOptions().accepted) {
    return OptionProblem{"exit", "must be left out: a worker answers and stays"};
  }
  return {};
}

std::optional<OptionProblem> CommandOptions::problem_of_cutoff() const {
  if (!cutoff && !penalty && !unsolved.is_given()) return {};
  const bool is_time = measures_time() && cutoff;
  if (cutoff && !penalty && values.direction != Direction::kMinimise) {
    return OptionProblem{
        "cutoff",
        "needs a result that is minimised, such as 'result: time', or a 'penalty': what is cut off "
        "counts with it"};
  }
  // Seconds say nothing about what is counted in another unit.
  if (!penalty && !is_time) {
    return OptionProblem{
        cutoff ? "cutoff" : "unsolved",
        "needs a 'penalty', what such an evaluation counts in the unit of the result; with "
        "'result: time' it is 10 times the cutoff"};
  }
  // Processor time never runs ahead of the clock by itself: programs may wait for one another.
  if (cutoff && *cutoff > timeout) {
    return OptionProblem{
        "cutoff", fmt::format("is {} s, at most the timeout of {} s is allowed; give a longer "
                              "timeout",
                              number_text(*cutoff), number_text(timeout))};
  }
  if (is_time && *penalty_value() < *cutoff) {
    return OptionProblem{"penalty", fmt::format("is {}, at least the cutoff of {} s is allowed",
                                                number_text(*penalty), number_text(*cutoff))};
  }
  if (observations == Observations::kEach) {
    return OptionProblem{"observations",
                         "must be mean with a cutoff: what is cut off counts as one"};
  }
  if (values.two_valued) {
    return OptionProblem{"two_valued", "must be left out with a cutoff, whose cost is a third"};
  }
  // The penalty is a payoff like any other and must lie within the declared range.
  const double counts = *penalty_value();
  if (values.range && (counts > values.range->second || counts < values.range->first)) {
    const std::string why = penalty ? "" : fmt::format(" ({} times the cutoff)", number_text(par));
    return OptionProblem{
        "payoffs", fmt::format("ends at {}, what is cut off costs {}{}",
                               number_text(counts < values.range->first ? values.range->first
                                                                        : values.range->second),
                               number_text(counts), why)};
  }
  return {};
}

std::optional<double> CommandOptions::penalty_value() const {
  if (penalty || !measures_time() || !cutoff) return penalty;
  return par * *cutoff;
}

CommandValues CommandOptions::complete_values() const {
  CommandValues complete = values;
  // Times lie between 0 and the penalty where there is a cutoff.
  if (measures_time() && cutoff && !values.range) complete.range = {0.0, *penalty_value()};
  if (result.is_score()) complete.range = {0.0, 1.0};
  // Letters are wins and losses, whose payoffs go from -1 to 1 as in the built-in games.
  complete.signed_scores = result.kind == ResultFormat::Kind::kLetters;
  return complete;
}

}  // namespace ntune
