// The parser of YAML: from text to a tree of YamlNode, by the events of yaml-cpp.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"

namespace ntune {

namespace {

/// Limits that keep a hostile or broken file from using up memory or the stack (see read_yaml).
constexpr std::uintmax_t kLargestFile = 4 * 1024 * 1024;
constexpr std::size_t kMostNodes = 100'000;
constexpr std::size_t kMostCopied = 64 * 1024 * 1024;  // bytes, by anchors and aliases
constexpr std::size_t kDeepestNesting = 32;
constexpr std::size_t kLongestPath = 4096;

}  // namespace

/// Builds the tree from yaml-cpp's events, so that limits hold before anything is expanded.
class YamlBuilder : public YAML::EventHandler {
 public:
  explicit YamlBuilder(std::shared_ptr<const std::string> file) : file_(std::move(file)) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (!is_first_)
      fail(mark,
           "a second YAML document begins, one is allowed; or the first key is indented further "
           "than this one");
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
    // yaml-cpp lets an escaped NUL through.
    if (value.find('\0') != std::string::npos) {
      fail(node.line_,
           fmt::format("'{}' has the character NUL, at which programs and files end a text",
                       printable(value, 60)));
    }
    // yaml-cpp marks scalars in quotes with the tag "!"; an explicit !!str counts as quotes too.
    node.quoted_ = tag == "!" || tag == "tag:yaml.org,2002:str";
    place(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    // The anchor is known only once its node is complete, so an alias within it is not found.
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) fail(mark, "an alias may not stand inside its own anchor");
    // Copies are counted before they are made, against files whose aliases double with each level.
    count(mark, size(found->second));
    count_copy(found->second);
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
    // An empty document has no event for a node; it counts as null.
    if (!root_) {
      root_.emplace();
      root_->file_ = file_;
    }
    // Paths are named at the end, because an alias gives its node another path than the anchor has.
    name_paths(*root_, 0);
    return *std::move(root_);
  }

 private:
  /// A list or map whose end has not been read yet.
  struct Frame {
    YamlNode node;
    YAML::anchor_t anchor;
    std::optional<YamlNode> pending_key;
    std::set<std::string> keys = {};
    std::optional<YamlNode> merged = {};  ///< the value of the key <<
    std::size_t merged_at = 0;            ///< children before it
  };

