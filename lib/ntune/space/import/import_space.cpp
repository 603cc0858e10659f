#include "ntune/space/import/import_space.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/space/import/irace_scenario.h"
#include "ntune/space/import/source.h"
#include "ntune/space/import/write.h"

namespace ntune {

namespace {

/// Limits of a source file in bytes, and of its path in messages.
constexpr std::size_t kLargestFile = 4 * 1024 * 1024;
constexpr std::size_t kLongestPath = 1000;

/// The first line that is neither blank nor a comment.
std::string_view first_line(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = without_blanks(text.substr(0, end));
    if (!line.empty() && line != "\r" && !line.starts_with('#')) return line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

/// name "switch" type (…) or a section
bool looks_like_irace(std::string_view line) {
  if (line.starts_with("[forbidden]") || line.starts_with("[global]")) return true;
  const std::size_t blank = line.find_first_of(" \t");
  if (blank == std::string_view::npos) return false;
  const std::string_view rest = without_blanks(line.substr(blank));
  const std::size_t open = line.find('(');
  return rest.starts_with('"') && open != std::string_view::npos && line[0] != '{';
}

/// name, [int,] start, min, max, C_end, R_end
bool looks_like_openbench(std::string_view line) {
  const auto commas = std::ranges::count(line, ',');
  return (commas == 5 || commas == 6) && line.find_first_of("{}[]():\"") == std::string_view::npos;
}

/// Whether a map looks like a distribution of Optuna in one of its two forms.
bool is_optuna_entry(const YamlNode& node) {
  const YamlNode* type = node.find("type");
  return (node.find("name") != nullptr && node.find("attributes") != nullptr) ||
         (type != nullptr && (node.find("choices") != nullptr || node.find("low") != nullptr));
}

/// The names of all formats, for a message.
std::string format_names() {
  std::vector<std::string> names;
  for (const SpaceFormatEntry& entry : space_format_table()) names.push_back(entry.name);
  return list_text(names);
}

const SpaceFormatEntry& entry_of(SpaceFormat format) {
  return *std::ranges::find(space_format_table(), format, &SpaceFormatEntry::format);
}

/// The format of a YAML or JSON document by its keys; nothing if none fits.
std::optional<SpaceFormat> detect_document(const YamlNode& document) {
  if (!document.is_map() || document.children().empty()) return {};
  // The order matters: TAG's "class" may stand in any object, so it is looked for last.
  if (document.find("hyperparameters") != nullptr) return SpaceFormat::kConfigSpace;
  if (std::ranges::all_of(document.children(), is_optuna_entry)) return SpaceFormat::kOptuna;
  if (document.find("class") != nullptr) return SpaceFormat::kTag;
  return {};
}

/// The space as its format's reader gives it.
SourceSpace read_source(const std::string& text, const std::string& name, SpaceFormat format,
                        int points) {
  switch (format) {
    case SpaceFormat::kConfigSpace:
      return read_configspace(parse_source(text, name));
    case SpaceFormat::kOptuna:
      return read_optuna(parse_source(text, name));
    case SpaceFormat::kTag:
      return read_tag(parse_source(text, name));
    case SpaceFormat::kIrace:
      return read_irace(text, name);
    case SpaceFormat::kOpenBench:
      return read_openbench(text, name, points);
  }
  return {};
}

}  // namespace

std::span<const SpaceFormatEntry> space_format_table() {
  static const std::array<SpaceFormatEntry, 5> kTable = {{
      {"configspace", SpaceFormat::kConfigSpace, "ConfigSpace",
       "ConfigSpace, YAML or JSON with 'hyperparameters'"},
      {"irace", SpaceFormat::kIrace, "irace", "irace parameters: name \"switch\" type (values)"},
      {"optuna", SpaceFormat::kOptuna, "Optuna", "Optuna distributions as JSON"},
      {"tag", SpaceFormat::kTag, "TAG", "TAG (Tabletop Games) search space, JSON with 'class'"},
      {"openbench", SpaceFormat::kOpenBench, "OpenBench",
       "OpenBench or fishtest: name, type, start, min, max, C_end, R_end"},
  }};
  return kTable;
}

SpaceFormat detect_space_format(const std::string& name, const std::string& text) {
  // irace and OpenBench are no YAML, so their first line is looked at before the document is
  // parsed.
  const std::string_view line = first_line(text);
  if (looks_like_irace(line)) return SpaceFormat::kIrace;
  if (looks_like_openbench(line)) return SpaceFormat::kOpenBench;
  if (const auto format = detect_document(parse_source(text, printable(name, kLongestPath)))) {
    return *format;
  }
  throw InputError(fmt::format("{}: is no search space that is known; give its format: {}",
                               printable(name, kLongestPath), format_names()));
}

ImportedSpace import_space_text(const std::string& text, const std::string& name,
                                const ImportOptions& options) {
  const std::string file = printable(name, kLongestPath);
  constexpr int kFewestPoints = 2;
  constexpr int kMostPoints = 1000;
  if (options.points < kFewestPoints || options.points > kMostPoints) {
    throw InputError(fmt::format("points is {}, a whole number from {} to {} is allowed",
                                 options.points, kFewestPoints, kMostPoints));
  }
  if (text.size() > kLargestFile) {
    throw InputError(fmt::format("{}: is larger than the {} bytes allowed", file, kLargestFile));
  }
  const SpaceFormat format = options.format ? *options.format : detect_space_format(file, text);
  return write_imported_space(read_source(text, file, format, options.points), file,
                              entry_of(format), options.points);
}

ImportedSpace import_space(const std::filesystem::path& file, const ImportOptions& options) {
  const std::string text = read_file(file, kLargestFile);
  // A scenario is a whole study and not only a space, so it has a reader of its own.
  if (!options.format && is_irace_scenario(text)) return import_irace_scenario(text, file, options);
  return import_space_text(text, file.string(), options);
}

}  // namespace ntune
