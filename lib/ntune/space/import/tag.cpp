// TAG's search spaces (json/SearchSpaces/*.json): a list of choices is a dimension, any other value
// fixed, an object with a class has dimensions of its own, "heuristic.heuristicType". So has the
// file whose name is a value.

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/space/import/source.h"
#include "ntune/space/nested_values.h"
#include "ntune/space/value_checks.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

constexpr int kDeepest = 20;  ///< files within files, and objects within objects

/// The file of this name as TAG would find it: seen from the folder in which TAG runs, which is
/// that of the file that names it or one above.
std::optional<fs::path> find_file(const std::string& named_by, const std::string& name) {
  std::error_code error;
  fs::path folder = fs::absolute(named_by, error).parent_path();
  for (int i = 0; i < kDeepest; ++i) {
    if (fs::is_regular_file(folder / name, error)) return folder / name;
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
  }
  return std::nullopt;
}

/// Whether something in a list may be chosen: no list, and an object only where it says what it
/// makes. A list of others is data.
bool is_choice(const YamlNode& node) {
  if (node.is_map()) return node.find("class") != nullptr || node.find("enum") != nullptr;
  return !node.is_list();
}

class TagReader {
 public:
  SourceSpace read(const YamlNode& document) {
    read_object(document, "", 0);
    return std::move(space_);
  }

 private:
  /// Reads an object and the objects within it; names get the path as a prefix.
  void read_object(const YamlNode& map, const std::string& prefix, int depth) {
    if (!map.is_map()) {
      map.fail(fmt::format("is {}, a map of dimensions is allowed", map.describe()));
    }
    if (depth > kDeepest) map.fail("is nested too deeply: a file may name itself");
    for (const YamlNode& child : map.children()) {
      const std::string name = prefix + child.key();
      if (child.is_map()) {
        read_object(child, name + ".", depth + 1);
        continue;
      }
      const std::string text = child.is_scalar() ? child.text() : "";
      if (text.ends_with(".json")) {
        if (const auto file = find_file(child.file(), text)) {
          constexpr std::uintmax_t kLargest = 4 * 1024 * 1024;
          read_object(parse_source(read_file(*file, kLargest), file->string()), name + ".",
                      depth + 1);
          continue;
        }
        space_.warnings.push_back(fmt::format(
            "{}: there is no file '{}' here or in a folder above, so that dimensions in it are "
            "missing",
            child.place(), printable(text, 200)));
      }
      add(child, name);
    }
  }

  void add(const YamlNode& child, const std::string& name) {
    SourceParameter parameter{.name = name, .place = child.place(), .type = "fixed"};
    if (auto values = choices_of(child)) {
      parameter.type = "dimension";
      parameter.domain = SourceChoices{.values = std::move(*values)};
    } else {
      parameter.domain = SourceChoices{.values = {nested_value(child)}, .fixed = true};
    }
    space_.add(std::move(parameter));
  }

  /// The values of a list of choices; nothing of what is one value as a whole.
  std::optional<std::vector<Value>> choices_of(const YamlNode& node) {
    // A list without values is none to choose from.
    if (!node.is_list() || node.children().empty() || node.key() == "args") return {};
    if (!std::ranges::all_of(node.children(), is_choice)) return {};
    std::vector<Value> values;
    std::set<Value, ValueBefore> known;
    for (const YamlNode& each : node.children()) {
      values.push_back(nested_value(each));
      if (known.insert(values.back()).second) continue;
      // Data, or a slip of who wrote choices: the reader cannot know.
      space_.warnings.push_back(
          fmt::format("{}: has the value {} twice, so that the list is fixed as a whole",
                      node.place(), shown(values.back())));
      return {};
    }
    return values;
  }

  SourceSpace space_;
};

}  // namespace

SourceSpace read_tag(const YamlNode& document) { return TagReader().read(document); }

}  // namespace ntune
