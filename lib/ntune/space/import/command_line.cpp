#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/space/import/import_space.h"
#include "ntune/space/import/source.h"
#include "ntune/space/import/write.h"
#include "ntune/space/parameter.h"
#include "ntune/space/point.h"

namespace ntune {

namespace {

/// A number that is written so, or else the text itself; without a text no argument at all.
Value value_of(std::string_view text) {
  if (text.empty()) return no_value();
  if (text == "true" || text == "false") return text == "true";
  const auto number = parse_number(text);
  return number && value_text(*number) == text ? *number : Value(std::string(text));
}

/// One placeholder: its parameter, and what stays of it.
class Placeholder {
 public:
  /// `text` stands between the braces and has the values of a parameter.
  explicit Placeholder(std::string_view text) {
    parameter_.place = fmt::format("{{{}}}", printable(text, 60));
    parameter_.name = cut(text, ":");
    parameter_.type = "placeholder";
    kept_ = parameter_.name;
    std::string_view values = cut(text, ":");
    const std::size_t equals = values.rfind('=');
    if (equals != values.npos) {
      parameter_.start = value_of(values.substr(equals + 1));
      values = values.substr(0, equals);
    }
    if (values.find('|') != values.npos) {
      read_choices(values);
    } else {
      read_range(values);
    }
    while (!text.empty()) read_suffix(cut(text, ":"));
    if (low_) parameter_.domain = range_of(*low_, *high_, step_ ? &*step_ : nullptr, log_);
    check_width();
    check_start();
  }

  [[nodiscard]] SourceParameter& parameter() { return parameter_; }
  [[nodiscard]] std::string kept() const { return "{" + kept_ + "}"; }

 private:
  void read_choices(std::string_view values) {
    SourceChoices choices;
    for (const std::string_view value : split(values, '|')) {
      choices.values.push_back(value_of(value));
    }
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
    if (suffix == "log" && low_ && !step_) {
      log_ = true;
    } else if (suffix.starts_with(kStep) && low_ && !step_ && !log_) {
      step_ = parse_number(suffix.substr(kStep.size()));
      if (!step_ || value_number(*step_) <= 0.0) {
        fail_at(parameter_.place,
                fmt::format("'{}' is no step, a number above 0 is needed{}", printable(suffix, 60),
                            suffix.find('=', kStep.size()) == suffix.npos
                                ? ""
                                : "; a default stands directly behind the range"));
      }
    } else if (suffix == "plain" && kept_ == parameter_.name) {
      kept_ += ":plain";
    } else {
      fail_at(parameter_.place,
              fmt::format("'{}' is not allowed there; allowed: {}plain", printable(suffix, 60),
                          !low_           ? ""
                          : log_ || step_ ? "one of log and step=2, "
                                          : "log, step=2, "));
    }
  }

  void check_start() const {
    if (!parameter_.start) return;
    const Value& start = *parameter_.start;
    const auto* choices = std::get_if<SourceChoices>(&parameter_.domain);
    const auto* text = std::get_if<std::string>(&start);
    const bool whole = std::holds_alternative<SourceIntegers>(parameter_.domain);
    if (whole && std::holds_alternative<double>(start)) {
      fail_at(parameter_.place, fmt::format("the default {} is no whole number", text_of(start)));
    }
    const bool known = choices != nullptr
                           ? std::ranges::find(choices->values, start) != choices->values.end()
                           : text == nullptr && value_number(start) >= value_number(*low_) &&
                                 value_number(start) <= value_number(*high_);
    if (!known) {
      fail_at(parameter_.place,
              fmt::format("the default {} is none of its values", text_of(start)));
    }
  }
  /// A range has two values at least.
  void check_width() const {
    if (!low_) return;
    const double width = value_number(*high_) - value_number(*low_);
    if (width == 0.0 || (width > 0.0 && step_ && value_number(*step_) > width)) {
      fail_at(parameter_.place, "has one value alone, at least two are needed");
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
  const std::string_view name = cut(text, ":");
  const std::string_view values = cut(text, ":");
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
    const auto like = std::ranges::find_if(words, [](const std::string& word) {
      return word.find('{') != word.npos && word.find_first_of(":=", word.find('{')) != word.npos;
    });
    throw InputError(fmt::format(
        "{}no placeholder with values, as {{depth:1..8=4}}, {{c:0.1..10=1:log}} or "
        "{{mode:fast|slow}}; a name has neither dots nor blanks",
        like == words.end() ? "the command has " : fmt::format("'{}' is ", printable(*like, 100))));
  }
  command.space = write_imported_space(std::move(space), words.front(), "a command line", points);
  return command;
}

}  // namespace ntune
