#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "ntune/space/import/constraints.h"

namespace ntune {

void WorkMeter::add(std::size_t work) {
  constexpr std::size_t kMostWork = 30'000'000;  // 0.3 s at most
  work_ += work;
  if (work_ > kMostWork) fail_();
}

void WorkMeter::add(const Conjunction& conjunction) {
  for (const auto& [parameter, mask] : conjunction) add(mask.size() + 1);
}

void fail_too_many() {
  throw NotTranslated(fmt::format("it takes more than {} combinations", kMostCombinations));
}

Disjunction both(const Disjunction& a, const Disjunction& b, WorkMeter& meter) {
  // Each alternative of a may go with each one of b, so the product is known before the work.
  if (a.size() * b.size() > kMostCombinations) fail_too_many();
  Disjunction result;
  for (const Conjunction& first : a) {
    for (const Conjunction& second : b) {
      meter.add(first);
      meter.add(second);
      Conjunction joined = first;
      bool possible = true;
      for (const auto& [parameter, mask] : second) {
        // A parameter that only one of the two names keeps its mask: `true` elsewhere changes
        // nothing.
        Mask& values = joined.try_emplace(parameter, mask.size(), true).first->second;
        bool any = false;
        for (std::size_t i = 0; i < mask.size(); ++i) {
          values[i] = values[i] && mask[i];
          any = any || values[i];
        }
        possible = possible && any;
      }
      // A parameter without any value left makes the conjunction false.
      if (possible) result.push_back(std::move(joined));
    }
  }
  return result;
}

namespace {

/// Unites alternatives that differ only in the values of this parameter.
bool unite_along(int parameter, Disjunction& any, WorkMeter& meter) {
  // Alternatives whose other terms are equal meet under the same key.
  std::map<Conjunction, std::size_t> places;
  Disjunction united;
  for (Conjunction& conjunction : any) {
    meter.add(conjunction);
    const auto entry = conjunction.find(parameter);
    if (entry == conjunction.end()) {
      united.push_back(std::move(conjunction));
      continue;
    }
    Conjunction rest = conjunction;
    rest.erase(parameter);
    const auto [found, is_new] = places.try_emplace(std::move(rest), united.size());
    if (is_new) {
      united.push_back(std::move(conjunction));
      continue;
    }
    Mask& mask = united[found->second].at(parameter);
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = mask[i] || entry->second[i];
  }
  const bool changed = united.size() < any.size();
  any = std::move(united);
  return changed;
}

/// Drops those that another one makes needless.
void drop_covered(Disjunction& any, WorkMeter& meter) {
  // A wide conjunction covers a narrow one if each of its terms allows at least the same values.
  const auto covers = [&](const Conjunction& wide, const Conjunction& narrow) {
    return std::ranges::all_of(wide, [&](const auto& term) {
      const auto found = narrow.find(term.first);
      std::size_t i = 0;
      if (found != narrow.end()) {
        while (i < term.second.size() && (term.second[i] || !found->second[i])) ++i;
      }
      meter.add(i + 1);
      return i == term.second.size();
    });
  };
  Disjunction kept;
  for (Conjunction& conjunction : any) {
    // An alternative that is already covered is dropped; else it drops those that it covers.
    if (std::ranges::any_of(kept, [&](const auto& other) { return covers(other, conjunction); })) {
      continue;
    }
    std::erase_if(kept, [&](const auto& other) { return covers(conjunction, other); });
    kept.push_back(std::move(conjunction));
  }
  any = std::move(kept);
}

}  // namespace

void simplify(Disjunction& any, const std::function<bool(int)>& is_always_active,
              WorkMeter& meter) {
  const auto says_nothing = [&](const auto& term) {
    return is_always_active(term.first) && std::ranges::count(term.second, false) == 0;
  };
  bool changed = true;
  // Uniting along one parameter can make others alike, so it goes on until all stays as it is.
  while (changed) {
    changed = false;
    std::set<int> parameters;
    for (Conjunction& conjunction : any) {
      std::erase_if(conjunction, says_nothing);
      for (const auto& [parameter, mask] : conjunction) parameters.insert(parameter);
    }
    drop_covered(any, meter);
    for (const int i : parameters) {
      changed = (any.size() > 1 && unite_along(i, any, meter)) || changed;
    }
  }
}

}  // namespace ntune
