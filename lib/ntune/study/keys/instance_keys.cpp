#include "ntune/study/keys/instance_keys.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/csv.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/text.h"
#include "ntune/objective/instance.h"
#include "ntune/objective/recorded/observation_values.h"
#include "ntune/space/definition.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

/// An instance, and where it stands: "study.yaml:7: instances[2]".
struct PlacedInstance {
  Instance instance;
  std::string place;
};
using PlacedInstances = std::vector<PlacedInstance>;

/// The named value that says what the right answer is, and not which instance it is.
constexpr std::string_view kAnswer = "expect";

/// What an instance is called that has no name: its value, or "size=3 seed=1". `whole`: with the
/// answer that it has.
std::string usual_name(const Instance& instance, bool whole = false) {
  if (instance.values.empty()) return value_text(instance.value);
  std::string name;
  for (const auto& [key, value] : instance.values) {
    if (key == kAnswer && !whole && instance.values.size() > 1) continue;
    if (!name.empty()) name += ' ';
    name += key + '=' + value_text(value);
  }
  return name;
}

constexpr std::uintmax_t kLargestList = 64 << 20;

/// `instances: {file: …}` or `{folder: …}`.
struct InstanceSource {
  std::string file;
  std::string folder;
  std::string pattern = "*";

  void visit(Options& options) {
    options.text("file", file,
                 "one instance a line, # begins a comment; of a CSV file one a record, with the "
                 "columns as named values");
    options.text("folder", folder,
                 "its files are the instances; beside `file`: the lines are files in it");
    options.text("pattern", pattern, "which files of the folder, such as '*.cnf'");
  }
};

/// A path that the study file names, whole.
fs::path seen_from_study(const YamlNode& node, const std::string& path) {
  return fs::absolute(fs::path(node.file()).parent_path() / path).lexically_normal();
}

/// The text of a list of instances.
std::string read_list(const YamlNode& node, const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    node.fail(fmt::format("there is no file {}", path_text(path)));
  }
  return read_file(path, kLargestList);
}

/// A file as an instance, called by its name in its folder.
Instance file_instance(const fs::path& path, std::string name) {
  return {.name = std::move(name), .value = path.string()};
}

/// The text between the blanks around it, without a comment that begins with # or after a blank.
std::string without_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != line.npos; at = line.find('#', at + 1)) {
    if (at > 0 && line[at - 1] != ' ' && line[at - 1] != '\t') continue;
    line = line.substr(0, at);
    break;
  }
  return std::string(trimmed(line, " \t\r"));
}

/// One instance a line: a text, or a file of a folder.
PlacedInstances read_lines(const YamlNode& node, const InstanceSource& source) {
  const fs::path path = seen_from_study(node, source.file);
  const std::string text = read_list(node, path);
  PlacedInstances list;
  std::string_view rest = text;
  for (int number = 1; !rest.empty(); ++number) {
    const std::string line = without_comment(cut(rest, "\n"));
    if (line.empty()) continue;
    const std::string place = fmt::format("{}:{}", path_text(path), number);
    if (source.folder.empty()) {
      list.push_back({{.name = line, .value = line}, place});
      continue;
    }
    const fs::path file = seen_from_study(node, source.folder) / line;
    std::error_code error;
    if (!fs::exists(file, error)) {
      throw InputError(fmt::format("{}: there is no file {}", place, path_text(file)));
    }
    list.push_back({file_instance(file, line), place});
  }
  return list;
}

/// One instance a record of a CSV file. The columns are its named values, but for its name and its
/// weight.
PlacedInstances read_records(const YamlNode& node, const InstanceSource& source) {
  const fs::path path = seen_from_study(node, source.file);
  const std::string text = read_list(node, path);
  CsvReader reader(text, path_text(path),
                   {.comments = CsvStyle::Comments::kEverywhere, .trim = true});
  PlacedInstances list;
  if (!reader.next()) return list;
  const std::vector<CsvField> header = reader.fields();
  while (reader.next()) {
    if (reader.fields().size() != header.size()) {
      reader.fail(fmt::format("has {} field{}, the header has {}", reader.fields().size(),
                              reader.fields().size() == 1 ? "" : "s", header.size()));
    }
    Instance instance;
    for (std::size_t i = 0; i < header.size(); ++i) {
      const CsvField& field = reader.fields()[i];
      if (header[i].text == "name") {
        instance.name = field.text;
        continue;
      }
      if (field.text.empty() && !field.quoted) {
        reader.fail(fmt::format("'{}' is empty, a value is needed; \"\" is an empty text",
                                printable(header[i].text, 60)));
      }
      if (header[i].text != "weight") {
        instance.values.emplace_back(header[i].text, field_value(field));
        continue;
      }
      instance.weight = field_number(field.text).value_or(0.0);
      if (!is_weight(instance.weight)) {
        reader.fail(fmt::format("the weight is '{}', {}", printable(field.text, 60), kWeights));
      }
    }
    // A file of names alone lists texts.
    if (instance.values.empty()) instance.value = instance.name;
    if (instance.name.empty()) instance.name = usual_name(instance);
    list.push_back({std::move(instance), fmt::format("{}:{}", path_text(path), reader.line())});
  }
  return list;
}

