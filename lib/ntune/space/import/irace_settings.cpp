#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/space/import/irace_scenario.h"
#include "ntune/space/import/irace_tokens.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

/// The name that a line sets, or nothing.
std::string_view assigned_name(std::string_view line) {
  // A name ends at a blank or at the sign of the assignment, which is = or <-.
  const std::size_t end = std::min(line.find_first_of(" \t=<"), line.size());
  const std::string_view rest = without_blanks(line.substr(end));
  return rest.starts_with('=') || rest.starts_with("<-") ? line.substr(0, end) : "";
}

/// The value of an assignment without its quotes; empty for R's NULL and NA.
std::string setting_value(std::string_view value, const SourceText& file) {
  if (value == "NULL" || value == "NA") return {};
  const char quote = value.empty() ? 0 : value.front();
  if (quote != '"' && quote != '\'') return std::string(value);
  if (r_text_end(value, 0) != value.size() - 1) {
    fail_at(file.place(value), "has a text without its end");
  }
  return r_text(value.substr(1, value.size() - 2));
}

/// `library(x)`, `if (…) {…}`, `{…}`: R would carry this out.
bool is_code(std::string_view statement) {
  const std::size_t end = statement.find_first_of("({ \t");
  if (end == statement.npos) return false;
  return without_blanks(statement.substr(end)).find_first_of("({") == 0;
}

/// The text of one call of R's lists: `c(…)`.
std::vector<std::string> r_list(const IraceCode& code) {
  std::vector<std::string> texts;
  IraceTokens tokens(code);
  // The caller has seen the name of the function, so only its arguments are read.
  tokens.advance();
  tokens.expect("(");
  do {
    const IraceToken& token = tokens.current();
    if (token.kind != IraceToken::Kind::kText && token.kind != IraceToken::Kind::kNumber) {
      tokens.fail("a text or a number");
    }
    texts.push_back(token.text);
    tokens.advance();
  } while (tokens.accept(","));
  tokens.expect(")");
  if (!tokens.is_end()) tokens.fail("the end");
  return texts;
}

}  // namespace

// What irace's words become in a study. configs/irace.md holds the same table.
std::span<const IraceWord> irace_words() {
  static const std::vector<IraceWord> kWords = {
      {"scenarioFile", "the study file itself"},
      {"execDir", "`directory`", true},
      {"logFile", "`ntune run --out DIR`"},
      {"recoveryFile", "`ntune run --out DIR --resume`"},
      {"debugLevel", "nothing; `ntune check --dry-run` shows a call"},
      {"quiet", "`ntune run --quiet`"},
      {"parameterFile", "`space:`", true},
      {"forbiddenFile", "`forbid:` in `space:`", true},
      {"forbiddenExps", "`forbid:` in `space:`, of the forbiddenFile alone"},
      {"configurationsFile", "`default:` and `start:`", true},
      {"initConfigurations", "`default:` and `start:`"},
      {"repairConfiguration", "`forbid:` in `space:`"},
      {"parameters", "`space:`, of the parameterFile alone"},
      {"instances", "`instances:`", true},
      {"testInstances", "`test_instances:`", true},
      {"trainInstancesDir", "`instances: {folder: …}`", true},
      {"trainInstancesFile", "`instances: {file: …}`", true},
      {"sampleInstances", "always: every block of evaluations has an order of its own"},
      {"testInstancesDir", "`test_instances: {folder: …}`", true},
      {"testInstancesFile", "`test_instances: {file: …}`", true},
      {"testNbElites", "one recommendation is held out, and the default"},
      {"testIterationElites", "one recommendation is held out, and the default"},
      {"testType", "intervals of paired differences"},
      {"firstTest", "nothing of the kind; `optimiser: racing` has such options"},
      {"blockSize", "evaluations visit all instances evenly"},
      {"eachTest", "nothing of the kind; `optimiser: racing` has such options"},
      {"targetRunner", "`command`", true},
      {"targetRunnerLauncher", "the first word of `command`", true},
      {"targetRunnerLauncherArgs", "words of `command`, to be written by hand"},
      {"targetCmdline", "the words of `command`", true},
      {"targetRunnerRetries", "`retries`", true},
      {"targetRunnerTimeout", "`timeout`", true},
      {"targetRunnerData", "words of `command`"},
      {"targetRunnerParallel", "`ntune run --executor mpi`, or `ntune serve`"},
      {"targetEvaluator", "the command reports the value by itself"},
      {"deterministic", "`noisy: false`", true},
      {"maxExperiments", "`budget`", true},
      {"minExperiments", "the whole `budget` is used"},
      {"maxTime", "`budget: {cost: …}`", true},
      {"budgetEstimation", "the study measures what evaluations cost"},
      {"minMeasurableTime", "the study measures what evaluations cost"},
      {"parallel", "`parallel_evaluations`", true},
      {"loadBalancing", "always"},
      {"mpi", "`ntune run --executor mpi`"},
      {"batchmode", "`configs/slurm_array.sbatch`"},
      {"digits", "decimal places in `space:`", true},
      {"nbIterations", "the optimiser decides"},
      {"nbExperimentsPerIteration", "the optimiser decides"},
      {"nbConfigurations", "the optimiser decides"},
      {"minNbSurvival", "the optimiser decides"},
      {"mu", "the optimiser decides"},
      {"softRestart", "the optimiser decides"},
      {"softRestartThreshold", "the optimiser decides"},
      {"elitist", "always: what is recommended was compared afresh"},
      {"elitistNewInstances", "evaluations visit all instances evenly"},
      {"elitistLimit", "evaluations visit all instances evenly"},
      {"elitistInstances", "evaluations visit all instances evenly"},
      {"capping", "`capping: true`, the default with `result: time`"},
      {"cappingType", "`capping: true`, the default with `result: time`"},
      {"cappingAfterFirstTest", "`capping: true`, the default with `result: time`"},
      {"boundType", "`capping: true`, the default with `result: time`"},
      {"boundMax", "`cutoff`", true},
      {"boundDigits", "`capping: true`, the default with `result: time`"},
      {"boundPar", "`penalty`", true},
      {"boundAsTimeout", "what is cut off costs the `penalty`"},
      {"postselection", "`re_evaluation`"},
      {"aclib", "`result: smac`", true},
      {"seed", "`seed`", true},
      {"confidence", "intervals are of 95 %"},
      {"allowSampledUntested", "evaluations visit all instances evenly"}};
  return kWords;
}

