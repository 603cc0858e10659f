#include "ntune/study/keys/instance_source.h"

#include <fnmatch.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/csv.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/text.h"
#include "ntune/objective/recorded/observation_values.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

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

fs::path seen_from_study(const YamlNode& node, const std::string& path) {
  return fs::absolute(fs::path(node.file()).parent_path() / path).lexically_normal();
}

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
std::string without_comment(std::string line) {
  for (std::size_t at = line.find('#'); at != std::string::npos; at = line.find('#', at + 1)) {
    if (at > 0 && line[at - 1] != ' ' && line[at - 1] != '\t') continue;
    line.resize(at);
    break;
  }
  const auto begin = line.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

PlacedInstances read_lines(const YamlNode& node, const InstanceSource& source) {
  const fs::path path = seen_from_study(node, source.file);
  const std::string text = read_list(node, path);
  PlacedInstances list;
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = without_comment(text.substr(begin, end - begin));
    begin = end + 1;
    ++number;
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
    if (instance.values.empty()) instance.value = instance.name;
    if (instance.name.empty()) instance.name = usual_name(instance);
    list.push_back({std::move(instance), fmt::format("{}:{}", path_text(path), reader.line())});
  }
  return list;
}

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
  std::ranges::sort(names);
  PlacedInstances list;
  for (std::string& name : names) {
    list.push_back({file_instance(folder / name, name), instance_place(node)});
  }
  return list;
}

}  // namespace

std::string instance_place(const YamlNode& node) {
  return fmt::format("{}:{}: {}", node.file(), node.line(), node.path());
}

std::string usual_name(const Instance& instance) {
  if (instance.values.empty()) return value_text(instance.value);
  std::string name;
  for (const auto& [key, value] : instance.values) {
    if (!name.empty()) name += ' ';
    name += key + '=' + value_text(value);
  }
  return name;
}

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
  if (source.file.empty()) return read_folder(node, source);
  return fs::path(source.file).extension() == ".csv" ? read_records(node, source)
                                                     : read_lines(node, source);
}

Json instance_source_schema() { return options_schema(InstanceSource()); }

}  // namespace ntune
