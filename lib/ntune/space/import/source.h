#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/space/parameter.h"

namespace ntune {

class IraceTokens;

/// Arithmetic with numbers and parameters, as conditions of other systems have it.
struct Calculation {
  enum class Kind {
    kNumber,
    kText,       ///< a word in quotes, with which nothing can be calculated
    kParameter,  ///< its value
    kCall        ///< of an operator or a function with the parts
  };
  Kind kind = Kind::kNumber;
  /// The number or word as it is written, the parameter, the operator or the function.
  std::string text = {};
  double number = 0.0;
  std::vector<Calculation> parts = {};
};

/// The number that comes out, not always a finite one. `%%` is R's: its result has the divisor's
/// sign. The parameters have the numbers that `value` gives.
double calculate(const Calculation& calculation,
                 const std::function<double(const std::string& parameter)>& value);

/// Calls visit(leaf) for every number, text and parameter.
void for_each_leaf(const Calculation& calculation,
                   const std::function<void(const Calculation& leaf)>& visit);

/// The calculation of R that stands here, which may be a single number, word or parameter. It may
/// call sqrt, abs, exp, log, floor, ceiling, trunc, round, min and max. Throws InputError for what
/// is no R, ForeignR for what cannot be calculated here.
Calculation parse_calculation(IraceTokens& tokens);

// A search space as other systems describe it, before it is discretised: what the readers of the
// formats (<format>.cpp) hand to write_imported_space.

/// "file:line: key" of something in a source file, for messages.
using Place = std::string;

/// Throws InputError "place: message".
[[noreturn]] void fail_at(const Place& place, std::string_view message);

/// How two values may lie for a comparison to hold: a bit each for less, equal and greater.
enum class Comparison : std::uint8_t {
  kLess = 1,
  kEqual = 2,
  kLessEqual = 3,
  kGreater = 4,
  kNotEqual = 5,
  kGreaterEqual = 6
};

/// The signs of comparisons, longer ones before their beginnings.
inline constexpr std::array<std::pair<std::string_view, Comparison>, 6> kComparisonSigns = {
    {{"==", Comparison::kEqual},
     {"!=", Comparison::kNotEqual},
     {"<=", Comparison::kLessEqual},
     {">=", Comparison::kGreaterEqual},
     {"<", Comparison::kLess},
     {">", Comparison::kGreater}}};

/// A truth value that depends on parameters. False where a parameter it tests is inactive.
struct Expression {
  enum class Kind {
    kTest,         ///< parameter against values: equal to any, unequal to all, or an order to one
    kRelation,     ///< parameter against `other`
    kCalculation,  ///< the first of the `sides` against the second
    kAll,          ///< all parts; true without any
    kAny,          ///< at least one part; false without any
    kNot,          ///< its one part is false
    kOpaque,       ///< nothing that lists of values can say, see `reason`
  };
  Kind kind = Kind::kAll;
  std::vector<Expression> parts = {};
  std::string parameter = {};
  Comparison comparison = Comparison::kEqual;
  std::vector<Value> values = {};
  std::string other = {};
  std::vector<Calculation> sides = {};
  std::string reason = {};
};

/// A condition or a forbidden combination.
struct Constraint {
  Expression expression;
  Place place;
  std::string text;  ///< as the source has it, for comments
};

/// Several conditions on one parameter hold together.
void add_condition(Constraint condition, std::optional<Constraint>& all);

/// A list of values that is kept unchanged.
struct SourceChoices {
  std::vector<Value> values = {};
  std::map<std::string, Value> written = {};  ///< by the words of the file, where tests name these
  bool fixed = false;                         ///< a constant
  bool unordered = false;  ///< neighbours are not alike, even if they are numbers
  bool by_place = false;   ///< a value is less than those that stand after it
};
struct SourceIntegers {
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t step = 1;
  bool log = false;
};
struct SourceReals {
  double low = 0.0;
  double high = 0.0;
  double step = 0.0;  ///< 0: continuous
  bool log = false;
  std::optional<int> digits = {};  ///< decimal places that values may have
};
/// Values that the reader of the format has chosen, ascending numbers.
struct SourceValues {
  std::vector<Value> values;
  std::string rule;  ///< how, for the comment
};

using SourceDomain = std::variant<SourceChoices, SourceIntegers, SourceReals, SourceValues>;

/// A range of integers where all numbers are such, else of real ones; without a step: nullptr.
SourceDomain range_of(const Value& low, const Value& high, const Value* step, bool log);

struct SourceParameter {
  std::string name;
  Place place;
  std::string type;         ///< in the source's words
  std::string option = {};  ///< the switch of a command line before its value, where it has one
  SourceDomain domain = {};
  std::optional<Value> start = {};           ///< default or first value tried
  std::vector<std::string> remarks = {};     ///< more for the comment
  std::vector<Value> kept = {};              ///< values of its range that the grid is to have
  std::optional<Constraint> condition = {};  ///< active where it holds
  std::optional<std::pair<double, double>> gains = {};  ///< C_end and R_end of SPSA
};

struct SourceSpace {
  std::vector<SourceParameter> parameters = {};
  std::vector<Constraint> forbidden = {};
  std::vector<std::string> warnings = {};
  /// Parameters that no space can have, and why. They matter where somebody wants them.
  std::map<std::string, std::string> left_out = {};
  /// A point to begin with, whose values are to be on the grid; a name that is left out is
  /// inactive.
  struct Configuration {
    std::map<std::string, Value> values;
    Place place;
  };
  std::vector<Configuration> configurations = {};
  /// A test may name a value that its parameter lacks, which nothing equals; else that is a fault.
  bool tests_foreign_values = false;

