#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/core/yaml.h"

namespace ntune {

/// Reads options from a YAML map. Absent keys keep their defaults.
class OptionReader : public Options {
 public:
  /// `map` must be a map, or null for "all defaults"; it must outlive the reader.
  explicit OptionReader(const YamlNode& map);

  using Options::choice;
  using Options::integer;
  void number(const char* key, double& value, Bounds bounds, const char* help) override;
  void number(const char* key, AutoNumber& value, Bounds bounds, const char* help) override;
  void integer(const char* key, std::int64_t& value, Bounds bounds, const char* help) override;
  void integer(const char* key, AutoInteger& value, Bounds bounds, const char* help) override;
  void flag(const char* key, bool& value, const char* help) override;
  void text(const char* key, std::string& value, const char* help) override;
  void choice(const char* key, std::string& value, std::span<const std::string> allowed,
              const char* help) override;
  void custom(const char* key, const CustomOption& option, const char* help) override;

  /// The node of a key, which counts as read from now on; nullptr where absent or null.
  const YamlNode* take(std::string_view key);

  /// Throws InputError on the first key that nobody read, with the nearest known one.
  void finish() const;

 private:
  const YamlNode& map_;
  std::vector<std::string> known_;
};

/// Reads every option of a struct from a map and refuses keys that it does not have.
template <class Struct>
Struct read_options(const YamlNode& map, Struct options = {}) {
  OptionReader reader(map);
  options.visit(reader);
  reader.finish();
  return options;
}

}  // namespace ntune
