#include "ntune/objective/command/command_objective.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/clock.h"
#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/objective/failure_cause.h"
#include "ntune/objective/instance.h"
#include "ntune/objective/objective.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

namespace {

using Protocol = CommandOptions::Protocol;
using Parameters = CommandOptions::Parameters;

/// Most bytes of a command in a failure or a rehearsal.
constexpr std::size_t kLongestCommand = 4000;

/// The last lines of a text, as one: "… | KeyError: 'x'".
std::string tail(std::string_view text) {
  constexpr int kMostLines = 5;
  constexpr std::size_t kMostBytes = 400;
  std::string result;
  // Lines are taken from the end, until they are too many or too long.
  for (int line = 0; line < kMostLines && !trimmed(text).empty(); ++line) {
    text = trimmed(text);
    const std::size_t begin = text.find_last_of("\n\r") + 1;  // npos + 1 is 0
    std::string_view last = text.substr(begin);
    if (result.size() + last.size() > kMostBytes && line > 0) return "… | " + result;
    // A single line that is too long keeps its end, which says more than its beginning.
    const bool cut = last.size() > kMostBytes;
    if (cut) last.remove_prefix(last.size() - kMostBytes);
    const std::string shown = (cut ? "…" : "") + printable(last, 4 * kMostBytes);
    result = result.empty() ? shown : shown + " | " + result;
    text = text.substr(0, begin);
  }
  return trimmed(text).empty() ? result : "… | " + result;
}

/// The first lines in which a program warns, each once: of an option that it does not know, say.
std::vector<std::string> warnings_in(std::string_view text) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> warnings;
  while (!text.empty() && warnings.size() < kMost) {
    const std::string_view line = trimmed(cut(text, "\n"));
    if (lower_case(line).find("warning") == std::string::npos) continue;
    const std::string shown = printable(line);
    if (std::ranges::find(warnings, shown) == warnings.end()) warnings.push_back(shown);
  }
  return warnings;
}

/// Whether a command has the words that irace hands over to its target runners: numbers of the
/// candidate and the instance, seed and instance.
bool is_target_runner(const std::vector<std::string>& command) {
  std::vector<std::string_view> words(command.begin(), command.end());
  if (words.size() == 1) words = split(command.front(), ' ');
  const auto is_number = [](std::string_view word) {
    return word == "{evaluation}" || word == "{run}" || word == "{repeat}" ||
           (!word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos);
  };
  const auto is_instance = [](std::string_view word) { return word.starts_with("{instance"); };
  for (std::size_t i = 2; i + 1 < words.size(); ++i) {
    if (!is_number(words[i - 1])) continue;
    if (words[i] == "{seed}" && is_instance(words[i + 1])) return true;
    if (is_instance(words[i]) && words[i + 1] == "{seed}") return true;
  }
  return false;
}

/// Whom an evaluation is played against where the command names the opponent.
std::optional<Point> read_opponent(const CommandLine& line, const SearchSpace& space,
                                   const CommandPlaces& places) {
  if (!line.uses().opponent) return std::nullopt;
  try {
    return default_point(space, Json::object());
  } catch (const InputError& error) {
    places.fail("command", -1,
                fmt::format("names the opponent, who has the default values; {}", error.what()));
  }
}

}  // namespace

CommandObjective::CommandObjective(CommandOptions options, SearchSpace space,
                                   const std::filesystem::path& folder, const CommandPlaces& places)
    : options_(std::move(options)),
      space_(std::move(space)),
      line_(options_, space_, folder, places),
      values_(options_.complete_values()),
      limits_(options_),
      parser_(options_.result),
      opponent_(read_opponent(line_, space_, places)) {
  if (options_.protocol != Protocol::kWorker) return;
  // A worker's command has no templates, so any call gives its program.
  const CommandCall any{.space = &space_, .point = Point(space_.dimensions())};
  Program program = line_.program(any);
  program.guard = guard_;
  workers_ = std::make_unique<WorkerPool>(std::move(program), limits_);
}

std::string CommandObjective::description() const {
  return fmt::format("{}: {}", workers_ ? "worker" : "command", line_.text());
}

std::string CommandObjective::doubt() const {
  const bool larger = values_.direction == CommandValues::Direction::kMaximise;
  if (options_.says_direction || !larger || options_.result.is_score() || !goals_.empty())
    return {};
  if (!is_target_runner(options_.command)) return {};
  return "the command is like irace's target runners, whose results are costs; here larger results "
         "win: write `direction: minimise`, or maximise if that is meant";
}

