#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/space/import/import_space.h"
#include "ntune/space/import/source.h"

namespace ntune {

/// True if a line sets a word of a scenario.
bool is_irace_scenario(const std::string& text);

/// A whole scenario as a study file: program, parameters, instances and budget. Files are named by
/// their full paths. Throws InputError with file and line.
ImportedSpace import_irace_scenario(const std::string& text, const std::filesystem::path& file,
                                    const ImportOptions& options = {});

/// The rows of irace's configurationsFile, as R reads a table: a line of parameters' names, then
/// one of values for each configuration, perhaps behind its number; NA and <NA> leave a parameter
/// out. Throws InputError with file and line.
std::vector<SourceSpace::Configuration> read_irace_configurations(const std::string& text,
                                                                  const std::string& name,
                                                                  const SourceSpace& space);

/// `default:` from the first of the space's configurations and `start:` from the others, as lines
/// of a study, of points of `space`, the YAML of its import. Throws InputError with file and line:
/// a configuration is forbidden, or leaves out what is active there.
std::string irace_beginning(const SourceSpace& source, const std::string& space);

/// A word of irace's scenario files, of versions 3.5 and 4.
struct IraceWord {
  std::string name;
  std::string ours;      ///< what stands in its place in a study
  bool is_kept = false;  ///< what it says is carried over
};
std::span<const IraceWord> irace_words();

/// The word that a line of a scenario sets; nullptr if it is none.
const IraceWord* word_set_by(std::string_view line);

/// The statements of R in a file, each a line or more where brackets are open. Blanks take the
/// place of comments, and of ends of lines within a statement. Throws InputError where brackets
/// stay open.
std::vector<std::string_view> r_statements(SourceText& file);

/// What a scenario file of irace sets: R assignments. Messages name its lines. Calls and conditions
/// of R, and names that begin with a dot, are left out.
///   parameterFile = "./parameters.txt"
///   maxExperiments <- 5 * 1000  # a comment
///   instances = c("easy.tsp",
///                 "hard.tsp")
class IraceSettings {
 public:
  /// Throws InputError.
  IraceSettings(const std::string& text, const std::filesystem::path& file);

  IraceSettings(const IraceSettings&) = delete;
  IraceSettings& operator=(const IraceSettings&) = delete;

  /// The value of a word; nullptr if it is not set, or is "", NULL or NA.
  [[nodiscard]] const std::string* find(const std::string& word) const;
  [[nodiscard]] bool is_true(const std::string& word) const;
  /// The file or folder that a word names, as seen from the scenario.
  [[nodiscard]] std::filesystem::path path(const std::string& word, const std::string& usual) const;
  /// The texts of `c("a", "b")`, of `list(…)`, or of a single text; nothing as in `find`.
  [[nodiscard]] std::optional<std::vector<std::string>> list(const std::string& word) const;
  /// A number of at least `least`, or what R would calculate: `60 * 60`, `1000L`.
  [[nodiscard]] std::optional<double> number(const std::string& word, double least) const;
  /// A whole number of at least `least`.
  [[nodiscard]] std::optional<std::int64_t> count(const std::string& word,
                                                  std::int64_t least) const;
  [[nodiscard]] Place place(const std::string& word) const;
  /// What is set and has no counterpart in a study.
  [[nodiscard]] std::vector<std::string> left_out() const;

 private:
  struct Setting {
    std::string value;         ///< without its quotes
    std::string_view written;  ///< in the file
  };

  void read_statement(std::string_view line);
  void leave_out_function(const IraceWord& word, const Place& place);
  [[nodiscard]] std::optional<double> calculated(const std::string& word) const;
  [[noreturn]] void refuse(const std::string& word, const std::string& allowed) const;

  SourceText file_;
  std::filesystem::path folder_;
  std::map<std::string, Setting> settings_;
  std::vector<std::string> order_;
  std::vector<std::string> code_;    ///< warnings of what R would have carried out
  bool is_behind_function_ = false;  ///< where a body may follow that is left out with it
};

}  // namespace ntune
