#include "ntune/space/import/irace_instances.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/space/import/irace_words.h"
#include "ntune/space/import/source.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

/// Most bytes of a file of instances.
constexpr std::uintmax_t kLargestList = 16 * 1024 * 1024;

using Row = std::vector<std::string>;

/// The words of a line, separated by blanks.
Row words_of(std::string_view line) {
  Row words;
  while (!(line = without_blanks(line)).empty()) words.emplace_back(take_until(line, " \t"));
  return words;
}

/// The lines of a file of instances; none where there is no such file, which the study will say.
std::vector<Row> lines_of(const fs::path& file) {
  std::vector<Row> lines;
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return lines;
  for_each_line(read_file(file, kLargestList), file.string(), [&](std::string_view line, int) {
    Row words = words_of(line.substr(0, line.find('#')));
    if (!words.empty()) lines.push_back(std::move(words));
  });
  return lines;
}

/// The key of a word in the map of an instance: "file" for the first, then "word2", "word3" and so
/// on.
std::string name_of_part(std::size_t part) {
  return part == 0 ? "file" : fmt::format("word{}", part + 1);
}

}  // namespace

IraceInstances::IraceInstances(const IraceSettings& scenario) {
  train_ = read(scenario, "instances", "train");
  if (train_.is_null()) {
    fail_at(scenario.place("trainInstancesFile"),
            "is missing, and trainInstancesDir too: there are no instances");
  }
  // Both sets must have equally many words, since one command serves both.
  const std::size_t parts = std::exchange(parts_, 1);
  test_ = read(scenario, "testInstances", "test");
  if (!test_.is_null() && parts_ != parts) {
    fail_at(scenario.place("testInstancesFile"),
            fmt::format("has lines of {} words, the training instances have {}", parts_, parts));
  }
  parts_ = parts;
}

Json IraceInstances::read(const IraceSettings& scenario, const std::string& list,
                          const std::string& set) {
  // A list in the scenario counts before files, as irace has it.
  if (const auto texts = scenario.list(list)) return *texts;
  const std::string file = set + "InstancesFile";
  const std::string folder = set + "InstancesDir";
  const std::string in_folder =
      scenario.find(folder) != nullptr ? scenario.path(folder, "").string() : "";
  Json json;
  if (!in_folder.empty()) json["folder"] = in_folder;
  if (scenario.find(file) == nullptr) return json;
  json["file"] = scenario.path(file, "").string();
  // Lines of one word are instances by themselves, and the study reads the file on its own.
  const std::vector<Row> lines = lines_of(scenario.path(file, ""));
  const bool is_simple = std::ranges::all_of(lines, [](const Row& one) { return one.size() == 1; });
  return is_simple ? json : as_maps(scenario, file, lines, in_folder);
}

Json IraceInstances::as_maps(const IraceSettings& scenario, const std::string& word,
                             const std::vector<Row>& lines, const std::string& folder) {
  // Each further word gets a name, by which the command asks for it.
  parts_ = lines.front().size();
  Json maps = Json::array();
  for (const Row& line : lines) {
    if (line.size() != parts_) {
      fail_at(scenario.place(word),
              fmt::format("has lines of {} and of {} words; equally many are allowed, the first of "
                          "which is the instance",
                          parts_, line.size()));
    }
    Json map = {{"name", fmt::format("{}", fmt::join(line, " "))}};
    for (std::size_t i = 0; i < line.size(); ++i) map[name_of_part(i)] = line[i];
    if (!folder.empty()) map["file"] = (fs::path(folder) / line.front()).string();
    maps.push_back(std::move(map));
  }
  return maps;
}

std::vector<std::string> IraceInstances::words() const {
  if (parts_ == 1) return {"{instance}"};
  std::vector<std::string> words;
  for (std::size_t i = 0; i < parts_; ++i) {
    words.push_back(fmt::format("{{instance.{}}}", name_of_part(i)));
  }
  return words;
}

}  // namespace ntune