namespace {

const IraceWord* find_word(std::string_view name) {
  const auto words = irace_words();
  const auto found = std::ranges::find(words, name, &IraceWord::name);
  return found == words.end() ? nullptr : &*found;
}

}  // namespace

const IraceWord* word_set_by(std::string_view line) { return find_word(assigned_name(line)); }

std::vector<std::string_view> r_statements(SourceText& file) {
  std::vector<std::string_view> statements;
  // Brackets that are still open join the next line to this statement.
  int open = 0;
  for_each_line(file.text(), file.name(), [&](std::string_view line, int) {
    const bool goes_on = open > 0;
    std::size_t end = 0;
    // A '#' begins a comment unless it stands in a quoted text.
    for (; end < line.size() && line[end] != '#'; ++end) {
      const char c = line[end];
      if (c == '"' || c == '\'') {
        end = std::min(r_text_end(line, end), line.size() - 1);
      } else if (c == '(' || c == '[' || c == '{') {
        ++open;
      } else if (c == ')' || c == ']' || c == '}') {
        open = std::max(0, open - 1);
      }
    }
    const std::string_view code = without_blanks(line.substr(0, end));
    file.blank(line.substr(end));
    if (code.empty()) return;
    if (goes_on) {
      // The statement now ends here; the ends of the lines between are no part of R.
      std::string_view& statement = statements.back();
      const char* const last = statement.data() + statement.size();
      file.blank({last, static_cast<std::size_t>(code.data() - last)});
      statement = {statement.data(),
                   static_cast<std::size_t>(code.data() - statement.data()) + code.size()};
    } else {
      statements.push_back(code);
    }
  });
  if (open > 0) fail_at(file.place(statements.back()), "has a bracket that is not closed");
  return statements;
}

IraceSettings::IraceSettings(const std::string& text, const fs::path& file)
    : file_(text, printable(file.string(), 1000)), folder_(file.parent_path()) {
  for (const std::string_view statement : r_statements(file_)) read_statement(statement);
}

void IraceSettings::read_statement(std::string_view line) {
  const Place place = file_.place(line);
  const std::string name(assigned_name(line));
  // The body of a function that is left out may begin on a line of its own.
  if (std::exchange(is_behind_function_, false) && line.starts_with('{')) return;
  // Statements that are no assignments cannot be carried out here; the user is told.
  if (name.empty() ? is_code(line) : name.starts_with('.')) {
    code_.push_back(fmt::format("{}: left out: R would carry out {}", place, printable(line, 60)));
    return;
  }
  if (name.empty()) fail_at(place, "is no line of a scenario: word = value is allowed");
  if (word_set_by(line) == nullptr) {
    std::vector<std::string> known;
    for (const IraceWord& word : irace_words()) known.push_back(word.name);
    fail_at(place, fmt::format("'{}' is no word of a scenario of irace{}", printable(name, 60),
                               suggestion(name, known)));
  }
  std::string_view value = without_blanks(line.substr(name.size()));
  // The sign of an assignment has one character or two.
  value = without_blanks(value.substr(value.starts_with('=') ? 1 : 2));
  if (value.starts_with("function")) {
    leave_out_function(*word_set_by(line), file_.place(value, name));
    return;
  }
  // A later assignment replaces the value, and keeps the place in the list.
  if (settings_.count(name) == 0) order_.push_back(name);
  settings_[name] = {setting_value(value, file_), value};
}

