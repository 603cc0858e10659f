#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "apps/common/terminal.h"
#include "ntune/core/yaml.h"
#include "ntune/space/search_space.h"
#include "ntune/study/model/study.h"

namespace ntune::cli {

/// The names of options, and the parameters whose values they get.
using EngineOptions = std::vector<std::pair<std::string, const Parameter*>>;

/// An engine that a command names in the words of fastchess and cutechess-cli.
struct NamedEngine {
  const YamlNode* word;                ///< of the command, for messages
  std::string program;                 ///< as it is written
  std::vector<std::string> arguments;  ///< to start it; empty: it is not there
  std::filesystem::path folder;        ///< where it runs
  bool speaks_uci = true;
  EngineOptions options = {};  ///< those that are tuned
};

/// The engines of the objective's command, each once: `cmd=` behind `-engine` or `-each`. What a
/// template names is left out. The space must outlive the result.
std::vector<NamedEngine> named_engines(const YamlNode& objective, const SearchSpace& space);

/// The objectives of a study, as it writes them.
std::vector<const YamlNode*> objectives_of(const YamlNode& study);

/// What a UCI engine answers to `uci`. Throws EvaluationError, ProcessError.
std::string uci_answer(const std::vector<std::string>& arguments,
                       const std::filesystem::path& folder = {});

/// The options of an engine as a space. Throws what `uci_answer` throws, and InputError.
SearchSpace uci_options(const std::vector<std::string>& arguments,
                        const std::filesystem::path& folder = {});

/// Compares parameters with the options of an engine; true if the engine takes them all. Messages
/// begin with the file.
bool compare_with_engine(const EngineOptions& mine, const SearchSpace& options,
                         const std::string& file, const Terminal& terminal);

/// Looks for the engines that a study names. A missing one is a warning, or with `ask` an
/// InputError; with `ask` those whose options are tuned are asked for them. True if all is well.
bool check_engines(const YamlNode& node, const Study& study, bool ask, const Terminal& terminal);

}  // namespace ntune::cli
