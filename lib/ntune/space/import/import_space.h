#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ntune {

/// Search spaces of other systems that can be read.
enum class SpaceFormat {
  kConfigSpace,
  kIrace,
  kPcs,
  kOptuna,
  kTag,
  kOpenBench,
  kUci,
  kChessTuningTools,
  kWeatherFactory
};

struct SpaceFormatEntry {
  std::string name;  ///< on command lines
  SpaceFormat format;
  std::string title;    ///< as its users write it
  std::string summary;  ///< a description of such files
};
/// All formats, in the order of the enumeration.
std::span<const SpaceFormatEntry> space_format_table();

/// The format of a file by its content. Throws InputError if no format fits.
SpaceFormat detect_space_format(const std::string& name, const std::string& text);

struct ImportOptions {
  std::optional<SpaceFormat> format = {};  ///< detected if not given
  /// Values of a continuous range, and of integers where there are more than 20; from 2 to 1000.
  int points = 10;
  /// Where a normal distribution of ConfigSpace ends that has no bounds, in standard deviations.
  double sigmas = 3.0;
  /// Names of the parameters to take, in which * stands for any characters; empty: all.
  std::vector<std::string> only = {};
  /// A JSON file with the values that are used today, an agent of TAG's, as defaults.
  std::filesystem::path defaults = {};
};

struct ImportedSpace {
  SpaceFormat format = SpaceFormat::kConfigSpace;
  /// `space:` with one line a parameter; comments give the source of the values.
  std::string yaml;
  /// What could not be translated, "file:line: where: what", each one line.
  std::vector<std::string> warnings;
  /// Parameters that are left out, because their conditions never hold.
  std::vector<std::string> never_active = {};
};

/// Reads a file of at most 4 MiB. What comes back is always accepted by read_space; of a scenario
/// of irace it is a whole study. Throws InputError with file and, where there is one, line.
ImportedSpace import_space(const std::filesystem::path& file, const ImportOptions& options = {});

/// Reads a search space from a text; `name` stands for the file in messages.
ImportedSpace import_space_text(const std::string& text, const std::string& name,
                                const ImportOptions& options = {});

/// A command line whose placeholders said which values a parameter has.
struct ImportedCommand {
  std::vector<std::string> words;  ///< with `{depth}` in place of `{depth:1..8=4}`
  ImportedSpace space;
};

/// Reads `{name:low..high}` and `{name:a|b|c}` in the words of a command. Behind the values may
/// stand `=4`, the default, then `:log`, equal ratios, or `:step=2`, and `:plain`, which stays. Two
/// whole numbers are a range of integers; an empty choice is no argument. All else stays as it is.
/// Throws InputError where values are wrong, or where no word has any.
ImportedCommand import_command(const std::vector<std::string>& words, int points = 21);

}  // namespace ntune
