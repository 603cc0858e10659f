// irace's parameter files, of version 3.5 and of 4 with its sections [forbidden] and [global]:
//   name "switch" c|o|i|r[,log] (values) [| condition]

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/space/import/irace_expression.h"
#include "ntune/space/import/irace_words.h"
#include "ntune/space/import/source.h"

namespace ntune {

namespace {

/// Reads parameter files line by line; expressions wait until all parameters are known.
class IraceReader {
 public:
  explicit IraceReader(std::string name) : name_(std::move(name)) {}

  SourceSpace read(const std::string& text, const std::string& forbidden,
                   const std::string& forbidden_name) {
    read_lines(text, name_);
    section_ = Section::kForbidden;
    read_lines(forbidden, forbidden_name);
    // `digits` of the section [global] may stand behind the parameters.
    for (SourceParameter& parameter : space_.parameters) round_reals(parameter);
    for (const Pending& condition : conditions_) {
      space_.parameters[condition.parameter].condition = constraint(condition);
    }
    for (const Pending& combination : forbidden_) space_.forbid(constraint(combination));
    return std::move(space_);
  }

 private:
  enum class Section { kParameters, kForbidden, kGlobal };
  /// An expression that waits until all parameters are known.
  struct Pending {
    std::size_t parameter;
    std::string text;
    Place place;
  };

  /// Reads all lines, without comments. A '#' in quotes belongs to its text.
  void read_lines(const std::string& text, const std::string& name) {
    for_each_line(text, name, [&](std::string_view line, int number) {
      line = without_blanks(line.substr(0, find_unquoted(line, '#')));
      if (!line.empty()) read_line(line, fmt::format("{}:{}", name, number));
    });
  }

  void read_line(std::string_view line, const Place& place) {
    if (line.starts_with('[')) {
      read_section(line, place);
    } else if (section_ == Section::kForbidden) {
      constexpr std::size_t kMost = 10'000;
      if (forbidden_.size() >= kMost) {
        fail_at(place, fmt::format("is one line more than the {} allowed", kMost));
      }
      forbidden_.push_back({0, std::string(line), place});
    } else if (section_ == Section::kGlobal) {
      read_global(line, place);
    } else {
      read_parameter(line, place);
    }
  }

  void read_section(std::string_view line, const Place& place) {
    if (line == "[forbidden]") {
      section_ = Section::kForbidden;
    } else if (line == "[global]") {
      section_ = Section::kGlobal;
    } else {
      fail_at(place, fmt::format("the section is {}, [forbidden] or [global] is allowed",
                                 printable(line, 60)));
    }
  }

  void read_global(std::string_view line, const Place& place) {
    // The only global option is the number of decimal places.
    std::string_view rest = line;
    const std::string_view key = take_until(rest, "=");
    const auto value = parse_number(rest.empty() ? rest : without_blanks(rest.substr(1)));
    const auto* digits = value ? std::get_if<std::int64_t>(&*value) : nullptr;
    constexpr int kMostDigits = 15;
    if (key != "digits" || digits == nullptr || *digits < 0 || *digits > kMostDigits) {
      fail_at(place, fmt::format("is '{}', digits = a whole number from 0 to {} is allowed",
                                 printable(line, 60), kMostDigits));
    }
    digits_ = static_cast<int>(*digits);
  }

  /// Reads name, "switch", type, (values) and, behind a bar, the condition.
  void read_parameter(std::string_view line, const Place& line_place) {
    std::string_view rest = line;
    SourceParameter parameter{
        .name = std::string(take_until(rest, " \t\"")), .place = {}, .type = {}};
    parameter.place = fmt::format("{}: {}", line_place, printable(parameter.name, 60));
    // The switch in double quotes tells a parameter from anything else.
    const std::size_t end = rest.starts_with('"') ? rest.find('"', 1) : std::string_view::npos;
    if (parameter.name.empty() || end == std::string_view::npos) {
      fail_at(line_place, "needs a name and a switch in double quotes, like  x \"--x=\" r (0, 1)");
    }
    const std::string_view option = without_blanks(rest.substr(1, end - 1));
    parameter.option = rest.substr(1, end - 1);
    if (!option.empty()) parameter.remarks.push_back(fmt::format("switch {}", printable(option)));
    rest = without_blanks(rest.substr(end + 1));
    parameter.type = std::string(take_until(rest, " \t("));
    // The bar of a condition may not be one within a quoted value.
    const std::size_t bar = find_unquoted(rest, '|');
    read_domain(without_blanks(rest.substr(0, bar)), parameter);
    const std::string_view condition = without_blanks(rest.substr(bar));
    if (!condition.empty()) {
      const std::string text(without_blanks(condition.substr(1)));
      if (text.empty()) fail_at(parameter.place, "needs a condition after '|'");
      conditions_.push_back({space_.parameters.size(), text, parameter.place});
    }
    space_.add(std::move(parameter));
  }

