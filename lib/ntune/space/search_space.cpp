#include "ntune/space/search_space.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/space/value_checks.h"

namespace ntune {

namespace {

/// The name in quotes, safe for a message.
std::string quoted(const Parameter& parameter) {
  return fmt::format("'{}'", printable(parameter.name));
}

/// Terms of one conjunction on the given parameters; `who` names the conjunction.
void check_terms(const std::string& who, const std::vector<Term>& terms,
                 const std::vector<Parameter>& parameters) {
  ParameterSet seen;
  const int d = static_cast<int>(parameters.size());
  for (const Term& term : terms) {
    const auto fail = [&](const std::string& message) {
      throw InputError(fmt::format("{} {}", who, message));
    };
    if (term.parameter < 0 || term.parameter >= d) {
      fail(fmt::format("names parameter number {}, there are {}", term.parameter, d));
    }
    const Parameter& parameter = parameters[static_cast<std::size_t>(term.parameter)];
    if (seen.has(term.parameter)) {
      fail(fmt::format("names {} twice", quoted(parameter)));
    }
    seen.add(term.parameter);
    if (term.values.empty()) fail(fmt::format("names no value of {}", quoted(parameter)));
    // Lists of values are searched by bisection, so they must ascend.
    if (std::ranges::adjacent_find(term.values, std::greater_equal()) != term.values.end()) {
      fail(fmt::format("does not name the values of {} in ascending order", quoted(parameter)));
    }
    if (term.values.back() >= parameter.cardinality()) {
      fail(fmt::format("names value number {} of {}, which has {}", term.values.back(),
                       quoted(parameter), parameter.cardinality()));
    }
  }
}

}  // namespace

SearchSpace::SearchSpace(std::vector<Parameter> parameters, std::vector<Clause> forbidden)
    : parameters_(std::move(parameters)), forbidden_(std::move(forbidden)) {
  check_parameters();
  check_constraints();
  // A clause can be judged as soon as its last parameter has a value.
  closing_.resize(parameters_.size());
  for (std::size_t c = 0; c < forbidden_.size(); ++c) {
    const int last = std::ranges::max(forbidden_[c], {}, &Term::parameter).parameter;
    closing_[static_cast<std::size_t>(last)].push_back(static_cast<int>(c));
  }
  for (int i = 0; i < dimensions(); ++i) {
    if (!(*this)[i].when.empty()) conditional_.push_back(i);
  }
  constrained_ = !forbidden_.empty() || !conditional_.empty();
  groups_ = link(parameters_, forbidden_);
  measure();
}

void SearchSpace::check_parameters() {
  if (parameters_.empty()) throw InputError("a search space needs at least one parameter");
  if (parameters_.size() > kMaxDimensions) {
    throw InputError(fmt::format("the space has {} parameters, at most {} are allowed",
                                 parameters_.size(), kMaxDimensions));
  }
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    Parameter& parameter = parameters_[i];
    // Choices may be declared unordered; all other kinds follow their values.
    if (parameter.kind != ParameterKind::kChoices) {
      parameter.ordered = are_ordered(parameter.values);
    }
    try {
      check_parameter(parameter);
    } catch (const ParameterFault& fault) {
      throw InputError(fmt::format("parameter {}: {}", quoted(parameter), fault.what()));
    }
    if (find(parameter.name) != static_cast<int>(i)) {
      throw InputError(fmt::format("two parameters are called {}", quoted(parameter)));
    }
  }
}

void SearchSpace::check_constraints() const {
  for (int i = 0; i < dimensions(); ++i) {
    const std::string who = fmt::format("parameter {}: its condition", quoted((*this)[i]));
    for_each_condition((*this)[i], [&](const std::vector<Term>& terms) {
      if (terms.empty() && !(*this)[i].or_when.empty()) {
        throw InputError(who + " has an alternative that names no parameter");
      }
      check_terms(who, terms, parameters_);
      for (const Term& term : terms) {
        // Parents stand before their children, so one pass in order decides who is active.
        if (term.parameter < i) continue;
        throw InputError(fmt::format("{} is on {}, which does not stand before it", who,
                                     quoted((*this)[term.parameter])));
      }
    });
  }
  for (std::size_t c = 0; c < forbidden_.size(); ++c) {
    const std::string who = fmt::format("forbidden combination {}", c + 1);
    if (forbidden_[c].empty()) throw InputError(who + " names no parameter");
    check_terms(who, forbidden_[c], parameters_);
  }
}

void SearchSpace::measure() {
  grid_size_ = 1.0;
  for (const Parameter& parameter : parameters_) grid_size_ *= parameter.cardinality();
  size_ = {.points = 1.0, .without_forbidden = true};
  example_ = Point(dimensions());
  // Measured: 1,000,000 steps take 0.1 s at most. Small groups come first, so that one too large to
  // count does not use up the steps that suffice for the others.
  std::size_t work = 1'000'000;
  std::vector<const LinkedGroup*> order;
  for (const LinkedGroup& group : groups_) order.push_back(&group);
  std::ranges::stable_sort(order, {}, [](const auto* group) { return group->parameters.size(); });
  for (const LinkedGroup* group : order) {
    const auto count = count_points(parameters_, forbidden_, *group, work);
    if (!count) {
      size_.without_forbidden = false;
      find_example(*group);
      continue;
    }
    if (count->points == 0.0) throw InputError("every point is forbidden");
    size_.points *= count->points;
    for (const int i : group->parameters) example_[i] = count->example[i];
  }
  // An unknown group makes the product wrong, so the size then counts forbidden points as well.
  if (!size_.without_forbidden) size_.points = grid_size_;
  // The product of the groups may overflow to infinity.
  size_.points = std::min(size_.points, std::numeric_limits<double>::max());
}

int SearchSpace::find(std::string_view name) const {
  const auto found = std::ranges::find(parameters_, name, &Parameter::name);
  return found == parameters_.end() ? -1 : static_cast<int>(found - parameters_.begin());
}

std::vector<std::string> SearchSpace::names() const {
  std::vector<std::string> list;
  for (const Parameter& parameter : parameters_) list.push_back(parameter.name);
  return list;
}

std::string SearchSpace::text(const Point& point) const {
  std::string line;
  for (int i = 0; i < point.size(); ++i) {
    line += fmt::format("{}{} = {}", i == 0 ? "" : ", ", printable((*this)[i].name),
                        printable(value_text(value(point, i))));
  }
  return line;
}

}  // namespace ntune
