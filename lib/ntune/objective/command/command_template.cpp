#include "ntune/objective/command/command_template.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/program.h"
#include "ntune/core/text.h"
#include "ntune/objective/command/shell_words.h"
#include "ntune/objective/instance.h"
#include "ntune/space/parameter.h"

namespace ntune {

namespace {

/// Prefixes of templates for the other player and for named values of an instance.
constexpr std::string_view kOpponent = "opponent.";
constexpr std::string_view kInstance = "instance.";

/// The number of the seat that a template begins with, as {seat1.depth}; 0: with none.
int seat_of(std::string_view name) {
  constexpr std::string_view kSeat = "seat";
  const std::size_t digit = kSeat.size();
  if (!name.starts_with(kSeat) || name.size() <= digit + 1 || name[digit + 1] != '.') return 0;
  const int seat = name[digit] - '0';
  return seat >= 1 && seat <= kMostPlayers ? seat : 0;
}

/// Where the brace that opens at `begin` is closed; npos: nowhere.
std::size_t closing_brace(std::string_view text, std::size_t begin) {
  int depth = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

}  // namespace

Json CommandCall::parameters_of(const Point& one) const {
  Json json = Json::object();
  for (int i = 0; i < space->dimensions(); ++i) {
    if (space->is_active(one, i)) json[(*space)[i].name] = value_json(space->value(one, i));
  }
  return json;
}

Json CommandCall::seats() const {
  Json list = Json::array();
  for (std::size_t i = 0; i < seating->seats.size(); ++i) {
    list.push_back(parameters_of(seating->at(i)));
  }
  return list;
}

namespace {

/// Refuses a template where a quoted word of a shell would not be the value. '<<' may begin a here
/// document, whose end is not followed here.
void check_place(std::string_view text, std::string_view name, const ShellContext& context) {
  std::string_view obstacle = context.obstacle();
  if (text.find("<<") != text.npos) obstacle = "in a text with '<<'";
  if (obstacle.empty()) return;
  throw InputError(fmt::format("has {{{}}} {}; put it outside, it is quoted for the shell already",
                               printable(name, 60), obstacle));
}

}  // namespace

void TemplateUses::add(const TemplateUses& other) {
  any |= other.any;
  parameters |= other.parameters;
  file |= other.file;
  scratch |= other.scratch;
  opponent |= other.opponent;
  instance |= other.instance;
  seats |= other.seats;
  all_seats |= other.all_seats;
}

CommandTemplate::CommandTemplate(std::string_view text, const SearchSpace& space, Style style)
    : style_(style) {
  read(text, space);
  check();
  for (const Piece& piece : pieces_) uses_.add(uses_of(piece));
}

void CommandTemplate::read(std::string_view text, const SearchSpace& space) {
  // The context is followed along, so that each template knows what surrounds it in the shell.
  ShellContext context;
  const auto add_literal = [&](char c) {
    if (pieces_.empty() || pieces_.back().kind != Kind::kLiteral)
      pieces_.push_back({Kind::kLiteral});
    pieces_.back().literal += c;
    context.pass(c);
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    // Two equal braces stand for one of the text.
    const bool doubled = i + 1 < text.size() && text[i + 1] == c;
    if ((c != '{' && c != '}') || doubled) {
      add_literal(c);
      if (c == '{' || c == '}') ++i;
      continue;
    }
    // A closing brace alone, or an opening one without its end, is no template.
    const std::size_t end = c == '{' ? closing_brace(text, i) : std::string_view::npos;
    if (end == std::string_view::npos) {
      throw InputError(fmt::format("has a single '{0}'; write {0}{0} for the character", c));
    }
    const std::string_view name = text.substr(i + 1, end - i - 1);
    Piece piece = read_name(name, space);
    if (style_ == Style::kShell) {
      piece.is_arithmetic = context.is_arithmetic();
      check_place(text, name, context);
      check_arithmetic(piece, name, space);
      // For the shell the template becomes a quoted word, so what follows stands behind a word.
      context.pass_value();
    }
    pieces_.push_back(std::move(piece));
    i = end;
  }
}

std::optional<CommandTemplate::Piece> CommandTemplate::read_composed(std::string_view name,
                                                                     const SearchSpace& space) {
  if (name.starts_with(kOpponent)) {
    Piece piece = read_player(kOpponent, name.substr(kOpponent.size()), space);
    piece.opponent = true;
    return piece;
  }
  if (const int seat = seat_of(name); seat > 0) {
    const std::size_t prefix = name.find('.') + 1;
    Piece piece = read_player(name.substr(0, prefix), name.substr(prefix), space);
    piece.seat = seat;
    return piece;
  }
  if (name.size() > kInstance.size() && name.starts_with(kInstance)) {
    return Piece{Kind::kInstance, std::string(name.substr(kInstance.size()))};
  }
  if (name == "instance:shell") return Piece{.kind = Kind::kInstance, .splits = true};
  constexpr std::string_view kPlain = ":plain";
  const int plain =
      name.ends_with(kPlain) ? space.find(name.substr(0, name.size() - kPlain.size())) : -1;
  if (plain >= 0) return Piece{.kind = Kind::kParameter, .parameter = plain, .is_plain = true};
  auto group = ParameterGroup::read(name, space);
  if (!group) return std::nullopt;
  return Piece{.kind = Kind::kGroup, .literal = std::string(name), .group = std::move(group)};
}

/// `prefix`: what stands before the name and says whose it is, as "seat1.".
CommandTemplate::Piece CommandTemplate::read_name(std::string_view name, const SearchSpace& space,
                                                  std::string_view prefix) {
  static const std::vector<std::pair<std::string, Kind>> kNames = {
      {"seed", Kind::kSeed},
      {"run", Kind::kRun},
      {"evaluation", Kind::kEvaluation},
      {"repeat", Kind::kRepeat},
      {"scratch", Kind::kScratch},
      {"instance", Kind::kInstance},
      {"params:gnu", Kind::kGroup},
      {"params:pairs", Kind::kGroup},
      {"params:-s {name}={value}", Kind::kGroup},
      {"params:json", Kind::kJson},
      {"seats:json", Kind::kSeats},
      {"params:file", Kind::kFile}};
  // A parameter's own name counts first; a name that begins with "opponent." or "instance." may
  // thus be a parameter.
  const int parameter = space.find(name);
  if (parameter < 0) {
    if (auto piece = read_composed(name, space)) return *std::move(piece);
  }
  // Names of templates and of parameters are suggested together.
  std::vector<std::string> known = space.names();
  for (const auto& [word, kind] : kNames) {
    if (prefix.empty() || is_of_point(kind)) known.push_back(word);
    if (word != name) continue;
    if (parameter < 0) return {kind};
    // A name with two meanings is refused, since either choice would surprise somebody.
    throw InputError(fmt::format(
        "has {{{}}}, which is also the name of a parameter; rename the parameter", name));
  }
  if (parameter >= 0) return {Kind::kParameter, {}, parameter};
  const std::string near = name.empty() ? "" : closest_word(name, known);
  throw InputError(fmt::format(
      "has {{{}{}}}, which is not known{}; allowed{}: {}, and {{{{ for a brace", prefix,
      printable(name, 60),
      near.empty() ? "" : fmt::format(", did you mean {{{}{}}}?", prefix, near),
      prefix.empty() ? "" : fmt::format(" after '{}'", prefix), list_text(known, "and")));
}

CommandTemplate::Piece CommandTemplate::read_player(std::string_view prefix, std::string_view name,
                                                    const SearchSpace& space) {
  // The rest of the name is a template of its own, which must be one of a point.
  Piece piece = read_name(name, space, prefix);
  if (is_of_point(piece.kind) && !piece.opponent && piece.seat == 0) return piece;
  throw InputError(fmt::format(
      "has {{{0}{1}}}; allowed after '{0}': the name of a parameter, params:json, params:gnu, "
      "params:pairs and others that repeat, such as params:-s {{name}}={{value}}",
      prefix, printable(name, 60)));
}

const Point* CommandTemplate::player_of(const Piece& piece, const CommandCall& call) {
  if (piece.seat == 0) return piece.opponent ? &*call.opponent : &call.point;
  const auto seat = static_cast<std::size_t>(piece.seat - 1);
  const bool is_there = call.seating && seat < call.seating->seats.size();
  return is_there ? &call.seating->at(seat) : nullptr;
}

/// A shell may carry out what a text in arithmetic says.
void CommandTemplate::check_arithmetic(const Piece& piece, std::string_view name,
                                       const SearchSpace& space) {
  if (!piece.is_arithmetic) return;
  bool numbers = piece.kind >= Kind::kSeed && piece.kind <= Kind::kRepeat;
  if (piece.kind == Kind::kParameter) {
    // All values must be numbers, since each of them may come.
    numbers = std::ranges::all_of(space[piece.parameter].values, is_number);
  }
  if (numbers) return;
  throw InputError(
      fmt::format("has {{{}}} in $((…)), where numbers alone are allowed", printable(name, 60)));
}

void CommandTemplate::check() const {
  // A group is several arguments, which fit neither into a text nor into a part of an argument.
  for (const Piece& piece : pieces_) {
    if ((piece.kind != Kind::kGroup && !piece.splits) || style_ == Style::kShell) continue;
    if (style_ == Style::kArgument && pieces_.size() == 1) continue;
    throw InputError(fmt::format(
        "has {{{}}}, which stands for several arguments; it must be an argument of its own",
        piece.splits ? "instance:shell" : printable(piece.literal, 60)));
  }
}

/// The words that a piece stands for in a call: one, or several for a group.
std::vector<std::string> CommandTemplate::words(const Piece& piece, const CommandCall& call) {
  const SearchSpace& space = *call.space;
  const Point* player = player_of(piece, call);
  if (player == nullptr) return {};
  const Point& point = *player;
  std::vector<std::string> list;
  switch (piece.kind) {
    case Kind::kLiteral:
      return {piece.literal};
    case Kind::kParameter:
      if (is_no_value(space.value(point, piece.parameter))) return {};
      return {piece.is_plain ? plain_text(space.value(point, piece.parameter))
                             : value_text(space.value(point, piece.parameter))};
    case Kind::kSeed:
      return {std::to_string(call.seed)};
    case Kind::kRun:
      return {std::to_string(call.id.run)};
    case Kind::kEvaluation:
      return {std::to_string(call.id.evaluation)};
    case Kind::kRepeat:
      return {std::to_string(call.id.repeat)};
    case Kind::kJson:
      return {json_line(call.parameters_of(point))};
    case Kind::kSeats:
      return {json_line(call.seats())};
    case Kind::kFile:
      return {call.file};
    case Kind::kScratch:
      return {call.scratch};
    case Kind::kInstance:
      if (piece.splits) return shell_words(instance_text(piece, call));
      return {instance_text(piece, call)};
    // A group has the words of all parameters that it names.
    case Kind::kGroup:
      piece.group->append_to(list, space, point);
  }
  return list;
}

std::string CommandTemplate::instance_text(const Piece& piece, const CommandCall& call) {
  // Without instances the templates are refused before any call, so an empty text does no harm.
  if (call.id.instance == nullptr) return {};
  if (piece.literal.empty()) return call.id.instance->text();
  const Value* value = call.id.instance->find(piece.literal);
  return value == nullptr ? std::string() : value_text(*value);
}

std::string CommandTemplate::problem_with(std::span<const Instance> instances) const {
  for (const Piece& piece : pieces_) {
    if (piece.kind != Kind::kInstance) continue;
    const std::string name = piece.literal.empty() ? "instance" : "instance." + piece.literal;
    if (instances.empty()) {
      return fmt::format("has {{{}}}, but the study has no 'instances:'", printable(name, 60));
    }
    // Any instance has a text, but not every one has all named values.
    if (piece.literal.empty()) continue;
    for (const Instance& instance : instances) {
      if (instance.find(piece.literal) != nullptr) continue;
      std::vector<std::string> known;
      for (const auto& [key, value] : instance.values) known.push_back(key);
      return fmt::format(
          "has {{{}}}, which the instance '{}' does not have{}", printable(name, 60),
          printable(instance.name, 60),
          known.empty() ? "; it has no named values" : "; it has: " + list_text(known, "and"));
    }
  }
  return {};
}

void CommandTemplate::append_to(Program& program, const CommandCall& call) const {
  if (style_ == Style::kShell) {
    // For a shell the whole text is one argument, and the values go into the environment.
    program.arguments.push_back(shell_text(program, call));
  } else if (pieces_.size() == 1 && (pieces_[0].kind == Kind::kGroup || pieces_[0].splits)) {
    for (std::string& word : words(pieces_[0], call)) program.arguments.push_back(std::move(word));
  } else if (!lacks_value(call)) {
    program.arguments.push_back(text(call));
  }
}

/// Whether it is of a parameter whose value is null, or of a seat that is not there, which makes no
/// argument.
bool CommandTemplate::lacks_value(const CommandCall& call) const {
  return std::ranges::any_of(pieces_, [&](const Piece& piece) {
    const Point* point = player_of(piece, call);
    return point == nullptr || (piece.kind == Kind::kParameter &&
                                is_no_value(call.space->value(*point, piece.parameter)));
  });
}

std::string CommandTemplate::text(const CommandCall& call) const {
  std::string text;
  for (const Piece& piece : pieces_) text += fmt::to_string(fmt::join(words(piece, call), " "));
  return text;
}

std::string CommandTemplate::shell_text(Program& program, const CommandCall& call) const {
  std::string text;
  int number = 0;
  // The shell puts the variable's value in place without looking into it, so no value can become
  // code.
  for (const Piece& piece : pieces_) {
    std::vector<std::string> list = words(piece, call);
    if (piece.kind == Kind::kLiteral) {
      text += list.front();
      continue;
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string name = fmt::format("NTUNE_VALUE_{}", ++number);
      // In arithmetic quotes are not known; only numbers come here.
      text += fmt::format("{0}{1}${2}{1}", i > 0 ? " " : "", piece.is_arithmetic ? "" : "\"", name);
      program.environment.emplace_back(name, std::move(list[i]));
    }
  }
  return text;
}

std::string CommandTemplate::text_before(int parameter, const std::string& name) const {
  if (pieces_.size() == 1 && pieces_[0].group && mentions(parameter)) {
    return pieces_[0].seat == 0 ? pieces_[0].group->text_before(name) : "";
  }
  const bool is_one = pieces_.size() == 2 && pieces_[0].kind == Kind::kLiteral &&
                      pieces_[1].kind == Kind::kParameter && pieces_[1].parameter == parameter &&
                      !pieces_[1].opponent;
  return is_one ? pieces_[0].literal : "";
}

bool CommandTemplate::mentions(int parameter) const {
  return std::ranges::any_of(pieces_, [&](const Piece& piece) {
    // A template of the other player hands over nothing of the point itself.
    if (piece.opponent) return false;
    if (piece.group) return piece.group->mentions(parameter);
    // JSON and file hold all parameters.
    return piece.kind >= Kind::kJson || piece.parameter == parameter;
  });
}

TemplateUses CommandTemplate::uses_of(const Piece& piece) {
  const bool is_own = !piece.opponent && piece.seat == 0;
  std::bitset<kMostPlayers> seats;
  if (piece.seat > 0) seats.set(static_cast<std::size_t>(piece.seat - 1));
  return {.any = piece.kind != Kind::kLiteral,
          .parameters = is_own && is_of_point(piece.kind),
          .file = piece.kind == Kind::kFile,
          .scratch = piece.kind == Kind::kScratch,
          .opponent = piece.opponent,
          .instance = piece.kind == Kind::kInstance ||
                      piece.literal.find("NTUNE_INSTANCE") != std::string::npos,
          .seats = seats,
          .all_seats = piece.kind == Kind::kSeats};
}

}  // namespace ntune
