#include "ntune/space/import/irace_settings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ntune/core/suggestion.h"
#include "ntune/core/text.h"
#include "ntune/space/import/irace_words.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

/// The name that a line sets, or nothing.
std::string_view assigned_name(std::string_view line) {
  const std::size_t end = std::min(line.find_first_of(" \t=<"), line.size());
  const std::string_view rest = without_blanks(line.substr(end));
  return rest.starts_with('=') || rest.starts_with("<-") ? line.substr(0, end) : "";
}

std::string setting_value(std::string_view value, const Place& place) {
  if (value == "NULL" || value == "NA") return {};
  const char quote = value.empty() ? 0 : value.front();
  if (quote != '"' && quote != '\'') {
    if (value.find('(') == value.npos || value.ends_with(')')) return std::string(value);
    fail_at(place, "goes on in the next line; only values of one line can be read");
  }
  if (value.size() < 2 || value.back() != quote) fail_at(place, "has a text without its end");
  return std::string(value.substr(1, value.size() - 2));
}

}  // namespace

const IraceWord* word_set_by(std::string_view line) {
  const auto words = irace_words();
  const auto found = std::ranges::find(words, assigned_name(line), &IraceWord::name);
  return found == words.end() ? nullptr : &*found;
}

IraceSettings::IraceSettings(const std::string& text, const fs::path& file)
    : name_(printable(file.string(), 1000)), folder_(file.parent_path()) {
  for_each_line(text, name_, [&](std::string_view line, int number) {
    line = without_blanks(line.substr(0, find_unquoted(line, '#')));
    if (!line.empty()) read_line(line, fmt::format("{}:{}", name_, number));
  });
}

void IraceSettings::read_line(std::string_view line, const Place& place) {
  const std::string name(assigned_name(line));
  if (name.empty()) fail_at(place, "is no line of a scenario: word = value is allowed");
  if (word_set_by(line) == nullptr) {
    std::vector<std::string> known;
    for (const IraceWord& word : irace_words()) known.push_back(word.name);
    fail_at(place, fmt::format("'{}' is no word of a scenario of irace{}", printable(name, 60),
                               suggestion(name, known)));
  }
  std::string_view value = without_blanks(line.substr(name.size()));
  value = without_blanks(value.substr(value.starts_with('=') ? 1 : 2));
  if (settings_.count(name) == 0) order_.push_back(name);
  settings_[name] = {setting_value(value, place), place};
}

const std::string* IraceSettings::find(const std::string& word) const {
  const auto found = settings_.find(word);
  return found == settings_.end() || found->second.value.empty() ? nullptr : &found->second.value;
}

bool IraceSettings::is_true(const std::string& word) const {
  const std::string* value = find(word);
  return value != nullptr && (*value == "1" || *value == "TRUE" || *value == "T");
}

fs::path IraceSettings::path(const std::string& word, const std::string& usual) const {
  const std::string* given = find(word);
  return fs::absolute(folder_ / (given == nullptr ? usual : *given)).lexically_normal();
}

std::optional<double> IraceSettings::number(const std::string& word, double least) const {
  const std::string* text = find(word);
  if (text == nullptr) return std::nullopt;
  const auto number = parse_number(*text);
  const double value = number ? value_number(*number) : std::nan("");
  if (!std::isfinite(value) || value < least) {
    refuse(word, fmt::format("a number of at least {}", least));
  }
  return value;
}

std::optional<std::int64_t> IraceSettings::count(const std::string& word,
                                                 std::int64_t least) const {
  constexpr double kMost = 9e15;
  const std::string* text = find(word);
  if (text == nullptr) return std::nullopt;
  const auto number = parse_number(*text);
  const double value = number ? value_number(*number) : std::nan("");
  if (!(value >= static_cast<double>(least)) || value > kMost || value != std::floor(value)) {
    refuse(word, fmt::format("a whole number of at least {}", least));
  }
  return static_cast<std::int64_t>(value);
}

void IraceSettings::refuse(const std::string& word, const std::string& allowed) const {
  fail_at(place(word), fmt::format("is '{}', {} is allowed", printable(*find(word), 60), allowed));
}

Place IraceSettings::place(const std::string& word) const {
  const auto found = settings_.find(word);
  return found == settings_.end() ? name_ + ": " + word : found->second.place + ": " + word;
}

std::vector<std::string> IraceSettings::left_out() const {
  std::vector<std::string> list;
  for (const std::string& word : order_) {
    const auto words = irace_words();
    const IraceWord& entry = *std::ranges::find(words, word, &IraceWord::name);
    if (!entry.is_kept) list.push_back(fmt::format("{}: left out: {}", place(word), entry.ours));
  }
  return list;
}

}  // namespace ntune
