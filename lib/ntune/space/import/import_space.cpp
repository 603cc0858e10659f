#include "ntune/space/import/import_space.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <variant>

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
    const std::string_view line = without_blanks(cut(text, "\n"));
    if (!line.empty() && line != "\r" && !line.starts_with('#')) return line;
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

/// name [type] {values} [default], or [low, high] [default]
bool looks_like_pcs(std::string_view line) {
  const std::size_t open = line.find_first_of("{[");
  if (open == 0 || open == line.npos) return false;
  const std::size_t close = line.find(line[open] == '{' ? '}' : ']', open);
  return close != line.npos && without_blanks(line.substr(close + 1)).starts_with('[');
}

/// name, [int,] start, min, max, C_end, R_end
bool looks_like_openbench(std::string_view line) {
  // A name may have brackets and commas within them, but begins with none.
  const std::string_view fields = line.substr(line.find_last_of(']') + 1);
  const auto commas = std::ranges::count(fields, ',');
  return (commas == 5 || commas == 6) && line[0] != '[' &&
         line.find_first_of("{}\"") == line.npos && line.find(": ") == line.npos;
}

/// An answer to `uci` has lines `option name …` behind the engine's name.
bool looks_like_uci(std::string_view text) {
  return text.starts_with("option name ") || text.find("\noption name ") != text.npos;
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
  if (document.find("parameter_ranges") != nullptr) return SpaceFormat::kChessTuningTools;
  if (std::ranges::all_of(document.children(), [](const YamlNode& node) {
        return node.find("min_value") != nullptr && node.find("max_value") != nullptr;
      })) {
    return SpaceFormat::kWeatherFactory;
  }
  if (document.find("class") != nullptr) return SpaceFormat::kTag;
  return {};
}

/// The space as its format's reader gives it.
SourceSpace read_source(const std::string& text, const std::string& name, SpaceFormat format,
                        const ImportOptions& options) {
  const int points = options.points;
  switch (format) {
    case SpaceFormat::kConfigSpace:
      return read_configspace(parse_source(text, name), options.sigmas);
    case SpaceFormat::kOptuna:
      return read_optuna(parse_source(text, name));
    case SpaceFormat::kTag:
      return read_tag(parse_source(text, name));
    case SpaceFormat::kIrace:
      return read_irace(text, name);
    case SpaceFormat::kPcs:
      return read_pcs(text, name);
    case SpaceFormat::kUci:
      return read_uci(text, name);
    case SpaceFormat::kChessTuningTools:
      return read_chess_tuning_tools(parse_source(text, name));
    case SpaceFormat::kWeatherFactory:
      return read_weather_factory(parse_source(text, name), points);
    case SpaceFormat::kOpenBench:
      return read_openbench(text, name, points);
  }
  return {};
}

/// Leaves out what none of the patterns fits, each of which must fit something that a space can
/// have. Without patterns it says what no space can have.
void take_only(const std::vector<std::string>& patterns, SourceSpace& space) {
  for (const auto& [name, reason] : space.left_out) {
    const auto wanted = [&name = name](const auto& pattern) { return fits(pattern, name); };
    if (std::ranges::any_of(patterns, wanted)) throw InputError(reason);
    if (patterns.empty()) space.warnings.push_back(reason + "; it is left out");
  }
  if (patterns.empty()) return;
  std::vector<std::string> names;
  for (const SourceParameter& parameter : space.parameters) names.push_back(parameter.name);
  for (const std::string& pattern : patterns) {
    if (std::ranges::any_of(names, [&](const auto& name) { return fits(pattern, name); })) continue;
    throw InputError(fmt::format("--only: '{}' fits no parameter{}", printable(pattern, 60),
                                 suggestion(pattern, names)));
  }
  std::erase_if(space.parameters, [&](const SourceParameter& parameter) {
    return std::ranges::none_of(patterns,
                                [&](const auto& pattern) { return fits(pattern, parameter.name); });
  });
}

