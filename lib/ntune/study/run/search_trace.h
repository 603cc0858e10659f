#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/space/point.h"

namespace ntune {

class SearchSpace;
struct Study;

/// What the search of a run evaluated, in order, and what it would have recommended on the way.
class SearchTrace {
 public:
  enum class End : std::uint8_t { kPayoffs, kFailed, kCapped };
  /// One evaluation. Payoffs as the optimiser was told them; of one that was ended when it had
  /// lost, a bound above.
  struct Evaluation {
    Point point = {};
    End end = End::kPayoffs;
    std::vector<double> payoffs = {};
  };
  /// What the run recommends after so many evaluations, in the reported unit.
  struct Checkpoint {
    std::int64_t evaluations = 0;
    double estimate = 0.0;
    Point point = {};
  };

  /// Of points with so many parameters.
  explicit SearchTrace(int dimensions) : dimensions_(static_cast<std::size_t>(dimensions)) {}

  void add(const Point& point, End end, std::span<const double> payoffs);
  void add(const Checkpoint& checkpoint) { checkpoints_.push_back(checkpoint); }

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] const std::vector<Checkpoint>& checkpoints() const { return checkpoints_; }
  /// Calls visit(evaluation) in order.
  template <class Visit>
  void visit(Visit&& visit) const {
    std::size_t next = 0;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      const auto first = payoffs_.begin() + static_cast<std::ptrdiff_t>(next);
      next += counts_[i];
      visit(Evaluation{.point = point_at(indices_, i),
                       .end = static_cast<End>(ends_[i]),
                       .payoffs = {first, payoffs_.begin() + static_cast<std::ptrdiff_t>(next)}});
    }
  }

  /// Compressed text: three to five bytes an evaluation of wins and losses, thirteen of real ones.
  [[nodiscard]] std::string packed() const;
  /// Nothing for a text that is not the trace of a search of this space.
  static std::optional<SearchTrace> unpacked(std::string_view text, const SearchSpace& space);

 private:
  [[nodiscard]] Point point_at(const std::vector<std::uint16_t>& indices, std::size_t i) const {
    return Point(std::span(indices).subspan(i * dimensions_, dimensions_));
  }

  std::size_t dimensions_;
  std::vector<std::uint16_t> indices_;  ///< of all points, one after the other
  std::vector<std::uint8_t> ends_;
  std::vector<std::uint32_t> counts_;  ///< of payoffs
  std::vector<double> payoffs_;
  std::vector<Checkpoint> checkpoints_;
};

/// Numbers of evaluations, rising, at which a trace has a checkpoint: the last is `iterations`.
std::vector<std::int64_t> trace_checkpoints(std::int64_t iterations);

/// Whether a study that records its runs keeps the trace of this one. All are kept that together
/// make about a million evaluations, else the same share of the runs of every cell, the first ones.
bool keeps_trace(const Study& study, std::size_t cell, std::int64_t repeat, std::int64_t run);

}  // namespace ntune