/// The files of a folder whose names match the pattern, sorted.
PlacedInstances read_folder(const YamlNode& node, const InstanceSource& source) {
  const fs::path folder = seen_from_study(node, source.folder);
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    node.fail(fmt::format("there is no folder {}", path_text(folder)));
  }
  std::vector<std::string> names;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code missing;
    if (!entry->is_regular_file(missing)) continue;
    if (::fnmatch(source.pattern.c_str(), name.c_str(), FNM_PERIOD) == 0) names.push_back(name);
  }
  if (error) {
    node.fail(fmt::format("the folder {} cannot be read: {}", path_text(folder), error.message()));
  }
  if (names.empty()) {
    node.fail(fmt::format("no file in {} is called '{}'", path_text(folder),
                          printable(source.pattern, 60)));
  }
  // A folder has no order of its own.
  std::ranges::sort(names);
  PlacedInstances list;
  for (std::string& name : names) {
    list.push_back({file_instance(folder / name, name), node.place()});
  }
  return list;
}

/// Reads the name of a file, {file: …} or {folder: …}; all are seen from the study file. Throws
/// InputError: no such file, a record with too few fields, a weight that is none (is_weight).
PlacedInstances read_instance_source(const YamlNode& node) {
  InstanceSource source;
  if (node.is_scalar()) {
    source.file = node.text();
  } else {
    const auto names = [&](const char* key) {
      return node.find(key) != nullptr && !node.find(key)->text().empty();
    };
    if (!names("file") && !names("folder")) {
      node.fail(
          "names neither `file:` nor `folder:`; instances of named values stand in a list, such as "
          "[{map: lake}, {map: forest}]");
    }
    source = read_options(node, source);
    if (!source.file.empty() && node.find("pattern") != nullptr) {
      node.find("pattern")->fail("goes with a folder alone: the file names the instances");
    }
  }
  // A file lists instances, in a folder if that is named too; a folder alone holds them.
  if (source.file.empty()) return read_folder(node, source);
  return fs::path(source.file).extension() == ".csv" ? read_records(node, source)
                                                     : read_lines(node, source);
}

Json instance_source_schema() { return options_schema(InstanceSource()); }

constexpr std::size_t kMostInstances = 100'000;

constexpr std::array<std::pair<const char*, Aggregate::Kind>, 3> kAggregates = {
    {{"mean", Aggregate::Kind::kMean},
     {"worst", Aggregate::Kind::kWorst},
     {"geometric_mean", Aggregate::Kind::kGeometricMean}}};

/// A weight in its range. What is not to count is no instance.
double read_weight(const YamlNode& node) {
  const auto weight = node.number();
  if (!weight || !is_weight(*weight)) {
    node.fail(fmt::format("is {}, {}; leave out what is not to count", node.describe(), kWeights));
  }
  return *weight;
}

/// A value, or a map with the keys `instance`, `name` and `weight` or with named values.
Instance read_item(const YamlNode& node) {
  Instance instance;
  if (node.is_scalar()) {
    instance.value = read_value(node);
    instance.name = usual_name(instance);
    return instance;
  }
  if (!node.is_map()) {
    node.fail(fmt::format("is {}, a value or a map of named values is allowed", node.describe()));
  }
  // A map has one value, or several with names that a template uses.
  const YamlNode* single = node.find("instance");
  for (const YamlNode& child : node.children()) {
    if (child.key() == "weight") {
      instance.weight = read_weight(child);
    } else if (child.key() == "name") {
      instance.name = value_text(read_value(child));
    } else if (single == nullptr) {
      instance.values.emplace_back(child.key(), read_value(child));
    } else if (&child == single) {
      instance.value = read_value(child);
    } else {
      child.fail("stands beside 'instance', with which only 'name' and 'weight' are allowed");
    }
  }
  if (single == nullptr && instance.values.empty()) {
    node.fail("names no value: `instance:` or named values are needed");
  }
  if (instance.name.empty()) instance.name = usual_name(instance);
  return instance;
}

