#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "ntune/core/yaml.h"
#include "ntune/space/import/import_space.h"
#include "ntune/space/space_yaml.h"
#include "support/error_text.h"

namespace ntune::test {

inline std::filesystem::path import_data(const std::string& name) {
  return std::filesystem::path(NTUNE_SOURCE_DIR) / "tests/space/data" / name;
}

/// What the YAML under `space:` means.
inline SearchSpace space_in(const std::string& yaml) {
  const YamlNode document = parse_yaml(yaml);
  return read_space(*document.find("space"));
}

inline SearchSpace imported(const std::string& text, const std::string& name = "file",
                            const ImportOptions& options = {}) {
  return space_in(import_space_text(text, name, options).yaml);
}

inline SearchSpace native(const std::string& yaml) { return read_space(parse_yaml(yaml)); }

inline std::string import_error(const std::string& text, const std::string& name = "file",
                                const std::optional<SpaceFormat>& format = {}) {
  return input_error([&] { import_space_text(text, name, {.format = format}); });
}

/// The line of a YAML text that holds these words, without the blanks around it.
inline std::string line_with(const std::string& yaml, const std::string& words) {
  const std::size_t at = yaml.find(words);
  if (at == std::string::npos) return "no such line";
  const std::size_t line = yaml.rfind('\n', at) + 1;
  const std::size_t begin = yaml.find_first_not_of(' ', line);
  return yaml.substr(begin, yaml.find('\n', at) - begin);
}

/// A ConfigSpace file of one or more parameters, as flow maps.
inline std::string configspace(const std::string& parameters, const std::string& more = "") {
  return "hyperparameters: [" + parameters + "]\n" + more;
}

}  // namespace ntune::test
