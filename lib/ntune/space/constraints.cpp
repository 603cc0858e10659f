#include "ntune/space/constraints.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace ntune {

bool all_hold(const std::vector<Term>& terms, const Point& point, const ParameterSet& active) {
  return std::ranges::all_of(terms, [&](const Term& term) {
    return active.has(term.parameter) && term.matches(point[term.parameter]);
  });
}

bool condition_holds(const Parameter& parameter, const Point& point, const ParameterSet& active) {
  return all_hold(parameter.when, point, active) ||
         std::ranges::any_of(parameter.or_when,
                             [&](const auto& terms) { return all_hold(terms, point, active); });
}

std::vector<LinkedGroup> link(const std::vector<Parameter>& parameters,
                              const std::vector<Clause>& forbidden) {
  const int d = static_cast<int>(parameters.size());
  // Each parameter has the label of its group; joining two groups gives one of them the other's
  // label. The number of parameters is small enough for that.
  std::array<int, kMaxDimensions> label{};
  std::iota(label.begin(), label.end(), 0);
  ParameterSet constrained;
  const auto join = [&](int a, int b) {
    constrained.add(a);
    constrained.add(b);
    const int old_label = label[static_cast<std::size_t>(b)];
    const int new_label = label[static_cast<std::size_t>(a)];
    std::ranges::replace(label, old_label, new_label);
  };
  for (int i = 0; i < d; ++i) {
    for_each_condition(parameters[static_cast<std::size_t>(i)], [&](const auto& terms) {
      for (const Term& term : terms) join(term.parameter, i);
    });
  }
  for (const Clause& clause : forbidden) {
    for (const Term& term : clause) join(clause.front().parameter, term.parameter);
  }

  // Parameters without constraints go together into the first group, since -1 sorts before all
  // labels.
  constexpr int kFree = -1;
  std::map<int, LinkedGroup> groups;
  const auto group_of = [&](int parameter) -> LinkedGroup& {
    const bool free = !constrained.has(parameter);
    return groups[free ? kFree : label[static_cast<std::size_t>(parameter)]];
  };
  for (int i = 0; i < d; ++i) group_of(i).parameters.push_back(i);
  // All parameters of a clause are in one group, so the first of them names it.
  for (std::size_t c = 0; c < forbidden.size(); ++c) {
    group_of(forbidden[c].front().parameter).clauses.push_back(static_cast<int>(c));
  }
  std::vector<LinkedGroup> list;
  for (auto& [key, group] : groups) list.push_back(std::move(group));
  return list;
}

namespace {

/// Counts along the parameters of a group, one after the other. A conjunction (a clause, or the
/// condition of a parameter) is a chain of terms in the order of the parameters. A state is the set
/// of chains that have begun and held so far, each given by its remaining terms. Partial points in
/// the same state have the same completions and are counted together, as are values that no term
/// tells apart. The work thus grows with the chains that cross a parameter, not with the points.
class Counter {
 public:
  Counter(const std::vector<Parameter>& parameters, const std::vector<Clause>& forbidden,
          const LinkedGroup& group)
      : parameters_(parameters), group_(group) {
    for (const int clause : group.clauses) {
      add(forbidden[static_cast<std::size_t>(clause)], kForbids);
    }
    for (const int i : group.parameters) {
      if (parameter(i).when.empty()) continue;
      for_each_condition(parameter(i), [&](const auto& terms) { add(terms, i); });
    }
  }

  std::optional<GroupCount> count(std::size_t& work) {
    // Before the first parameter no chain has begun, and there is one way to be there.
    layer_[{}] = {1.0, Point(static_cast<int>(parameters_.size()))};
    for (const int i : group_.parameters) {
      if (!advance(i, work)) return std::nullopt;
    }
    // All chains have ended after the last parameter, so at most one state is left: the empty one.
    return layer_.empty() ? GroupCount() : layer_.begin()->second;
  }

 private:
  using Link = std::uint32_t;       ///< index in links_
  using State = std::vector<Link>;  ///< ascending

  /// The rest of a chain: a term and its successor or, without a term, the effect of its end.
  struct ChainLink {
    const Term* term = nullptr;
    Link next = 0;
    int effect = 0;
  };
  static constexpr int kForbids = -1;  ///< effect; otherwise the parameter that becomes active

  /// Values of a parameter that no term tells apart.
  struct ValueClass {
    std::uint16_t example = 0;
    double values = 0.0;
    State matched;  ///< links whose term matches
  };

  [[nodiscard]] const Parameter& parameter(int i) const {
    return parameters_[static_cast<std::size_t>(i)];
  }