  [[noreturn]] void fail(int line, std::string_view message) const {
    throw InputError(fmt::format("{}:{}: {}", printable(*file_, kLongestPath), line, message));
  }
  [[noreturn]] void fail(const YAML::Mark& mark, std::string_view message) const {
    fail(mark.line + 1, message);
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

  /// An anchor keeps a copy, and an alias makes one, of few nodes that may be long.
  void count_copy(const YamlNode& node) {
    copied_ += bytes(node);
    if (copied_ <= kMostCopied) return;
    fail(node.line_,
         fmt::format("anchors and aliases copy more than the {} bytes allowed", kMostCopied));
  }

  /// Memory that a copy of the node takes, about.
  static std::size_t bytes(const YamlNode& node) {
    std::size_t sum = sizeof(node) + node.text_.size() + node.key_.size();
    for (const YamlNode& child : node.children_) sum += bytes(child);
    return sum;
  }

  /// Number of nodes from this one on downwards.
  static std::size_t size(const YamlNode& node) {
    std::size_t nodes = 1;
    for (const YamlNode& child : node.children_) nodes += size(child);
    return nodes;
  }

  void open(const YAML::Mark& mark, YamlNode::Kind kind, YAML::anchor_t anchor) {
    if (stack_.size() >= kDeepestNesting) {
      fail(mark, fmt::format("nested deeper than the {} levels allowed", kDeepestNesting));
    }
    // A list or map as a key is refused where it begins, before its content is read.
    if (!stack_.empty() && awaits_key()) fail(mark, "a key must be plain text");
    stack_.push_back({make(mark, kind), anchor, std::nullopt});
  }

  void close() {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    if (frame.merged) merge(frame);
    place(std::move(frame.node), frame.anchor);
  }

  /// Puts the keys of the maps behind <<, which the map does not have itself, in its place.
  void merge(Frame& frame) const {
    std::vector<YamlNode> maps;
    if (frame.merged->is_list()) {
      maps = std::move(frame.merged->children_);
    } else {
      maps.push_back(std::move(*frame.merged));
    }
    std::vector<YamlNode> children;
    for (YamlNode& map : maps) {
      if (!map.is_map()) {
        fail(frame.merged->line_,
             fmt::format("<<: {} cannot be merged, a map or a list of maps is allowed",
                         map.describe()));
      }
      // Of several maps the first that has a key gives its value.
      for (YamlNode& child : map.children_) {
        if (frame.keys.insert(child.key_).second) children.push_back(std::move(child));
      }
    }
    auto& own = frame.node.children_;
    own.insert(own.begin() + static_cast<std::ptrdiff_t>(frame.merged_at),
               std::make_move_iterator(children.begin()), std::make_move_iterator(children.end()));
  }

  [[nodiscard]] bool awaits_key() const {
    return stack_.back().node.is_map() && !stack_.back().pending_key;
  }

  /// The path of a key of the map that is being read.
  [[nodiscard]] std::string path_of(const std::string& key) const {
    std::string path;
    for (std::size_t i = 0; i + 1 < stack_.size(); ++i) {
      const Frame& frame = stack_[i];
      if (frame.node.is_list()) {
        path += fmt::format("[{}]", frame.node.children_.size() + 1);
      } else if (frame.pending_key) {
        path += (path.empty() ? "" : ".") + frame.pending_key->text_;
      }
    }
    return path.empty() ? key : path + '.' + key;
  }

  /// Puts a finished node where it belongs: root, list element, key or value.
  void place(YamlNode node, YAML::anchor_t anchor) {
    if (anchor != 0) {
      count_copy(node);
      anchors_[anchor] = node;
    }
    if (stack_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& frame = stack_.back();
    if (frame.node.is_list()) {
      frame.node.children_.push_back(std::move(node));
      // In a map nodes come in turn as key and value.
    } else if (!frame.pending_key) {
      if (!node.is_scalar()) {
        const char* reason =
            node.kind_ == YamlNode::Kind::kNull
                ? ", this one is YAML's null; a name like Null stands in quotes: \"Null\""
                : "";
        fail(node.line_, fmt::format("a key must be plain text{}", reason));
      }
      if (!frame.keys.insert(node.text_).second) {
        fail(node.line_,
             fmt::format("{}: this key stands twice in one map", printable(path_of(node.text_))));
      }
      frame.pending_key = std::move(node);
    } else {
      // The value is reported at the line of its key, where a reader looks for it.
      node.key_ = frame.pending_key->text_;
      node.line_ = frame.pending_key->line_;
      const bool is_merge = node.key_ == "<<" && !frame.pending_key->quoted_;
      frame.pending_key.reset();
      if (is_merge) {
        frame.merged_at = frame.node.children_.size();
        frame.merged = std::move(node);
      } else {
        frame.node.children_.push_back(std::move(node));
      }
    }
  }

  /// Gives each node its key path from the root on, with list elements counted from 1.
  void name_paths(YamlNode& node, std::size_t depth) const {
    // Aliases can nest deeper than the text does, so the depth is checked here again.
    if (depth > kDeepestNesting) {
      fail(node.line_, fmt::format("nested deeper than the {} levels allowed", kDeepestNesting));
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
  std::size_t copied_ = 0;
  bool is_first_ = true;
};

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
  const std::string shown = printable(file_name, kLongestPath);
  check_characters(text, shown);
  // With a final line end yaml-cpp would accept a quote that is never closed.
  std::istringstream stream(text.substr(0, text.find_last_not_of(" \t\r\n") + 1));
  YamlBuilder builder(std::make_shared<const std::string>(file_name));
  try {
    YAML::Parser parser(stream);
    // The second call is for a further document, which the builder refuses; at the end of the text
    // it does nothing.
    parser.HandleNextDocument(builder);
    parser.HandleNextDocument(builder);
  } catch (const YAML::DeepRecursion& error) {
    throw InputError(fmt::format("{}:{}: nested deeper than the {} levels allowed", shown,
                                 error.mark.line + 1, kDeepestNesting));
  } catch (const YAML::Exception& error) {
    throw InputError(
        fmt::format("{}:{}: not valid YAML: {}", shown, error.mark.line + 1, printable(error.msg)));
  }
  return builder.take_root();
}

YamlNode read_yaml(const std::filesystem::path& path) {
  return parse_yaml(read_file(path, kLargestFile), path.string());
}

}  // namespace ntune