/// Names of files may be of any bytes, but results and journals hold UTF-8 alone.
void refuse_other_bytes(const PlacedInstance& placed) {
  const auto check = [&](const std::string& text) {
    if (text.find('\0') != std::string::npos && text != no_value()) {
      throw InputError(fmt::format("{}: '{}' has the character NUL, at which programs end a text",
                                   placed.place, printable(text)));
    }
    if (is_utf8(text)) return;
    throw InputError(fmt::format("{}: '{}' is not UTF-8, which names and values of instances are",
                                 placed.place, printable(text)));
  };
  const auto check_value = [&](const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) check(*text);
  };
  check(placed.instance.name);
  check_value(placed.instance.value);
  for (const auto& [key, value] : placed.instance.values) {
    check(key);
    check_value(value);
  }
}

}  // namespace

InstanceList read_instance_list(const YamlNode& node) {
  PlacedInstances list;
  if (node.is_list()) {
    for (const YamlNode& item : node.children()) list.push_back({read_item(item), item.place()});
  } else if (node.is_scalar() || node.is_map()) {
    list = read_instance_source(node);
  } else {
    node.fail(
        fmt::format("is {}, a list, the name of a file, or a map is allowed", node.describe()));
  }
  if (list.empty()) node.fail("holds no instance, one or more are allowed");
  if (list.size() > kMostInstances) {
    node.fail(fmt::format("holds {} instances, at most {} are allowed", count_text(list.size()),
                          count_text(kMostInstances)));
  }
  // Results name instances: each name stands once.
  std::map<std::string, const PlacedInstance*> known;
  std::vector<Instance> instances;
  for (PlacedInstance& placed : list) {
    refuse_other_bytes(placed);
    Instance& instance = placed.instance;
    const bool same = known.contains(instance.name) && instance.name == usual_name(instance);
    if (same) instance.name = usual_name(instance, true);
    const auto [first, is_new] = known.emplace(placed.instance.name, &placed);
    if (!is_new) {
      throw InputError(
          fmt::format("{}: the instance '{}' stands twice; a `weight` makes it count "
                      "more (first: {})",
                      placed.place, printable(placed.instance.name, 60), first->second->place));
    }
    instances.push_back(placed.instance);
  }
  return InstanceList(std::move(instances));
}

Json instances_json(const InstanceList& list) {
  Json json = Json::array();
  for (const Instance& instance : list.all()) {
    // What follows from the value is left out.
    const bool is_map = !instance.values.empty();
    const std::string usual = usual_name(instance);
    if (!is_map && instance.name == usual && instance.weight == 1.0) {
      json.push_back(value_json(instance.value));
      continue;
    }
    Json item = is_map ? instance.json() : Json{{"instance", value_json(instance.value)}};
    if (instance.name != usual) item["name"] = instance.name;
    if (instance.weight != 1.0) item["weight"] = instance.weight;
    json.push_back(std::move(item));
  }
  return json;
}

Json instances_schema() {
  // A list of values or maps, the name of a file, or where to find them.
  const Json scalar = Json::parse(R"({"type": ["boolean", "number", "string"]})");
  const Json map = {
      {"type", "object"},
      {"properties",
       {{"weight", {{"type", "number"}, {"minimum", 1e-9}, {"maximum", 1e9}, {"default", 1}}},
        {"name", {{"type", "string"}, {"description", "what results call it"}}},
        {"instance", scalar}}},
      {"additionalProperties", scalar}};
  const Json list = {{"type", "array"}, {"minItems", 1}, {"items", {{"anyOf", {scalar, map}}}}};
  return {{"anyOf", {list, {{"type", "string"}}, instance_source_schema()}}};
}

/// A word, or a map with the level of a quantile.
Aggregate read_aggregate(const YamlNode& node) {
  if (node.is_map() && !node.children().empty()) {
    OptionReader reader(node);
    const YamlNode* level = reader.take("quantile");
    reader.finish();
    if (level == nullptr) node.fail_at("quantile", "is missing, a number between 0 and 1");
    const auto value = level->number();
    if (!value || !(*value > 0.0 && *value < 1.0)) {
      level->fail(fmt::format("is {}, a number between 0 and 1 is allowed", level->describe()));
    }
    return {.kind = Aggregate::Kind::kQuantile, .quantile = *value};
  }
  for (const auto& [word, kind] : kAggregates) {
    if (node.is_scalar() && node.text() == word) return {.kind = kind};
  }
  node.fail(fmt::format("is {}, mean, worst, geometric_mean or {{quantile: q}} is allowed",
                        node.describe()));
}

/// The aggregate as it reads to the same again.
Json aggregate_json(const Aggregate& aggregate) {
  for (const auto& [word, kind] : kAggregates) {
    if (aggregate.kind == kind) return word;
  }
  return {{"quantile", aggregate.quantile}};
}

Json aggregate_schema() {
  return Json::parse(R"({"anyOf": [{"enum": ["mean", "worst", "geometric_mean"]},
    {"type": "object", "required": ["quantile"], "additionalProperties": false,
     "properties": {"quantile": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}}}]})");
}

}  // namespace ntune
