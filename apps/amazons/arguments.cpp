#include "apps/amazons/arguments.h"

namespace ntune::amazons {

AmazonsDatabase database_of(const std::string& file, Parallel& parallel) {
  return file.empty() ? AmazonsDatabase::build(parallel) : AmazonsDatabase::load(file);
}

}  // namespace ntune::amazons
