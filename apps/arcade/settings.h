#pragma once

#include <string>
#include <vector>

#include "apps/common/settings.h"
#include "ntune/core/error.h"

namespace ntune::arcade {

/// "a=1,b=2" in its parts.
std::vector<std::string> split_settings(const std::string& text);
/// A message of the YAML reader without the line, which an option does not have.
std::string without_line(const std::string& message);

/// read(map) of the settings "name=value,name=value" of an option. Throws InputError that begins
/// with the option.
template <class Read>
auto read_settings(const std::string& option, const std::string& text, Read read) {
  try {
    return read(cli::settings_map(option, split_settings(text)));
  } catch (const InputError& error) {
    throw InputError(without_line(error.what()));
  }
}

}  // namespace ntune::arcade
