#include "ntune/space/space_yaml.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/input_errors.h"
#include "ntune/core/text.h"
#include "ntune/space/definition.h"
#include "ntune/space/value_checks.h"

namespace ntune {

namespace {

/// Reads one space, whose definitions replace or complete those of a default space.
class SpaceReader {
 public:
  SpaceReader(const YamlNode& map, const SearchSpace* defaults) : map_(map), defaults_(defaults) {
    if (map.is_map() || (map.is_null() && defaults != nullptr)) return;
    // With a default space the map may be empty: all definitions are then the default ones.
    map.fail(fmt::format("is {}, a map of parameters is allowed", map.describe()));
  }

  SearchSpace read() {
    if (defaults_ != nullptr) {
      lay_over_defaults();
    } else {
      // Without defaults the file gives all parameters, in its order.
      for (const YamlNode& child : map_.children()) {
        if (child.key() == kForbidKey) continue;
        errors_.hold([&] { add(read_definition(child), &child); });
      }
    }
    errors_.throw_any();
    // Conditions are read after all parameters, since they name values of parents.
    TermReader terms(parameters_);
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      errors_.hold([&] { read_condition(i, terms); });
    }
    std::vector<Clause> forbidden;
    errors_.hold([&] { forbidden = read_forbidden(terms); });
    errors_.throw_any();
    try {
      return SearchSpace(std::move(parameters_), std::move(forbidden));
    } catch (const InputError& error) {
      // The constructor knows no lines; most of its faults lie in forbidden combinations.
      const YamlNode* forbid = map_.find(kForbidKey);
      (forbid != nullptr ? *forbid : map_).fail(error.what());
    }
  }

 private:
  void add(Parameter parameter, const YamlNode* definition) {
    parameters_.push_back(std::move(parameter));
    definitions_.push_back(definition);
  }

  void lay_over_defaults() {
    // Names are checked first, because a slip would otherwise silently keep a default.
    for (const YamlNode& child : map_.children()) {
      if (child.key() == kForbidKey || defaults_->find(child.key()) >= 0) continue;
      errors_.hold([&] { fail_unknown_parameter(child, defaults_->parameters()); });
    }
    // The order is that of the default space, wherever the map names a parameter.
    for (const Parameter& parameter : defaults_->parameters()) {
      const YamlNode* definition = map_.find(parameter.name);
      errors_.hold([&] {
        add(definition == nullptr ? parameter : read_definition(*definition), definition);
        keep_default(parameters_.back(), parameter);
      });
    }
  }

  /// A definition without a default keeps the old one if that is still among the values.
  static void keep_default(Parameter& parameter, const Parameter& old) {
    if (parameter.default_index || !old.default_index) return;
    const int index = parameter.find(old.value(*old.default_index));
    if (index >= 0) parameter.default_index = static_cast<std::uint16_t>(index);
  }

  void read_condition(std::size_t i, TermReader& terms) {
    const YamlNode* definition = definitions_[i];
    // A condition in the map replaces the default one; without it the default one is kept.
    if (const YamlNode* when = definition == nullptr ? nullptr : definition->find("when")) {
      read_alternatives(*when, static_cast<int>(i), terms);
    } else if (defaults_ != nullptr) {
      const Parameter& old = (*defaults_)[static_cast<int>(i)];
      parameters_[i].or_when.clear();
      parameters_[i].when = kept_condition(old, old.when, terms);
      for (const auto& other : old.or_when) {
        parameters_[i].or_when.push_back(kept_condition(old, other, terms));
      }
    }
  }

  /// A condition is a map, or a list of maps one of which must hold.
  void read_alternatives(const YamlNode& when, int i, TermReader& terms) {
    Parameter& parameter = parameters_[static_cast<std::size_t>(i)];
    if (!when.is_list()) {
      parameter.when = terms.read(when, i);
      return;
    }
    if (when.children().empty()) when.fail("is an empty list, at least one map is needed");
    for (const YamlNode& child : when.children()) {
      std::vector<Term> read = terms.read(child, i);
      if (read.empty() && when.children().size() > 1) {
        child.fail("names no parameter, so that the others say nothing");
      }
      if (&child == &when.children().front()) {
        parameter.when = std::move(read);
      } else {
        parameter.or_when.push_back(std::move(read));
      }
    }
  }