/// Says of which words the order is lost: here numbers alone have one.
void note_lost_orders(SourceSpace& space) {
  for (const SourceParameter& parameter : space.parameters) {
    const auto* choices = std::get_if<SourceChoices>(&parameter.domain);
    if (choices == nullptr || (parameter.type != "o" && parameter.type != "ordinal")) continue;
    if (choices->values.size() < 3 || std::ranges::all_of(choices->values, is_number)) continue;
    space.warnings.push_back(fmt::format(
        "{}: is ordinal; the order of words is not kept, numbers have one", parameter.place));
  }
}

}  // namespace

std::span<const SpaceFormatEntry> space_format_table() {
  static const std::array<SpaceFormatEntry, 9> kTable = {{
      {"configspace", SpaceFormat::kConfigSpace, "ConfigSpace",
       "ConfigSpace, YAML or JSON with 'hyperparameters'"},
      {"irace", SpaceFormat::kIrace, "irace", "irace parameters: name \"switch\" type (values)"},
      {"pcs", SpaceFormat::kPcs, "PCS",
       "SMAC's and AClib's PCS, old and new: name [type] {values} or [low, high], [default]"},
      {"optuna", SpaceFormat::kOptuna, "Optuna", "Optuna distributions as JSON"},
      {"tag", SpaceFormat::kTag, "TAG", "TAG (Tabletop Games) search space, JSON with 'class'"},
      {"openbench", SpaceFormat::kOpenBench, "OpenBench",
       "OpenBench or fishtest: name, type, start, min, max, C_end, R_end"},
      {"uci", SpaceFormat::kUci, "UCI", "an engine's answer to uci: option name … type spin …"},
      {"chess-tuning-tools", SpaceFormat::kChessTuningTools, "chess-tuning-tools",
       "chess-tuning-tools, JSON with 'parameter_ranges'"},
      {"weather-factory", SpaceFormat::kWeatherFactory, "weather-factory",
       "weather-factory, JSON: name, value, min_value, max_value, step"},
  }};
  return kTable;
}

SpaceFormat detect_space_format(const std::string& name, const std::string& text) {
  // irace and OpenBench are no YAML, so their first line is looked at before the document is
  // parsed.
  const std::string_view line = first_line(text);
  if (looks_like_uci(text)) return SpaceFormat::kUci;
  if (looks_like_irace(line)) return SpaceFormat::kIrace;
  if (looks_like_openbench(line)) return SpaceFormat::kOpenBench;
  if (looks_like_pcs(line) || name.ends_with(".pcs")) return SpaceFormat::kPcs;
  try {
    const auto format = detect_document(parse_source(text, printable(name, kLongestPath)));
    if (format) return *format;
  } catch (const InputError&) {
    // What is meant to be JSON or YAML has a fault that its owner wants to know.
    const bool is_document = line.starts_with('{') || name.ends_with(".json") ||
                             name.ends_with(".yaml") || name.ends_with(".yml");
    if (is_document) throw;
  }
  throw InputError(
      fmt::format("{}: is no search space that is known; give its --format: {}; of "
                  "irace import the scenario or its parameter file",
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
  SourceSpace source = read_source(text, file, format, options);
  std::set<std::string> names;
  for (const SourceParameter& parameter : source.parameters) names.insert(parameter.name);
  take_only(options.only, source);
  note_lost_orders(source);
  if (!options.defaults.empty()) {
    const std::string values = read_file(options.defaults, kLargestFile);
    take_defaults(parse_source(values, options.defaults.string()), names, source);
  }
  ImportedSpace imported =
      write_imported_space(std::move(source), file, entry_of(format).title, options.points);
  imported.format = format;
  return imported;
}

ImportedSpace import_space(const std::filesystem::path& file, const ImportOptions& options) {
  const std::string text = read_file(file, kLargestFile);
  // A scenario is a whole study and not only a space, so it has a reader of its own.
  if (!options.format && is_irace_scenario(text)) {
    if (options.only.empty() && options.defaults.empty()) {
      return import_irace_scenario(text, file, options);
    }
    throw InputError(
        fmt::format("{}: is a scenario of irace; --only and --defaults go with a file of "
                    "parameters",
                    path_text(file)));
  }
  return import_space_text(text, file.string(), options);
}

}  // namespace ntune