  /// Adds a conjunction as a chain, from its last term back to its first, so that equal ends are
  /// shared.
  void add(const std::vector<Term>& terms, int effect) {
    std::vector<const Term*> chain;
    for (const Term& term : terms) chain.push_back(&term);
    std::ranges::sort(chain, std::greater(), &Term::parameter);
    Link link = intern({nullptr, 0, effect});
    for (const Term* term : chain) link = intern({term, link, 0});
    begins_.resize(links_.size());
    begins_[link] = true;
  }

  /// The index of a rest; equal rests have the same one.
  Link intern(const ChainLink& link) {
    const auto key = link.term == nullptr
                         ? std::tuple(-1, std::vector<std::uint16_t>(), link.next, link.effect)
                         : std::tuple(link.term->parameter, link.term->values, link.next, 0);
    const auto [place, is_new] = index_.try_emplace(key, static_cast<Link>(links_.size()));
    if (is_new) links_.push_back(link);
    return place->second;
  }

  [[nodiscard]] bool is_on(Link link, int i) const {
    return links_[link].term != nullptr && links_[link].term->parameter == i;
  }

  /// The classes of values of a parameter: values that match the terms of the same links belong
  /// together.
  [[nodiscard]] std::vector<ValueClass> classes(int i) const {
    const auto values = static_cast<std::size_t>(parameter(i).cardinality());
    std::vector<State> matched(values);
    for (Link link = 0; link < links_.size(); ++link) {
      if (!is_on(link, i)) continue;
      for (const std::uint16_t value : links_[link].term->values) matched[value].push_back(link);
    }
    std::map<State, ValueClass> table;
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

  /// Goes from the states before parameter i to those after it; false if the work runs out.
  bool advance(int i, std::size_t& work) {
    const std::vector<ValueClass> choices = classes(i);
    // An inactive parameter is held at its first value, matches no term and so continues no chain.
    const std::vector<ValueClass> held = {{.example = 0, .values = 1.0, .matched = {}}};
    const std::map<State, GroupCount> before = std::exchange(layer_, {});
    // Every state is followed along every class of values; states that meet are added up.
    for (const auto& [state, so_far] : before) {
      for (const ValueClass& choice : is_active(i, state) ? choices : held) {
        const std::size_t steps = 1 + state.size() + choice.matched.size();
        if (steps > work) return false;
        work -= steps;
        std::optional<State> next = follow(i, state, choice);
        if (!next) continue;
        const auto [place, is_new] = layer_.try_emplace(*std::move(next));
        GroupCount& reached = place->second;
        reached.points += so_far.points * choice.values;
        // One example for each state is enough; the first way there gives it.
        if (!is_new) continue;
        reached.example = so_far.example;
        reached.example[i] = choice.example;
      }
    }
    return true;
  }

  /// Whether the chain of the parameter's condition has come to its end in this state.
  [[nodiscard]] bool is_active(int i, const State& state) const {
    return parameter(i).when.empty() || std::ranges::any_of(state, [&](Link link) {
             return links_[link].term == nullptr && links_[link].effect == i;
           });
  }

  /// The state after a choice; empty if the choice is forbidden.
  [[nodiscard]] std::optional<State> follow(int i, const State& state,
                                            const ValueClass& choice) const {
    State next;
    // Links on this parameter are decided now: they go on only below, by a term that matches. The
    // mark that this parameter is active is no longer needed.
    for (const Link link : state) {
      const bool is_done = links_[link].term == nullptr && links_[link].effect == i;
      if (!is_done && !is_on(link, i)) next.push_back(link);
    }
    // A chain goes on if it has come as far as this link, or begins with it.
    for (const Link link : choice.matched) {
      if (!begins_[link] && !std::ranges::binary_search(state, link)) continue;
      const Link rest = links_[link].next;
      // The end of a clause forbids the point.
      if (links_[rest].term == nullptr && links_[rest].effect == kForbids) return std::nullopt;
      next.push_back(rest);
    }
    // States are compared as sorted lists without duplicates.
    std::ranges::sort(next);
    next.erase(std::unique(next.begin(), next.end()), next.end());
    return next;
  }

  const std::vector<Parameter>& parameters_;
  const LinkedGroup& group_;
  std::vector<ChainLink> links_;
  std::vector<bool> begins_;  ///< whether a whole chain begins with each link
  std::map<std::tuple<int, std::vector<std::uint16_t>, Link, int>, Link> index_;
  std::map<State, GroupCount> layer_;
};

}  // namespace

std::optional<GroupCount> count_points(const std::vector<Parameter>& parameters,
                                       const std::vector<Clause>& forbidden,
                                       const LinkedGroup& group, std::size_t& work) {
  return Counter(parameters, forbidden, group).count(work);
}

}  // namespace ntune
