#include "ntune/objective/command/command_result.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/suggestion.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/command/result_parser.h"

namespace ntune {

namespace {

using Kind = ResultFormat::Kind;

const std::vector<std::pair<std::string, Kind>>& format_names() {
  static const std::vector<std::pair<std::string, Kind>> kNames = {
      {"auto", Kind::kAuto},           {"json", Kind::kJson},       {"smac", Kind::kSmac},
      {"number", Kind::kNumber},       {"letters", Kind::kLetters}, {"cutechess", Kind::kCutechess},
      {"fastchess", Kind::kFastchess},
  };
  return kNames;
}

void read_format(const YamlNode& node, ResultFormat& format) {
  std::vector<std::string> names;
  for (const auto& [name, kind] : format_names()) {
    names.push_back(name);
    if (node.is_scalar() && node.text() == name) {
      format = {.kind = kind};
      return;
    }
  }
  const std::string near = node.is_scalar() ? suggestion(node.text(), names) : "";
  names.emplace_back("{regex: 'score: (.*)'}");
  if (!node.is_map()) {
    node.fail(fmt::format("is {}{}; allowed: {}", node.describe(), near, list_text(names)));
  }
  format = {.kind = Kind::kRegex};
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

Json write_format(const ResultFormat& format) {
  for (const auto& [name, kind] : format_names()) {
    if (kind == format.kind) return name;
  }
  return Json{{"regex", format.pattern}};
}

Json format_schema() {
  Json names = Json::array();
  for (const auto& [name, kind] : format_names()) names.push_back(name);
  const Json text = {{"type", "string"},
                     {"description", "its first group is the number; the last match counts"}};
  const Json map = {{"type", "object"},
                    {"properties", {{"regex", text}}},
                    {"required", Json::array({"regex"})},
                    {"additionalProperties", false}};
  return {{"anyOf", Json::array({{{"enum", names}}, map})}, {"default", "auto"}};
}

}  // namespace

void ResultFormat::visit(Options& options) {
  options.custom(
      "result",
      {.read = [this](const YamlNode& node) { read_format(node, *this); },
       .write = [this] { return write_format(*this); },
       .schema = format_schema},
      "json: last line {\"value\": 0.5}, {\"values\": [0, 1]} or {\"wins\": 1, \"draws\": "
      "0, \"losses\": 1}; smac: cost=0.5; status=SUCCESS; number: last line 0.5; letters: "
      "W, D and L, 1, 0.5 and 0 points; cutechess, fastchess: their score line, and its "
      "pairs; {regex: 'score: (.*)'}; auto: the first of these that fits");
}

bool ResultFormat::is_score() const {
  return kind == Kind::kLetters || kind == Kind::kCutechess || kind == Kind::kFastchess;
}

}  // namespace ntune
