// SMAC's PCS files, in their old form and the new one:
//   rho [0.1, 1] [0.5]l                        rho real [0.1, 1] [0.5]log
//   mode {as, acs} [as]                        mode categorical {as, acs} [as]
//   q0 | mode in {acs}                         q0 | mode == acs && rho > 0.2 || mode != as
//   {mode=as, rho=1}                           {mode == as && rho > 0.5}

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
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

/// Where a sign stands outside of brackets and braces, or the end.
std::size_t find_outside(std::string_view text, std::string_view sign) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (depth == 0 && text.substr(i).starts_with(sign)) return i;
    if (text[i] == '(' || text[i] == '{') ++depth;
    if (text[i] == ')' || text[i] == '}') --depth;
  }
  return text.size();
}

/// The parts between a sign outside of brackets, without the blanks around them.
std::vector<std::string_view> split_outside(std::string_view text, std::string_view sign) {
  std::vector<std::string_view> parts;
  for (bool more = true; more;) {
    const std::size_t end = find_outside(text, sign);
    parts.push_back(without_blanks(text.substr(0, end)));
    more = end < text.size();
    if (more) text.remove_prefix(end + sign.size());
  }
  return parts;
}

/// Reads the lines; conditions and forbidden lines wait until all parameters are known.
class PcsReader {
 public:
  explicit PcsReader(const SourceText& file) : file_(file) {}

  SourceSpace read() {
    for_each_line(file_.text(), file_.name(), [&](std::string_view line, int) {
      line = without_blanks(line.substr(0, line.find('#')));
      if (!line.empty()) read_line(line);
    });
    for (const std::string_view line : conditions_) read_condition(line);
    for (const std::string_view line : forbidden_) read_forbidden(line);
    return std::move(space_);
  }

 private:
  [[noreturn]] void fail(std::string_view part, std::string_view message) const {
    fail_at(file_.place(part), message);
  }

  void read_line(std::string_view line) {
    const std::string word = lower_case(line);
    // Headings of sections say nothing that the lines do not say.
    if (word.ends_with(':') && line.find_first_of("{[|") == line.npos) return;
    const std::size_t first = line.find_first_of("{[|");
    if (first == 0 && line[0] == '{') {
      forbidden_.push_back(line);
    } else if (first != line.npos && line[first] == '|') {
      conditions_.push_back(line);
    } else {
      read_parameter(line);
    }
  }

  /// Reads what stands between brackets here, and passes it.
  std::string_view take_brackets(std::string_view& rest, char open, char close,
                                 const char* what) const {
    const std::size_t end = rest.find(close);
    if (!rest.starts_with(open) || end == rest.npos) {
      fail(rest, fmt::format("needs {} in {}{} here", what, open, close));
    }
    const std::string_view inside = rest.substr(1, end - 1);
    rest = without_blanks(rest.substr(end + 1));
    return inside;
  }

