#include "ntune/objective/command/missing_file.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/program.h"
#include "ntune/core/text.h"

namespace ntune {
namespace fs = std::filesystem;

namespace {

/// The options of a program before its first operand: letters that stand alone, where '-' is for
/// long options, and letters that take a value.
struct StartOptions {
  std::string_view name;
  std::string_view alone = {};
  std::string_view with_value = {};
};

/// Programs that start another one, behind so many operands of their own.
struct Starter : StartOptions {
  std::size_t operands = 0;
};
constexpr std::array kStarters = {Starter{{"env", "i0v", "u"}},
                                  Starter{{"exec", "cl", "a"}},
                                  Starter{{"ionice", "t", "cn"}},
                                  Starter{{"nice", "", "n"}},
                                  Starter{{"nohup"}},
                                  Starter{{"setsid", "cfw"}},
                                  Starter{{"stdbuf", "", "ioe"}},
                                  Starter{{"taskset", "ac"}, 1},
                                  Starter{{"time", "apqv", "fo"}},
                                  Starter{{"timeout", "v", "ks"}, 1}};

/// Programs whose first operand is a script. `endings`: only what ends so is one.
struct ScriptReader : StartOptions {
  std::string_view endings = {};
  bool on_path = false;  ///< a script without a path is looked for on the PATH too
};
constexpr std::string_view kShellOptions = "aefhkmnuvxCEl";
constexpr std::array kInterpreters = {ScriptReader{{"ash", kShellOptions, "oO"}, {}, true},
                                      ScriptReader{{"bash", kShellOptions, "oO"}, {}, true},
                                      ScriptReader{{"dash", kShellOptions, "oO"}, {}, true},
                                      ScriptReader{{"dotnet"}, ".dll"},
                                      ScriptReader{{"ksh", kShellOptions, "oO"}, {}, true},
                                      ScriptReader{{"lua", "iEW", "l"}},
                                      ScriptReader{{"luajit", "iEW", "l"}},
                                      ScriptReader{{"julia", "iq", "tp"}},
                                      ScriptReader{{"mono"}, ".exe"},
                                      ScriptReader{{"node", "", "r"}, ".js.mjs.cjs.ts"},
                                      ScriptReader{{"nodejs", "", "r"}, ".js.mjs.cjs.ts"},
                                      ScriptReader{{"octave", "qfWH"}, ".m"},
                                      ScriptReader{{"perl", "wWtTsnpa", "I"}},
                                      ScriptReader{{"php", "nqHC", "cdz"}},
                                      ScriptReader{{"pypy", "bBdEiIOPqRsSuvx", "WX"}},
                                      ScriptReader{{"python", "bBdEiIOPqRsSuvx", "WX"}},
                                      ScriptReader{{"Rscript", "-"}},
                                      ScriptReader{{"ruby", "wv", "Ir"}},
                                      ScriptReader{{"sh", kShellOptions, "oO"}, {}, true},
                                      ScriptReader{{"tclsh"}},
                                      ScriptReader{{"zsh", kShellOptions, "oO"}, {}, true}};

template <class Table>
auto find_by_name(const Table& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &StartOptions::name);
  return found == table.end() ? nullptr : &*found;
}

/// A text that a shell takes as it is, in any place.
bool is_plain(std::string_view word) {
  return std::ranges::all_of(word, [](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter || std::string_view("_-+=./,:@%").find(c) != std::string_view::npos;
  });
}

bool is_assignment(std::string_view word) {
  const std::size_t end = word.find('=');
  return end != std::string_view::npos && end > 0 && word[0] != '-' &&
         word.substr(0, end).find('/') == std::string_view::npos;
}

struct CommandWord {
  std::string text;
  const YamlNode* place;
  bool is_known;  ///< it has no template and nothing that a shell replaces
};

/// The first command of a shell's text, up to a pipe or a redirection; nothing where the text has
/// several commands, as one of them may make what another needs.
std::vector<CommandWord> words_of_text(const YamlNode& node) {
  std::string text = node.text();
  for (const std::string_view joint : {"2>&1", ">&2", "&>"}) {
    for (std::size_t at = text.find(joint); at != std::string::npos; at = text.find(joint)) {
      text.replace(at, joint.size(), ">");
    }
  }
  text.erase(text.find_last_not_of(" \t\n") + 1);
  if (text.find_first_of(";&`(\n") != std::string::npos) return {};
  if (text.find("||") != std::string::npos) return {};
  text.erase(std::min(text.find_first_of("|<>"), text.size()));
  std::vector<CommandWord> words;
  for (std::size_t at = text.find_first_not_of(" \t"); at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \t", at), text.size());
    std::string word = text.substr(at, end - at);
    const bool is_known = is_plain(word);
    words.push_back({std::move(word), &node, is_known});
    at = text.find_first_not_of(" \t", end);
  }
  return words;
}

/// Reads a command as it would be started in a folder.
class CommandReader {
 public:
  CommandReader(const YamlNode& options, const YamlNode& command) {
    const YamlNode* shell = options.find("shell");
    is_text_ = shell != nullptr && shell->boolean().value_or(false);
    if (command.is_scalar() && is_text_) words_ = words_of_text(command);
    for (const YamlNode& item : command.children()) {
      words_.push_back({item.text(), &item, item.text().find_first_of("{}") == std::string::npos});
    }
    const YamlNode* directory = options.find("directory");
    std::error_code error;
    folder_ = fs::path(options.file()).parent_path();
    folder_ /= directory != nullptr ? directory->text() : ".";
    folder_ = fs::absolute(folder_, error).lexically_normal();
    if (!folder_.has_filename()) folder_ = folder_.parent_path();  // without a '/' at the end
    const YamlNode* environment = options.find("environment");
    const YamlNode* path = environment != nullptr ? environment->find("PATH") : nullptr;
    path_ = path != nullptr ? std::string_view(path->text()) : inherited_path();
    knows_path_ = path_.find_first_of("{}") == std::string_view::npos;
  }

