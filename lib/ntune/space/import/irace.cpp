// irace's parameter files, of version 3.5 and of 4 with its sections [forbidden] and [global]:
//   name "switch" c|o|i|r[,log] (values) [| condition]

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/space/import/irace_tokens.h"
#include "ntune/space/import/source.h"

namespace ntune {

namespace {

/// Reads parameter files line by line; expressions wait until all parameters are known.
class IraceReader {
 public:
  /// The two files must outlive the reader.
  SourceSpace read(const SourceText& parameters, const SourceText& forbidden) {
    // irace never finds a value that a condition names and its parameter lacks.
    space_.tests_foreign_values = true;
    read_lines(parameters);
    section_ = Section::kForbidden;
    read_lines(forbidden);
    read_dependent_ranges();
    // `digits` of the section [global] may stand behind the parameters.
    for (SourceParameter& parameter : space_.parameters) round_reals(parameter);
    for (const Pending& condition : conditions_) {
      space_.parameters[condition.parameter].condition = constraint(condition.code);
    }
    for (const IraceCode& combination : forbidden_) space_.forbid(constraint(combination));
    return std::move(space_);
  }

 private:
  enum class Section { kParameters, kForbidden, kGlobal };
  /// A condition that waits until all parameters are known.
  struct Pending {
    std::size_t parameter;
    IraceCode code;
  };
  /// The ends of a range that depend on other parameters.
  struct Ends {
    std::size_t parameter;
    Calculation low;
    Calculation high;
    std::set<std::string> parents = {};
  };

  /// Reads all lines, without comments. A '#' in quotes belongs to its text.
  void read_lines(const SourceText& file) {
    file_ = &file;
    for_each_line(file.text(), file.name(), [&](std::string_view line, int) {
      line = without_blanks(line.substr(0, find_unquoted(line, '#')));
      subject_ = {};
      if (!line.empty()) read_line(line);
    });
  }

  /// Throws InputError with the place of this part of the file, and the parameter that it is about.
  [[noreturn]] void fail(std::string_view part, std::string_view message) const {
    fail_at(file_->place(part, subject_), message);
  }

  void read_line(std::string_view line) {
    if (line.starts_with('[')) {
      read_section(line);
    } else if (section_ == Section::kForbidden) {
      constexpr std::size_t kMost = 10'000;
      if (forbidden_.size() >= kMost) {
        fail(line, fmt::format("is one line more than the {} allowed", kMost));
      }
      forbidden_.push_back({.text = line, .file = *file_});
    } else if (section_ == Section::kGlobal) {
      read_global(line);
    } else {
      read_parameter(line);
    }
  }

  void read_section(std::string_view line) {
    if (line == "[forbidden]") {
      section_ = Section::kForbidden;
    } else if (line == "[global]") {
      section_ = Section::kGlobal;
    } else {
      fail(line, fmt::format("the section is {}, [forbidden] or [global] is allowed",
                             printable(line, 60)));
    }
  }

  void read_global(std::string_view line) {
    // The only global option is the number of decimal places.
    std::string_view rest = line;
    const std::string_view key = take_until(rest, "=");
    const auto value = parse_number(rest.empty() ? rest : without_blanks(rest.substr(1)));
    const auto* digits = value ? std::get_if<std::int64_t>(&*value) : nullptr;
    constexpr int kMostDigits = 15;
    if (key != "digits" || digits == nullptr || *digits < 0 || *digits > kMostDigits) {
      fail(line, fmt::format("is '{}', digits = a whole number from 0 to {} is allowed",
                             printable(line, 60), kMostDigits));
    }
    digits_ = static_cast<int>(*digits);
  }

  /// Reads name, "switch", type, (values) and, behind a bar, the condition.
  void read_parameter(std::string_view line) {
    std::string_view rest = line;
    subject_ = take_until(rest, " \t\"");
    SourceParameter parameter{
        .name = std::string(subject_), .place = file_->place(line, subject_), .type = {}};
    // The switch in double quotes tells a parameter from anything else.
    const std::size_t end = rest.starts_with('"') ? rest.find('"', 1) : std::string_view::npos;
    if (parameter.name.empty() || end == std::string_view::npos) {
      fail(rest, "needs a name and a switch in double quotes, like  x \"--x=\" r (0, 1)");
    }
    const std::string_view option = without_blanks(rest.substr(1, end - 1));
    parameter.option = rest.substr(1, end - 1);
    if (!option.empty()) parameter.remarks.push_back(fmt::format("switch {}", printable(option)));
    rest = without_blanks(rest.substr(end + 1));
    const std::string_view type = rest;
    parameter.type = std::string(take_until(rest, " \t("));
    if (!is_range(parameter.type) && parameter.type != "c" && parameter.type != "o") {
      fail(type, fmt::format("the type is '{}'; allowed: c, o, i, r, i,log or r,log",
                             printable(parameter.type, 60)));
    }
    // The bar of a condition may not be one within a quoted value.
    const std::size_t bar = find_unquoted(rest, '|');
    read_domain(without_blanks(rest.substr(0, bar)), parameter);
    const std::string_view condition = without_blanks(rest.substr(bar));
    if (!condition.empty()) {
      const std::string_view text = without_blanks(condition.substr(1));
      if (text.empty()) fail(condition, "needs a condition after '|'");
      conditions_.push_back({space_.parameters.size(), {text, *file_, subject_}});
    }
    space_.add(std::move(parameter));
  }

