#include "ntune/study/journal/journal_reader.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/json_parser.h"
#include "ntune/core/text.h"
#include "ntune/objective/recorded/optuna_codes.h"
#include "ntune/study/journal/journal_fields.h"
#include "ntune/study/journal/journal_tail.h"
#include "ntune/study/model/certainty_numbers.h"

namespace ntune {

namespace {

using LineKind = JournalLine::Kind;

/// How every line with our fields begins, whether or not a letter follows.
constexpr std::string_view kFieldsBegin = R"({"ntune":[)";

[[noreturn]] void fail(const std::string& name, std::size_t line, const std::string& message) {
  throw InputError(fmt::format("{}:{}: {}", printable(name, 1000), line, message));
}

bool is_finite(double value) { return value - value == 0.0; }
bool is_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return is_finite(value); });
}

/// Reads fields from left to right. After the first one that is not as we write it all fail.
class FieldReader {
 public:
  explicit FieldReader(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  [[nodiscard]] bool ok() const { return ok_; }
  void fail() { ok_ = false; }

  void expect(std::string_view token) {
    ok_ = ok_ && rest().starts_with(token);
    if (ok_) at_ += token.size();
  }
  char letter() {
    ok_ = ok_ && at_ != end_;
    return ok_ ? *at_++ : '\0';
  }
  template <class Number>
  void number(Number& value) {
    if (!ok_) return;
    const auto [end, error] = std::from_chars(at_, end_, value);
    ok_ = error == std::errc();
    at_ = end;
  }
  /// Fields with the comma before each.
  template <class... Fields>
  void operator()(Fields&... fields) {
    (field(fields), ...);
  }

 private:
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void field(Number& value) {
    expect(",");
    number(value);
  }
  void field(Stage& stage) {
    unsigned value = 0;
    field(value);
    if (value > static_cast<unsigned>(Stage::kHoldOut)) fail();
    stage = static_cast<Stage>(value);
  }
  template <class Number>
  void field(std::vector<Number>& values) {
    values.clear();
    expect(",[");
    if (accept(']')) return;
    do {
      number(values.emplace_back());
    } while (accept(','));
    expect("]");
  }
  void field(RunningStats& stats) {
    RunningStats::State state;
    journal_fields::of_statistics(*this, state);
    if (!is_finite(state.mean) || !is_finite(state.squares) || state.count < 0) fail();
    stats = RunningStats(state);
  }
  void field(std::optional<Certainty>& certainty) {
    if (!ok_ || at_ == end_ || *at_ != ',') return;
    std::vector<double> values;
    field(values);
    const auto found = certainty_from(values);
    if (!found || !is_finite(values)) fail();
    if (ok_) certainty = found;
  }
  void field(SetAside& set_aside) {
    set_aside = {};
    if (!ok_ || !rest().starts_with(journal_fields::kSetAside)) return;
    expect(journal_fields::kSetAside);
    field(set_aside.payoffs);
    if (set_aside.payoffs < 0) fail();
  }
  void field(GameCounts& counts) {
    counts = {};
    if (!ok_ || !rest().starts_with(journal_fields::kGames)) return;
    expect(journal_fields::kGames);
    (*this)(counts.games.wins, counts.games.draws, counts.games.losses);
    if (!accept(']')) {
      for (std::int64_t& count : counts.pairs.counts) field(count);
      expect("]");
    }
    if (ok_ && rest().starts_with(journal_fields::kForfeits)) {
      expect(journal_fields::kForfeits);
      for (std::int64_t& count : counts.forfeits.first) field(count);
      for (std::int64_t& count : counts.forfeits.second) field(count);
      expect("]");
    }
    if (*contradiction_of(counts) != '\0') fail();
  }
  void field(Ending& ending) {
    ending = Ending::kWhole;
    for (const auto& [token, named] : {std::pair(journal_fields::kCutOff, Ending::kCutOff),
                                       {journal_fields::kCapped, Ending::kCapped}}) {
      if (!ok_ || !rest().starts_with(token)) continue;
      expect(token);
      ending = named;
    }
  }
  void field(std::optional<double>& cost) { named(journal_fields::kCost, cost); }
  void field(JournalLine::Used& used) { named(journal_fields::kUsed, used.seconds); }
  void field(JournalLine::Block& block) { named(journal_fields::kBlock, block.number); }
  void field(JournalLine::OfferedOn& on) { named(journal_fields::kInstance, on.instance); }
  void field(JournalLine::Against& against) {
    against.indices.clear();
    if (!ok_ || !rest().starts_with(journal_fields::kAgainst)) return;
    expect(journal_fields::kAgainst);
    field(against.indices);
    expect("]");
  }
  template <class Number>
  void named(std::string_view begin, std::optional<Number>& value) {
    value = {};
    if (!ok_ || !rest().starts_with(begin)) return;
    expect(begin);
    field(value.emplace());
    expect("]");
    if (!is_finite(static_cast<double>(*value)) || *value < Number{}) fail();
  }
  void field(EarlyEndings& endings) {
    endings = {};
    const auto named = [&](std::string_view name, std::int64_t& count) {
      if (!ok_ || !rest().starts_with(name)) return;
      expect(name);
      field(count);
      if (count < 0) fail();
    };
    named(journal_fields::kRunCutOff, endings.cut_off);
    named(journal_fields::kRunCapped, endings.capped);
  }
  void field(JournalLine::Trace& trace) {
    trace = {};
    if (!ok_ || !rest().starts_with(journal_fields::kTrace)) return;
    expect(journal_fields::kTrace);
    const std::size_t end = rest().find('"');
    if (!ok_ || end == std::string_view::npos) return fail();
    trace.text = rest().substr(0, end);
    at_ += end;
    expect(journal_fields::kAfterTrace);
  }
  bool accept(char token) {
    if (!ok_ || at_ == end_ || *at_ != token) return false;
    ++at_;
    return true;
  }
  [[nodiscard]] std::string_view rest() const {
    return {at_, static_cast<std::size_t>(end_ - at_)};
  }

  const char* at_;
  const char* end_;
  bool ok_ = true;
};

/// kForeign: the letter is none of ours.
LineKind kind_of(char letter) {
  for (const auto& [kind, letter_of_kind] : journal_fields::kLetters) {
    if (letter_of_kind == letter) return kind;
  }
  return LineKind::kForeign;
}

void read_run(FieldReader& reader, JournalLine& line) {
  line.run = {};
  line.trace = {};
  journal_fields::of_run(reader, line);
  line.run.finished = true;
  line.key.repeat = line.run.repeat;
  line.key.run = line.run.run;
  if (!is_finite(line.run.estimate)) reader.fail();
}

void read_evaluation(FieldReader& reader, JournalLine& line) {
  journal_fields::of_evaluation(reader, line);
  if (line.kind != LineKind::kEvaluation && line.kind != LineKind::kOffered) return;
  if (line.payoffs.empty() || !is_finite(line.payoffs)) reader.fail();
}

bool is_count(std::int64_t value) { return value >= 0 && value <= kMostEvaluations; }

/// Whether the line may be of such an evaluation: each has been asked for in its order, and the
/// journal lacks at most those that are in flight. `lines` stand before it.
bool is_key(const EvaluationKey& key, std::size_t lines) {
  constexpr std::int64_t kMostInFlight = 1'000'000;
  // Below 0: -1 of the pick, -2 of the default, from -3 on of declared starts.
  return is_count(key.repeat) && key.run >= -kMostEvaluations && key.run <= kMostEvaluations &&
         key.index >= 0 && key.index <= static_cast<std::int64_t>(lines) + kMostInFlight;
}

/// The same for all counts of a run.
bool is_run(const RunRecord& run) {
  return is_count(run.repeat) && is_count(run.run) && is_count(run.evaluations) &&
         is_count(run.failures) && is_count(run.point_evaluations) &&
         is_count(run.hold_out.evaluations);
}

/// What the Optuna record says first: which trial the line makes or ends. `trials` have been made
/// before.
void read_trial(FieldReader& reader, JournalLine& line, std::int64_t& trials) {
  int operation = 0;
  reader.number(operation);
  if (operation == optuna_code(OptunaOperation::kCreateTrial)) {
    line.trial = trials++;
  } else if (operation == optuna_code(OptunaOperation::kSetTrialState)) {
    reader.expect(",\"trial_id\":");
    reader.number(line.trial);
    if (line.trial < 0 || line.trial >= trials) reader.fail();
  } else {
    reader.fail();
  }
  reader.expect(",");
}

/// Reads our part of a line and the begin of its Optuna record. False if it is not as we write it.
bool read_fields(std::string_view text, JournalLine& line, std::int64_t& trials) {
  FieldReader reader(text);
  reader.expect(journal_fields::kBegin);
  line.kind = kind_of(reader.letter());
  reader.expect(journal_fields::kAfterLetter);
  line.key = {};
  line.payoffs.clear();
  line.games = {};
  line.ending = Ending::kWhole;
  line.cost = {};
  line.used = {};
  line.block = {};
  line.against = {};
  line.offered_on = {};
  if (line.kind == LineKind::kForeign) return false;
  if (line.kind == LineKind::kRun) {
    read_run(reader, line);
  } else {
    read_evaluation(reader, line);
  }
  reader.expect(journal_fields::kEnd);
  if (line.point.size() > static_cast<std::size_t>(kMaxDimensions)) return false;
  if (!is_key(line.key, line.number) || (line.kind == LineKind::kRun && !is_run(line.run))) {
    return false;
  }
  read_trial(reader, line, trials);
  return reader.ok() && text.back() == '}';
}

/// Python writes NaN and Infinity, for which JSON has no words.
Json parse_record(std::string_view text) {
  Json json = parse_json(text);
  if (!json.is_discarded()) return json;
  std::string plain(text);
  for (const std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
    for (std::size_t at = plain.find(word); at != std::string::npos; at = plain.find(word, at)) {
      plain.replace(at, word.size(), "null");
    }
  }
  return parse_json(plain);
}

LineKind kind_of_record(const Json& json) {
  const Json fields = json.value("ntune", Json());
  if (!fields.is_object()) return LineKind::kForeign;
  if (json["op_code"] == optuna_code(OptunaOperation::kSetTrialAttribute) &&
      fields.contains(journal_fields::kAskedAgain)) {
    return LineKind::kAskedAgain;
  }
  if (json["op_code"] == optuna_code(OptunaOperation::kSetStudyAttribute)) {
    if (fields.contains(journal_fields::kRetry)) return LineKind::kRetry;
    if (fields.contains(journal_fields::kSplit)) return LineKind::kSplit;
    if (fields.contains(journal_fields::kState)) return LineKind::kState;
    if (fields.contains("study")) return LineKind::kExtension;
  }
  if (json["op_code"] == optuna_code(OptunaOperation::kSetStudyAttribute) &&
      fields.contains(journal_fields::kPlanned)) {
    return LineKind::kPlanned;
  }
  const bool header =
      json["op_code"] == optuna_code(OptunaOperation::kCreateStudy) && fields.contains("format");
  return header ? LineKind::kHeader : LineKind::kForeign;
}

/// [cell, stage, repeat, run, index, evaluations, horizon, limit of cost, limit of seconds], where
/// a limit may be null.
bool read_planned(const Json& list, std::size_t lines, PlannedStep& step) {
  constexpr std::size_t kCounts = 7;
  constexpr std::size_t kFields = 9;
  if (!list.is_array() || list.size() != kFields) return false;
  for (std::size_t i = 0; i < kCounts; ++i) {
    if (!list[i].is_number_integer()) return false;
  }
  for (std::size_t i = kCounts; i < kFields; ++i) {
    if (!list[i].is_null() && !list[i].is_number()) return false;
  }
  constexpr auto kMostCells = std::numeric_limits<std::uint32_t>::max();
  if (list[0] < 0 || list[0] > kMostCells) return false;
  if (list[1] < 0 || list[1] > static_cast<int>(Stage::kHoldOut)) return false;
  step = {.key = {.cell = list[0],
                  .stage = static_cast<Stage>(list[1].get<int>()),
                  .repeat = list[2],
                  .run = list[3],
                  .index = list[4]},
          .evaluations = list[5],
          .horizon = list[6]};
  if (!list[7].is_null()) step.limits.cost = list[7].get<double>();
  if (!list[8].is_null()) step.limits.seconds = list[8].get<double>();
  // A count beyond int64 is negative by now.
  return is_count(step.evaluations) && is_count(step.horizon) && is_key(step.key, lines);
}

/// [cell, repeat, run, evaluations, state of the optimiser, four words of its random stream].
bool read_state(const Json& list, EvaluationKey& key, SearchState& state) {
  constexpr std::size_t kWords = std::tuple_size_v<Rng::State>;
  constexpr std::size_t kBefore = 5;
  if (!list.is_array() || list.size() != kBefore + kWords) return false;
  if (!std::ranges::all_of(list, [](const Json& one) { return one.is_number_unsigned(); })) {
    return false;
  }
  constexpr auto kMostCells = std::numeric_limits<std::uint32_t>::max();
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  const auto at_most = [&](std::size_t i, std::uint64_t most) {
    return list[i].get<std::uint64_t>() <= most;
  };
  if (!at_most(0, kMostCells) || !at_most(1, kMost) || !at_most(2, kMost) || !at_most(3, kMost)) {
    return false;
  }
  key = {.cell = list[0], .repeat = list[1], .run = list[2]};
  state = {.evaluations = list[3], .optimiser = list[4]};
  for (std::size_t i = 0; i < kWords; ++i) state.stream[i] = list[kBefore + i];
  // From zeros alone no random number would ever follow but 0.
  return state.evaluations > 0 && state.stream != Rng::State{};
}

/// Reads a record without our fields: a header, or what another program wrote. False if it is none.
bool read_record(std::string_view text, JournalLine& line, std::int64_t& trials) {
  const Json json = parse_record(text);
  if (!json.is_object() || !json.contains("op_code") || !json["op_code"].is_number_integer()) {
    return false;
  }
  const Json& operation = json["op_code"];
  if (operation == optuna_code(OptunaOperation::kCreateTrial)) line.trial = trials++;
  line.kind = kind_of_record(json);
  if (line.kind == LineKind::kPlanned) {
    return read_planned(json["ntune"][journal_fields::kPlanned], line.number, line.planned);
  }
  if (line.kind == LineKind::kAskedAgain) {
    const Json& trial = json["ntune"][journal_fields::kAskedAgain];
    if (!trial.is_number_integer() || trial < 0 || trial >= trials) return false;
    line.trial = trial;
  }
  if (line.kind == LineKind::kState) {
    return read_state(json["ntune"][journal_fields::kState], line.key, line.state);
  }
  return true;
}

constexpr const char* kNoJournal = "is not the journal of an ntune study";

/// False for the text of another program: what is torn of ours begins as a header does, or holds
/// what a power cut leaves, zeros.
bool may_begin_journal(std::string_view text) {
  constexpr std::string_view kBegin = journal_fields::kOwnObject;
  const std::size_t length = std::min(text.size(), kBegin.size());
  return text.find('\n') != std::string_view::npos ||
         text.substr(0, length) == kBegin.substr(0, length) ||
         text.find_first_not_of('\0') == std::string_view::npos;
}

}  // namespace

