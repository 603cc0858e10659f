#pragma once

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ntune/core/circular_triples.h"
#include "ntune/space/point.h"

namespace ntune {

/// Who has met whom in the matches of a search, and how often each has won.
class MatchTable {
 public:
  /// A match, by the points per game of the first player.
  void add(const Point& first, const Point& second, double score) {
    constexpr double kHalf = 0.5;
    std::size_t one = index_of(first);
    std::size_t other = index_of(second);
    if (one == other) return;
    if (one > other) {
      std::swap(one, other);
      score = 1.0 - score;
    }
    Meeting& meeting = meetings_[{one, other}];
    meeting.first = one;
    meeting.second = other;
    ++(score > kHalf ? meeting.won : score < kHalf ? meeting.lost : meeting.drawn);
  }
  /// Adds the matches of another search.
  void merge(const MatchTable& other) {
    for (const auto& [pair, counts] : other.meetings_) {
      std::size_t one = index_of(other.points_[pair.first]);
      std::size_t two = index_of(other.points_[pair.second]);
      const bool turned = one > two;
      if (turned) std::swap(one, two);
      Meeting& meeting = meetings_[{one, two}];
      meeting.first = one;
      meeting.second = two;
      meeting.won += turned ? counts.lost : counts.won;
      meeting.drawn += counts.drawn;
      meeting.lost += turned ? counts.won : counts.lost;
    }
  }
  [[nodiscard]] bool empty() const { return meetings_.empty(); }
  /// The players, by their numbers in `meetings`.
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  [[nodiscard]] std::vector<Meeting> meetings() const {
    std::vector<Meeting> list;
    for (const auto& [pair, meeting] : meetings_) list.push_back(meeting);
    return list;
  }

 private:
  std::size_t index_of(const Point& point) {
    const auto [found, is_new] = indices_.emplace(point, points_.size());
    if (is_new) points_.push_back(point);
    return found->second;
  }

  std::vector<Point> points_;
  std::unordered_map<Point, std::size_t> indices_;
  std::map<std::pair<std::size_t, std::size_t>, Meeting> meetings_;
};

}  // namespace ntune
