#include "ntune/study/export/reported_names.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

#include "ntune/core/error.h"
#include "ntune/core/yaml.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

/// A line as JSON; discarded where it is none. Python writes NaN and Infinity as bare words, which
/// YAML takes for texts.
Json json_of(std::string_view line) {
  Json json = Json::parse(line, nullptr, false);
  if (!json.is_discarded()) return json;
  try {
    return to_json(parse_yaml(std::string(line)));
  } catch (const InputError&) {
    return json;
  }
}

/// Of [cell, repeat, stage, run, index].
std::optional<EvaluationKey> key_of(const Json& at) {
  constexpr std::size_t kParts = 5;
  if (!at.is_array() || at.size() != kParts || !at[2].is_string()) return std::nullopt;
  for (const std::size_t i : {0U, 1U, 3U, 4U}) {
    if (!at[i].is_number_integer()) return std::nullopt;
  }
  for (const Stage stage : {Stage::kSearch, Stage::kReEvaluation, Stage::kHoldOut}) {
    if (at[2] != stage_name(stage)) continue;
    return EvaluationKey{.cell = at[0].get<std::uint32_t>(),
                         .stage = stage,
                         .repeat = at[1].get<std::int64_t>(),
                         .run = at[3].get<std::int64_t>(),
                         .index = at[4].get<std::int64_t>()};
  }
  return std::nullopt;
}

}  // namespace

ReportedNames::ReportedNames(const fs::path& folder) : file_(folder / "recorded.jsonl") {
  read_news();
}

void ReportedNames::read_news() {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file_, error);
  if (error || size <= read_) return;
  std::ifstream file(file_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(read_));
  for (std::string line; std::getline(file, line) && !file.eof();) {
    read_ += line.size() + 1;
    take(line);
  }
}

void ReportedNames::take(std::string_view line) {
  Json json = json_of(line);
  if (!json.is_object() || !json.contains("at") || !json.contains("names")) return;
  const auto key = key_of(json["at"]);
  Json& names = json["names"];
  if (!key || !names.is_object()) return;
  for (const auto& [name, value] : names.items()) {
    if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
  }
  reported_[*key] = std::move(names);
}

const Json& ReportedNames::of(const EvaluationKey& key) const {
  static const Json kNothing;
  const auto found = reported_.find(key);
  return found == reported_.end() ? kNothing : found->second;
}

}  // namespace ntune
