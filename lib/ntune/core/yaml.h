#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/json_fwd.h"

namespace ntune {

/// One node of a YAML document with its place in it: file, line and key path. Values are
/// plain text until a caller asks for a type; a wrong type is an InputError that names the place.
class YamlNode {
 public:
  enum class Kind { kNull, kScalar, kList, kMap };

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is_null() const { return kind_ == Kind::kNull; }
  [[nodiscard]] bool is_scalar() const { return kind_ == Kind::kScalar; }
  [[nodiscard]] bool is_list() const { return kind_ == Kind::kList; }
  [[nodiscard]] bool is_map() const { return kind_ == Kind::kMap; }

  /// Text of a scalar, and whether it stood in quotes (then it is a string whatever it looks like).
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool quoted() const { return quoted_; }

  /// Elements of a list or values of a map, in order of the file.
  [[nodiscard]] const std::vector<YamlNode>& children() const { return children_; }
  /// Key of a map's value.
  [[nodiscard]] const std::string& key() const { return key_; }
  /// The value of a key, or nullptr.
  [[nodiscard]] const YamlNode* find(std::string_view key) const;

  /// What the scalar means in YAML's core schema; empty if it means something else.
  [[nodiscard]] std::optional<double> number() const;
  [[nodiscard]] std::optional<std::int64_t> integer() const;
  [[nodiscard]] std::optional<bool> boolean() const;

  [[nodiscard]] int line() const { return line_; }
  /// "space.length" or "splits[2].runs".
  [[nodiscard]] const std::string& path() const { return path_; }
  /// The file as the user named it; "(text)" for parse_yaml's default.
  [[nodiscard]] const std::string& file() const { return *file_; }
  /// The same for messages, safe on a terminal.
  [[nodiscard]] std::string shown_file() const;
  /// Where it stands: "file:line: path", or "file:line" of the root.
  [[nodiscard]] std::string place() const;

  /// The value as messages quote it: "'text'", "a list", "a map" or "nothing".
  [[nodiscard]] std::string describe() const;
  /// Throws InputError "file:line: path: message".
  [[noreturn]] void fail(const std::string& message) const;
  /// Throws InputError "file:line: path.key: message", for a key below this node.
  [[noreturn]] void fail_at(std::string_view key, const std::string& message) const;

 private:
  friend class YamlBuilder;
  Kind kind_ = Kind::kNull;
  bool quoted_ = false;
  int line_ = 1;
  std::string text_;
  std::string key_;
  std::string path_;
  std::shared_ptr<const std::string> file_;
  std::vector<YamlNode> children_;
};

/// Reads one YAML document (JSON is YAML too). Refused with a line number: syntax errors, duplicate
/// keys, keys that are not scalars, more than one document, nesting deeper than 32. So are more
/// than 100,000 nodes after expansion of aliases, control characters, and bytes that are not UTF-8.
/// Refused by name: files over 4 MiB.
YamlNode read_yaml(const std::filesystem::path& path);
YamlNode parse_yaml(const std::string& text, const std::string& file_name = "(text)");

/// JSON as one line of YAML in flow style, with quotes only where they are needed.
std::string to_yaml(const Json& json);

/// The node as JSON: null, true/false, integers, numbers and strings by YAML's core schema.
Json to_json(const YamlNode& node);

}  // namespace ntune
