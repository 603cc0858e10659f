#include "ntune/space/import/command_line.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/space/import/source.h"
#include "ntune/space/import/write.h"

namespace ntune {

namespace {

/// The text before the first of these characters, which is taken off `rest` with it.
std::string_view cut(std::string_view& rest, char at) {
  const std::size_t end = std::min(rest.find(at), rest.size());
  const std::string_view head = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return head;
}

/// A number, or the text itself.
Value value_of(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  return parse_number(text).value_or(Value(std::string(text)));
}

/// One placeholder: its parameter, and what stays of it.
class Placeholder {
 public:
  /// `text` stands between the braces and has the values of a parameter.
  explicit Placeholder(std::string_view text) {
    parameter_.place = fmt::format("{{{}}}", printable(text, 60));
    parameter_.name = cut(text, ':');
    parameter_.type = "placeholder";
    kept_ = parameter_.name;
    std::string_view values = cut(text, ':');
    std::string_view rest = values;
    values = cut(rest, '=');
    if (!rest.empty()) parameter_.start = value_of(rest);
    if (values.find('|') != values.npos) {
      read_choices(values);
    } else {
      read_range(values);
    }
    while (!text.empty()) read_suffix(cut(text, ':'));
    finish_range();
    check_start();
  }

  [[nodiscard]] SourceParameter& parameter() { return parameter_; }
  [[nodiscard]] std::string kept() const { return "{" + kept_ + "}"; }

 private:
  void read_choices(std::string_view values) {
    SourceChoices choices;
    while (!values.empty()) choices.values.push_back(value_of(cut(values, '|')));
    parameter_.domain = std::move(choices);
  }

  void read_range(std::string_view values) {
    const std::size_t dots = values.find("..");
    low_ = parse_number(values.substr(0, dots));
    high_ = parse_number(values.substr(dots + 2));
    if (!low_ || !high_) {
      fail_at(parameter_.place, fmt::format("'{}' is no range; allowed: two numbers, as 1..8, or "
                                            "words, as fast|slow",
                                            printable(values, 60)));
    }
  }

  void read_suffix(std::string_view suffix) {
    constexpr std::string_view kStep = "step=";
    if (suffix == "log" && low_) {
      log_ = true;
    } else if (suffix.starts_with(kStep) && low_) {
      step_ = parse_number(suffix.substr(kStep.size()));
      if (!step_ || value_number(*step_) <= 0.0) {
        fail_at(parameter_.place,
                fmt::format("'{}' is no step, a number above 0 is needed", printable(suffix, 60)));
      }
    } else if (suffix == "plain" || suffix == "shell") {
      kept_ += ":" + std::string(suffix);
    } else {
      fail_at(parameter_.place, fmt::format("'{}' is not known; allowed: {}plain or shell",
                                            printable(suffix, 60), low_ ? "log, step=2, " : ""));
    }
  }

  /// Integers where all numbers are whole.
  void finish_range() {
    if (!low_) return;
    const auto* low = std::get_if<std::int64_t>(&*low_);
    const auto* high = std::get_if<std::int64_t>(&*high_);
    const auto* step = step_ ? std::get_if<std::int64_t>(&*step_) : nullptr;
    if (low != nullptr && high != nullptr && (!step_ || step != nullptr)) {
      parameter_.domain =
          SourceIntegers{.low = *low, .high = *high, .step = step ? *step : 1, .log = log_};
    } else {
      parameter_.domain = SourceReals{.low = value_number(*low_),
                                      .high = value_number(*high_),
                                      .step = step_ ? value_number(*step_) : 0.0,
                                      .log = log_};
    }
  }

  void check_start() const {
    if (!parameter_.start) return;
    const Value& start = *parameter_.start;
    const auto* choices = std::get_if<SourceChoices>(&parameter_.domain);
    const auto* text = std::get_if<std::string>(&start);
    const bool known = choices != nullptr
                           ? std::ranges::find(choices->values, start) != choices->values.end()
                           : text == nullptr && value_number(start) >= value_number(*low_) &&
                                 value_number(start) <= value_number(*high_);
    if (!known) {
      fail_at(parameter_.place,
              fmt::format("the default {} is none of its values", text_of(start)));
    }
  }
  static std::string text_of(const Value& value) { return printable(value_text(value), 60); }

  SourceParameter parameter_;
  std::string kept_;
  std::optional<Value> low_;  ///< of a range
  std::optional<Value> high_;
  std::optional<Value> step_;
  bool log_ = false;
};

/// Whether the text between two braces gives values.
bool has_values(std::string_view text) {
  const std::string_view name = cut(text, ':');
  const std::string_view values = cut(text, ':');
  const bool named = !name.empty() && name.find_first_of(" .{") == name.npos;
  return named && (values.find("..") != values.npos || values.find('|') != values.npos);
}

std::string read_word(std::string_view word, SourceSpace& space) {
  std::string kept;
  while (!word.empty()) {
    const std::size_t open = std::min(word.find('{'), word.size());
    const std::size_t close = word.find('}', open);
    kept += word.substr(0, open);
    word.remove_prefix(open);
    if (word.empty()) break;
    const std::string_view inner = close == word.npos ? "" : word.substr(1, close - open - 1);
    if (!has_values(inner)) {
      kept += '{';
      word.remove_prefix(1);
      continue;
    }
    Placeholder placeholder(inner);
    space.add(std::move(placeholder.parameter()));
    kept += placeholder.kept();
    word.remove_prefix(inner.size() + 2);
  }
  return kept;
}

}  // namespace

ImportedCommand import_command(const std::vector<std::string>& words, int points) {
  SourceSpace space;
  ImportedCommand command;
  for (const std::string& word : words) command.words.push_back(read_word(word, space));
  if (space.parameters.empty()) {
    throw InputError(
        "the command has no placeholder with values, as {depth:1..8=4}, {c:0.1..10=1:log} or "
        "{mode:fast|slow}");
  }
  command.space = write_imported_space(std::move(space), words.front(), "a command line", points);
  return command;
}

}  // namespace ntune
