#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/core/time_text.h"
#include "ntune/objective/failure_cause.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/journal/journal_line.h"
#include "ntune/study/journal/journal_reader.h"
#include "ntune/version.h"

namespace ntune {

namespace {

/// Puts the parts of a line together in a buffer, and appends them to a text.
class Parts {
 public:
  explicit Parts(std::string& text) : text_(text) {}
  ~Parts() { flush(); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  /// Characters, texts and numbers as they are.
  template <class... Values>
  void put(const Values&... values) {
    (put_one(values), ...);
  }
  /// Numbers with a comma or a dash between them.
  template <class Numbers>
  void numbers(const Numbers& values, char between = ',') {
    bool first = true;
    for (const auto value : values) {
      if (!std::exchange(first, false)) put(between);
      put(value);
    }
  }
  /// " LETTER NUMBER" without the blank inside, where there is one.
  template <class Number>
  void amount(char letter, const std::optional<Number>& value) {
    if (value) put(' ', letter, *value);
  }

 private:
  void put_one(char part) {
    if (used_ == buffer_.size()) flush();
    buffer_[used_++] = part;
  }
  void put_one(std::string_view part) {
    flush();
    text_ += part;
  }
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void put_one(Number value) {
    constexpr std::size_t kLongest = 32;
    if (used_ + kLongest > buffer_.size()) flush();
    char* begin = buffer_.data() + used_;
    used_ += static_cast<std::size_t>(
        std::to_chars(begin, buffer_.data() + buffer_.size(), value).ptr - begin);
  }
  void flush() {
    text_.append(buffer_.data(), used_);
    used_ = 0;
  }

  std::string& text_;
  std::array<char, 256> buffer_;
  std::size_t used_ = 0;
};

/// The letter of a stage in the names of evaluations.
char letter_of(Stage stage) {
  return stage == Stage::kSearch ? 's' : stage == Stage::kReEvaluation ? 'r' : 'h';
}

/// [CELL/REPEAT/]LETTER RUN.INDEX and a blank; cell and repeat where one is not 0.
void put_key(Parts& parts, const EvaluationKey& key, char letter) {
  if (key.cell > 0 || key.repeat > 0) parts.put(key.cell, '/', key.repeat, '/');
  parts.put(letter, key.run, '.', key.index, ' ');
}

/// The values of the point, and behind a colon those of an opponent that the search chose.
void put_point(Parts& parts, const Request& request) {
  parts.numbers(request.point->indices());
  if (request.chosen_opponent() == nullptr) return;
  parts.put(':');
  parts.numbers(request.chosen_opponent()->indices());
}

/// Games, their pairs and their faults, as far as there are any.
void put_games(Parts& parts, const GameCounts& counts) {
  if (counts.empty()) return;
  parts.put(' ', 'g', counts.games.wins, '-', counts.games.draws, '-', counts.games.losses);
  if (counts.pairs.pairs() > 0) {
    parts.put('/');
    parts.numbers(counts.pairs.counts, '-');
  }
  if (counts.forfeits.games() == 0) return;
  parts.put(' ', 'f');
  parts.numbers(counts.forfeits.first, '-');
  parts.put('/');
  parts.numbers(counts.forfeits.second, '-');
}

Json names_of(const InstanceList& instances) {
  Json names = Json::array();
  for (const Instance& instance : instances.all()) names.push_back(printable(instance.name));
  return names;
}

/// The place of an evaluation's instance among those of its stage, where the study has instances.
std::optional<std::size_t> place_of(const Study& study, const Request& request) {
  if (request.instance == nullptr) return std::nullopt;
  return study.instances.of(request.key.stage).index_of(*request.instance);
}

}  // namespace

void JournalWriter::header(std::string& text, Time now) {
  Json header = {{"format", kJournalFormat},
                 {"version", kVersion},
                 {"time", universal_time_text(now)},
                 {"study", study_.config}};
  // Other programs read payoffs by the unit, and points by the space where the study has none.
  for (const StudyObjective& entry : study_.objectives) {
    const Unit unit = entry.objective->unit();
    header["units"].push_back({{"zero", unit.zero}, {"slope", unit.slope}});
  }
  if (!study_.config.contains("space") && study_.objectives.size() == 1) {
    header["space"] = space_json(study_.objectives[0].objective->space());
  }
  if (!study_.instances.empty()) header["instances"] = names_of(study_.instances.train);
  if (!study_.instances.test.empty()) header["test_instances"] = names_of(study_.instances.test);
  text += Json{{"ntune", header}}.dump() + '\n';
  micros_ = micros_of(now);
}

void JournalWriter::evaluation(std::string& text, const Request& request, const Outcome& outcome,
                               const Around& around) {
  Parts parts(text);
  const bool failed = !outcome.failure.empty();
  put_key(parts, request.key, letter_of(request.key.stage));
  // The point, unless the line that handed it out has named it.
  if (around.asked != nullptr && around.asked->may_be_named) {
    parts.put('=');
  } else {
    put_point(parts, request);
  }
  parts.put(' ');
  // The outcome: that it failed, or its payoffs.
  if (failed) {
    parts.put('!');
  } else if (outcome.observations.empty()) {
    parts.put(outcome.payoff);
  } else {
    parts.numbers(outcome.observations);
  }
  // Times: from the line before, and how long it took where nothing says when it began.
  parts.put(' ', passed(around.end));
  if (around.asked == nullptr) parts.put('/', micros_ - micros_of(around.start));
  if (!failed) {
    if (outcome.ending == Ending::kCutOff) parts.put(' ', 'x');
    if (outcome.ending == Ending::kCapped) parts.put(' ', 'm');
    if (outcome.answer == SolverAnswer::kSatisfiable) parts.put(' ', 'a', 1);
    if (outcome.answer == SolverAnswer::kUnsatisfiable) parts.put(' ', 'a', 2);
    put_games(parts, outcome.games);
    if (!outcome.goals.empty()) {
      parts.put(' ', 'v');
      parts.numbers(std::span(outcome.goals).subspan(1));
    }
  }
  // Fields by their letters, as far as there is something to say; the reason comes last.
  parts.amount('c', outcome.cost);
  parts.amount('u', around.used);
  parts.amount('b', request.block);
  parts.amount('i', place_of(study_, request));
  if (outcome.attempts > 1) parts.put(' ', 'n', outcome.attempts);
  parts.amount('q', around.request);
  if (failed) parts.put(' ', Json(printable(outcome.failure, kLongestFailure)).dump());
  parts.put('\n');
}

void JournalWriter::offered(std::string& text, const OfferedObservation& observation, Time time,
                            std::optional<std::uint64_t> number) {
  Parts parts(text);
  put_key(parts, observation.key, 'o');
  parts.numbers(observation.point.indices());
  parts.put(' ');
  parts.numbers(observation.payoffs);
  parts.put(' ', passed(time));
  parts.amount('i', observation.instance);
  parts.amount('q', number);
  parts.put('\n');
}

void JournalWriter::asked(std::string& text, const Request& request, Time time) {
  Parts parts(text);
  put_key(parts, request.key, letter_of(request.key.stage));
  put_point(parts, request);
  parts.put(" ? ", passed(time), '\n');
}

void JournalWriter::asked_again(std::string& text, const EvaluationKey& key, Time time) {
  Parts parts(text);
  put_key(parts, key, letter_of(key.stage));
  parts.put("= ? ", passed(time), '\n');
}

/// Microseconds from the line before, from which on the next line counts.
std::int64_t JournalWriter::passed(Time time) {
  return micros_of(time) - std::exchange(micros_, micros_of(time));
}

}  // namespace ntune
