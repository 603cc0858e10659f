#include "ntune/space/constraints.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <span>
#include <utility>

namespace ntune {

bool all_hold(const std::vector<Term>& terms, const Point& point, ParameterSet active) {
  return std::ranges::all_of(terms, [&](const Term& term) {
    return (active & only(term.parameter)) != 0 && term.matches(point[term.parameter]);
  });
}

std::vector<LinkedGroup> link(const std::vector<Parameter>& parameters,
                              const std::vector<Clause>& forbidden) {
  const int d = static_cast<int>(parameters.size());
  std::array<int, kMaxDimensions> label{};
  std::iota(label.begin(), label.end(), 0);
  ParameterSet constrained = 0;
  const auto join = [&](int a, int b) {
    constrained |= only(a) | only(b);
    const int old_label = label[static_cast<std::size_t>(b)];
    const int new_label = label[static_cast<std::size_t>(a)];
    std::ranges::replace(label, old_label, new_label);
  };
  for (int i = 0; i < d; ++i) {
    for (const Term& term : parameters[static_cast<std::size_t>(i)].when) join(term.parameter, i);
  }
  for (const Clause& clause : forbidden) {
    for (const Term& term : clause) join(clause.front().parameter, term.parameter);
  }

  constexpr int kFree = -1;
  std::map<int, LinkedGroup> groups;
  const auto group_of = [&](int parameter) -> LinkedGroup& {
    const bool free = (constrained & only(parameter)) == 0;
    return groups[free ? kFree : label[static_cast<std::size_t>(parameter)]];
  };
  for (int i = 0; i < d; ++i) group_of(i).parameters.push_back(i);
  for (std::size_t c = 0; c < forbidden.size(); ++c) {
    group_of(forbidden[c].front().parameter).clauses.push_back(static_cast<int>(c));
  }
  std::vector<LinkedGroup> list;
  for (auto& [key, group] : groups) list.push_back(std::move(group));
  return list;
}

namespace {

/// Counts along the parameters of a group, one after the other. All beginnings of a point that have
/// the same future are one state; what the future depends on is which conjunctions (clauses, and
/// conditions of parameters) have begun and held so far. Values that no term tells apart are taken
/// together. The number of states is bounded by what spans a cut between parameters, not by the
/// number of points.
class Counter {
 public:
  Counter(const std::vector<Parameter>& parameters, const std::vector<Clause>& forbidden,
          const LinkedGroup& group)
      : parameters_(parameters), group_(group) {
    for (const int clause : group.clauses) {
      add(forbidden[static_cast<std::size_t>(clause)], kForbids);
    }
    for (const int i : group.parameters) {
      if (const auto& when = parameter(i).when; !when.empty()) add(when, i);
    }
  }

  std::optional<GroupCount> count(std::size_t& work) {
    layer_[{}] = {1.0, Point(static_cast<int>(parameters_.size()))};
    for (const int i : group_.parameters) {
      if (!advance(i, work)) return std::nullopt;
    }
    return layer_.empty() ? GroupCount() : layer_.begin()->second;
  }

 private:
  /// Conjunctions that have begun and hold so far, ascending.
  using State = std::vector<std::uint32_t>;

  /// What a conjunction does when it holds: forbid, or activate the parameter of this index.
  static constexpr int kForbids = -1;
  struct Conjunction {
    int first = 0;  ///< parameters of the first and last term
    int last = 0;
    int activates = kForbids;
  };
  struct TermOf {
    std::uint32_t conjunction = 0;
    const Term* term = nullptr;
  };

  /// Values of a parameter that no term tells apart.
  struct ValueClass {
    std::uint16_t example = 0;
    double values = 0.0;
    std::vector<std::uint32_t> matched;  ///< conjunctions with a term that matches, ascending
  };

  [[nodiscard]] const Parameter& parameter(int i) const {
    return parameters_[static_cast<std::size_t>(i)];
  }

