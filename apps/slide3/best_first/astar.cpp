#include <algorithm>
#include <bit>
#include <cassert>

#include "apps/slide3/best_first/searches.h"
#include "ntune/core/hash.h"

namespace ntune {

namespace {

constexpr std::int64_t kMostChildren = SlidePosition<3>::kMostMoves;

}  // namespace

SlideAStar::SlideAStar(const BestFirstPlayer& player)
    : evaluator_(player.evaluation, slide_tables()),
      weight_(static_cast<float>(player.weight)),
      budget_(player.evaluations),
      target_(player.target),
      places_(std::bit_ceil(2 * static_cast<std::size_t>(player.evaluations) + 4)) {}

void SlideAStar::find(const SlidePosition<3>& root, Rng& rng, std::vector<int>& way) {
  assert(root != SlidePosition<3>::win());
  begin(root, rng);
  const std::int64_t last = evaluations_ + budget_ - kMostChildren;
  std::int32_t node = best_open();
  while (node >= 0 && node != win_ && evaluations_ <= last) {
    std::pop_heap(open_.begin(), open_.end());
    open_.pop_back();
    expand(node, rng);
    node = best_open();
  }
  if (win_ < 0) node = target(rng);
  way.clear();
  for (node = win_ < 0 ? node : win_; node > 0;
       node = nodes_[static_cast<std::size_t>(node)].parent) {
    way.push_back(nodes_[static_cast<std::size_t>(node)].line);
  }
  if (win_ < 0) way.erase(way.begin(), way.end() - 1);
}

void SlideAStar::begin(const SlidePosition<3>& root, Rng& rng) {
  if (++search_ == 0) {
    std::ranges::fill(places_, Place());
    search_ = 1;
  }
  nodes_.clear();
  open_.clear();
  win_ = -1;
  nodes_.push_back({.position = root});
  place(root) = {.search = search_, .node = 0};
  push(0, rng);
}

void SlideAStar::expand(std::int32_t parent, Rng& rng) {
  const Node from = nodes_[static_cast<std::size_t>(parent)];
  for_each_line(from.position.moves(), [&](int line) {
    const SlidePosition<3> position = from.position.after(line);
    Place& known = place(position);
    if (known.search != search_) {
      known = {.search = search_, .node = static_cast<std::int32_t>(nodes_.size())};
      Node& node = nodes_.emplace_back(Node{.position = position});
      if (position == SlidePosition<3>::win()) {
        win_ = known.node;
      } else {
        node.value = weighted_value(weight_, evaluator_(position.bits(), rng));
        ++evaluations_;
      }
    } else if (nodes_[static_cast<std::size_t>(known.node)].moves <= from.moves + 1) {
      return;
    }
    Node& node = nodes_[static_cast<std::size_t>(known.node)];
    node.parent = parent;
    node.line = line;
    node.moves = from.moves + 1;
    push(known.node, rng);
  });
}

void SlideAStar::push(std::int32_t node, Rng& rng) {
  const Node& entry = nodes_[static_cast<std::size_t>(node)];
  open_.push_back({.total = static_cast<float>(entry.moves) + entry.value,
                   .tie = static_cast<std::uint32_t>(rng() >> 32),
                   .node = node,
                   .moves = entry.moves});
  std::push_heap(open_.begin(), open_.end());
}

SlideAStar::Place& SlideAStar::place(const SlidePosition<3>& position) {
  const std::size_t mask = places_.size() - 1;
  std::size_t at = golden_slot(position.bits(), 32) & mask;
  while (places_[at].search == search_ &&
         nodes_[static_cast<std::size_t>(places_[at].node)].position != position) {
    at = (at + 1) & mask;
  }
  return places_[at];
}

std::int32_t SlideAStar::best_open() {
  while (!open_.empty()) {
    const Open& best = open_.front();
    if (nodes_[static_cast<std::size_t>(best.node)].moves == best.moves) return best.node;
    std::pop_heap(open_.begin(), open_.end());
    open_.pop_back();
  }
  return -1;
}

std::int32_t SlideAStar::target(Rng& rng) {
  const std::int32_t open = target_ == BestFirstTarget::kTotal ? best_open() : -1;
  return open > 0 ? open : least_value(rng);
}

std::int32_t SlideAStar::least_value(Rng& rng) const {
  std::int32_t best = 1;
  std::uint32_t alike = 1;
  for (std::size_t i = 2; i < nodes_.size(); ++i) {
    const float least = nodes_[static_cast<std::size_t>(best)].value;
    if (nodes_[i].value > least) continue;
    alike = nodes_[i].value < least ? 1 : alike + 1;
    if (alike == 1 || rng.below(alike) == 0) best = static_cast<std::int32_t>(i);
  }
  return best;
}

}  // namespace ntune
