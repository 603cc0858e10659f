#pragma once

#include <string>
#include <vector>

#include "ntune/core/error.h"
#include "ntune/core/yaml.h"

namespace ntune::cli {

/// The result of act(), whose InputError then begins with the option.
template <class Act>
auto with_option(const std::string& option, const Act& act) {
  try {
    return act();
  } catch (const InputError& error) {
    throw InputError(option + ": " + error.what());
  }
}

/// The texts name=value of an option as one YAML map, whose messages begin with the option. Throws
/// InputError.
YamlNode settings_map(const std::string& option, const std::vector<std::string>& settings);

/// "a=1,b=2" in its parts.
std::vector<std::string> split_settings(const std::string& text);
/// The names of a list with commas between them, without blanks at their ends; none of an empty
/// text.
std::vector<std::string> names_between_commas(const std::string& text);
/// A message of the YAML reader without its first ":LINE: ", because an option has no lines.
std::string without_line(const std::string& message);

/// read(map) of the texts name=value of an option. Throws InputError that begins with the option.
template <class Read>
auto read_settings(const std::string& option, const std::vector<std::string>& settings, Read read) {
  try {
    return read(settings_map(option, settings));
  } catch (const InputError& error) {
    throw InputError(without_line(error.what()));
  }
}

/// The same for settings in one text, "name=value,name=value".
template <class Read>
auto read_settings(const std::string& option, const std::string& text, Read read) {
  return read_settings(option, split_settings(text), read);
}

}  // namespace ntune::cli
