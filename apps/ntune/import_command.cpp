#include "apps/ntune/import_command.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "apps/common/settings.h"
#include "apps/ntune/engines.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/space/import/import_space.h"
#include "ntune/study/keys/study_yaml.h"

namespace ntune::cli {

namespace {

SpaceFormat format_of(const std::string& name) {
  const auto table = space_format_table();
  const auto found = std::ranges::find(table, name, &SpaceFormatEntry::name);
  if (found != table.end()) return found->format;
  const std::vector<std::string> names = import_formats();
  throw InputError(fmt::format("format '{}' is not known{}; allowed: {}", printable(name),
                               suggestion(name, names), list_text(names)));
}

/// A scenario of irace becomes a study, whose faults are to be known now and not at its first run.
void check_study(const std::string& yaml, const std::string& file) {
  const YamlNode study = parse_yaml(yaml, "the study");
  if (study.find("objective") == nullptr) return;
  try {
    (void)read_study(study);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: becomes a study that is refused: {}", printable(file, 1000),
                                 error.what()));
  }
}

}  // namespace

std::vector<std::string> import_formats() {
  std::vector<std::string> names;
  for (const SpaceFormatEntry& entry : space_format_table()) names.push_back(entry.name);
  return names;
}

int import_space_command(const ImportArguments& arguments, const Terminal& terminal) {
  ImportOptions options;
  options.points = arguments.points;
  if (!arguments.format.empty()) options.format = format_of(arguments.format);
  options.sigmas = arguments.sigmas;
  options.only = names_between_commas(arguments.only);
  options.defaults = arguments.defaults;
  if (arguments.file.empty() == arguments.engine.empty()) {
    throw InputError("import-space: needs a FILE, or --uci ENGINE in its place");
  }
  if (!arguments.engine.empty()) options.format = SpaceFormat::kUci;
  const ImportedSpace imported =
      arguments.engine.empty()
          ? import_space(arguments.file, options)
          : import_space_text(uci_answer({arguments.engine}), arguments.engine, options);
  check_study(imported.yaml, arguments.file);
  terminal.out << imported.yaml;
  for (const std::string& warning : imported.warnings) {
    terminal.err << "warning: " << warning << '\n';
  }
  return kDone;
}

}  // namespace ntune::cli