  static bool is_range(std::string_view type) {
    return type == "i" || type == "r" || type == "i,log" || type == "r,log";
  }

  /// Sets the domain: a range for the types i and r, choices for c and o.
  void read_domain(std::string_view text, SourceParameter& parameter) {
    if (!text.starts_with('(') || !text.ends_with(')') || text.size() < 2) {
      fail(text, "needs its values in parentheses, and '|' before a condition");
    }
    const auto literals = split_domain(text.substr(1, text.size() - 2), is_range(parameter.type));
    if (!literals || literals->empty()) {
      fail(text,
           fmt::format("has the values {}, a list with commas is allowed", printable(text, 60)));
    }
    if (is_range(parameter.type)) {
      if (literals->size() != 2) {
        fail(text, fmt::format("has {}, a range has a low and a high end",
                               counted(literals->size(), "value")));
      }
      read_range(*literals, parameter);
    } else {
      SourceChoices choices = choices_of(*literals);
      choices.unordered = parameter.type == "c";
      parameter.domain = std::move(choices);
    }
  }

  /// An end of a range: a number, or what R would calculate of constants and other parameters.
  [[nodiscard]] Calculation range_end(const IraceLiteral& literal) const {
    const auto refuse = [&](const std::string& reason) {
      fail(literal.written, fmt::format("the end '{}' of its range cannot be calculated here: {}",
                                        printable(literal.text, 60), reason));
    };
    try {
      IraceTokens tokens({literal.written, *file_, subject_});
      Calculation end = parse_calculation(tokens);
      if (!tokens.is_end()) refuse("it is more than a calculation");
      for_each_leaf(end, [&](const Calculation& leaf) {
        if (leaf.kind == Calculation::Kind::kText) refuse("it holds a text");
      });
      return end;
    } catch (const ForeignR& foreign) {
      refuse(foreign.reason);
    }
    return {};
  }

  void read_range(const std::vector<IraceLiteral>& literals, SourceParameter& parameter) {
    Ends ends{.parameter = space_.parameters.size(),
              .low = range_end(literals[0]),
              .high = range_end(literals[1])};
    for (const Calculation* end : {&ends.low, &ends.high}) {
      for_each_leaf(*end, [&](const Calculation& leaf) {
        if (leaf.kind == Calculation::Kind::kParameter) ends.parents.insert(leaf.text);
      });
    }
    if (ends.parents.empty()) {
      set_range(constant(ends.low), constant(ends.high), parameter);
    } else {
      // The range is known once those of its parents are.
      dependent_.push_back(std::move(ends));
    }
  }

  static double constant(const Calculation& end) {
    return calculate(end, [](const std::string&) { return 0.0; });
  }

  static void set_range(double low, double high, SourceParameter& parameter) {
    const bool log = parameter.type.ends_with(",log");
    if (!std::isfinite(low) || !std::isfinite(high)) {
      fail_at(parameter.place, "an end of its range is no finite number");
    }
    if (parameter.type.starts_with('r')) {
      parameter.domain = SourceReals{.low = low, .high = high, .log = log};
      return;
    }
    // Real ends of an integer range would be rounded by nobody, so they are refused.
    constexpr double kLargest = 0x1p53 - 1.0;  // whole numbers beyond lose digits in R
    if (low != std::floor(low) || high != std::floor(high) || std::abs(low) > kLargest ||
        std::abs(high) > kLargest) {
      fail_at(parameter.place, "the ends of a range of type i are whole numbers below 2^53");
    }
    parameter.domain = SourceIntegers{
        .low = static_cast<std::int64_t>(low), .high = static_cast<std::int64_t>(high), .log = log};
  }

  /// Gives parameters whose ends depend on others the widest range that these allow, and forbids
  /// what lies outside of the ends.
  void read_dependent_ranges() {
    while (!dependent_.empty()) {
      const auto ready = std::ranges::find_if(dependent_, [this](const Ends& ends) {
        return std::ranges::none_of(dependent_, [&](const Ends& other) {
          return ends.parents.contains(space_.parameters[other.parameter].name);
        });
      });
      if (ready == dependent_.end()) {
        fail_at(space_.parameters[dependent_.front().parameter].place,
                "the ends of its range depend on each other in a circle");
      }
      const Ends ends = std::move(*ready);
      dependent_.erase(ready);
      widen(ends);
    }
  }

