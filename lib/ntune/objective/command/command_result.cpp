#include "ntune/objective/command/command_result.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/command/result_parser.h"

namespace ntune {

namespace {

using Kind = ResultFormat::Kind;

/// Words of the option with the formats that they stand for.
using Names = std::vector<std::pair<std::string, Kind>>;

const Names& format_names() {
  static const Names kNames = {
      {"auto", Kind::kAuto},           {"json", Kind::kJson},       {"smac", Kind::kSmac},
      {"number", Kind::kNumber},       {"letters", Kind::kLetters}, {"cutechess", Kind::kCutechess},
      {"fastchess", Kind::kFastchess}, {"time", Kind::kTime},
  };
  return kNames;
}

/// What {cost: …} may name, beside a pattern.
const Names& cost_names() {
  static const Names kNames = {{"json", Kind::kJson}, {"number", Kind::kNumber}};
  return kNames;
}

/// The two clocks of {time: …}.
const Names& clock_names() {
  static const Names kNames = {{"wall", Kind::kTime}, {"processor", Kind::kTime}};
  return kNames;
}

std::vector<std::string> words_of(const Names& names) {
  std::vector<std::string> words;
  for (const auto& [name, kind] : names) words.push_back(name);
  return words;
}

/// Takes the name that the node is; false if it is none of them.
bool read_name(const YamlNode& node, const Names& names, Kind& kind) {
  for (const auto& [name, named] : names) {
    if (!node.is_scalar() || node.text() != name) continue;
    kind = named;
    return true;
  }
  return false;
}

/// Fails at a name that is none of these. `others` is what is allowed beside the names, in the
/// words of a message.
[[noreturn]] void refuse_name(const YamlNode& node, const Names& names,
                              const std::vector<std::string>& others) {
  std::vector<std::string> words = words_of(names);
  const std::string near = node.is_scalar() ? suggestion(node.text(), words) : "";
  words.insert(words.end(), others.begin(), others.end());
  node.fail(fmt::format("is {}{}; allowed: {}", node.describe(), near, list_text(words)));
}

/// Fails at a key that no form has, with the nearest one.
[[noreturn]] void refuse_key(const YamlNode& child) {
  const std::vector<std::string> keys = {"regex", "time", "cost"};
  child.fail(
      fmt::format("unknown key{}; allowed: {}", suggestion(child.key(), keys), list_text(keys)));
}

/// Reads {regex: …} and tries the pattern out, so that its fault is reported at its place.
void read_pattern(const YamlNode& node, ResultFormat& format) {
  format.kind = Kind::kRegex;
  OptionReader reader(node);
  reader.text("regex", format.pattern, "");
  reader.finish();
  const YamlNode* place = node.find("regex");
  if (place == nullptr || format.pattern.empty()) node.fail_at("regex", "is missing, a pattern");
  try {
    const ResultParser check(format);
  } catch (const InputError& error) {
    place->fail(error.what());
  }
}

/// The only key of the map, if it is this one.
const YamlNode* only_key(const YamlNode& node, const char* key) {
  const YamlNode* value = node.find(key);
  return value != nullptr && node.children().size() == 1 ? value : nullptr;
}

/// Reads the option: a word, or a map with one of the keys time, cost and regex.
void read_format(const YamlNode& node, ResultFormat& format) {
  format = {};
  if (read_name(node, format_names(), format.kind)) return;
  if (!node.is_map()) {
    refuse_name(node, format_names(), {"{time: processor}", "{cost: …}", "{regex: 'score: (.*)'}"});
  }
  if (const YamlNode* clock = only_key(node, "time")) {
    if (!read_name(*clock, clock_names(), format.kind)) refuse_name(*clock, clock_names(), {});
    format.processor = clock->text() == "processor";
  } else if (const YamlNode* cost = only_key(node, "cost")) {
    format.cost = true;
    if (read_name(*cost, cost_names(), format.kind)) return;
    if (!cost->is_map()) refuse_name(*cost, cost_names(), {"{regex: 'cost: (.*)'}"});
    read_pattern(*cost, format);
  } else {
    if (node.find("regex") == nullptr && !node.children().empty()) refuse_key(node.children()[0]);
    read_pattern(node, format);
  }
}

/// The option as it is read, for the written-back study.
Json write_format(const ResultFormat& format) {
  if (format.kind == Kind::kTime && format.processor) return Json{{"time", "processor"}};
  Json written;
  for (const auto& [name, kind] : format_names()) {
    if (kind == format.kind) written = name;
  }
  if (format.kind == Kind::kRegex) written = Json{{"regex", format.pattern}};
  return format.cost ? Json{{"cost", written}} : written;
}

/// {key: value} and nothing else.
Json single_key_schema(const char* key, const Json& value) {
  return {{"type", "object"},
          {"properties", {{key, value}}},
          {"required", Json::array({key})},
          {"additionalProperties", false}};
}

Json names_schema(const Names& names) { return {{"enum", words_of(names)}}; }

/// Schema of all forms of the option.
Json format_schema() {
  const Json pattern = single_key_schema(
      "regex", {{"type", "string"},
                {"description", "its first group is the number; the last match counts"}});
  const Json cost =
      single_key_schema("cost", {{"anyOf", Json::array({names_schema(cost_names()), pattern})}});
  const Json time = single_key_schema("time", names_schema(clock_names()));
  return {{"anyOf", Json::array({names_schema(format_names()), time, cost, pattern})},
          {"default", "auto"}};
}

}  // namespace

void ResultFormat::visit(Options& options) {
  options.custom(
      "result", custom_option(*this, read_format, write_format, format_schema),
      "json: last line {\"value\": 0.5}, {\"values\": [0, 1]} or {\"wins\": 1, \"draws\": "
      "0, \"losses\": 1}; smac: cost=0.5; status=SUCCESS; number: last line 0.5; letters: "
      "W, D and L, 1, 0.5 and 0 points; cutechess, fastchess: their score line, and its "
      "pairs; {regex: 'score: (.*)'}; auto: the first of these that fits; time: the program's "
      "wall time in seconds, {time: processor} its processor time; {cost: …} of json, number or a "
      "regex: what is read is a cost and is minimised");
}

bool ResultFormat::is_score() const {
  return kind == Kind::kLetters || kind == Kind::kCutechess || kind == Kind::kFastchess;
}

}  // namespace ntune
