// What an engine answers to `uci`:
//   option name Skill Level type spin default 20 min 0 max 20

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/space/import/source.h"

namespace ntune {

namespace {

constexpr std::string_view kOption = "option name ";

/// The fields of a line behind its type: default, min, max and any number of var.
class UciFields {
 public:
  explicit UciFields(std::string_view text) {
    std::string_view word = "";
    std::size_t begin = 0;
    // A field ends where the next key begins; its text may have blanks.
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      const std::string_view here = text.substr(at, end - at);
      if (here == "default" || here == "min" || here == "max" || here == "var") {
        if (!word.empty()) add(word, text.substr(begin, at - begin));
        word = here;
        begin = std::min(end + 1, text.size());
      }
      at = end + 1;
    }
    if (!word.empty()) add(word, text.substr(begin));
  }

  /// The text of the first field of this key; empty where there is none.
  [[nodiscard]] std::string_view find(std::string_view key) const {
    for (const auto& [name, text] : fields_) {
      if (name == key) return text;
    }
    return {};
  }
  [[nodiscard]] std::vector<Value> vars() const {
    std::vector<Value> values;
    for (const auto& [name, text] : fields_) {
      if (name == "var") values.emplace_back(std::string(text));
    }
    return values;
  }

 private:
  void add(std::string_view key, std::string_view text) {
    fields_.emplace_back(key, without_blanks(text));
  }

  std::vector<std::pair<std::string_view, std::string_view>> fields_;
};

std::int64_t whole_field(const UciFields& fields, const char* key, const Place& place) {
  const auto value = parse_number(fields.find(key));
  const auto* whole = value ? std::get_if<std::int64_t>(&*value) : nullptr;
  if (whole == nullptr) {
    fail_at(place, fmt::format("{} is '{}', a whole number is allowed", key,
                               printable(fields.find(key), 60)));
  }
  return *whole;
}

/// Whether the numbers of a spin are whole, however large.
bool are_whole(const UciFields& fields) {
  constexpr std::array<const char*, 3> kKeys = {"min", "max", "default"};
  return std::ranges::all_of(kKeys, [&](const char* key) {
    std::string_view text = fields.find(key);
    if (text.starts_with('-')) text.remove_prefix(1);
    return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  });
}

/// Reads an option that has values to choose from; false: it has none.
bool read_option(std::string_view type, const UciFields& fields, SourceParameter& parameter) {
  if (type == "spin") {
    parameter.domain = SourceIntegers{.low = whole_field(fields, "min", parameter.place),
                                      .high = whole_field(fields, "max", parameter.place)};
    if (!fields.find("default").empty()) {
      parameter.start = whole_field(fields, "default", parameter.place);
    }
  } else if (type == "check") {
    parameter.domain = SourceChoices{.values = {false, true}};
    parameter.start = fields.find("default") == "true";
  } else if (type == "combo") {
    parameter.domain = SourceChoices{.values = fields.vars(), .unordered = true};
    if (fields.vars().empty()) fail_at(parameter.place, "is a combo without var");
    if (!fields.find("default").empty()) {
      parameter.start = std::string(fields.find("default"));
    }
  } else {
    return false;
  }
  return true;
}

}  // namespace

SourceSpace read_uci(const std::string& text, const std::string& name) {
  SourceSpace space;
  for_each_line(text, name, [&](std::string_view line, int number) {
    if (!line.starts_with(kOption)) return;
    constexpr std::string_view kType = " type ";
    const Place place = fmt::format("{}:{}", name, number);
    const std::size_t at = line.find(kType);
    if (at == line.npos) fail_at(place, "is an option without its type");
    const std::string option(without_blanks(line.substr(kOption.size(), at - kOption.size())));
    std::string_view rest = without_blanks(line.substr(at + kType.size()));
    const std::string type(rest.substr(0, rest.find(' ')));
    rest.remove_prefix(type.size());
    SourceParameter parameter{
        .name = option, .place = place + ": " + printable(option, 60), .type = type};
    // A number that is too large spoils no other option.
    const UciFields fields(rest);
    bool has_values = false;
    try {
      has_values = read_option(type, fields, parameter);
    } catch (const InputError& error) {
      if (type != "spin" || !are_whole(fields)) throw;
      space.left_out.emplace(option, error.what());
      return;
    }
    if (has_values) {
      space.add(std::move(parameter));
    } else if (type != "button" && type != "string") {
      fail_at(parameter.place, fmt::format("the type is '{}'; allowed: spin, check, combo, button "
                                           "or string",
                                           printable(type, 60)));
    }
  });
  return space;
}

}  // namespace ntune
