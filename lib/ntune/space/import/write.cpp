#include "ntune/space/import/write.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/space/import/constraints.h"
#include "ntune/space/import/values.h"
#include "ntune/space/search_space.h"
#include "ntune/space/space_yaml.h"
#include "ntune/space/value_checks.h"

namespace ntune {

namespace {

/// Most bytes of a comment behind a parameter.
constexpr std::size_t kLongestComment = 1000;

/// JSON as YAML in flow style, without characters that YAML refuses or a terminal obeys.
std::string yaml_of(const Json& json) {
  const std::string text = json.is_string() ? json.dump() : to_yaml(json);
  std::string safe;
  for (std::size_t i = 0; i < text.size();) {
    // JSON escapes other control characters itself, but not DEL and U+0080 to U+009F.
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text, i));
    const bool late_control =
        c == 0xC2 && length == 2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (c == 0x7F || late_control) {
      safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i + length - 1]));
    } else {
      safe.append(text, i, length);
    }
    i += length;
  }
  return safe;
}

/// A key or a text in quotes only where they are needed.
std::string yaml_of_key(const std::string& key) {
  // In a flow map YAML shows a key as it must be written, and the frame is cut off.
  const std::string map = yaml_of(Json{{key, 0}});  // {key: 0}
  constexpr std::string_view kOpen = "{";
  constexpr std::string_view kClose = ": 0}";
  return map.substr(kOpen.size(), map.size() - kOpen.size() - kClose.size());
}

/// Carries a space through its steps: values, constraints, order, text and check.
class SpaceWriter {
 public:
  SpaceWriter(SourceSpace source, std::string name, const SpaceFormatEntry& format, int points)
      : source_(std::move(source)),
        name_(std::move(name)),
        format_(format),
        points_(points),
        notes_(source_.parameters.size()) {}

  ImportedSpace write() {
    if (source_.parameters.empty()) throw InputError(name_ + ": holds no parameter");
    discretise_all();
    translate();
    sort_parents_first();
    const SearchSpace space = build();
    ImportedSpace imported;
    imported.format = format_.format;
    imported.yaml = text(space);
    check(imported.yaml, space);
    imported.warnings = std::move(source_.warnings);
    return imported;
  }

 private:
  void discretise_all();
  void translate();
  void warn(const Constraint& constraint, const char* kind, const NotTranslated& reason,
            std::vector<std::string>& notes);
  void sort_parents_first();
  [[nodiscard]] bool is_ready(std::size_t i, const std::vector<int>& position) const;
  [[nodiscard]] SearchSpace build() const;
  [[nodiscard]] std::string text(const SearchSpace& space) const;
  void check(const std::string& yaml, const SearchSpace& space) const;

  SourceSpace source_;
  std::string name_;
  const SpaceFormatEntry& format_;
  int points_;
  std::vector<Parameter> parameters_;  ///< in the order of the source
  std::vector<std::string> comments_;  ///< of each parameter
  std::vector<Clause> forbidden_;
  std::vector<std::vector<std::string>> notes_;  ///< of each parameter, lines above it
  std::vector<std::string> forbidden_notes_;
  std::vector<std::size_t> order_;  ///< of the result, indices into parameters_
};

/// Gives each parameter its values, among them those that constraints and configurations name.
void SpaceWriter::discretise_all() {
  std::map<std::string, std::vector<Value>> tested;
  const auto collect = [&](const Constraint& constraint) {
    for_each_tested(constraint.expression, [&](const std::string& name, const auto& values) {
      std::vector<Value>& all = tested[name];
      // A file with very many tests on one parameter keeps the first thousand values.
      constexpr std::size_t kMost = 1'000;
      if (all.size() < kMost) all.insert(all.end(), values.begin(), values.end());
    });
  };
  for (const SourceParameter& parameter : source_.parameters) {
    if (parameter.condition) collect(*parameter.condition);
  }
  for (const Constraint& constraint : source_.forbidden) collect(constraint);
  for (const auto& configuration : source_.configurations) {
    for (const auto& [name, value] : configuration) tested[name].push_back(value);
  }
  for (const SourceParameter& source : source_.parameters) {
    DiscreteParameter made = discretise(source, tested[source.name], points_);
    parameters_.push_back(std::move(made.parameter));
    comments_.push_back(std::move(made.comment));
  }
}

/// Notes a constraint that was not translated, in the file and in the warnings.
void SpaceWriter::warn(const Constraint& constraint, const char* kind, const NotTranslated& reason,
                       std::vector<std::string>& notes) {
  const std::string text = fmt::format("{} ({})", printable(constraint.text), reason.what());
  notes.push_back("not translated: " + text);
  source_.warnings.push_back(
      fmt::format("{}: {} not translated: {}", constraint.place, kind, text));
}

