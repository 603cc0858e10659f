#include "apps/common/data_path.h"

#include <filesystem>
#include <system_error>

namespace ntune::cli {

std::string data_path(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (name.empty() || fs::path(name).is_absolute() || fs::exists(name, error)) return name;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path path = program.parent_path().parent_path() / "share" / "ntune" / name;
  return fs::exists(path, error) ? path.string() : name;
}

}  // namespace ntune::cli
