#include "ntune/space/import/irace_instances.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/space/import/source.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

/// Most bytes of a file of instances.
constexpr std::uintmax_t kLargestList = 16 * 1024 * 1024;

/// The lines of the file of instances that a word names, without comments.
std::vector<std::string> lines_of(const IraceSettings& scenario, const std::string& word) {
  const fs::path file = scenario.path(word, "");
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    fail_at(scenario.place(word), fmt::format("there is no file {}", path_text(file)));
  }
  std::vector<std::string> lines;
  for_each_line(read_file(file, kLargestList), file.string(), [&](std::string_view line, int) {
    const std::string_view words = without_blanks(line.substr(0, line.find('#')));
    if (!words.empty()) lines.emplace_back(words);
  });
  return lines;
}

/// Throws InputError unless the folder that a word names holds files.
void check_folder(const IraceSettings& scenario, const std::string& word) {
  const fs::path folder = scenario.path(word, "");
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    fail_at(scenario.place(word), fmt::format("there is no folder {}", path_text(folder)));
  }
  if (std::ranges::none_of(fs::directory_iterator(folder), [](const fs::directory_entry& entry) {
        std::error_code unreadable;
        return entry.is_regular_file(unreadable);
      })) {
    fail_at(scenario.place(word), fmt::format("there is no file in {}", path_text(folder)));
  }
}

/// The instances, each once: one that stands there several times counts so much more.
Json listed(const std::vector<std::string>& values) {
  Json list = Json::array();
  std::map<std::string, std::int64_t> times;
  for (const std::string& value : values) ++times[value];
  for (const std::string& value : values) {
    const std::int64_t weight = std::exchange(times[value], 0);
    if (weight == 1) list.push_back(value);
    if (weight > 1) list.push_back({{"instance", value}, {"weight", weight}});
  }
  return list;
}

}  // namespace

IraceInstances::IraceInstances(const IraceSettings& scenario) {
  train_ = read(scenario, "instances", "train");
  if (train_.is_null()) {
    fail_at(scenario.place("trainInstancesFile"),
            "is missing, and trainInstancesDir too: there are no instances");
  }
  test_ = read(scenario, "testInstances", "test");
}

Json IraceInstances::read(const IraceSettings& scenario, const std::string& list,
                          const std::string& set) {
  const std::string file = set + "InstancesFile";
  const std::string folder = set + "InstancesDir";
  const auto texts = scenario.list(list);
  const std::string in_folder =
      !texts && scenario.find(folder) != nullptr ? scenario.path(folder, "").string() : "";
  Json json;
  if (!in_folder.empty()) json["folder"] = in_folder;
  // A list in the scenario counts before files, as irace has it.
  if (!texts && scenario.find(file) == nullptr) {
    if (!in_folder.empty()) check_folder(scenario, folder);
    return json;
  }
  const std::vector<std::string> lines = texts ? *texts : lines_of(scenario, file);
  splits_ = splits_ || std::ranges::any_of(lines, [](const std::string& line) {
              return line.find_first_of(" \t'\"\\") != std::string::npos;
            });
  // irace puts the folder before each line, file or not.
  std::vector<std::string> values;
  for (const std::string& line : lines) {
    values.push_back(in_folder.empty() ? line : (fs::path(in_folder) / line).string());
  }
  // What was trained with tests nothing, and a study has it once.
  const auto trained = [this](const std::string& value) { return trained_.contains(value); };
  if (std::erase_if(values, trained) > 0) {
    warnings_.push_back(scenario.place(texts ? list : file) +
                        ": instances that are for training too are left out");
    return values.empty() ? Json() : listed(values);
  }
  trained_.insert(values.begin(), values.end());
  const bool are_files = std::ranges::all_of(values, [&](const std::string& value) {
    std::error_code error;
    return in_folder.empty() || fs::exists(value, error);
  });
  if (texts || !are_files || listed(values) != Json(values)) return listed(values);
  json["file"] = scenario.path(file, "").string();
  return json;
}

}  // namespace ntune
