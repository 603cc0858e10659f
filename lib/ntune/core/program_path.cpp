#include "ntune/core/program_path.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace ntune {
namespace fs = std::filesystem;

std::string_view inherited_path() {
  const char* path = std::getenv("PATH");
  return path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
}

std::string find_on_path(std::string_view name, std::string_view path, int mode) {
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    const fs::path file = fs::path(path.substr(0, end)) / name;
    std::error_code error;
    const bool is_file = end > 0 && fs::is_regular_file(file, error) && !error;
    if (is_file && ::access(file.c_str(), mode) == 0) return file.string();
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return {};
}

}  // namespace ntune
