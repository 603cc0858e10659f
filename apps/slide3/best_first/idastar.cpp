#include <algorithm>
#include <cassert>

#include "apps/slide3/best_first/searches.h"

namespace ntune {

namespace {

/// Bounds the recursion where negative values keep f small; the longest distance is 26.
constexpr std::size_t kDeepest = 200;

}  // namespace

SlideIdaStar::SlideIdaStar(const BestFirstPlayer& player)
    : evaluator_(player.evaluation, slide_tables()),
      weight_(static_cast<float>(player.weight)),
      budget_(player.evaluations),
      target_(player.target) {}

void SlideIdaStar::find(const SlidePosition<3>& root, Rng& rng, std::vector<int>& way) {
  assert(root != SlidePosition<3>::win());
  root_ = root;
  chance_ = Rng::with_key(rng());
  last_evaluation_ = evaluations_ + budget_;
  bound_ = 0.0F;
  values_ = {};
  win_.clear();
  path_.clear();
  Least complete;
  while (true) {
    beyond_ = {};
    if (search(root, rng)) break;
    complete = beyond_;
    bound_ = std::max(complete.least(), bound_ + 1.0F);
  }
  way.assign(win_.rbegin(), win_.rend());
  if (!way.empty()) return;
  const bool total = target_ == BestFirstTarget::kTotal && complete.line() >= 0;
  way.push_back(total ? complete.line() : values_.line());
}

bool SlideIdaStar::search(const SlidePosition<3>& position, Rng& rng) {
  Children storage;
  const std::span<Child> children = make_children(position, storage, rng);
  const bool within = !win_.empty() && static_cast<float>(win_.size()) <= bound_;
  if (within || evaluations_ == last_evaluation_) return true;
  for (const Child& child : children) {
    const int first = path_.empty() ? child.line : path_.front();
    if (child.total > bound_ || path_.size() >= kDeepest) {
      beyond_.add(child.total, first, rng);
      continue;
    }
    path_.push_back(child.line);
    if (search(child.position, rng)) return true;
    path_.pop_back();
  }
  return false;
}

std::span<SlideIdaStar::Child> SlideIdaStar::make_children(const SlidePosition<3>& position,
                                                           Children& children, Rng& rng) {
  std::size_t count = 0;
  const float moves = static_cast<float>(path_.size() + 1);
  for_each_line(position.moves(), [&](int line) {
    if (!path_.empty() && line == path_.back()) return;  // takes the last move back
    const SlidePosition<3> next = position.after(line);
    if (next == SlidePosition<3>::win()) {
      meet_win(line);
      beyond_.add(moves, path_.empty() ? line : path_.front(), rng);
      return;
    }
    if (evaluations_ == last_evaluation_) return;
    const float value = evaluate(next);
    ++evaluations_;
    if (next != root_) values_.add(value, path_.empty() ? line : path_.front(), rng);
    children[count++] = {next, moves + value, static_cast<std::uint32_t>(rng() >> 32), line};
  });
  const auto used = std::span(children).first(count);
  std::ranges::sort(used, [](const Child& a, const Child& b) {
    return a.total != b.total ? a.total < b.total : a.tie < b.tie;
  });
  return used;
}

void SlideIdaStar::meet_win(int line) {
  if (!win_.empty() && win_.size() <= path_.size() + 1) return;
  win_ = path_;
  win_.push_back(line);
}

float SlideIdaStar::evaluate(const SlidePosition<3>& position) const {
  Rng chance = evaluator_.random() ? chance_.stream("node", position.bits()) : chance_;
  return weighted_value(weight_, evaluator_(position.bits(), chance));
}

}  // namespace ntune