bool CommandObjective::take_goals(std::vector<Goal> goals) {
  if (opponent_) return false;
  goals_ = std::move(goals);
  parser_.set_goals(goals_);
  if (workers_) workers_->set_goals(goals_);
  return true;
}

Payoffs CommandObjective::payoffs() const {
  if (!goals_.empty()) return payoffs_of(goals_);
  Payoffs payoffs = values_.payoffs();
  payoffs.several = options_.observations == CommandOptions::Observations::kEach;
  payoffs.games = options_.result.is_score();
  payoffs.negated_costs = options_.result.is_cost();
  return payoffs;
}

CommandCall CommandObjective::make_call(const Point& point, Rng& rng, const EvaluationId& id,
                                        const std::optional<Seating>& seating) const {
  return {.space = &space_,
          .point = point,
          .opponent = opponent_,
          .seating = seating,
          .seed = draw_program_seed(rng),
          .id = id};
}

double CommandObjective::evaluate(const Point& point, Rng& rng) const {
  const Outcome outcome = observe(point, rng, {});
  if (!outcome.failure.empty()) throw EvaluationError(outcome.failure);
  return outcome.payoff;
}

Outcome CommandObjective::observe(const Point& point, Rng& rng, const EvaluationId& id) const {
  // The default is level with itself: games between the two would tell nothing.
  if (opponent_ && point == *opponent_) return {.payoff = values_.unit().payoff_of(0.5)};
  return carry_out_call(make_call(point, rng, id));
}

Outcome CommandObjective::play(const Point& first, const Point& second, Rng& rng,
                               const EvaluationId& id) const {
  CommandCall call = make_call(first, rng, id);
  call.opponent = second;
  return carry_out_call(call);
}

Outcome CommandObjective::play_seated(const Seating& seating, Rng& rng,
                                      const EvaluationId& id) const {
  return carry_out_call(make_call(*seating.first, rng, id, seating));
}

std::string CommandObjective::problem_with(int players) const {
  using Kind = ResultFormat::Kind;
  const ResultFormat& result = options_.result;
  if ((result.kind != Kind::kAuto && result.kind != Kind::kJson) || result.cost) {
    return "its 'result' is not json, with ranks, scores or the winner";
  }
  const bool minimise = values_.direction == CommandValues::Direction::kMinimise;
  if (options_.cutoff || options_.values.range || minimise) {
    return "a game has points from 0 to 1: leave 'cutoff', 'payoffs' and 'direction' out";
  }
  return line_.problem_with(players);
}

Outcome CommandObjective::carry_out_call(const CommandCall& call) const {
  constexpr int kMostInVain = 10;
  constexpr double kShortWait = 0.2;  // seconds
  constexpr double kShortPatience = 10.0;
  // Three reasons for a further attempt are counted apart: a standstill, a shortage, and the
  // program's own wish or a timeout.
  std::optional<Clock::time_point> short_since;
  int in_vain = 0;
  double stood_still = 0.0;
  for (int attempts = 1;;) {
    const CommandAttempt attempt = attempt_once(call, false);
    stood_still += attempt.stood_still;
    Outcome outcome;
    if (attempt.result.problem.empty()) outcome = outcome_of(attempt);
    outcome.attempts = attempts;
    outcome.stood_still = stood_still;
    if (attempt.result.problem.empty()) return outcome;
    outcome.failure = failure_text(attempt, attempts);
    outcome.blame = attempt.blame;
    // The wait doubles with every attempt that counts.
    double wait = options_.backoff * std::pow(2.0, attempts - 1);
    if (attempt.in_vain) {
      // A standstill says nothing of the program, so the attempt is repeated at once, up to ten
      // times.
      if (++in_vain > kMostInVain) return outcome;
      wait = 0.0;
    } else if (attempt.result.abort) {
      return outcome;
    } else if (attempt.blame == Blame::kMachine) {
      // A shortage may pass in a moment; after ten seconds it is a failure of the machine.
      if (!short_since) short_since = Clock::now();
      if (seconds_since(*short_since) > kShortPatience) {
        outcome.failure = fmt::format("{}; tried for {} s", attempt.result.problem, kShortPatience);
        return outcome;
      }
      wait = kShortWait;
    } else if (attempts++ > retries_after(attempt)) {
      return outcome;
    }
    // While it waits, the study may be told to end.
    if (!pause(wait, call.id.stop)) {
      outcome.blame = Blame::kInterruption;
      return outcome;
    }
  }
}

