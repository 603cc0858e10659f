#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/common/terminal.h"

namespace ntune::cli {

class Flags;

/// What a first study is made of: a command line with values in its placeholders, the options of
/// an engine, or a file that import-space reads, which a command may follow.
struct StudySource {
  std::vector<std::string> words;
  std::string engine;  ///< is asked for its options; empty: none
  std::string only;    ///< patterns of names with commas between them; empty: all that matter
  std::string space;   ///< file of a space, for a command without values; empty: none
  std::string result;  ///< empty: auto
  bool minimise = false;
  std::optional<std::int64_t> budget;

  void visit(Flags& flags, bool of_any_source);
};

/// `output` is the file of the study.
struct InitArguments : StudySource {
  std::string output = "study.yaml";

  void visit(Flags& flags);
};
/// Writes a first study, which runs as it is.
int init_command(const InitArguments& arguments, const Terminal& terminal);

/// `out` is the folder; the study is kept beside it, as FOLDER.yaml.
struct TuneArguments : StudySource {
  std::string out = "tuned";
  std::optional<std::int64_t> seed;
  std::optional<int> threads;
  bool quiet = false;

  void visit(Flags& flags);
};
/// Makes a study of a command line and runs it.
int tune_command(const TuneArguments& arguments, const Terminal& terminal);

}  // namespace ntune::cli
