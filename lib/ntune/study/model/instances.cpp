#include "ntune/study/model/instances.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ntune/core/text.h"

namespace ntune {

namespace {

/// Fills `slots` with its places in an order drawn from the stream (Fisher and Yates).
void shuffle(std::vector<std::size_t>& slots, Rng rng) {
  for (std::size_t i = slots.size(); i > 1; --i) {
    std::swap(slots[i - 1], slots[rng.below(static_cast<std::uint32_t>(i))]);
  }
}

/// 0, 1, …, count - 1.
std::vector<std::size_t> slots_in_order(std::size_t count) {
  std::vector<std::size_t> list(count);
  std::iota(list.begin(), list.end(), std::size_t{0});
  return list;
}

}  // namespace

/// Visits in order of their deadlines, each as soon as its instance is behind its share: the quota
/// method of Balinski and Young (1975), whose counts are shares rounded down or up.
struct InstanceOrder::Sequence {
  std::mutex mutex;
  std::vector<std::uint32_t> visits;
  std::vector<std::int64_t> counts;

  void extend(const std::vector<double>& weights, double total) {
    // An instance may be visited as soon as its share of the visits is above its count; of these
    // the one goes first whose next share is due earliest.
    const double next = static_cast<double>(visits.size() + 1);
    std::size_t best = weights.size();
    std::size_t furthest_behind = 0;  // by rounding alone, none may be behind its share
    double earliest = 0.0;
    double deficit = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double share = weights[i] / total;
      const auto count = static_cast<double>(counts[i]);
      constexpr double kSlack = 1e-9;
      if (share * next - count > deficit) {
        deficit = share * next - count;
        furthest_behind = i;
      }
      if (count >= share * next - kSlack) continue;
      const double deadline = (count + 1.0) / share;
      if (best < weights.size() && deadline >= earliest) continue;
      best = i;
      earliest = deadline;
    }
    if (best == weights.size()) best = furthest_behind;
    ++counts[best];
    visits.push_back(static_cast<std::uint32_t>(best));
  }
};

InstanceOrder::InstanceOrder(std::vector<double> weights) : weights_(std::move(weights)) {
  if (std::ranges::adjacent_find(weights_, std::not_equal_to()) == weights_.end()) return;
  sequence_ = std::make_shared<Sequence>();
  sequence_->counts.assign(weights_.size(), 0);
}

std::size_t InstanceOrder::visited(std::int64_t index) const {
  const double total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  const std::lock_guard lock(sequence_->mutex);
  while (std::ssize(sequence_->visits) <= index) sequence_->extend(weights_, total);
  return sequence_->visits[static_cast<std::size_t>(index)];
}

std::size_t InstanceOrder::at(const Rng& stream, std::int64_t index) const {
  if (weights_.size() == 1) return 0;
  if (sequence_ == nullptr) {
    // Of equal weights each block has its own order.
    const auto count = static_cast<std::int64_t>(weights_.size());
    std::vector<std::size_t> slots = slots_in_order(weights_.size());
    shuffle(slots, stream.stream("block", static_cast<std::uint64_t>(index / count)));
    return slots[static_cast<std::size_t>(index % count)];
  }
  // Instances of one weight change places, so that studies do not all visit the first one first.
  const std::size_t slot = visited(index);
  std::vector<std::size_t> alike;
  std::size_t place = 0;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (i == slot) place = alike.size();
    if (weights_[i] == weights_[slot]) alike.push_back(i);
  }
  std::vector<std::size_t> slots = slots_in_order(alike.size());
  shuffle(slots, stream.stream("alike", alike.front()));
  return alike[slots[place]];
}

InstanceList::InstanceList(std::vector<Instance> instances) : instances_(std::move(instances)) {
  std::vector<double> weights;
  for (const Instance& instance : instances_) weights.push_back(instance.weight);
  if (!weights.empty()) order_ = std::make_shared<const InstanceOrder>(std::move(weights));
}

std::int64_t InstanceList::visits_of_all() const {
  if (empty()) return 0;
  double sum = 0.0;
  for (const Instance& instance : instances_) sum += instance.weight;
  const double least = std::ranges::min(instances_, {}, &Instance::weight).weight;
  constexpr double kMost = 1e15;  // a whole number still
  return static_cast<std::int64_t>(std::min(kMost, std::ceil(sum / least - 1e-9)));
}

const Instance* InstanceList::find(std::string_view name) const {
  const auto found = std::ranges::find(instances_, name, &Instance::name);
  return found == instances_.end() ? nullptr : &*found;
}

const Instance* InstanceList::at(const Rng& stream, std::size_t index) const {
  if (empty()) return nullptr;
  return &instances_[order_->at(stream, static_cast<std::int64_t>(index))];
}

std::string unknown_instance(std::string_view name, const std::vector<std::string>& allowed) {
  constexpr std::size_t kMost = 10;
  constexpr std::size_t kLongest = 60;
  std::vector<std::string> shown;
  // What was probably meant goes first.
  const std::string near = closest_word(name, allowed);
  if (!near.empty()) shown.push_back(printable(near, kLongest));
  for (const std::string& each : allowed) {
    if (shown.size() < kMost && each != near) shown.push_back(printable(each, kLongest));
  }
  const std::size_t more = allowed.size() - shown.size();
  return fmt::format("there is no instance '{}'; allowed: {}{}", printable(name, kLongest),
                     fmt::join(shown, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

std::size_t Instances::index_of(std::uint64_t seed, const EvaluationKey& key,
                                std::optional<std::int64_t> block) const {
  const auto unsigned_of = [](std::int64_t i) { return static_cast<std::uint64_t>(i); };
  // A search has its own order; candidates of a comparison and points held out share theirs.
  const std::int64_t run = key.stage == Stage::kSearch ? key.run : -1;
  const Rng stream = Rng(seed).stream("instances", static_cast<std::uint64_t>(key.stage),
                                      unsigned_of(key.repeat), unsigned_of(run));
  return of(key.stage).order().at(stream, block.value_or(key.index));
}

const Instance* Instances::of(std::uint64_t seed, const EvaluationKey& key,
                              std::optional<std::int64_t> block) const {
  return empty() ? nullptr : &of(key.stage)[index_of(seed, key, block)];
}

const Instance* Instances::find(std::string_view name) const {
  const Instance* found = train.find(name);
  return found != nullptr ? found : test.find(name);
}

}  // namespace ntune
