#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/input_errors.h"
#include "ntune/core/options.h"
#include "ntune/core/yaml.h"

namespace ntune {

/// Reads options from a YAML map. Absent keys keep their defaults.
class OptionReader : public Options {
 public:
  /// `map` must be a map, or null for "all defaults"; it must outlive the reader. With `errors` a
  /// wrong option is kept there and has its default, without it is thrown.
  explicit OptionReader(const YamlNode& map, InputErrors* errors = nullptr);

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

  /// Refuses the keys that nobody read, each with the nearest known one.
  void finish() const;

 private:
  /// Calls read, whose error is kept where errors are.
  void attempt(const std::function<void()>& read) const;
  /// Reads the node of the key, if it is there.
  void read(const char* key, const std::function<void(const YamlNode&)>& read);

  const YamlNode& map_;
  InputErrors* errors_;
  std::vector<std::string> known_;
};

/// Reads every option of a struct from a map and refuses keys that it does not have. Throws one
/// InputError with a line for each wrong key.
template <class Struct>
Struct read_options(const YamlNode& map, Struct options = {}) {
  InputErrors errors;
  OptionReader reader(map, &errors);
  options.visit(reader);
  reader.finish();
  errors.throw_any();
  return options;
}

}  // namespace ntune
