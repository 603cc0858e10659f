#include "apps/common/settings.h"

#include <string_view>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"

namespace ntune::cli {

YamlNode settings_map(const std::string& option, const std::vector<std::string>& settings) {
  std::string yaml = "{}";
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == 0 || equals == std::string::npos ||
        printable(setting, setting.size()) != setting) {
      throw InputError(
          fmt::format("{}: is '{}', name=value is allowed", option, printable(setting, 60)));
    }
    if (yaml == "{}") yaml.clear();
    std::string value = setting.substr(equals + 1);
    const YamlNode parsed = parse_yaml(value, option + " " + setting);
    if (!parsed.is_scalar()) value = Json(value).dump();
    yaml += fmt::format("{}: {}\n", Json(setting.substr(0, equals)).dump(), value);
  }
  return parse_yaml(yaml, option);
}

std::vector<std::string> split_settings(const std::string& text) {
  const std::vector<std::string_view> parts = split(text, ',');
  return {parts.begin(), parts.end()};
}

std::vector<std::string> names_between_commas(const std::string& text) {
  if (text.empty()) return {};
  std::vector<std::string> names;
  for (const std::string_view name : split(text, ',')) names.emplace_back(trimmed(name, " "));
  return names;
}

std::string without_line(const std::string& message) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t begin = message.find(':'); begin != std::string::npos;
       begin = message.find(':', begin + 1)) {
    std::size_t end = begin + 1;
    while (end < message.size() && is_digit(message[end])) ++end;
    if (end > begin + 1 && message.compare(end, 2, ": ") == 0) {
      return message.substr(0, begin) + message.substr(end);
    }
  }
  return message;
}

}  // namespace ntune::cli