int CommandObjective::retries_after(const CommandAttempt& attempt) const {
  // What is not the program's fault is not repeated on its account.
  if (attempt.blame != Blame::kPoint) return 0;
  if (attempt.late) return options_.timeout_retries;
  return attempt.retry ? options_.retries : 0;
}

CommandAttempt CommandObjective::attempt_once(CommandCall call, bool show) const {
  CommandAttempt attempt;
  std::optional<TemporaryPath> scratch;
  try {
    // The scratch folder lives as long as the attempt, and goes before the next one.
    if (line_.uses().scratch) call.scratch = scratch.emplace(TemporaryPath::folder(*guard_)).path();
    if (call.id.stop != nullptr && call.id.stop->load()) {
      limits_.end(attempt, Process::Event::kStopped, call.id.cap);
    } else if (workers_) {
      attempt = ask_worker(call);
    } else {
      std::optional<TemporaryPath> file;
      // The file of parameters is removed at the end of this block, after the program has ended.
      if (options_.parameters != Parameters::kNone) attempt.sent = json_line(call.sent());
      if (options_.parameters == Parameters::kFile)
        call.file = file.emplace(TemporaryPath::file(*guard_, attempt.sent)).path();
      run(call, attempt);
    }
  } catch (const ShortageError& error) {
    attempt.started = false;
    attempt.result.problem = error.what();
    attempt.blame = Blame::kMachine;
  } catch (const ProcessError& error) {
    attempt.started = false;
    attempt.result.problem = error.what();
  }
  count_unsolved(attempt);
  check_answer(call, attempt);
  end_with_us(attempt, call.id.stop);
  // What it can be at most may lie outside of the declared range.
  if (attempt.ending != Ending::kCapped) judge(attempt.result, call);
  // The command line is costly to write and needed only where somebody reads it.
  const bool by_stdin = workers_ || options_.parameters == Parameters::kStdin;
  if (show || !attempt.result.problem.empty()) {
    attempt.shown = line_.shown(call, by_stdin ? attempt.sent : "");
  }
  return attempt;
}

CommandAttempt CommandObjective::ask_worker(const CommandCall& call) const {
  // The number tells late answers of another request from the right one.
  const std::int64_t id = requests_.fetch_add(1);
  Json request = {{"id", id},
                  {"run", call.id.run},
                  {"evaluation", call.id.evaluation},
                  {"repeat", call.id.repeat},
                  {"seed", call.seed}};
  if (call.id.instance != nullptr) request["instance"] = call.id.instance->json();
  request[call.seating ? "seats" : "params"] = call.sent();
  const std::string line = json_line(request);
  CommandAttempt attempt = workers_->ask({.id = id,
                                          .line = line,
                                          .stop = call.id.stop,
                                          .cap = call.id.cap,
                                          .rehearsed = call.rehearsed});
  attempt.sent = line;
  return attempt;
}

void CommandObjective::run(const CommandCall& call, CommandAttempt& attempt) const {
  const bool by_stdin = options_.parameters == Parameters::kStdin;
  Program program = line_.program(call);
  program.guard = guard_;
  ProcessLimits limits = limits_.process(call.id.cap, call.id.stop);
  limits.by_the_clock = limits.by_the_clock && !call.rehearsed;
  ProcessResult result =
      run_program(std::move(program), by_stdin ? attempt.sent + '\n' : "", limits);
  read_result(result, call, attempt);
  // What is measured in processor time costs as much of a budget.
  ParsedResult& read = attempt.result;
  if (options_.result.processor && read.problem.empty()) read.cost = result.seconds.processor;
  attempt.stood_still = result.stood_still;
  attempt.out = std::move(result.out);
  attempt.err = std::move(result.err);
}