  /// A default condition without the values that the definitions have removed.
  std::vector<Term> kept_condition(const Parameter& old, const std::vector<Term>& condition,
                                   TermReader& terms) const {
    std::vector<Term> kept;
    for (const Term& term : condition) {
      kept.push_back(kept_term(term, terms));
      // A condition that lost all of its values would leave the parameter inactive for ever.
      if (!kept.back().values.empty()) continue;
      const YamlNode& parent = *definitions_[static_cast<std::size_t>(term.parameter)];
      std::vector<Value> gone;
      for (const std::uint16_t value : term.values) {
        gone.push_back((*defaults_)[term.parameter].values[value]);
      }
      parent.fail(fmt::format(
          "leaves out {}, without which the parameter '{}' is never active; give '{}' a `when` of "
          "its own ({{}}: always active)",
          shown(gone), printable(old.name), printable(old.name)));
    }
    return kept;
  }

  /// A term of the default space in terms of the new values; those that are gone drop out.
  Term kept_term(const Term& term, TermReader& terms) const {
    // The definition is the default one, so all indices stay valid.
    if (definitions_[static_cast<std::size_t>(term.parameter)] == nullptr) return term;
    Term kept{.parameter = term.parameter, .values = {}};
    for (const std::uint16_t value : term.values) {
      const int index = terms.find(term.parameter, (*defaults_)[term.parameter].values[value]);
      if (index >= 0) kept.values.push_back(static_cast<std::uint16_t>(index));
    }
    // Values may stand in another order in the new definition.
    std::ranges::sort(kept.values);
    return kept;
  }

  std::vector<Clause> read_forbidden(TermReader& terms) {
    std::vector<Clause> clauses;
    // A clause of the default space that has lost a parameter's values can never hold.
    if (defaults_ != nullptr) {
      for (const Clause& clause : defaults_->forbidden()) {
        Clause kept;
        for (const Term& term : clause) kept.push_back(kept_term(term, terms));
        const bool holds =
            std::ranges::none_of(kept, [](const Term& term) { return term.values.empty(); });
        if (holds) clauses.push_back(std::move(kept));
      }
    }
    const YamlNode* forbid = map_.find(kForbidKey);
    if (forbid == nullptr || forbid->is_null()) return clauses;
    if (!forbid->is_list()) {
      forbid->fail(
          fmt::format("is {}, a list of forbidden combinations is allowed (no parameter may be "
                      "called 'forbid')",
                      forbid->describe()));
    }
    for (const YamlNode& child : forbid->children()) {
      errors_.hold([&] {
        clauses.push_back(terms.read(child, static_cast<int>(parameters_.size())));
        if (clauses.back().empty()) child.fail("forbids nothing; name at least one parameter");
      });
    }
    return clauses;
  }

  const YamlNode& map_;
  const SearchSpace* defaults_;
  InputErrors errors_;
  std::vector<Parameter> parameters_;
  std::vector<const YamlNode*> definitions_;  ///< of each parameter, nullptr for a default one
};

}  // namespace

SearchSpace read_space(const YamlNode& node, const SearchSpace* defaults) {
  if (!node.is_scalar()) return SpaceReader(node, defaults).read();
  // A scalar is the path of a file, as seen from the file that names it.
  namespace fs = std::filesystem;
  const fs::path path = fs::path(node.file()).parent_path() / node.text();
  std::error_code error;
  if (!fs::exists(path, error) || fs::is_directory(path, error)) {
    node.fail(
        fmt::format("is {}, a map of parameters or the path of a file that holds one is "
                    "allowed; there is no file {}",
                    node.describe(), printable(path.string())));
  }
  const YamlNode document = read_yaml(path);
  return SpaceReader(document, defaults).read();
}

}  // namespace ntune
