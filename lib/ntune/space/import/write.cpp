#include "ntune/space/import/write.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/space/import/constraints.h"
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
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text, i));
    if (is_control(text, i)) {
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
  SpaceWriter(SourceSpace source, std::string name, std::string title, int points)
      : source_(std::move(source)),
        name_(std::move(name)),
        title_(std::move(title)),
        points_(points),
        never_(source_.parameters.size(), false),
        translator_(source_, parameters_, never_) {}

  ImportedSpace write() {
    if (source_.parameters.empty()) throw InputError(name_ + ": holds no parameter");
    discretise_all();
    translate_conditions();
    translate_forbidden();
    sort_parents_first();
    const SearchSpace space = build();
    ImportedSpace imported;
    imported.yaml = text(space);
    check(imported.yaml, space);
    note_forbidden_default(space);
    for (std::size_t i = 0; i < never_.size(); ++i) {
      if (never_[i]) imported.never_active.push_back(parameters_[i].name);
    }
    imported.warnings = std::move(source_.warnings);
    return imported;
  }

 private:
  /// Gives each parameter its values, among them those that constraints and configurations name.
  void discretise_all() {
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
      for (const auto& [name, value] : configuration.values) tested[name].push_back(value);
    }
    for (const SourceParameter& source : source_.parameters) {
      std::vector<Value>& kept = tested[source.name];
      kept.insert(kept.end(), source.kept.begin(), source.kept.end());
      DiscreteParameter made = discretise(source, kept, points_);
      made.parameter.gains = source.gains;
      parameters_.push_back(std::move(made.parameter));
      comments_.push_back(std::move(made.comment));
    }
  }

  /// Translates conditions. A parameter that is never active is left out, and those that need it
  /// are never active either.
  void translate_conditions() {
    constexpr std::size_t kMostAlternatives = 100;
    constexpr const char* kCondition = "its condition";
    // Conditions are attached at the end: the translator sees parameters without them.
    std::vector<std::vector<Clause>> conditions(parameters_.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < parameters_.size(); ++i) {
        const auto& condition = source_.parameters[i].condition;
        if (!condition || never_[i]) continue;
        conditions[i] = translator_.alternatives(*condition, kCondition);
        if (conditions[i].size() > kMostAlternatives) {
          refuse(*condition, kCondition,
                 fmt::format("it takes {} alternatives, at most {} are allowed",
                             conditions[i].size(), kMostAlternatives));
        }
        never_[i] = conditions[i].empty();
        changed = changed || never_[i];
      }
    }
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (never_[i]) {
        source_.warnings.push_back(fmt::format("{}: is left out, as its condition never holds: {}",
                                               source_.parameters[i].place,
                                               printable(source_.parameters[i].condition->text)));
      } else if (!conditions[i].empty()) {
        parameters_[i].when = std::move(conditions[i].front());
        parameters_[i].or_when.assign(std::next(conditions[i].begin()), conditions[i].end());
      }
    }
  }

  /// Translates forbidden combinations; one that no values satisfy is only a note.
  void translate_forbidden() {
    for (const Constraint& constraint : source_.forbidden) {
      std::vector<Clause> clauses = translator_.alternatives(constraint, "what is forbidden");
      if (clauses.empty()) {
        source_.warnings.push_back(
            fmt::format("{}: forbids nothing, as no combination of the values satisfies it: {}",
                        constraint.place, printable(constraint.text)));
        continue;
      }
      // An empty conjunction holds everywhere.
      if (clauses.front().empty()) fail_at(constraint.place, "forbids every point");
      std::ranges::move(clauses, std::back_inserter(forbidden_));
    }
    std::ranges::copy(translator_.foreign_values(), std::back_inserter(source_.warnings));
  }

  /// Sorts parameters so that parents come before their children, otherwise in the order of the
  /// source.
  void sort_parents_first() {
    std::vector<int> position(parameters_.size(), -1);
    const auto placed =
        parameters_.size() - static_cast<std::size_t>(std::ranges::count(never_, true));
    if (placed == 0) throw InputError(name_ + ": holds no parameter that is ever active");
    while (order_.size() < placed) {
      std::size_t i = 0;
      // The first parameter that is ready goes next, so that the order changes as little as needed.
      while (i < parameters_.size() && !is_ready(i, position)) ++i;
      if (i == parameters_.size()) {
        std::size_t left = 0;
        while (position[left] >= 0 || never_[left]) ++left;
        fail_at(source_.parameters[left].condition->place,
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
    for (Parameter& parameter : parameters_) for_each_condition(parameter, renumber);
    for (Clause& clause : forbidden_) renumber(clause);
  }

  /// Whether the parameter has no place yet, and all its parents have one.
  [[nodiscard]] bool is_ready(std::size_t i, const std::vector<int>& position) const {
    bool ready = position[i] < 0 && !never_[i];
    for_each_condition(parameters_[i], [&](const std::vector<Term>& terms) {
      for (const Term& term : terms) {
        ready = ready && position[static_cast<std::size_t>(term.parameter)] >= 0;
      }
    });
    return ready;
  }

  /// The space itself, whose constructor checks all rules.
  [[nodiscard]] SearchSpace build() const {
    std::vector<Parameter> parameters;
    for (const std::size_t i : order_) parameters.push_back(parameters_[i]);
    try {
      return SearchSpace(std::move(parameters), forbidden_);
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", name_, error.what()));
    }
  }

  /// A study compares with the default, and refuses one that is forbidden.
  void note_forbidden_default(const SearchSpace& space) {
    if (!has_default_point(space, Json::object())) return;
    try {
      (void)default_point(space, Json::object());
    } catch (const InputError& error) {
      source_.warnings.push_back(
          fmt::format("{}: {}; a study of this space needs `default: none`, or another default",
                      name_, error.what()));
    }
  }

  /// The text of the file: a heading, one line for each parameter, gains, and forbidden
  /// combinations.
  [[nodiscard]] std::string text(const SearchSpace& space) const {
    const Json json = space_json(space);
    const std::string file = printable(std::filesystem::path(name_).filename().string());
    std::string yaml = fmt::format("# from {} ({}), {}, {} points for wide ranges\nspace:\n", file,
                                   title_, counted(space.dimensions(), "parameter"), points_);
    for (const std::size_t i : order_) {
      const std::string& name = parameters_[i].name;
      const std::string line = fmt::format("  {}: {}", yaml_of_key(name), yaml_of(json[name]));
      // Comments begin in one column, as long as definitions are short.
      constexpr int kColumn = 34;
      yaml +=
          fmt::format("{:<{}}  # {}\n", line, kColumn, printable(comments_[i], kLongestComment));
    }
    if (forbidden_.empty()) return yaml;
    yaml += fmt::format("  {}:\n", kForbidKey);
    for (const Json& clause : json[std::string(kForbidKey)]) {
      yaml += fmt::format("    - {}\n", yaml_of(clause));
    }
    return yaml;
  }

  /// Checks the promise of import_space: its result reads back as an equal space.
  void check(const std::string& yaml, const SearchSpace& space) const {
    try {
      if (read_space(*parse_yaml(yaml, "result").find("space")) == space) return;
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: cannot be written as YAML: {}", name_, error.what()));
    }
    throw InputError(name_ + ": cannot be written as YAML that gives back the same space");
  }

  SourceSpace source_;
  std::string name_;
  std::string title_;
  int points_;
  std::vector<Parameter> parameters_;  ///< in the order of the source
  std::vector<std::string> comments_;  ///< of each parameter
  std::vector<bool> never_;            ///< which parameters are never active
  ConstraintTranslator translator_;
  std::vector<Clause> forbidden_;
  std::vector<std::size_t> order_;  ///< of the result, indices into parameters_
};

}  // namespace

ImportedSpace write_imported_space(SourceSpace source, const std::string& name,
                                   const std::string& title, int points) {
  return SpaceWriter(std::move(source), name, title, points).write();
}

}  // namespace ntune
