#include <algorithm>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/objective/command/command_template.h"
#include "ntune/objective/command/shell_words.h"
#include "ntune/space/parameter.h"

namespace ntune {

namespace {

constexpr std::string_view kParams = "params";

}  // namespace

std::optional<ParameterGroup> ParameterGroup::read(std::string_view text,
                                                   const SearchSpace& space) {
  if (!text.starts_with(kParams)) return std::nullopt;
  std::string_view rest = text.substr(kParams.size());
  // Without names in brackets all parameters are meant.
  std::string_view patterns = "*";
  if (const std::size_t end = rest.find("]:"); rest.starts_with('[') && end != rest.npos) {
    patterns = rest.substr(1, end - 1);
    rest = rest.substr(end + 1);
  }
  if (!rest.starts_with(':')) return std::nullopt;
  rest = rest.substr(1);
  if (rest == "gnu") rest = "--{name}={value}";
  if (rest == "pairs") rest = "{name} {value}";
  // A text without any template is no group; params:json and params:file are read elsewhere.
  const bool names_some = text[kParams.size()] == '[';
  if (!names_some && rest.find('{') == std::string_view::npos) return std::nullopt;
  ParameterGroup group;
  group.read_names(patterns, space);
  group.read_words(rest);
  return group;
}

void ParameterGroup::read_names(std::string_view patterns, const SearchSpace& space) {
  for (const std::string_view part : split(patterns, ',')) {
    const std::string_view pattern = trimmed(part);
    bool any = false;
    for (int i = 0; i < space.dimensions(); ++i) {
      if (!fits(pattern, space[i].name)) continue;
      any = true;
      // A parameter that two patterns fit is handed over once.
      if (!mentions(i)) parameters_.push_back(i);
    }
    if (any) continue;
    throw InputError(fmt::format("has {{params[{}]:…}}, which fits no parameter; there are: {}",
                                 printable(pattern, 60), list_text(space.names(), "and")));
  }
  // The order is that of the space, whatever the order of the patterns.
  std::ranges::sort(parameters_);
}

void ParameterGroup::read_words(std::string_view text) {
  bool has_value = false;
  // What a shell is to split stays one text until the values are known.
  splits_ = text.find("{value:shell}") != text.npos;
  words_.emplace_back();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    Word& word = words_.back();
    const bool doubled = i + 1 < text.size() && text[i + 1] == c;
    // A blank ends an argument; several blanks make no empty ones.
    if (c == ' ' && !splits_) {
      if (!word.empty()) words_.emplace_back();
    } else if (c == '{' && !doubled) {
      i = read_brace(text, i, word);
      has_value |= word.back().kind >= Piece::Kind::kValue;
    } else {
      if (word.empty() || word.back().kind != Piece::Kind::kLiteral) {
        word.push_back({Piece::Kind::kLiteral});
      }
      // Two equal braces stand for one of the text.
      word.back().literal += c;
      if (doubled && (c == '{' || c == '}')) ++i;
    }
  }
  if (words_.back().empty()) words_.pop_back();
  // A group without a value would only repeat names.
  if (!has_value) {
    throw InputError(
        fmt::format("has {{params:{}}}, which hands over no {{value}}", printable(text, 60)));
  }
}

/// Reads {name}, {value}, {value:plain} or {value:shell}; returns where it ends.
std::size_t ParameterGroup::read_brace(std::string_view text, std::size_t at, Word& word) {
  const std::size_t end = std::min(text.find('}', at), text.size());
  const std::string_view name = text.substr(at, end + 1 - at);
  if (name == "{name}") {
    word.push_back({Piece::Kind::kName});
  } else if (name == "{value}") {
    word.push_back({Piece::Kind::kValue});
  } else if (name == "{value:plain}" || name == "{value:shell}") {
    word.push_back({Piece::Kind::kPlain});
  } else {
    throw InputError(
        fmt::format("has {} in {{params:{}}}, where {{name}}, {{value}}, {{value:plain}} and "
                    "{{value:shell}} are "
                    "allowed, and {{{{ for a brace",
                    printable(name, 60), printable(text, 60)));
  }
  return end;
}

void ParameterGroup::append_to(std::vector<std::string>& arguments, const SearchSpace& space,
                               const Point& point) const {
  for (const int i : parameters_) {
    // Inactive parameters have no value that a program should see.
    if (!space.is_active(point, i) || is_no_value(space.value(point, i))) continue;
    for (const Word& word : words_) {
      std::string text;
      for (const Piece& piece : word) {
        if (piece.kind == Piece::Kind::kLiteral) text += piece.literal;
        if (piece.kind == Piece::Kind::kName) text += space[i].name;
        if (piece.kind == Piece::Kind::kValue) text += value_text(space.value(point, i));
        if (piece.kind == Piece::Kind::kPlain) text += plain_text(space.value(point, i));
      }
      if (splits_) {
        for (std::string& part : shell_words(text)) arguments.push_back(std::move(part));
      } else {
        arguments.push_back(std::move(text));
      }
    }
  }
}

std::string ParameterGroup::text_before(const std::string& name) const {
  std::string text;
  for (const Word& word : words_) {
    if (&word != &words_.front()) text += ' ';
    for (const Piece& piece : word) {
      if (piece.kind >= Piece::Kind::kValue) {
        const bool ends = &word == &words_.back() && &piece == &word.back();
        return ends ? text : "";
      }
      text += piece.kind == Piece::Kind::kName ? name : piece.literal;
    }
  }
  return {};
}

bool ParameterGroup::mentions(int parameter) const {
  return std::ranges::find(parameters_, parameter) != parameters_.end();
}

}  // namespace ntune
