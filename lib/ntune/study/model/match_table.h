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
    count({.first = index_of(first),
           .second = index_of(second),
           .won = score > kHalf ? 1 : 0,
           .drawn = score == kHalf ? 1 : 0,
           .lost = score < kHalf ? 1 : 0});
  }
  /// Adds the matches of another search.
  void merge(const MatchTable& other) {
    for (const auto& [pair, counts] : other.meetings_) {
      Meeting meeting = counts;
      meeting.first = index_of(other.points_[pair.first]);
      meeting.second = index_of(other.points_[pair.second]);
      count(meeting);
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
  void count(const Meeting& matches) {
    if (matches.first == matches.second) return;
    const Meeting ordered = matches.first < matches.second ? matches : turned(matches);
    Meeting& all = meetings_[{ordered.first, ordered.second}];
    all.first = ordered.first;
    all.second = ordered.second;
    all.won += ordered.won;
    all.drawn += ordered.drawn;
    all.lost += ordered.lost;
  }
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