/// Translates conditions and forbidden combinations; what cannot be said becomes a warning.
void SpaceWriter::translate() {
  ConstraintTranslator translator(source_, parameters_);
  // Conditions are attached at the end: the translator sees parameters without them.
  std::vector<std::vector<Term>> conditions(parameters_.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const auto& condition = source_.parameters[i].condition;
    if (!condition) continue;
    try {
      conditions[i] = translator.condition(*condition);
    } catch (const NotTranslated& reason) {
      warn(*condition, "condition", reason, notes_[i]);
    }
  }
  for (const Constraint& constraint : source_.forbidden) {
    try {
      std::ranges::move(translator.clauses(constraint), std::back_inserter(forbidden_));
    } catch (const NotTranslated& reason) {
      warn(constraint, "forbidden combination", reason, forbidden_notes_);
    }
  }
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    parameters_[i].when = std::move(conditions[i]);
  }
}

/// Whether the parameter has no place yet, and all its parents have one.
bool SpaceWriter::is_ready(std::size_t i, const std::vector<int>& position) const {
  return position[i] < 0 && std::ranges::all_of(parameters_[i].when, [&](const Term& term) {
           return position[static_cast<std::size_t>(term.parameter)] >= 0;
         });
}

/// Sorts parameters so that parents come before their children, otherwise in the order of the
/// source.
void SpaceWriter::sort_parents_first() {
  std::vector<int> position(parameters_.size(), -1);
  while (order_.size() < parameters_.size()) {
    std::size_t i = 0;
    // The first parameter that is ready goes next, so that the order changes as little as needed.
    while (i < parameters_.size() && !is_ready(i, position)) ++i;
    if (i == parameters_.size()) {
      const auto left = std::ranges::find(position, -1) - position.begin();
      fail_at(source_.parameters[static_cast<std::size_t>(left)].condition->place,
              "its condition runs in a circle: it depends on itself by way of its parents");
    }
    position[i] = static_cast<int>(order_.size());
    order_.push_back(i);
  }
  // Terms name parameters by index, so all indices follow the new order.
  const auto renumber = [&](std::vector<Term>& terms) {
    for (Term& term : terms) term.parameter = position[static_cast<std::size_t>(term.parameter)];
    std::ranges::sort(terms, {}, &Term::parameter);
  };
  for (Parameter& parameter : parameters_) renumber(parameter.when);
  for (Clause& clause : forbidden_) renumber(clause);
}

/// The space itself, whose constructor checks all rules.
SearchSpace SpaceWriter::build() const {
  std::vector<Parameter> parameters;
  for (const std::size_t i : order_) parameters.push_back(parameters_[i]);
  try {
    return SearchSpace(std::move(parameters), forbidden_);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name_, error.what()));
  }
}

/// The text of the file: a heading, one line for each parameter, gains, and forbidden combinations.
std::string SpaceWriter::text(const SearchSpace& space) const {
  const Json json = space_json(space);
  const std::string file = printable(std::filesystem::path(name_).filename().string());
  std::string yaml = fmt::format("# from {} ({}), {}, {} points for wide ranges\nspace:\n", file,
                                 format_.title, counted(space.dimensions(), "parameter"), points_);
  for (const std::size_t i : order_) {
    for (const std::string& note : notes_[i]) yaml += fmt::format("  # {}\n", note);
    const std::string& name = parameters_[i].name;
    const std::string line = fmt::format("  {}: {}", yaml_of_key(name), yaml_of(json[name]));
    // Comments begin in one column, as long as definitions are short.
    constexpr int kColumn = 34;
    yaml += fmt::format("{:<{}}  # {}\n", line, kColumn, printable(comments_[i], kLongestComment));
  }
  // The gains are a comment that the user may put to use, because a study names one optimiser.
  if (!source_.gains.empty()) {
    Json gains = Json::object();
    for (const auto& [name, gain] : source_.gains) {
      gains[name] = {value_json(gain.first), value_json(gain.second)};
    }
    yaml += "# SPSA with these C_end and R_end, in place of duels:\n# optimiser: " +
            yaml_of(Json{{"algorithm", "spsa_duels"}, {"gains", gains}}) + "\n";
  }
  for (const std::string& note : forbidden_notes_) yaml += fmt::format("  # {}\n", note);
  if (forbidden_.empty()) return yaml;
  yaml += fmt::format("  {}:\n", kForbidKey);
  for (const Json& clause : json[std::string(kForbidKey)]) {
    yaml += fmt::format("    - {}\n", yaml_of(clause));
  }
  return yaml;
}

/// Checks the promise of import_space: its result reads back as an equal space.
void SpaceWriter::check(const std::string& yaml, const SearchSpace& space) const {
  try {
    if (read_space(*parse_yaml(yaml, "result").find("space")) == space) return;
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: cannot be written as YAML: {}", name_, error.what()));
  }
  throw InputError(name_ + ": cannot be written as YAML that gives back the same space");
}

}  // namespace

ImportedSpace write_imported_space(SourceSpace source, const std::string& name,
                                   const SpaceFormatEntry& format, int points) {
  return SpaceWriter(std::move(source), name, format, points).write();
}

}  // namespace ntune
