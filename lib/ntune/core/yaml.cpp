#include "ntune/core/yaml.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

constexpr std::uintmax_t kLargestFile = 4 * 1024 * 1024;
constexpr std::size_t kMostNodes = 100'000;
constexpr std::size_t kDeepestNesting = 32;
constexpr std::size_t kLongestPath = 4096;

}  // namespace

/// Builds the tree from yaml-cpp's events, so that limits hold before anything is expanded.
class YamlBuilder : public YAML::EventHandler {
 public:
  explicit YamlBuilder(std::shared_ptr<const std::string> file) : file_(std::move(file)) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (!is_first_) fail(mark, "a second YAML document begins, one is allowed");
    is_first_ = false;
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    place(make(mark, YamlNode::Kind::kNull), anchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node = make(mark, YamlNode::Kind::kScalar);
    node.text_ = value;
    node.quoted_ = tag == "!" || tag == "tag:yaml.org,2002:str";
    place(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) fail(mark, "an alias may not stand inside its own anchor");
    count(mark, size(found->second));
    place(found->second, 0);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, YamlNode::Kind::kList, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, YamlNode::Kind::kMap, anchor);
  }
  void OnMapEnd() override { close(); }

  YamlNode take_root() {
    if (!root_) {
      root_.emplace();
      root_->file_ = file_;
    }
    name_paths(*root_, 0);
    return *std::move(root_);
  }

 private:
  struct Frame {
    YamlNode node;
    YAML::anchor_t anchor;
    std::optional<YamlNode> pending_key;
    std::set<std::string> keys = {};
  };

  [[noreturn]] void fail(const YAML::Mark& mark, std::string_view message) const {
    throw InputError(fmt::format("{}:{}: {}", *file_, mark.line + 1, message));
  }

  YamlNode make(const YAML::Mark& mark, YamlNode::Kind kind) {
    count(mark, 1);
    YamlNode node;
    node.kind_ = kind;
    node.line_ = mark.line + 1;
    node.file_ = file_;
    return node;
  }

  void count(const YAML::Mark& mark, std::size_t nodes) {
    nodes_ += nodes;
    if (nodes_ > kMostNodes) {
      fail(mark, fmt::format("the document expands to more than the {} nodes allowed", kMostNodes));
    }
  }

  static std::size_t size(const YamlNode& node) {
    std::size_t nodes = 1;
    for (const YamlNode& child : node.children_) nodes += size(child);
    return nodes;
  }

  void open(const YAML::Mark& mark, YamlNode::Kind kind, YAML::anchor_t anchor) {
    if (stack_.size() >= kDeepestNesting) {
      fail(mark, fmt::format("nested deeper than the {} levels allowed", kDeepestNesting));
    }
    if (!stack_.empty() && awaits_key()) fail(mark, "a key must be plain text");
    stack_.push_back({make(mark, kind), anchor, std::nullopt});
  }

  void close() {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    place(std::move(frame.node), frame.anchor);
  }

  [[nodiscard]] bool awaits_key() const {
    return stack_.back().node.is_map() && !stack_.back().pending_key;
  }

  /// Puts a finished node where it belongs: root, list element, key or value.
  void place(YamlNode node, YAML::anchor_t anchor) {
    if (anchor != 0) anchors_[anchor] = node;
    if (stack_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& frame = stack_.back();
    if (frame.node.is_list()) {
      frame.node.children_.push_back(std::move(node));
    } else if (!frame.pending_key) {
      if (!node.is_scalar()) {
        throw InputError(fmt::format("{}:{}: a key must be plain text", *file_, node.line_));
      }
      if (!frame.keys.insert(node.text_).second) {
        throw InputError(fmt::format("{}:{}: {}: this key stands twice in one map", *file_,
                                     node.line_, printable(node.text_)));
      }
      frame.pending_key = std::move(node);
    } else {
      node.key_ = frame.pending_key->text_;
      node.line_ = frame.pending_key->line_;
      frame.pending_key.reset();
      frame.node.children_.push_back(std::move(node));
    }
  }

  void name_paths(YamlNode& node, std::size_t depth) const {
    if (depth > kDeepestNesting) {
      throw InputError(fmt::format("{}:{}: nested deeper than the {} levels allowed", *file_,
                                   node.line_, kDeepestNesting));
    }
    for (std::size_t i = 0; i < node.children_.size(); ++i) {
      YamlNode& child = node.children_[i];
      if (node.is_list()) {
        child.path_ = fmt::format("{}[{}]", node.path_, i + 1);
      } else {
        const std::string key = printable(child.key_);
        child.path_ = node.path_.empty() ? key : node.path_ + "." + key;
      }
      name_paths(child, depth + 1);
    }
  }

  std::shared_ptr<const std::string> file_;
  std::vector<Frame> stack_;
  std::map<YAML::anchor_t, YamlNode> anchors_;
  std::optional<YamlNode> root_;
  std::size_t nodes_ = 0;
  bool is_first_ = true;
};

const YamlNode* YamlNode::find(std::string_view key) const {
  if (!is_map()) return nullptr;
  for (const YamlNode& child : children_) {
    if (child.key_ == key) return &child;
  }
  return nullptr;
}