  void widen(const Ends& ends) {
    SourceParameter& parameter = space_.parameters[ends.parameter];
    std::vector<std::pair<std::string, std::vector<double>>> parents;
    std::size_t combinations = 1;
    for (const std::string& name : ends.parents) {
      parents.emplace_back(name, some_values(name, parameter));
      combinations *= parents.back().second.size();
      constexpr std::size_t kMost = 1'000'000;
      if (combinations > kMost) fail_at(parameter.place, "its ends depend on too many parameters");
    }
    const bool whole = parameter.type.starts_with('i');
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::size_t i = 0; i < combinations; ++i) {
      const auto value = [&](const std::string& name) {
        std::size_t rest = i;
        for (const auto& [parent, values] : parents) {
          if (parent == name) return values[rest % values.size()];
          rest /= values.size();
        }
        return 0.0;
      };
      const double here_low = calculate(ends.low, value);
      const double here_high = calculate(ends.high, value);
      low = std::min(low, here_low);
      high = std::max(high, here_high);
      // The ends of each combination stay on the grid, so that none of them is left without a
      // value.
      constexpr std::size_t kMostKept = 100;
      if (parameter.kept.size() < kMostKept) {
        for (const double end :
             {whole ? std::ceil(here_low) : here_low, whole ? std::floor(here_high) : here_high}) {
          if (std::isfinite(end)) parameter.kept.emplace_back(end);
        }
      }
    }
    set_range(whole ? std::ceil(low) : low, whole ? std::floor(high) : high, parameter);
    Constraint outside{.expression = {.kind = Expression::Kind::kAny},
                       .place = parameter.place,
                       .text = "what lies outside of its ends"};
    const Calculation self{.kind = Calculation::Kind::kParameter, .text = parameter.name};
    const auto forbid = [&](const Calculation& end, Comparison comparison) {
      if (end.kind == Calculation::Kind::kNumber) return;
      outside.expression.parts.push_back(
          {.kind = Expression::Kind::kCalculation, .comparison = comparison, .sides = {self, end}});
    };
    forbid(ends.low, Comparison::kLess);
    forbid(ends.high, Comparison::kGreater);
    space_.forbid(std::move(outside));
    parameter.remarks.emplace_back("its ends depend on others, see forbid");
  }

  /// Values of a parent on which an end depends: all of a few, else some that lie as those of its
  /// grid will.
  [[nodiscard]] std::vector<double> some_values(const std::string& name,
                                                const SourceParameter& child) const {
    constexpr double kAll = 20.0;
    constexpr double kSome = 9.0;  ///< steps
    const SourceParameter* parent = space_.find(name);
    if (parent == nullptr) {
      fail_at(child.place, fmt::format("an end of its range names '{}', which is no parameter",
                                       printable(name, 60)));
    }
    double low = 0.0;
    double high = 0.0;
    bool log = false;
    if (const auto* integers = std::get_if<SourceIntegers>(&parent->domain)) {
      low = static_cast<double>(integers->low);
      high = static_cast<double>(integers->high);
      log = integers->log;
    } else if (const auto* reals = std::get_if<SourceReals>(&parent->domain)) {
      low = reals->low;
      high = reals->high;
      log = reals->log;
    } else {
      fail_at(child.place, fmt::format("an end of its range depends on '{}', which has no numbers",
                                       printable(name, 60)));
    }
    std::vector<double> values;
    const bool whole = std::holds_alternative<SourceIntegers>(parent->domain);
    const bool all = whole && high - low < kAll;
    const double steps = all ? high - low : kSome;
    for (double i = 0.0; i <= steps; ++i) {
      const double share = steps > 0.0 ? i / steps : 0.0;
      const bool by_ratio = log && !all && low > 0.0;
      const double value =
          by_ratio ? low * std::pow(high / low, share) : low + (high - low) * share;
      values.push_back(whole ? std::round(value) : value);
    }
    return values;
  }

  void round_reals(SourceParameter& parameter) const {
    if (auto* reals = std::get_if<SourceReals>(&parameter.domain)) reals->digits = digits_;
  }

  [[nodiscard]] Constraint constraint(const IraceCode& code) const {
    return {.expression = parse_irace_expression(code, space_),
            .place = code.place(),
            .text = std::string(code.text)};
  }

  const SourceText* file_ = nullptr;  ///< the one that is read
  std::string_view subject_;          ///< the parameter of the line
  Section section_ = Section::kParameters;
  SourceSpace space_;
  std::optional<int> digits_;
  std::vector<Pending> conditions_;
  std::vector<IraceCode> forbidden_;
  std::vector<Ends> dependent_;
};

}  // namespace

SourceSpace read_irace(const std::string& text, const std::string& name,
                       const std::string& forbidden, const std::string& forbidden_name) {
  const SourceText parameters(text, name);
  const SourceText forbidden_lines(forbidden, forbidden_name);
  return IraceReader().read(parameters, forbidden_lines);
}

}  // namespace ntune
