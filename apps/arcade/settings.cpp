#include "apps/arcade/settings.h"

#include <regex>

namespace ntune::arcade {

std::vector<std::string> split_settings(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t comma = text.find(','); comma != std::string::npos;
       comma = text.find(',', begin)) {
    parts.push_back(text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::string without_line(const std::string& message) {
  static const std::regex kLine(":[0-9]+: ");
  return std::regex_replace(message, kLine, ": ", std::regex_constants::format_first_only);
}

}  // namespace ntune::arcade
