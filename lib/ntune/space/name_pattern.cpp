#include "ntune/space/name_pattern.h"

#include <cstddef>

namespace ntune {

bool fits(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  // A star takes any number of characters; each rest of the name is tried.
  for (std::size_t begin = star; begin <= name.size(); ++begin) {
    if (fits(rest, name.substr(begin))) return true;
  }
  return false;
}

}  // namespace ntune