  /// name [type] {values} or [low, high], [default], and i, l or log.
  void read_parameter(std::string_view line) {
    std::string_view rest = line;
    const std::string_view name = rest.substr(0, rest.find_first_of(" \t{["));
    SourceParameter parameter{
        .name = std::string(name), .place = file_.place(line, name), .type = ""};
    rest = without_blanks(rest.substr(name.size()));
    const std::string_view type =
        rest.substr(0, std::min(rest.find_first_of(" \t{["), rest.size()));
    const std::string_view type_place = rest;
    rest = without_blanks(rest.substr(type.size()));
    // The values stand in braces, the ends of a range in brackets, as the default behind them.
    const bool is_list = rest.starts_with('{');
    const std::string_view domain =
        is_list ? take_brackets(rest, '{', '}', "its values")
                : take_brackets(rest, '[', ']', "its values in {} or its ends");
    std::optional<std::string> start;
    if (rest.starts_with('[')) {
      start = without_blanks(take_brackets(rest, '[', ']', "the default"));
    }
    const std::string flags = lower_case(rest);
    const bool is_log = flags == "log" || flags == "l" || flags == "il" || flags == "li";
    if (!is_log && !flags.empty() && flags != "i") {
      fail(rest, fmt::format("is '{}'; i, l, il or log is allowed, and # before a comment",
                             printable(rest, 60)));
    }
    // The old form says by a letter behind the default what the new one says by a type.
    const bool whole = type == "integer" || (type.empty() && flags.find('i') != flags.npos);
    static constexpr std::string_view kListTypes[] = {"", "categorical", "ordinal"};
    static constexpr std::string_view kRangeTypes[] = {"", "integer", "real"};
    if (std::ranges::count(is_list ? kListTypes : kRangeTypes, type) == 0) {
      fail(type_place,
           fmt::format("the type is '{}'; allowed: categorical or ordinal before {{…}}, integer "
                       "or real before […]",
                       printable(type, 60)));
    }
    parameter.type = type.empty() ? is_list ? "categorical" : whole ? "integer" : "real" : type;
    if (is_log) parameter.type += ", log";
    const auto literals = split_domain(domain);
    if (!literals || literals->empty()) {
      fail(domain, "is no list of values with commas between them");
    }
    if (is_list) {
      read_choices(*literals, start, type == "ordinal", parameter);
    } else {
      read_range(*literals, start, whole, is_log, parameter);
    }
    space_.add(std::move(parameter));
  }

  static void read_choices(const std::vector<IraceLiteral>& literals,
                           const std::optional<std::string>& start, bool ordinal,
                           SourceParameter& parameter) {
    SourceChoices choices = choices_of(literals);
    choices.unordered = !ordinal;
    choices.by_place = ordinal;
    const std::vector<Value> values = choices.values;
    parameter.domain = std::move(choices);
    if (!start) return;
    parameter.start = meaning_of(&parameter, *start, parameter.place);
    if (find_value(values, *parameter.start) < 0) {
      fail_at(parameter.place,
              fmt::format("the default '{}' is none of its values", printable(*start, 60)));
    }
  }

  static void read_range(const std::vector<IraceLiteral>& literals,
                         const std::optional<std::string>& start, bool whole, bool is_log,
                         SourceParameter& parameter) {
    const auto number_of = [&](const std::string& text) {
      const auto number = parse_number(text);
      if (!number) {
        fail_at(parameter.place,
                fmt::format("'{}' is no number, which a range needs", printable(text, 60)));
      }
      return *number;
    };
    const auto whole_of = [&](const Value& value) {
      const double number = value_number(value);
      if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
      if (number == std::trunc(number) && std::abs(number) < 0x1p53) {
        return static_cast<std::int64_t>(number);
      }
      fail_at(parameter.place, fmt::format("{} is not whole, which an integer range needs",
                                           printable(value_text(value), 60)));
    };
    if (literals.size() != 2) {
      fail_at(parameter.place,
              fmt::format("has {} ends, a range has a low and a high end", literals.size()));
    }
    const Value low = number_of(literals[0].text);
    const Value high = number_of(literals[1].text);
    if (whole) {
      parameter.domain =
          SourceIntegers{.low = whole_of(low), .high = whole_of(high), .log = is_log};
    } else {
      parameter.domain =
          SourceReals{.low = value_number(low), .high = value_number(high), .log = is_log};
    }
    if (!start) return;
    const Value value = number_of(*start);
    parameter.start = whole ? Value(whole_of(value)) : value;
    if (value_number(value) < value_number(low) || value_number(value) > value_number(high)) {
      fail_at(parameter.place,
              fmt::format("the default {} lies outside of its range", printable(*start, 60)));
    }
  }

  void read_condition(std::string_view line) {
    const std::size_t bar = line.find('|');
    const std::string name(without_blanks(line.substr(0, bar)));
    SourceParameter* child = space_.find(name);
    if (child == nullptr) {
      fail(line, fmt::format("there is no parameter '{}'", printable(name, 60)));
    }
    const std::string_view text = without_blanks(line.substr(bar + 1));
    add_condition({.expression = expression(text),
                   .place = file_.place(line, name),
                   .text = std::string(text)},
                  child->condition);
  }