  /// Throws InputError beyond 1,024 parameters, for a name that is taken or none.
  void add(SourceParameter parameter);
  /// The parameter of this name; nullptr if there is none.
  [[nodiscard]] const SourceParameter* find(std::string_view name) const;
  [[nodiscard]] SourceParameter* find(std::string_view name) {
    return const_cast<SourceParameter*>(std::as_const(*this).find(name));
  }
  /// Throws InputError beyond 10,000 combinations.
  void forbid(Constraint constraint);
};

/// `sigmas`: where a normal distribution ends that has no bounds, in its standard deviations.
SourceSpace read_configspace(const YamlNode& document, double sigmas);
SourceSpace read_optuna(const YamlNode& document);
SourceSpace read_tag(const YamlNode& document);
/// `forbidden` holds more lines of the section [forbidden], and `forbidden_name` is their file.
SourceSpace read_irace(const std::string& text, const std::string& name,
                       const std::string& forbidden = {}, const std::string& forbidden_name = {});
SourceSpace read_pcs(const std::string& text, const std::string& name);
SourceSpace read_uci(const std::string& text, const std::string& name);
SourceSpace read_chess_tuning_tools(const YamlNode& document);
SourceSpace read_weather_factory(const YamlNode& document, int points);
SourceSpace read_openbench(const std::string& text, const std::string& name, int points);

/// Takes the values of a document as defaults, and says what of it is not in the space, and what of
/// the space not in it. `names`: of all parameters, also of those that are not taken.
void take_defaults(const YamlNode& document, const std::set<std::string>& names,
                   SourceSpace& space);

// What several readers share.

/// YAML, or JSON with its pairs of \u escapes.
YamlNode parse_source(const std::string& text, const std::string& name);

/// The value of a key; its absence or null fails.
const YamlNode& needed(const YamlNode& map, std::string_view key);
double read_real(const YamlNode& node);
std::int64_t read_whole(const YamlNode& node);
/// The key's flag; false where it is absent or null.
bool read_flag(const YamlNode& map, std::string_view key);
/// A scalar; null becomes the text 'null'.
Value read_source_value(const YamlNode& node);
/// A list of scalars, at least one.
std::vector<Value> read_source_values(const YamlNode& list);

/// The finite number that the text is, an integer if it looks like one.
std::optional<Value> parse_number(std::string_view text);
/// The text without blanks and tabs at its ends.
inline std::string_view without_blanks(std::string_view text) { return trimmed(text, " \t"); }
/// Calls visit(line, number) for every line that is not blank. Throws InputError on control
/// characters and bytes that are not UTF-8.
void for_each_line(const std::string& text, const std::string& name,
                   const std::function<void(std::string_view line, int number)>& visit);

/// A text whose parts know where they stand, for messages.
class SourceText {
 public:
  SourceText(std::string text, std::string name);
  SourceText(const SourceText&) = delete;
  SourceText& operator=(const SourceText&) = delete;

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// "file:line:column" of a part of the text, and ": subject" where there is one. Columns count
  /// characters from 1 on.
  [[nodiscard]] Place place(std::string_view part, std::string_view subject = {}) const;
  /// Overwrites a part with blanks, such as a comment; all others stay where they are.
  void blank(std::string_view part);

 private:
  std::string text_;
  std::string name_;
  std::vector<std::size_t> lines_;  ///< where each line begins
};

}  // namespace ntune