/// What a program that has ended, or was ended, counts for.
void CommandObjective::read_result(const ProcessResult& result, const CommandCall& call,
                                   CommandAttempt& attempt) const {
  // The program was ended at a limit; what it had written does not count.
  if (result.event != Process::Event::kEnded) {
    limits_.end(attempt, result.event, call.id.cap, result.seconds.processor);
    return;
  }
  attempt.status = result.status;
  const bool accepted = !result.status.signalled && result.status.code >= 0 &&
                        options_.accepted.test(static_cast<std::size_t>(result.status.code));
  // A status that the study does not accept fails, whatever the output says.
  if (!accepted) {
    attempt.result.problem = attempt.status_text();
    attempt.retry = is_temporary(result.status);
  } else if (limits_.are_of_result()) {
    attempt.result = limits_.result_of(result.seconds, attempt.ending);
  } else {
    attempt.result = parser_.parse(result.out);
    attempt.retry = attempt.result.retry;
    if (attempt.result.abort) attempt.blame = Blame::kMachine;
  }
}

/// What has ended by itself without a solution counts as what is cut off.
void CommandObjective::count_unsolved(CommandAttempt& attempt) const {
  if (attempt.ending != Ending::kWhole || attempt.blame != Blame::kPoint) return;
  if (attempt.late || (workers_ && attempt.status)) return;
  const UnsolvedRule& rule = options_.unsolved;
  const bool minimise = values_.direction == CommandValues::Direction::kMinimise;
  auto result = minimise ? UnsolvedRule::Result::kCost : UnsolvedRule::Result::kOther;
  if (limits_.are_of_result()) result = UnsolvedRule::Result::kTime;
  const bool fits =
      workers_ ? rule.fits(attempt.out)
               : attempt.status && !attempt.status->signalled &&
                     rule.fits(attempt.status->code, attempt.out, options_.accepted, result);
  if (!fits && attempt.result.cut_off && (!options_.penalty || rule.is_none())) {
    // Without a penalty, what a run had reached at its own limit is all that is known.
    if (attempt.result.problem.empty()) attempt.ending = Ending::kCutOff;
    return;
  }
  if (!fits && !attempt.result.cut_off) return;
  const std::optional<double> cost = attempt.result.cost;
  attempt.result = limits_.result_of_unsolved();
  attempt.result.cost = cost;
  attempt.retry = false;
  if (attempt.result.problem.empty()) attempt.ending = Ending::kCutOff;
}

/// Takes down what a solver says of its problem. A wrong answer is a failure, whatever it took.
void CommandObjective::check_answer(const CommandCall& call, CommandAttempt& attempt) const {
  if (attempt.ending != Ending::kWhole || !attempt.result.problem.empty()) return;
  const auto status = attempt.status ? std::optional(attempt.status->code) : std::nullopt;
  attempt.answer = solver_answer(status, attempt.out, options_.accepted);
  const Instance* instance = call.id.instance;
  const Value* expected = instance == nullptr ? nullptr : instance->find("expect");
  if (expected == nullptr || attempt.answer == SolverAnswer::kNone) return;
  const SolverAnswer right = read_solver_answer(value_text(*expected));
  if (right == SolverAnswer::kNone || right == attempt.answer) return;
  attempt.result.problem =
      fmt::format("wrong answer: {}, the instance '{}' is {} (`expect`)",
                  answer_name(attempt.answer), printable(instance->name, 60), answer_name(right));
}

/// What has ended together with this process is interrupted: a failure, but also a success, which
/// may be the best that a program had when it was told to end.
void CommandObjective::end_with_us(CommandAttempt& attempt, const std::atomic<bool>* stop) {
  if (stop == nullptr || !attempt.status || attempt.blame != Blame::kPoint) return;
  // A success counts only if the study was not told to end before the result was read.
  const bool failed = !attempt.result.problem.empty();
  if (failed ? !ended_with_us(*attempt.status, stop) : !stop->load()) return;
  attempt.result.problem = "stopped";
  attempt.blame = Blame::kInterruption;
}

/// Checks a parsed result against what the study says of results.
void CommandObjective::judge(ParsedResult& result, const CommandCall& call) const {
  using Meaning = ParsedResult::Meaning;
  const bool minimise = values_.direction == CommandValues::Direction::kMinimise;
  if (!result.problem.empty()) return;
  if (call.seating) {
    result = result_of_seats(std::move(result), *call.seating);
    if (!result.problem.empty()) return;
  } else if (result.has_seats()) {
    result.problem =
        "the program reports a result by seat, which needs 'match:' around it with 'players:'";
    return;
  }
  if (result.meaning == Meaning::kCost && !minimise) {
    result.problem = "the program reports a cost, which needs 'direction: minimise'";
  } else if (result.meaning == Meaning::kScore && minimise) {
    result.problem = "the program reports wins and losses, which need 'direction: maximise'";
  }
  // A match has points from 0 to 1, whatever the declared range is.
  for (const double value : result.values) {
    if (result.problem.empty()) result.problem = values_.problem_of(value);
    if (!result.problem.empty() || !opponent_ || (value >= 0.0 && value <= 1.0)) continue;
    result.problem = fmt::format(
        "the result of the match is {}, points per game from 0 to 1 are "
        "allowed",
        number_text(value));
  }
  // A mean of two values would be a third one.
  const bool mean = options_.observations == CommandOptions::Observations::kMean;
  if (result.problem.empty() && values_.two_valued && mean && result.values.size() > 1) {
    result.problem = "several results of one call need 'observations: each' with two_valued";
  }
}

