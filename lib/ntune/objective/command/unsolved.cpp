#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/pattern.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/command/command_attempt.h"
#include "ntune/objective/command/command_options.h"
#include "ntune/objective/command/result_parser.h"

namespace ntune {

namespace {

constexpr int kLargestStatus = 255;
constexpr std::size_t kSatisfiable = 10;
constexpr std::size_t kUnsatisfiable = 20;

/// Calls visit with every line, trimmed, until it returns true; false if it never did.
template <class Visit>
bool any_line(std::string_view output, const Visit& visit) {
  while (!output.empty()) {
    if (visit(trimmed(cut(output, "\n\r")))) return true;
  }
  return false;
}

/// What solvers print that have found nothing: `s UNKNOWN` as competitions ask for it, the bare
/// word as MiniSat and SMT solvers do, `c UNKNOWN` as CaDiCaL does, `=====UNKNOWN=====` as MiniZinc
/// does.
bool says_unknown(std::string_view line) {
  static const std::vector<std::string_view> kWords = {"unknown", "indeterminate", "unsupported",
                                                       "timeout"};
  const bool is_comment = line.starts_with("c ");
  const bool is_answer = line.starts_with("s ");
  if (is_comment || is_answer) line = trimmed(line.substr(2));
  while (line.starts_with('=') && line.ends_with('=') && line.size() > 2) {
    line = line.substr(1, line.size() - 2);
  }
  // An answer may give its reason behind the word.
  const std::string word = lower_case(is_answer ? cut(line, " \t(,:") : line);
  return is_comment ? word == kWords[0] : std::ranges::find(kWords, word) != kWords.end();
}

bool says_solved(std::string_view line) {
  static const std::vector<std::string_view> kAnswers = {"s SATISFIABLE", "s UNSATISFIABLE",
                                                         "s OPTIMUM FOUND"};
  return std::ranges::find(kAnswers, line) != kAnswers.end();
}

/// Whether the last answer in an output, if it has any, is that nothing was found.
bool ends_unknown(std::string_view output) {
  bool unknown = false;
  any_line(output, [&](std::string_view line) {
    unknown = says_unknown(line) || (unknown && !says_solved(line));
    return false;
  });
  return unknown;
}

/// A text, or a list of texts.
std::vector<std::string> texts_of(const YamlNode& node) {
  std::vector<std::string> texts;
  const auto add = [&](const YamlNode& item) {
    if (!item.is_scalar() || item.text().empty()) {
      item.fail(fmt::format("is {}, a text or a list of texts is allowed", item.describe()));
    }
    texts.push_back(lower_case(item.text()));
  };
  if (!node.is_list()) add(node);
  for (const YamlNode& item : node.children()) add(item);
  if (texts.empty()) node.fail("is an empty list, such as [unknown, timeout] is allowed");
  return texts;
}

void read_field(const YamlNode& node, UnsolvedRule& rule) {
  if (!node.is_map() || node.children().size() != 1) {
    node.fail(fmt::format("is {}, a map such as {{status: [unknown, timeout]}} is allowed",
                          node.describe()));
  }
  rule.field = node.children()[0].key();
  rule.values = texts_of(node.children()[0]);
}

void read_rule(const YamlNode& node, UnsolvedRule& rule) {
  rule = {.automatic = false};
  if (node.is_scalar() && node.text() == "none") return;
  if (node.is_scalar() && node.text() == "auto") {
    rule.automatic = true;
    return;
  }
  if (!node.is_map()) {
    if (node.is_list() || node.integer()) return read_statuses(node, rule.statuses);
    node.fail(
        fmt::format("is {}; allowed: auto, none, exit statuses such as [0], or a map of exit, "
                    "text, regex and field",
                    node.describe()));
  }
  // A map has one or more of four keys; any of them that fits is an end without a solution.
  if (node.children().empty()) node.fail("is an empty map; allowed: exit, text, regex or field");
  for (const YamlNode& child : node.children()) {
    if (child.key() == "exit") {
      read_statuses(child, rule.statuses);
    } else if (child.key() == "field") {
      read_field(child, rule);
    } else if (child.key() == "text" || child.key() == "regex") {
      std::string& target = child.key() == "text" ? rule.text : rule.pattern;
      if (!child.is_scalar() || child.text().empty()) {
        child.fail(fmt::format("is {}, a text is allowed", child.describe()));
      }
      target = child.text();
    } else {
      const std::vector<std::string> keys = {"exit", "text", "regex", "field"};
      child.fail(fmt::format("unknown key{}; allowed: {}", suggestion(child.key(), keys),
                             list_text(keys)));
    }
  }
  if (rule.pattern.empty()) return;
  // The pattern is tried out, so that its fault is reported at its place.
  try {
    const Pattern check(rule.pattern);
  } catch (const InputError& error) {
    node.find("regex")->fail(error.what());
  }
}

Json write_rule(const UnsolvedRule& rule) {
  if (rule.automatic) return "auto";
  if (!rule.is_given()) return "none";
  Json written = Json::object();
  if (rule.statuses.any()) written["exit"] = statuses_json(rule.statuses);
  if (!rule.text.empty()) written["text"] = rule.text;
  if (!rule.pattern.empty()) written["regex"] = rule.pattern;
  if (!rule.field.empty()) written["field"] = {{rule.field, rule.values}};
  return written;
}

Json rule_schema() {
  const Json text = {{"type", "string"}};
  const Json texts = {{"anyOf", Json::array({text, {{"type", "array"}, {"items", text}}})}};
  Json statuses = statuses_schema();
  statuses.erase("default");
  const Json map = {{"type", "object"},
                    {"properties",
                     {{"exit", statuses},
                      {"text", text},
                      {"regex", text},
                      {"field",
                       {{"type", "object"},
                        {"additionalProperties", texts},
                        {"minProperties", 1},
                        {"maxProperties", 1}}}}},
                    {"minProperties", 1},
                    {"additionalProperties", false}};
  return {{"anyOf", Json::array({{{"enum", {"auto", "none"}}}, statuses, map})},
          {"default", "auto"}};
}

}  // namespace

SolverAnswer solver_answer(std::optional<int> status, std::string_view output,
                           const ExitStatuses& accepted) {
  if (status && (accepted[kSatisfiable] || accepted[kUnsatisfiable])) {
    if (*status == static_cast<int>(kSatisfiable)) return SolverAnswer::kSatisfiable;
    if (*status == static_cast<int>(kUnsatisfiable)) return SolverAnswer::kUnsatisfiable;
  }
  SolverAnswer answer = SolverAnswer::kNone;
  any_line(output, [&](std::string_view line) {
    if (line == "s SATISFIABLE") answer = SolverAnswer::kSatisfiable;
    if (line == "s UNSATISFIABLE") answer = SolverAnswer::kUnsatisfiable;
    return answer != SolverAnswer::kNone;
  });
  if (answer != SolverAnswer::kNone || output.find("answer") == std::string_view::npos)
    return answer;
  return read_solver_answer(answer_field(output, "answer").value_or(""));
}

SolverAnswer read_solver_answer(std::string_view text) {
  const std::string word = lower_case(text);
  if (word == "sat" || word == "satisfiable" || word == "10") return SolverAnswer::kSatisfiable;
  const bool no = word == "unsat" || word == "unsatisfiable" || word == "20";
  return no ? SolverAnswer::kUnsatisfiable : SolverAnswer::kNone;
}

const char* answer_name(SolverAnswer answer) {
  return answer == SolverAnswer::kSatisfiable ? "satisfiable" : "unsatisfiable";
}

void read_statuses(const YamlNode& node, ExitStatuses& statuses) {
  const auto read = [](const YamlNode& item) {
    const auto status = item.integer();
    if (!status || *status < 0 || *status > kLargestStatus) {
      item.fail(fmt::format("is {}, an exit status from 0 to {} is allowed, or a list of them",
                            item.describe(), kLargestStatus));
    }
    if (*status == kTemporaryStatus) {
      item.fail("is 75, with which a program asks for another try; it cannot be accepted");
    }
    return static_cast<std::size_t>(*status);
  };
  statuses.reset();
  if (!node.is_list()) statuses.set(read(node));
  for (const YamlNode& item : node.children()) statuses.set(read(item));
  if (statuses.none()) node.fail("is an empty list, such as [0, 10, 20] is allowed");
}

Json statuses_json(const ExitStatuses& statuses) {
  Json list = Json::array();
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    if (statuses[i]) list.push_back(i);
  }
  return list;
}