std::optional<double> YamlNode::number() const {
  if (!is_scalar() || quoted_ || text_.empty()) return std::nullopt;
  std::string_view digits = text_;
  const bool negative = digits.front() == '-';
  if (negative || digits.front() == '+') digits.remove_prefix(1);
  const double sign = negative ? -1.0 : 1.0;
  if (digits == ".inf" || digits == ".Inf" || digits == ".INF") {
    return sign * std::numeric_limits<double>::infinity();
  }
  if (text_ == ".nan" || text_ == ".NaN" || text_ == ".NAN") {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (digits.empty() || (digits.front() != '.' && (digits.front() < '0' || digits.front() > '9'))) {
    return std::nullopt;
  }
  double value = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range)
    return sign * std::numeric_limits<double>::infinity();
  if (error != std::errc()) return std::nullopt;
  return sign * value;
}

std::optional<std::int64_t> YamlNode::integer() const {
  if (!is_scalar() || quoted_ || text_.empty()) return std::nullopt;
  std::string_view digits = text_;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc() && end == digits.data() + digits.size()) return value;
  constexpr double kExactIntegers = 0x1p53;
  const std::optional<double> real = number();
  if (real && std::abs(*real) <= kExactIntegers && *real == std::trunc(*real)) {
    return static_cast<std::int64_t>(*real);
  }
  return std::nullopt;
}

std::optional<bool> YamlNode::boolean() const {
  if (!is_scalar() || quoted_) return std::nullopt;
  if (text_ == "true" || text_ == "True" || text_ == "TRUE") return true;
  if (text_ == "false" || text_ == "False" || text_ == "FALSE") return false;
  return std::nullopt;
}

std::string YamlNode::describe() const {
  switch (kind_) {
    case Kind::kNull:
      return "nothing";
    case Kind::kList:
      return "a list";
    case Kind::kMap:
      return "a map";
    case Kind::kScalar:
      break;
  }
  return fmt::format("'{}'", printable(text_, 60));
}

void YamlNode::fail(const std::string& message) const {
  const std::string key = path_.empty() ? "" : path_ + ": ";
  throw InputError(fmt::format("{}:{}: {}{}", *file_, line_, key, message));
}

void YamlNode::fail_at(std::string_view key, const std::string& message) const {
  const std::string below = path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  throw InputError(fmt::format("{}:{}: {}: {}", *file_, line_, printable(below), message));
}

namespace {

/// Needed because yaml-cpp takes byte 4 for the end of the file and accepts text that is not UTF-8.
void check_characters(const std::string& text, const std::string& file) {
  int line = 1;
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t length = utf8_length(text, i);
    const bool control = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F;
    if (length == 0 || control) {
      throw InputError(
          fmt::format("{}:{}: holds {} \\x{:02x}, which YAML does not allow", file, line,
                      control ? "the control character" : "a byte that is not UTF-8,", c));
    }
    if (c == '\n') ++line;
    i += length;
  }
}

}  // namespace

YamlNode parse_yaml(const std::string& text, const std::string& file_name) {
  const auto file = std::make_shared<const std::string>(printable(file_name, kLongestPath));
  check_characters(text, *file);
  // With a final line end yaml-cpp would accept a quote that is never closed.
  std::istringstream stream(text.substr(0, text.find_last_not_of(" \t\r\n") + 1));
  YamlBuilder builder(file);
  try {
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    parser.HandleNextDocument(builder);
  } catch (const YAML::DeepRecursion& error) {
    throw InputError(fmt::format("{}:{}: nested deeper than the {} levels allowed", *file,
                                 error.mark.line + 1, kDeepestNesting));
  } catch (const YAML::Exception& error) {
    throw InputError(
        fmt::format("{}:{}: not valid YAML: {}", *file, error.mark.line + 1, printable(error.msg)));
  }
  return builder.take_root();
}

YamlNode read_yaml(const std::filesystem::path& path) {
  return parse_yaml(read_file(path, kLargestFile), path.string());
}

Json to_json(const YamlNode& node) {
  if (node.is_list()) {
    Json list = Json::array();
    for (const YamlNode& child : node.children()) list.push_back(to_json(child));
    return list;
  }
  if (node.is_map()) {
    Json map = Json::object();
    for (const YamlNode& child : node.children()) map[child.key()] = to_json(child);
    return map;
  }
  if (node.is_null()) return nullptr;
  if (const auto flag = node.boolean()) return *flag;
  if (const auto integer = node.integer()) return *integer;
  if (const auto number = node.number()) return *number;
  return node.text();
}

namespace {

/// A word that YAML reads as itself in a flow collection.
bool is_plain_word(const std::string& text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_inner = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  const bool word = !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, is_inner);
  static const std::set<std::string> kReserved = {"true", "True", "TRUE", "false", "False", "FALSE",
                                                  "null", "Null", "NULL", "y",     "Y",     "n",
                                                  "N",    "yes",  "no",   "on",    "off"};
  return word && kReserved.count(text) == 0;
}

std::string scalar_yaml(const Json& json) {
  if (json.is_string() && is_plain_word(json.get<std::string>())) return json.get<std::string>();
  return json.dump();
}

}  // namespace

std::string to_yaml(const Json& json) {
  if (!json.is_structured()) return scalar_yaml(json);
  std::string text;
  for (const auto& [key, value] : json.items()) {
    if (!text.empty()) text += ", ";
    if (json.is_object()) text += scalar_yaml(key) + ": ";
    text += to_yaml(value);
  }
  return json.is_object() ? "{" + text + "}" : "[" + text + "]";
}

}  // namespace ntune