  /// {a=1, b=2}, or a condition.
  void read_forbidden(std::string_view line) {
    if (!line.ends_with('}')) fail(line, "is a forbidden combination without its end, }");
    const std::string_view inside = without_blanks(line.substr(1, line.size() - 2));
    Expression all{.kind = Expression::Kind::kAll};
    for (const std::string_view part : split_outside(inside, ",")) {
      all.parts.push_back(expression(part));
    }
    space_.forbid(
        {.expression = std::move(all), .place = file_.place(line), .text = std::string(line)});
  }

  /// Tests of parameters with && and ||, of which && binds more tightly, and brackets; or else what
  /// a calculation of irace may be.
  Expression expression(std::string_view text) {
    for (const auto& [sign, kind] :
         {std::pair("||", Expression::Kind::kAny), std::pair("&&", Expression::Kind::kAll)}) {
      const auto parts = split_outside(text, sign);
      if (parts.size() < 2) continue;
      Expression joined{.kind = kind};
      for (const std::string_view part : parts) joined.parts.push_back(expression(part));
      return joined;
    }
    if (text.starts_with('(') && find_outside(text.substr(1), ")") + 2 == text.size()) {
      constexpr int kDeepest = 50;
      if (++depth_ > kDeepest) {
        fail(text, fmt::format("is nested deeper than the {} levels allowed", kDeepest));
      }
      Expression inner = expression(without_blanks(text.substr(1, text.size() - 2)));
      --depth_;
      return inner;
    }
    if (auto test = this->test(text)) return *std::move(test);
    return parse_irace_expression({.text = text, .file = file_}, space_);
  }

  /// parameter in {a, b}, or parameter and ==, !=, <, >, <=, >= or = and a value or parameter.
  [[nodiscard]] std::optional<Expression> test(std::string_view text) const {
    const Place here = file_.place(text);
    const std::string name(text.substr(0, text.find_first_of(" \t=!<>{")));
    std::string_view rest = without_blanks(text.substr(name.size()));
    const SourceParameter* parameter = space_.find(name);
    if (parameter == nullptr) return std::nullopt;
    Expression test{.kind = Expression::Kind::kTest, .parameter = name};
    if (rest.starts_with("in") && rest.ends_with('}')) {
      const std::string_view list = without_blanks(rest.substr(2));
      const auto literals =
          list.starts_with('{') ? split_domain(list.substr(1, list.size() - 2)) : std::nullopt;
      if (!literals || literals->empty()) fail_at(here, "needs a list of values in {} behind 'in'");
      for (const IraceLiteral& literal : *literals) {
        test.values.push_back(meaning_of(parameter, literal.text, here));
      }
      return test;
    }
    // A single = is that of the old form.
    const auto* const sign = std::ranges::find_if(
        kComparisonSigns, [&](const auto& each) { return rest.starts_with(each.first); });
    const bool is_sign = sign != kComparisonSigns.end();
    if (!is_sign && !rest.starts_with('=')) return std::nullopt;
    const std::string value(without_blanks(rest.substr(is_sign ? sign->first.size() : 1)));
    if (value.empty()) fail_at(here, "needs a value behind its sign");
    test.comparison = is_sign ? sign->second : Comparison::kEqual;
    if (space_.find(value) != nullptr) {
      test.kind = Expression::Kind::kRelation;
      test.other = value;
    } else {
      test.values = {meaning_of(parameter, value, here)};
    }
    return test;
  }

  const SourceText& file_;
  SourceSpace space_;
  int depth_ = 0;
  std::vector<std::string_view> conditions_;
  std::vector<std::string_view> forbidden_;
};

}  // namespace

SourceSpace read_pcs(const std::string& text, const std::string& name) {
  const SourceText file(text, name);
  return PcsReader(file).read();
}

}  // namespace ntune
