#include "apps/amazons/arguments.h"

namespace ntune::amazons {

void add_database_option(CLI::App& command, std::string& file) {
  command.add_option("--database", file, "file of `amazons database --out` (default: computed)")
      ->type_name("FILE");
}

AmazonsDatabase database_of(const std::string& file, Parallel& parallel) {
  return file.empty() ? AmazonsDatabase::build(parallel) : AmazonsDatabase::load(file);
}

}  // namespace ntune::amazons