void IraceSettings::leave_out_function(const IraceWord& word, const Place& place) {
  is_behind_function_ = true;
  const bool is_runner = word.name == "targetRunner";
  if (word.is_kept && !is_runner) fail_at(place, "is a function of R");
  code_.push_back(fmt::format(
      "{}: left out: a function of R; {}", place,
      is_runner ? "a study starts a program: write a script that calls it by Rscript" : word.ours));
}

const std::string* IraceSettings::find(const std::string& word) const {
  const auto found = settings_.find(word);
  return found == settings_.end() || found->second.value.empty() ? nullptr : &found->second.value;
}

bool IraceSettings::is_true(const std::string& word) const {
  const std::string* value = find(word);
  return value != nullptr && (*value == "1" || *value == "TRUE" || *value == "T");
}

fs::path IraceSettings::path(const std::string& word, const std::string& usual) const {
  const std::string* given = find(word);
  // Relative paths are seen from the scenario's folder, and stay valid wherever the study file
  // goes.
  return fs::absolute(folder_ / (given == nullptr ? usual : *given)).lexically_normal();
}

std::optional<std::vector<std::string>> IraceSettings::list(const std::string& word) const {
  const std::string* text = find(word);
  if (text == nullptr) return std::nullopt;
  if (text->starts_with("c(") || text->starts_with("list(")) {
    return r_list({settings_.at(word).written, file_, word});
  }
  return std::vector<std::string>{*text};
}

/// The number that R would calculate for a word; nothing where it would not come to one.
std::optional<double> IraceSettings::calculated(const std::string& word) const {
  if (const auto number = parse_number(*find(word))) return value_number(*number);
  try {
    IraceTokens tokens({settings_.at(word).written, file_, word});
    const Calculation calculation = parse_calculation(tokens);
    // Names of variables are unknown here; only constants can be calculated.
    bool is_constant = tokens.is_end();
    for_each_leaf(calculation, [&](const Calculation& leaf) {
      is_constant = is_constant && leaf.kind == Calculation::Kind::kNumber;
    });
    if (is_constant) return calculate(calculation, [](const std::string&) { return 0.0; });
  } catch (const ForeignR&) {
  } catch (const InputError&) {
  }
  return std::nullopt;
}

std::optional<double> IraceSettings::number(const std::string& word, double least) const {
  if (find(word) == nullptr) return std::nullopt;
  const double value = calculated(word).value_or(std::nan(""));
  if (!std::isfinite(value) || value < least) {
    refuse(word, fmt::format("a number of at least {}", least));
  }
  return value;
}

std::optional<std::int64_t> IraceSettings::count(const std::string& word,
                                                 std::int64_t least) const {
  constexpr double kMost = 9e15;
  if (find(word) == nullptr) return std::nullopt;
  const double value = calculated(word).value_or(std::nan(""));
  // The comparison is written so that NaN fails it.
  if (!(value >= static_cast<double>(least)) || value > kMost || value != std::floor(value)) {
    refuse(word, fmt::format("a whole number of at least {}", least));
  }
  return static_cast<std::int64_t>(value);
}

void IraceSettings::refuse(const std::string& word, const std::string& allowed) const {
  fail_at(place(word), fmt::format("is '{}', {} is allowed", printable(*find(word), 60), allowed));
}

Place IraceSettings::place(const std::string& word) const {
  const auto found = settings_.find(word);
  return found == settings_.end() ? file_.name() + ": " + word
                                  : file_.place(found->second.written, word);
}

std::vector<std::string> IraceSettings::left_out() const {
  std::vector<std::string> list = code_;
  for (const std::string& word : order_) {
    // Words that have a counterpart are passed over here, since they are in the study.
    const IraceWord& entry = *find_word(word);
    if (!entry.is_kept) list.push_back(fmt::format("{}: left out: {}", place(word), entry.ours));
  }
  return list;
}

}  // namespace ntune