  std::optional<MissingFile> missing() {
    std::error_code error;
    if (!fs::is_directory(folder_, error)) return std::nullopt;  // which is said elsewhere
    const auto at_start = missing_at_start();
    if (at_start && !at_start->by_name) return at_start;
    const auto openings = missing_openings();
    return openings ? openings : at_start;
  }

 private:
  /// The program or its script.
  std::optional<MissingFile> missing_at_start() {
    std::size_t at = 0;
    while (true) {
      if (is_text_) pass_assignments(at);
      if (!is_known(at)) return std::nullopt;
      if (auto missing = missing_program(at)) return missing;
      const Starter* starter = find_by_name(kStarters, name_of(at));
      if (starter == nullptr) return missing_script(at);
      const bool takes_assignments = starter->name == "env";
      const auto operand = first_operand(at + 1, *starter);
      if (!operand) return std::nullopt;
      at = *operand + starter->operands;
      if (takes_assignments) pass_assignments(at);
    }
  }

  /// A file of openings, as fastchess and cutechess-cli are told of it. Other options of theirs
  /// name files that they write.
  [[nodiscard]] std::optional<MissingFile> missing_openings() const {
    constexpr std::string_view kKey = "file=";
    std::string_view option;
    for (const CommandWord& word : words_) {
      if (word.text.starts_with('-')) option = word.text;
      if (!word.is_known || !word.text.starts_with(kKey)) continue;
      if (!option.empty() && option != "-openings") continue;
      const std::string file = word.text.substr(kKey.size());
      const bool is_path =
          file.find('/') != std::string::npos || file.ends_with(".epd") || file.ends_with(".pgn");
      std::error_code error;
      if (!is_path || fs::exists(folder_ / file, error)) continue;
      return MissingFile{
          *word.place, fmt::format("is '{}': there is no such file, seen from {}",
                                   printable(word.text, 1000), printable(folder_.string(), 1000))};
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_known(std::size_t at) const {
    return at < words_.size() && words_[at].is_known && !words_[at].text.empty();
  }

  /// The name of a program without its folder.
  [[nodiscard]] std::string name_of(std::size_t at) const {
    return fs::path(words_[at].text).filename().string();
  }

  /// Passes over `NAME=value`. With another PATH it is not known where programs are.
  void pass_assignments(std::size_t& at) {
    for (; is_known(at) && is_assignment(words_[at].text); ++at) {
      if (words_[at].text.starts_with("PATH=")) knows_path_ = false;
    }
  }

  /// The first word that is no option; nothing where an option is not known, or is the last word.
  [[nodiscard]] std::optional<std::size_t> first_operand(std::size_t at,
                                                         const StartOptions& options) const {
    for (; is_known(at); ++at) {
      const std::string_view word = words_[at].text;
      if (word == "-" || word[0] == '+') return std::nullopt;
      if (word == "--") return at + 1;
      if (word[0] != '-') return at;
      if (word.starts_with("--")) {
        if (!is_long_option(word, options)) return std::nullopt;
        continue;
      }
      for (std::size_t i = 1; i < word.size(); ++i) {
        if (options.alone.find(word[i]) != std::string_view::npos) continue;
        if (options.with_value.find(word[i]) == std::string_view::npos) return std::nullopt;
        if (i + 1 == word.size()) ++at;  // the value is the next word, else the rest of this one
        break;
      }
    }
    return std::nullopt;
  }

  /// Whether a long option is one word, and none that brings the code itself.
  static bool is_long_option(std::string_view word, const StartOptions& options) {
    const std::size_t end = word.find('=');
    if (end == std::string_view::npos) {
      return options.alone.find('-') != std::string_view::npos;
    }
    constexpr std::array<std::string_view, 6> kCode = {"--eval", "--exec",  "--file",
                                                       "--load", "--print", "--run"};
    return std::ranges::find(kCode, word.substr(0, end)) == kCode.end();
  }

  /// The program of that place, if it cannot be started.
  [[nodiscard]] std::optional<MissingFile> missing_program(std::size_t at) const {
    const CommandWord& word = words_[at];
    const std::string shown = printable(word.text);
    if (word.text.find('/') == std::string::npos) {
      // A shell has commands of its own.
      if (is_text_ || !knows_path_ || !find_on_path(word.text, path_, X_OK).empty()) return {};
      std::error_code error;
      const bool beside = fs::is_regular_file(folder_ / word.text, error);
      return MissingFile{*word.place,
                         fmt::format("there is no program '{}' on the PATH{}", shown,
                                     beside ? fmt::format("; did you mean './{}'?", shown) : ""),
                         !beside};
    }
    const fs::path file = folder_ / word.text;
    std::error_code error;
    if (fs::is_directory(file, error)) {
      return MissingFile{*word.place,
                         fmt::format("is '{}', a folder; a program is allowed", shown)};
    }
    if (!fs::exists(file, error)) return absent(word);
    if (::access(file.c_str(), X_OK) == 0) return {};
    return MissingFile{*word.place,
                       fmt::format("the file '{}' may not be executed; allow it by 'chmod +x', or "
                                   "write its interpreter before it",
                                   shown)};
  }

  /// The script that the interpreter of that place would read, if it is not there.
  [[nodiscard]] std::optional<MissingFile> missing_script(std::size_t at) const {
    std::string name = name_of(at);
    if (name == "java") return missing_java(at + 1);
    // python3.11 is a python.
    name.erase(name.find_last_not_of("0123456789.") + 1);
    const ScriptReader* interpreter = find_by_name(kInterpreters, name);
    if (interpreter == nullptr) return {};
    const auto operand = first_operand(at + 1, *interpreter);
    if (!operand || !is_known(*operand)) return {};
    const CommandWord& script = words_[*operand];
    const std::string ending = fs::path(script.text).extension().string();
    const std::string endings = fmt::format("{}.", interpreter->endings);
    const bool is_script = !ending.empty() && endings.find(ending + ".") != std::string::npos;
    if (!interpreter->endings.empty() && !is_script) return {};
    if (is_there(script)) return {};
    const bool by_path = interpreter->on_path && script.text.find('/') == std::string::npos;
    if (by_path && (!knows_path_ || !find_on_path(script.text, path_, F_OK).empty())) return {};
    return absent(script);
  }

  /// The archive of `-jar`, or a class in source, if it is not there.
  [[nodiscard]] std::optional<MissingFile> missing_java(std::size_t at) const {
    constexpr std::array<std::string_view, 5> kWithValue = {"-cp", "-classpath", "--class-path",
                                                            "-p", "--module-path"};
    for (; is_known(at); ++at) {
      const std::string& word = words_[at].text;
      const bool is_archive = word == "-jar";
      if (is_archive) ++at;
      if (is_archive || word[0] != '-') {
        const bool fits = is_known(at) && (is_archive || words_[at].text.ends_with(".java"));
        return fits && !is_there(words_[at]) ? std::optional(absent(words_[at])) : std::nullopt;
      }
      if (std::ranges::find(kWithValue, word) != kWithValue.end()) {
        ++at;
      } else if (word.starts_with("--") && word.find('=') == std::string::npos) {
        return {};  // it may have a value
      }
    }
    return {};
  }

  [[nodiscard]] bool is_there(const CommandWord& word) const {
    std::error_code error;
    return fs::exists(folder_ / word.text, error);
  }

  [[nodiscard]] MissingFile absent(const CommandWord& word) const {
    return {*word.place, fmt::format("there is no file '{}' in {}, where the program runs",
                                     printable(word.text), printable(folder_.string(), 1000))};
  }

  std::vector<CommandWord> words_;
  bool is_text_ = false;
  fs::path folder_;
  std::string_view path_;
  bool knows_path_ = true;
};

}  // namespace

std::optional<MissingFile> missing_file(const YamlNode& objective) {
  const YamlNode* options = &objective;
  while (const YamlNode* inner = options->find("match")) options = inner;
  const YamlNode* command = options->find("command");
  if (command == nullptr) return std::nullopt;
  return CommandReader(*options, *command).missing();
}

}  // namespace ntune
