#include "apps/common/colour.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

namespace ntune::cli {

bool shows_colour(const std::ostream& stream) {
  const int file = &stream == &std::cout   ? STDOUT_FILENO
                   : &stream == &std::cerr ? STDERR_FILENO
                                           : -1;
  if (file < 0 || isatty(file) == 0) return false;
  const char* refused = std::getenv("NO_COLOR");  // as no-color.org has it: if it is not empty
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return !is_dumb && (refused == nullptr || *refused == '\0');
}

}  // namespace ntune::cli
