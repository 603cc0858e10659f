#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "ntune/core/hash.h"
#include "ntune/optim/models/count_table.h"
#include "ntune/optim/models/landscape_model.h"
#include "ntune/optim/models/sampled_points.h"

namespace ntune {

/// The N-tuple model for any set of tuples, with or without weighting. A tuple's cells lie in one
/// flat array where it has at most 65,536 of them and all tuples together at most 4 million (96
/// MB). Otherwise a hash map holds only the cells with data. A neighbour costs a look-up for every
/// tuple that contains a changed parameter.
///
/// With weighting, the level below a tuple are its largest held subsets: those that lie in no other
/// held subset of it. For complete sizes that is the next smaller size held, as eq. 6 has it; a
/// tuple without held subsets is at the lowest level. The d-tuple and a tuple of size d are at one
/// level.
class NTupleModel {
 public:
  NTupleModel(const SearchSpace& space, const ModelOptions& options, std::int64_t budget);

  void add(const Point& point, double payoff);
  void amend(const Point& point, double before, double now);
  void add_pending(const Point& point) { mark(point, 1); }
  void remove_pending(const Point& point) { mark(point, -1); }
  [[nodiscard]] Score score(const Point& point) const;
  void focus(const Point& point);
  [[nodiscard]] Score score_neighbour(Changes changes);
  [[nodiscard]] auto neighbours() {
    return [this](Changes changes) { return score_neighbour(changes); };
  }
  [[nodiscard]] const SampledPoints& points() const { return points_; }
  /// Tuples held, the d-tuple included.
  [[nodiscard]] std::size_t tuples() const { return tuples_.size(); }

 private:
  struct Tuple {
    ParameterSet parameters;
    int level = 0;                 ///< number of parameters
    bool whole = false;            ///< it is the d-tuple, whose cells are the sampled points
    std::int64_t first_cell = -1;  ///< first in cells_; -1: its cells are in sparse_
    std::vector<std::pair<std::uint16_t, std::uint64_t>> strides;  ///< per parameter
    std::vector<std::uint32_t> below;
  };
  /// A tuple's part in a score: its mean or V, its exploration term, whether it has data.
  struct Part {
    double value = 0.0;
    double exploration = 0.0;
    double seen = 0.0;
  };

  void hold(const std::vector<int>& parameters, const SearchSpace& space);
  void hold_subsets(int size, const SearchSpace& space, const std::vector<int>& free);
  void link_levels();
  [[nodiscard]] std::vector<std::uint32_t> maximal_subsets(const Tuple& tuple,
                                                           std::uint32_t lower) const;
  void mark(const Point& point, int change);
  template <class Action>
  void update_cells(const Point& point, const Action& action);
  [[nodiscard]] const Cell& cell_of(std::uint32_t index, const Point& point) const;
  /// `kMarked` as in CountTable::row_of.
  template <bool kMarked>
  [[nodiscard]] Part part_of(std::uint32_t index, const Point& point,
                             std::span<const Part> parts) const;
  [[nodiscard]] Score finish(const Part& sum, double top) const;
  [[nodiscard]] double top_value(std::span<const Part> parts) const;
  void sum_parts(const Point& point, std::vector<Part>& parts, Part& sum) const;
  template <bool kMarked>
  [[nodiscard]] Score score_changes(Changes changes);

  /// What a tuple without payoffs is worth.
  [[nodiscard]] double unseen() const { return unseen_is_zero_ ? 0.0 : points_.mean(); }

  bool weighted_;
  bool unseen_is_zero_;
  CountTable counts_;
  SampledPoints points_;
  std::vector<Tuple> tuples_;                           ///< by ascending level
  std::vector<std::vector<std::uint32_t>> containing_;  ///< tuples that hold a parameter
  std::vector<std::uint32_t> top_;  ///< tuples that are below no other: what eq. 6 averages
  std::vector<Cell> cells_;
  struct SparseKey {
    std::uint64_t tuple;
    std::uint64_t setting;
    bool operator==(const SparseKey&) const = default;
  };
  struct SparseHash {
    std::size_t operator()(const SparseKey& key) const {
      return static_cast<std::size_t>((key.setting + key.tuple * kGolden64) *
                                      0xbf58476d1ce4e5b9ULL);
    }
  };
  std::unordered_map<SparseKey, Cell, SparseHash> sparse_;
  std::int64_t total_ = 0;
  std::int64_t pending_ = 0;  ///< evaluations in flight

  Point focus_;
  bool focus_valid_ = false;
  std::vector<Part> focus_parts_;
  Part focus_sum_;
  std::vector<Part> parts_;  ///< parts of a neighbour, where they differ from the focus
};

}  // namespace ntune
