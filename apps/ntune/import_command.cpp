#include "apps/ntune/import_command.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/suggestion.h"
#include "ntune/core/text.h"
#include "ntune/space/import/import_space.h"

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
  const ImportedSpace imported = import_space(arguments.file, options);
  terminal.out << imported.yaml;
  for (const std::string& warning : imported.warnings) {
    terminal.err << "warning: " << warning << '\n';
  }
  return kDone;
}

}  // namespace ntune::cli