std::optional<std::uint64_t> journal_fields::request_of(std::string_view line) {
  constexpr std::size_t kLongest = 21;  // digits and the brace
  const std::size_t at = line.rfind(kRequest);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view text = line.substr(at + kRequest.size());
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_last = text.size() <= kLongest && end == text.data() + text.size() - 1;
  return error == std::errc() && is_last ? std::optional(number) : std::nullopt;
}

std::size_t scan_journal(std::string_view text, const std::string& name,
                         const std::function<void(const JournalLine&)>& visit) {
  JournalPlace place;
  return scan_journal_from(place, text, name, visit);
}

std::size_t scan_journal_from(JournalPlace& place, std::string_view text, const std::string& name,
                              const std::function<void(const JournalLine&)>& visit) {
  JournalLine line;
  std::int64_t trials = place.trials;
  std::size_t whole = 0;
  if (place.lines == 0 && !may_begin_journal(text)) fail(name, 1, kNoJournal);
  for (std::size_t number = place.lines + 1; whole < text.size(); ++number) {
    const std::size_t start = whole;
    const std::size_t end = text.find('\n', start);
    if (end == std::string_view::npos) break;  // the last line is torn
    line.number = number;
    line.text = text.substr(start, end - start);
    line.kind = LineKind::kForeign;
    line.trial = -1;
    const bool has_fields = line.text.starts_with(kFieldsBegin);
    const bool good = !line.text.empty() && (has_fields ? read_fields(line.text, line, trials)
                                                        : read_record(line.text, line, trials));
    if (!good) {
      if (end + 1 == text.size() && number > 1) break;  // torn by a power cut
      fail(name, number, "is not a line of a journal");
    }
    if (line.kind == LineKind::kExtension) journal_header(line.text, name, number);
    if (number == 1 && line.kind != LineKind::kHeader) {
      fail(name, 1, kNoJournal);
    }
    whole = end + 1;
    place = {number, trials};
    visit(line);
  }
  return whole;
}

OfferedObservation offered_of(const JournalLine& line) {
  return {.key = line.key,
          .point = Point(line.point),
          .payoffs = line.payoffs,
          .instance = line.offered_on.instance};
}

Json journal_header(std::string_view text, const std::string& name, std::size_t line) {
  const Json json = parse_json(text);
  constexpr int kFormat = 1;
  const Json header = json.is_object() ? json.value("ntune", Json()) : Json();
  if (!header.is_object() || !header.contains("format")) {
    fail(name, line, kNoJournal);
  }
  if (header["format"] != kFormat) {
    fail(name, line,
         fmt::format("is a journal of format {}, this program reads format {}",
                     printable(header["format"].dump()), kFormat));
  }
  if (!header.value("study", Json()).is_object() || !header.value("version", Json()).is_string()) {
    fail(name, line, kNoJournal);
  }
  return header;
}

}  // namespace ntune
