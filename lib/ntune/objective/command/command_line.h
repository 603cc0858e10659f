#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ntune/core/process.h"
#include "ntune/core/program_guard.h"
#include "ntune/objective/command/command_options.h"
#include "ntune/objective/command/command_template.h"

namespace ntune {

/// Where in a study file the parts of a command stand, for messages; nullptr: not in a file.
class CommandPlaces {
 public:
  explicit CommandPlaces(const YamlNode* options) : options_(options) {}

  /// Throws InputError "file:line: objective.command[2]: message", or without the place.
  [[noreturn]] void fail(const char* key, int item, const std::string& message) const;

 private:
  const YamlNode* options_;
};

/// A command with its templates, read and checked.
class CommandLine {
 public:
  /// The folder is that which `directory` is seen from. Throws InputError.
  CommandLine(const CommandOptions& options, const SearchSpace& space,
              const std::filesystem::path& folder, const CommandPlaces& places);

  /// The program of one evaluation.
  [[nodiscard]] Program program(const CommandCall& call) const;
  /// A line for a shell that does the same, with `input` on standard input (empty: none).
  [[nodiscard]] std::string shown(const CommandCall& call, std::string_view input) const;
  /// What its templates are of.
  [[nodiscard]] const TemplateUses& uses() const { return uses_; }
  [[nodiscard]] bool names_seats() const { return uses_.seats.any() || uses_.all_seats; }
  /// Why it does not hand over the settings of so many seats; empty: it does.
  [[nodiscard]] std::string problem_with(int players) const;
  /// True if it has templates of the instance, names NTUNE_INSTANCE, or starts a worker.
  [[nodiscard]] bool uses_instance() const { return worker_ || uses_.instance; }
  /// Throws InputError at the template that an instance has no value for, or for which there are
  /// no instances.
  void check_instances(std::span<const Instance> instances, const CommandPlaces& places) const;
  /// The command as the study has it, for descriptions.
  [[nodiscard]] std::string text() const;
  /// Parameters that the command does not hand over.
  [[nodiscard]] std::vector<std::string> unused(const SearchSpace& space) const;
  /// The text before the parameter in what ends with it; empty where there is none.
  [[nodiscard]] std::string switch_of(int parameter, const std::string& name) const;

 private:
  void read_command(const CommandOptions& options, const SearchSpace& space,
                    const CommandPlaces& places);
  void read_environment(const CommandOptions& options, const SearchSpace& space,
                        const CommandPlaces& places);
  void check(const CommandOptions& options, const CommandPlaces& places) const;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> variables(
      const CommandCall& call) const;

  std::string written_;
  bool worker_ = false;
  bool sends_all_ = false;  ///< the parameters go along as JSON
  std::vector<CommandTemplate> arguments_;
  int leading_ = 0;  ///< arguments before those of the options
  std::vector<std::pair<std::string, CommandTemplate>> environment_;
  TemplateUses uses_;  ///< of arguments and environment
  std::filesystem::path folder_;
  std::int64_t memory_ = 0;  ///< bytes
};

/// A file or folder that is removed with the object, with all that is in it; by the guard, if this
/// process ends before.
class TemporaryPath {
 public:
  /// A file with this content. Throws ProcessError.
  static TemporaryPath file(ProgramGuard& guard, std::string_view content);
  /// An empty folder. Throws ProcessError.
  static TemporaryPath folder(ProgramGuard& guard);

  TemporaryPath(TemporaryPath&& other) noexcept
      : guard_(other.guard_), path_(std::exchange(other.path_, {})) {}
  TemporaryPath& operator=(TemporaryPath&&) = delete;
  ~TemporaryPath();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  TemporaryPath(ProgramGuard& guard, std::string path);

  ProgramGuard* guard_;
  std::string path_;
};

}  // namespace ntune