  void add(const std::vector<Term>& terms, int activates) {
    const auto [first, last] = std::ranges::minmax(terms, {}, &Term::parameter);
    const auto c = static_cast<std::uint32_t>(conjunctions_.size());
    conjunctions_.push_back({first.parameter, last.parameter, activates});
    for (const Term& term : terms) {
      terms_[static_cast<std::size_t>(term.parameter)].push_back({c, &term});
    }
  }

  [[nodiscard]] std::vector<ValueClass> classes(int i) const {
    const auto values = static_cast<std::size_t>(parameter(i).cardinality());
    std::vector<std::vector<std::uint32_t>> matched(values);
    for (const auto& [conjunction, term] : terms_[static_cast<std::size_t>(i)]) {
      for (const std::uint16_t value : term->values) matched[value].push_back(conjunction);
    }
    std::map<std::vector<std::uint32_t>, ValueClass> table;
    for (std::size_t value = 0; value < values; ++value) {
      ValueClass& found = table[matched[value]];
      if (found.values == 0.0) found.example = static_cast<std::uint16_t>(value);
      found.values += 1.0;
    }
    std::vector<ValueClass> list;
    for (auto& [key, found] : table) {
      found.matched = key;
      list.push_back(std::move(found));
    }
    return list;
  }

  /// From the states before parameter i to those behind it.
  bool advance(int i, std::size_t& work) {
    const std::vector<ValueClass> choices = classes(i);
    const std::vector<ValueClass> held = {{.example = 0, .values = 1.0, .matched = {}}};
    touched_.assign(conjunctions_.size(), false);
    for (const TermOf& on : terms_[static_cast<std::size_t>(i)]) touched_[on.conjunction] = true;
    std::map<State, GroupCount> before = std::exchange(layer_, {});
    for (const auto& [state, so_far] : before) {
      for (const ValueClass& choice : is_active(i, state) ? choices : held) {
        const std::size_t steps = 1 + state.size() + choice.matched.size();
        if (steps > work) return false;
        work -= steps;
        State next = follow(i, state, choice);
        if (std::ranges::any_of(next, [&](auto c) { return is_forbidden_by(c, i); })) continue;
        const auto [place, is_new] = layer_.try_emplace(std::move(next));
        GroupCount& reached = place->second;
        reached.points += so_far.points * choice.values;
        if (!is_new) continue;
        reached.example = so_far.example;
        reached.example[i] = choice.example;
      }
    }
    return true;
  }

  [[nodiscard]] bool is_active(int i, const State& state) const {
    return parameter(i).when.empty() ||
           std::ranges::any_of(state, [&](auto c) { return conjunctions_[c].activates == i; });
  }

  [[nodiscard]] bool is_forbidden_by(std::uint32_t c, int i) const {
    return conjunctions_[c].activates == kForbids && conjunctions_[c].last == i;
  }

  [[nodiscard]] State follow(int i, const State& state, const ValueClass& choice) const {
    State next;
    for (const std::uint32_t c : state) {
      if (conjunctions_[c].activates != i && !touched_[c]) next.push_back(c);
    }
    for (const std::uint32_t c : choice.matched) {
      if (conjunctions_[c].first == i || std::ranges::binary_search(state, c)) next.push_back(c);
    }
    std::ranges::sort(next);
    return next;
  }

  const std::vector<Parameter>& parameters_;
  const LinkedGroup& group_;
  std::vector<Conjunction> conjunctions_;
  std::array<std::vector<TermOf>, kMaxDimensions> terms_;  ///< of each parameter
  std::vector<bool> touched_;  ///< conjunctions with a term on the current parameter
  std::map<State, GroupCount> layer_;
};

}  // namespace

std::optional<GroupCount> count_points(const std::vector<Parameter>& parameters,
                                       const std::vector<Clause>& forbidden,
                                       const LinkedGroup& group, std::size_t& work) {
  return Counter(parameters, forbidden, group).count(work);
}

}  // namespace ntune
