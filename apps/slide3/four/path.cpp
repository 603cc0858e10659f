#include "apps/slide3/four/path.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>
#include <utility>

#include "ntune/core/hash.h"

namespace ntune {

namespace {

/// A beam that has not met the ball around its goal after so many levels never will.
constexpr std::size_t kMostLevels = 100;
/// A beam's goal is searched for this much more widely than the beam is.
constexpr std::size_t kGoalShare = 8;

template <int K>
using Positions = std::vector<SlidePosition<K>>;

/// Positions by their distance from the centre, each level ascending.
template <int K>
class Ball {
 public:
  explicit Ball(const SlidePosition<K>& centre) : levels_{{}, {centre}} {}

  [[nodiscard]] const Positions<K>& outermost() const { return levels_.back(); }
  [[nodiscard]] std::size_t radius() const { return levels_.size() - 2; }

  void grow() {
    Positions<K> reached;
    for (const SlidePosition<K>& position : outermost()) {
      for_each_line(position.moves(), [&](int line) { reached.push_back(position.after(line)); });
    }
    std::ranges::sort(reached);
    reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
    Positions<K> fresh;
    std::ranges::set_difference(reached, levels_[levels_.size() - 2], std::back_inserter(fresh));
    levels_.push_back(std::move(fresh));
  }

  /// Keeps those positions of the outermost level that cost least.
  template <class Cost>
  void thin(std::size_t width, Cost cost) {
    Positions<K>& level = levels_.back();
    if (level.size() <= width) return;
    std::vector<std::pair<std::uint64_t, SlidePosition<K>>> rated;
    rated.reserve(level.size());
    for (const SlidePosition<K>& position : level) rated.emplace_back(cost(position), position);
    std::ranges::nth_element(rated, rated.begin() + static_cast<std::ptrdiff_t>(width));
    rated.resize(width);
    level.resize(width);
    std::ranges::transform(rated, level.begin(), [](const auto& pair) { return pair.second; });
    std::ranges::sort(level);
    level.shrink_to_fit();
  }

  /// The lines from a position of the outermost level to the centre.
  [[nodiscard]] std::vector<int> way_from(SlidePosition<K> position) const {
    std::vector<int> lines;
    for (std::size_t level = radius(); level > 0; --level) {
      int inwards = -1;
      for_each_line(position.moves(), [&](int line) {
        if (std::ranges::binary_search(levels_[level], position.after(line))) inwards = line;
      });
      assert(inwards >= 0);
      lines.push_back(inwards);
      position.slide(inwards);
    }
    return lines;
  }

 private:
  std::vector<Positions<K>> levels_;  // an empty one before the centre
};

/// Sum of the squared distances of a position's tiles from where they stand in the goal, with
/// `seed` deciding between equal ones.
template <int K>
class Estimate {
 public:
  Estimate(const SlidePosition<K>& goal, std::uint64_t seed) : seed_(mix64(seed)) {
    constexpr int kSide = SlidePosition<K>::kSide;
    for (int to = 0; to < SlidePosition<K>::kSquares; ++to) {
      if (goal.at(to) == 0) continue;
      for (int s = 0; s < SlidePosition<K>::kSquares; ++s) {
        const int down = to / kSide - s / kSide;
        const int right = to % kSide - s % kSide;
        squared_[cell(s, goal.at(to))] = static_cast<std::uint32_t>(down * down + right * right);
      }
    }
  }
  std::uint64_t operator()(const SlidePosition<K>& position) const {
    std::uint64_t sum = 0;
    for (int s = 0; s < SlidePosition<K>::kSquares; ++s) sum += squared_[cell(s, position.at(s))];
    const auto folded = static_cast<std::uint64_t>(position.bits() ^ position.bits() >> 31 >> 30);
    return sum << 32 | mix64(folded ^ seed_) >> 32;
  }

 private:
  static constexpr std::size_t cell(int square, int tile) {
    return static_cast<std::size_t>(square) * (K * K + 1) + static_cast<std::size_t>(tile);
  }

  std::uint64_t seed_;
  std::array<std::uint32_t, cell(SlidePosition<K>::kSquares, 0)> squared_{};
};

}  // namespace

template <int K>
std::vector<int> find_slides(const SlidePosition<K>& from, const SlidePosition<K>& to,
                             const SlidePathOptions& options) {
  Ball<K> beam(from);
  Ball<K> goal(to);
  const Estimate<K> estimate(to, options.seed);
  Positions<K> common;
  while (beam.radius() <= kMostLevels && !beam.outermost().empty()) {
    std::ranges::set_intersection(beam.outermost(), goal.outermost(), std::back_inserter(common));
    if (!common.empty()) break;
    if (goal.outermost().size() / kGoalShare <= beam.outermost().size()) {
      goal.grow();
    } else {
      beam.grow();
      beam.thin(options.width, estimate);
    }
  }
  if (common.empty()) return {};
  std::vector<int> lines = beam.way_from(common.front());
  std::ranges::reverse(lines);
  std::ranges::copy(goal.way_from(common.front()), std::back_inserter(lines));
  return lines;
}

#define NTUNE_FIND_SLIDES(K)                                                                 \
  template std::vector<int> find_slides<K>(const SlidePosition<K>&, const SlidePosition<K>&, \
                                           const SlidePathOptions&);
NTUNE_FIND_SLIDES(2)
NTUNE_FIND_SLIDES(3)
NTUNE_FIND_SLIDES(4)
#undef NTUNE_FIND_SLIDES

}  // namespace ntune