  /// Sets the domain: a range for the types i and r, choices for c and o.
  void read_domain(std::string_view text, SourceParameter& parameter) {
    const std::string& type = parameter.type;
    const bool is_range = type == "i" || type == "r" || type == "i,log" || type == "r,log";
    if (!is_range && type != "c" && type != "o") {
      fail_at(parameter.place, fmt::format("the type is '{}'; allowed: c, o, i, r, i,log or r,log",
                                           printable(type, 60)));
    }
    if (!text.starts_with('(') || !text.ends_with(')') || text.size() < 2) {
      fail_at(parameter.place, "needs its values in parentheses, and '|' before a condition");
    }
    const auto literals = split_domain(text.substr(1, text.size() - 2));
    if (!literals || literals->empty()) {
      fail_at(parameter.place,
              fmt::format("has the values {}, a list with commas is allowed", printable(text, 60)));
    }
    if (is_range) {
      read_range(*literals, parameter);
    } else {
      parameter.domain =
          SourceChoices{.values = choice_values(*literals), .unordered = type == "c"};
      // Conditions name a choice as it is written here, so its meaning is kept by its text.
      const auto& values = std::get<SourceChoices>(parameter.domain).values;
      auto& meanings = choices_[parameter.name];
      for (std::size_t i = 0; i < values.size(); ++i) {
        meanings.emplace((*literals)[i].text, values[i]);
      }
    }
  }

  /// The number at an end of a range; irace 4 also allows expressions of other parameters.
  static Value range_end(const IraceLiteral& literal, const SourceParameter& parameter) {
    const auto number = parse_number(literal.text);
    if (number) return *number;
    fail_at(parameter.place,
            fmt::format("the end '{}' of its range is no number; ends that depend on other "
                        "parameters cannot be translated",
                        printable(literal.text, 60)));
  }

  static void read_range(const std::vector<IraceLiteral>& literals, SourceParameter& parameter) {
    if (literals.size() != 2) {
      fail_at(parameter.place,
              fmt::format("has {} values, a range has a low and a high end", literals.size()));
    }
    const Value low = range_end(literals[0], parameter);
    const Value high = range_end(literals[1], parameter);
    const bool log = parameter.type.ends_with(",log");
    if (parameter.type.starts_with('r')) {
      parameter.domain =
          SourceReals{.low = value_number(low), .high = value_number(high), .log = log};
      return;
    }
    // Real ends of an integer range would be rounded by nobody, so they are refused.
    const auto* whole_low = std::get_if<std::int64_t>(&low);
    const auto* whole_high = std::get_if<std::int64_t>(&high);
    if (whole_low == nullptr || whole_high == nullptr) {
      fail_at(parameter.place, "the ends of a range of type i are whole numbers");
    }
    parameter.domain = SourceIntegers{.low = *whole_low, .high = *whole_high, .log = log};
  }

  void round_reals(SourceParameter& parameter) const {
    if (auto* reals = std::get_if<SourceReals>(&parameter.domain)) reals->digits = digits_;
  }

  Constraint constraint(const Pending& pending) const {
    const auto value_of = [&](const std::string& parameter, const IraceLiteral& literal) {
      return meaning(parameter, literal, pending.place);
    };
    return {.expression = parse_irace_expression(pending.text, pending.place, value_of),
            .place = pending.place,
            .text = pending.text};
  }

  /// In irace 1, "1" and 1.0 are the same choice.
  Value meaning(const std::string& parameter, const IraceLiteral& literal,
                const Place& place) const {
    // Of choices the written form decides, so that "01" and 1 stay what they are in the list.
    const auto number = parse_number(literal.text);
    const auto choices = choices_.find(parameter);
    if (choices != choices_.end()) {
      const auto found = choices->second.find(literal.text);
      if (found != choices->second.end()) return found->second;
      return number.value_or(Value(literal.text));
    }
    // An unknown parameter is reported later, with a suggestion.
    const bool is_known =
        std::ranges::count(space_.parameters, parameter, &SourceParameter::name) > 0;
    if (number || !is_known) return number.value_or(Value(literal.text));
    fail_at(place, fmt::format("'{}' is compared with '{}', a number is allowed",
                               printable(parameter, 60), printable(literal.text, 60)));
  }

  std::string name_;
  Section section_ = Section::kParameters;
  SourceSpace space_;
  std::optional<int> digits_;
  std::vector<Pending> conditions_;
  std::vector<Pending> forbidden_;
  std::map<std::string, std::map<std::string, Value>> choices_;  ///< by name, then as written
};

}  // namespace

SourceSpace read_irace(const std::string& text, const std::string& name,
                       const std::string& forbidden, const std::string& forbidden_name) {
  return IraceReader(name).read(text, forbidden, forbidden_name);
}

}  // namespace ntune
