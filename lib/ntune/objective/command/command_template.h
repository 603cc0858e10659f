#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/core/program.h"
#include "ntune/objective/objective.h"
#include "ntune/objective/seated_games.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// One evaluation as a program is told of it.
struct CommandCall {
  const SearchSpace* space = nullptr;
  Point point;
  std::optional<Point> opponent = {};  ///< whom the point's player meets, where the command says so
  std::optional<Seating> seating = {};  ///< in place of the point, of a game with seats
  std::int64_t seed = 1;                ///< from 1 to 2^31 - 1
  EvaluationId id = {};
  bool rehearsed = false;    ///< a standstill of this process ends no attempt
  std::string file = {};     ///< path of the parameters' JSON file, where one is asked for
  std::string scratch = {};  ///< path of an empty folder, where one is asked for

  /// {"name": value, …} of the active parameters.
  [[nodiscard]] Json parameters() const { return parameters_of(point); }
  [[nodiscard]] Json parameters_of(const Point& one) const;
  /// The same of every seat.
  [[nodiscard]] Json seats() const;
  /// What a program is sent: the parameters, or those of every seat.
  [[nodiscard]] Json sent() const { return seating ? seats() : parameters(); }
};

/// What the templates of a text, or of a whole command, are of.
struct TemplateUses {
  bool any = false;
  bool parameters = false;  ///< of the point itself
  bool file = false;
  bool scratch = false;
  bool opponent = false;
  bool instance = false;                 ///< or the text names NTUNE_INSTANCE
  std::bitset<kMostPlayers> seats = {};  ///< those that are named
  bool all_seats = false;

  void add(const TemplateUses& other);
};

/// The part of a command that is repeated for several parameters.
class ParameterGroup {
 public:
  /// Reads what stands between the braces: params:gnu, params:pairs, params:option.{name}={value}
  /// or, for some of the parameters, params[Mobility*, Space]:option.{name}={value}.
  /// Empty if the text is none of these. Throws InputError.
  static std::optional<ParameterGroup> read(std::string_view text, const SearchSpace& space);

  /// Appends the arguments of every active parameter, in the order of the space.
  void append_to(std::vector<std::string>& arguments, const SearchSpace& space,
                 const Point& point) const;
  [[nodiscard]] bool mentions(int parameter) const;
  /// What stands before the value, of arguments that end with it; blanks stand between these.
  [[nodiscard]] std::string text_before(const std::string& name) const;

 private:
  struct Piece {
    enum class Kind { kLiteral, kName, kValue, kPlain };
    Kind kind;
    std::string literal = {};
  };
  using Word = std::vector<Piece>;

  void read_names(std::string_view patterns, const SearchSpace& space);
  void read_words(std::string_view text);
  std::size_t read_brace(std::string_view text, std::size_t at, Word& word);

  std::vector<int> parameters_;
  std::vector<Word> words_;  ///< one argument each
  bool splits_ = false;      ///< words are split as a shell splits them
};

/// A text with templates:
///   {name}                             value of a parameter; of an inactive one its default, or
///                                      else the first value
///   {name:plain}                       the same in plain decimals, without an exponent
///   {seed} {run} {evaluation} {repeat} whole numbers
///   {params:-s {name}={value}}         repeated for all active parameters: -s k=v …
///   {params:gnu} {params:pairs}        short for --{name}={value} and {name} {value}
///   {params:-s {value:shell}}          the same in plain decimals, and split as a shell would
///   {params[a*, b]:…}                  the same for some parameters
///   {params:json} {params:file}        {"k": v, …}, or the path of a file that holds it
///   {opponent.name} {opponent.params:gnu} …  the same of the other player, but for the file
///   {seat1.name} {seat1.params:gnu} …  the same of the player in a seat, from 1
///   {seats:json}                       [{"k": v, …}, …] of all seats
///   {instance} {instance.name}         the instance: its value, or one of its named values
///   {instance:shell}                   its words, as a shell would split it
///   {scratch}                          an empty folder, which is removed after the evaluation
///   {{ and }}                          braces
class CommandTemplate {
 public:
  enum class Style {
    kArgument,  ///< what is repeated for parameters becomes arguments of its own
    kText,      ///< one text, as in an environment variable
    kShell      ///< for sh -c: values are in variables, and the text has their quoted names
  };

  /// Throws InputError: a template that is not known, or one that the style does not allow.
  CommandTemplate(std::string_view text, const SearchSpace& space, Style style);

  /// Appends the arguments that it stands for. A text for a shell holds "$NTUNE_VALUE_1" in place
  /// of a value, which is appended to the environment: no value is ever part of a shell's text.
  void append_to(Program& program, const CommandCall& call) const;
  /// The arguments of a call as one text. Not for a shell.
  [[nodiscard]] std::string text(const CommandCall& call) const;

  /// Whether it hands over the parameter, by name or as one of {params:…}.
  [[nodiscard]] bool mentions(int parameter) const;
  /// What stands before the parameter in what ends with it and hands over nothing else.
  [[nodiscard]] std::string text_before(int parameter, const std::string& name) const;
  [[nodiscard]] const TemplateUses& uses() const { return uses_; }
  /// Why the instances of a study do not fill its templates; empty if they do.
  [[nodiscard]] std::string problem_with(std::span<const Instance> instances) const;

 private:
  enum class Kind {
    kLiteral,
    kParameter,
    kSeed,
    kRun,
    kEvaluation,
    kRepeat,
    kScratch,
    kInstance,  ///< `literal`: which named value, if any
    kGroup,
    kJson,
    kSeats,
    kFile
  };
  /// Whether a template is of the values of a point, so that it may be of another player too.
  static bool is_of_point(Kind kind) {
    return kind == Kind::kParameter || kind == Kind::kGroup || kind == Kind::kJson;
  }
  struct Piece {
    Kind kind;
    std::string literal = {};
    int parameter = -1;
    std::optional<ParameterGroup> group = {};
    bool is_plain = false;       ///< numbers in plain decimals
    bool splits = false;         ///< it is split as a shell splits it
    bool opponent = false;       ///< whether it is of the other player
    int seat = 0;                ///< whose player it is of; 0: of none
    bool is_arithmetic = false;  ///< within $((…)) of a shell
  };

  void read(std::string_view text, const SearchSpace& space);
  static Piece read_name(std::string_view name, const SearchSpace& space,
                         std::string_view prefix = {});
  /// A template with a prefix, a suffix or several words, as {opponent.x}, {x:plain}, {params:…}.
  static std::optional<Piece> read_composed(std::string_view name, const SearchSpace& space);
  static std::string instance_text(const Piece& piece, const CommandCall& call);
  static Piece read_player(std::string_view prefix, std::string_view name,
                           const SearchSpace& space);
  /// Whom a piece is of; nullptr: of a seat that the game has not.
  static const Point* player_of(const Piece& piece, const CommandCall& call);
  static void check_arithmetic(const Piece& piece, std::string_view name, const SearchSpace& space);
  void check() const;
  [[nodiscard]] bool lacks_value(const CommandCall& call) const;
  std::string shell_text(Program& program, const CommandCall& call) const;
  [[nodiscard]] static std::vector<std::string> words(const Piece& piece, const CommandCall& call);

  static TemplateUses uses_of(const Piece& piece);

  Style style_;
  std::vector<Piece> pieces_;
  TemplateUses uses_;
};

}  // namespace ntune