Outcome CommandObjective::outcome_of(const CommandAttempt& attempt) const {
  const ParsedResult& result = attempt.result;
  // The payoff is the mean of the results, in the unit where higher is better.
  Outcome outcome{.ending = attempt.ending, .answer = attempt.answer, .cost = result.cost};
  if (!goals_.empty()) {
    set_goals(outcome, goals_, result.values);
    return outcome;
  }
  std::vector<double> payoffs;
  for (const double value : result.values) payoffs.push_back(values_.unit().payoff_of(value));
  outcome.payoff =
      std::accumulate(payoffs.begin(), payoffs.end(), 0.0) / static_cast<double>(payoffs.size());
  if (options_.observations == CommandOptions::Observations::kEach) {
    outcome.observations = std::move(payoffs);
  }
  outcome.games = result.games;
  return outcome;
}

std::string CommandObjective::failure_text(const CommandAttempt& attempt, int attempts) const {
  std::string text = attempt.result.problem;
  const std::string status = attempt.status_text();
  // The status may be the problem itself and is then not said twice.
  if (!status.empty() && status != text) text += "; " + status;
  if (!status.empty() && options_.memory > 0) {
    text += fmt::format(" (with memory: {})", options_.memory);
  }
  if (attempts > 1) text += fmt::format("; {} attempts", attempts);
  // The marks let reports find the parts of the line again (failure_cause.h).
  text += std::string(kCommandMark) + printable(attempt.shown, kLongestCommand);
  if (const std::string err = tail(attempt.err); !err.empty())
    text += std::string(kErrorMark) + err;
  if (const std::string out = tail(attempt.out); !out.empty())
    text += std::string(kOutputMark) + out;
  return text;
}

/// What an attempt sent and got, in lines.
std::string CommandObjective::exchange_text(const CommandAttempt& attempt,
                                            const CommandCall& call) const {
  std::string text = fmt::format("point       {}\n", printable(space_.text(call.point), 1000));
  for (std::size_t i = 0; call.seating && i < call.seating->seats.size(); ++i) {
    text +=
        fmt::format("seat {}      {}\n", i + 1, printable(space_.text(call.seating->at(i)), 1000));
  }
  text += fmt::format("command     {}\n", printable(attempt.shown, kLongestCommand));
  const auto unused = line_.unused(space_);
  if (!unused.empty()) text += fmt::format("not passed  {}\n", list_text(unused, "and"));
  std::string shown;
  // Each output shows its last lines, and warnings from further up that these do not contain.
  for (const auto& [stream, output] :
       {std::pair("stdout", &attempt.out), {"stderr", &attempt.err}}) {
    if (const auto end = tail(*output); !end.empty())
      shown += fmt::format("{}      {}\n", stream, end);
  }
  if (!attempt.passed_over.empty()) {
    shown += fmt::format("passed over {}, which begins with a brace and is no answer\n",
                         printable(attempt.passed_over, kLongestCommand));
  }
  std::string warnings;
  for (const std::string* output : {&attempt.out, &attempt.err}) {
    for (const std::string& line : warnings_in(*output)) {
      if (shown.find(line) == std::string::npos) warnings += "warning     " + line + '\n';
    }
  }
  return text + shown + warnings;
}