Json statuses_schema() {
  const Json status = {{"type", "integer"}, {"minimum", 0}, {"maximum", kLargestStatus}};
  const Json list = {{"type", "array"}, {"items", status}, {"minItems", 1}};
  return {{"anyOf", Json::array({list, status})}, {"default", Json::array({0})}};
}

void UnsolvedRule::visit(Options& options) {
  options.custom("unsolved", custom_option(*this, read_rule, write_rule, rule_schema),
                 "ends without a solution, which count as what is cut off: exit statuses such as "
                 "[0], or any of {exit: [0], text: 's UNKNOWN', regex: '^c gave up', field: "
                 "{status: timeout}}; auto: of a cost, a last answer 's UNKNOWN', 'UNKNOWN' or "
                 "alike, and with exit 10 or 20 any other status without an answer; none");
}

bool UnsolvedRule::is_given() const {
  return statuses.any() || !text.empty() || !pattern.empty() || !field.empty();
}

bool UnsolvedRule::fits(int status, std::string_view output, const ExitStatuses& accepted,
                        Result result) const {
  if (status < 0 || status > kLargestStatus) return false;
  const auto code = static_cast<std::size_t>(status);
  // What a program prints that fails for another reason is no answer.
  const bool is_read = code == 0 || accepted[code];
  if (!automatic) return statuses[code] || (is_read && fits(output));
  const bool solves = accepted[kSatisfiable] || accepted[kUnsatisfiable];
  if (!is_read || !(solves || result != Result::kOther)) return false;
  if (ends_unknown(output)) return true;
  const bool is_answer = code == kSatisfiable || code == kUnsatisfiable;
  return solves && !is_answer && accepted[code] && result == Result::kTime &&
         !any_line(output, says_solved);
}

bool UnsolvedRule::fits(std::string_view answer) const {
  if (!text.empty() && any_line(answer, [&](std::string_view line) {
        return line.find(text) != std::string_view::npos;
      })) {
    return true;
  }
  if (!pattern.empty()) {
    const Pattern wanted(pattern);
    const auto matches = [&](std::string_view line) {
      std::size_t at = 0;
      return wanted.find(line, at).has_value();
    };
    if (any_line(answer, matches)) return true;
  }
  if (field.empty()) return false;
  const auto value = answer_field(answer, field);
  return value && std::ranges::find(values, lower_case(*value)) != values.end();
}

}  // namespace ntune