/// How a result was understood, in lines.
std::string CommandObjective::understood_text(const CommandAttempt& attempt) const {
  const ParsedResult& result = attempt.result;
  constexpr std::size_t kMostValues = 10;
  std::vector<std::string> values;
  // At most ten values are shown, then a mark that there are more.
  for (const double value : result.values) {
    values.push_back(values.size() < kMostValues ? number_text(value) : "…");
    if (values.size() > kMostValues) break;
  }
  if (!goals_.empty()) {
    for (std::size_t i = 0; i < goals_.size(); ++i) {
      values[i] = fmt::format("{} {}", goals_[i].name, values[i]);
    }
    return fmt::format("understood  {}: {}\n", result.form, fmt::join(values, ", "));
  }
  const double value = values_.unit().value_of(outcome_of(attempt).payoff);
  std::string text = fmt::format("understood  {}: {}\nvalue       {}\n", result.form,
                                 fmt::join(values, ", "), number_text(value));
  const std::string choice = attempt.status ? parser_.choice_text(attempt.out) : std::string();
  for (const std::string_view line : split(trimmed(choice), '\n')) {
    if (!line.empty()) text += fmt::format("note        {}\n", line);
  }
  const Forfeits& lost = result.games.forfeits;
  for (std::size_t cause = 0; cause < lost.first.size(); ++cause) {
    const std::int64_t games = lost.first[cause] + lost.second[cause];
    if (games == 0) continue;
    text +=
        fmt::format("warning     {} of {} were lost {}: {} by the tuned player, {} by the other\n",
                    games, counted(result.games.games.games(), "game"), Forfeits::kTexts[cause],
                    lost.first[cause], lost.second[cause]);
  }
  // The default is taken to be worth 1/2 against itself, whoever begins.
  if (opponent_ && result.games.games.games() % 2 == 1) {
    text +=
        "warning     an odd number of games: beginning counts as strength, unless the seed draws "
        "who begins; pairs of games, one from either side, are safe\n";
  }
  return text;
}

void CommandObjective::check_instances(std::span<const Instance> instances,
                                       const YamlNode& options) const {
  const CommandPlaces places(&options);
  line_.check_instances(instances, places);
  if (!options_.accepted[10] && !options_.accepted[20]) return;
  for (const Instance& instance : instances) {
    const Value* expected = instance.find("expect");
    const std::string text = expected == nullptr ? "unknown" : lower_case(value_text(*expected));
    const bool known = read_solver_answer(text) != SolverAnswer::kNone || text.empty() ||
                       text == "unknown" || text == "?";
    if (known) continue;
    places.fail("exit", -1,
                fmt::format("has the codes of SAT solvers, but the instance '{}' has expect: {}; "
                            "allowed: sat, unsat or unknown",
                            printable(instance.name, 60), printable(text, 60)));
  }
}

Rehearsal CommandObjective::rehearse(const Point& point, Rng& rng, const EvaluationId& id) const {
  return rehearse(make_call(point, rng, id));
}

Rehearsal CommandObjective::rehearse_seated(const Seating& seating, Rng& rng,
                                            const EvaluationId& id) const {
  return rehearse(make_call(*seating.first, rng, id, seating));
}

Rehearsal CommandObjective::rehearse(CommandCall call) const {
  constexpr int kMostInVain = 2;
  auto begin = Clock::now();
  CommandAttempt attempt = attempt_once(call, true);
  // On a busy machine every attempt may be touched by a standstill. The last one keeps its time.
  for (int in_vain = 1; attempt.in_vain; ++in_vain) {
    call.rehearsed = in_vain == kMostInVain;
    begin = Clock::now();
    attempt = attempt_once(call, true);
  }
  Rehearsal rehearsal;
  rehearsal.seconds = seconds_since(begin);
  rehearsal.cost = attempt.result.cost;
  const std::string& problem = attempt.result.problem;
  if (!problem.empty()) rehearsal.failure = failure_text(attempt, 1);
  if (problem.empty() && attempt.ending == Ending::kWhole) {
    rehearsal.value = unit().value_of(outcome_of(attempt).payoff);
  }
  if (!attempt.started) rehearsal.kind = Rehearsal::Kind::kNotStarted;
  const std::string status = attempt.status_text();
  rehearsal.text = exchange_text(attempt, call);
  rehearsal.text += fmt::format("took        {:.3f} s{}{}\n", rehearsal.seconds,
                                status.empty() ? "" : ", ", status);
  if (attempt.stood_still > 0.0) {
    rehearsal.text += fmt::format(
        "note        ntune itself was stopped for {:.1f} s of them: the machine is busy, and times "
        "come out too long\n",
        attempt.stood_still);
  }
  rehearsal.text +=
      problem.empty() ? understood_text(attempt) : fmt::format("failed      {}\n", problem);
  return rehearsal;
}

}  // namespace ntune
