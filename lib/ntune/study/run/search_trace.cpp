#include "ntune/study/run/search_trace.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "ntune/core/packed_bytes.h"
#include "ntune/space/search_space.h"
#include "ntune/study/model/study.h"

namespace ntune {

namespace {

/// Numbers as bytes in columns: equal bytes stand together, which compresses better.
class ColumnWriter {
 public:
  void number(std::uint64_t value) {
    do {
      bytes_ += static_cast<char>((value & 127U) | (value > 127U ? 128U : 0U));
      value >>= 7U;
    } while (value > 0);
  }
  /// All low bytes, then the next ones.
  template <class Unsigned>
  void column(const std::vector<Unsigned>& values) {
    for (unsigned byte = 0; byte < sizeof(Unsigned); ++byte) {
      for (const Unsigned value : values) bytes_ += static_cast<char>(value >> (8U * byte) & 255U);
    }
  }
  void column(const std::vector<double>& values) {
    std::vector<std::uint64_t> bits;
    bits.reserve(values.size());
    for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
    column(bits);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// After the first number that is not there all are zero.
class ColumnReader {
 public:
  explicit ColumnReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) break;
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 127U) << shift;
      if (byte < 128) return value;
    }
    good_ = false;
    return 0;
  }
  /// A count of things that have a byte each at least.
  std::size_t count() {
    const std::uint64_t value = number();
    if (value <= rest_.size()) return value;
    good_ = false;
    return 0;
  }
  template <class Unsigned>
  std::vector<Unsigned> column(std::size_t size) {
    std::vector<Unsigned> values;
    good_ = good_ && size <= rest_.size() / sizeof(Unsigned);
    if (!good_) return values;
    values.resize(size);
    for (unsigned byte = 0; byte < sizeof(Unsigned); ++byte) {
      for (std::size_t i = 0; i < size; ++i) {
        const auto read = static_cast<unsigned char>(rest_[byte * size + i]);
        values[i] =
            static_cast<Unsigned>(values[i] | static_cast<Unsigned>(Unsigned{read} << (8U * byte)));
      }
    }
    rest_.remove_prefix(size * sizeof(Unsigned));
    return values;
  }
  std::vector<double> doubles(std::size_t size) {
    std::vector<double> values;
    for (const std::uint64_t bits : column<std::uint64_t>(size)) {
      values.push_back(std::bit_cast<double>(bits));
      good_ = good_ && std::isfinite(values.back());
    }
    return values;
  }
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

constexpr std::uint64_t kFormat = 1;

/// One column for each parameter.
std::vector<std::uint16_t> by_parameter(const std::vector<std::uint16_t>& indices,
                                        std::size_t dimensions) {
  std::vector<std::uint16_t> columns;
  columns.reserve(indices.size());
  for (std::size_t d = 0; d < dimensions; ++d) {
    for (std::size_t i = d; i < indices.size(); i += dimensions) columns.push_back(indices[i]);
  }
  return columns;
}

std::vector<std::uint16_t> by_point(const std::vector<std::uint16_t>& columns,
                                    std::size_t dimensions) {
  std::vector<std::uint16_t> indices(columns.size());
  const std::size_t points = dimensions == 0 ? 0 : columns.size() / dimensions;
  for (std::size_t d = 0; d < dimensions; ++d) {
    for (std::size_t i = 0; i < points; ++i) indices[i * dimensions + d] = columns[d * points + i];
  }
  return indices;
}

/// Whether all points are of the space, without a look at its constraints.
bool are_points_of(const std::vector<std::uint16_t>& indices, const SearchSpace& space) {
  const auto dimensions = static_cast<std::size_t>(space.dimensions());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] >= space[static_cast<int>(i % dimensions)].values.size()) return false;
  }
  return true;
}

}  // namespace

void SearchTrace::add(const Point& point, End end, std::span<const double> payoffs) {
  indices_.insert(indices_.end(), point.indices().begin(), point.indices().end());
  ends_.push_back(static_cast<std::uint8_t>(end));
  counts_.push_back(static_cast<std::uint32_t>(payoffs.size()));
  payoffs_.insert(payoffs_.end(), payoffs.begin(), payoffs.end());
}

std::string SearchTrace::packed() const {
  ColumnWriter writer;
  writer.number(kFormat);
  writer.number(dimensions_);
  writer.number(ends_.size());
  writer.number(payoffs_.size());
  writer.number(checkpoints_.size());
  writer.column(ends_);
  writer.column(counts_);
  writer.column(by_parameter(indices_, dimensions_));
  writer.column(payoffs_);
  std::vector<std::uint16_t> points;
  std::vector<double> estimates;
  for (const Checkpoint& checkpoint : checkpoints_) {
    writer.number(static_cast<std::uint64_t>(checkpoint.evaluations));
    const auto indices = checkpoint.point.indices();
    points.insert(points.end(), indices.begin(), indices.end());
    estimates.push_back(checkpoint.estimate);
  }
  writer.column(by_parameter(points, dimensions_));
  writer.column(estimates);
  return pack_bytes(writer.bytes());
}

std::optional<SearchTrace> SearchTrace::unpacked(std::string_view text, const SearchSpace& space) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 30;
  const std::optional<std::string> bytes = unpack_bytes(text, kMostBytes);
  if (!bytes) return std::nullopt;
  ColumnReader reader(*bytes);
  const auto dimensions = static_cast<std::size_t>(space.dimensions());
  if (reader.number() != kFormat || reader.number() != dimensions) return std::nullopt;
  SearchTrace trace(space.dimensions());
  const std::size_t evaluations = reader.count();
  const std::size_t payoffs = reader.count();
  const std::size_t checkpoints = reader.count();
  trace.ends_ = reader.column<std::uint8_t>(evaluations);
  trace.counts_ = reader.column<std::uint32_t>(evaluations);
  trace.indices_ = by_point(reader.column<std::uint16_t>(evaluations * dimensions), dimensions);
  trace.payoffs_ = reader.doubles(payoffs);
  std::vector<std::int64_t> places;
  for (std::size_t i = 0; i < checkpoints; ++i) {
    places.push_back(static_cast<std::int64_t>(reader.number()));
  }
  const std::vector<std::uint16_t> points =
      by_point(reader.column<std::uint16_t>(checkpoints * dimensions), dimensions);
  const std::vector<double> estimates = reader.doubles(checkpoints);
  std::size_t counted = 0;
  for (const std::uint32_t count : trace.counts_) counted += count;
  const bool known_ends = std::ranges::all_of(
      trace.ends_, [](std::uint8_t end) { return end <= static_cast<std::uint8_t>(End::kCapped); });
  if (!reader.good() || !reader.at_end() || counted != payoffs || !known_ends ||
      !are_points_of(trace.indices_, space) || !are_points_of(points, space)) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < checkpoints; ++i) {
    trace.add(Checkpoint{places[i], estimates[i], trace.point_at(points, i)});
  }
  return trace;
}

std::vector<std::int64_t> trace_checkpoints(std::int64_t iterations) {
  std::vector<std::int64_t> list;
  constexpr int kSteps = 25;
  for (const int early : {200, 100, 50}) {
    list.push_back(std::max<std::int64_t>(1, iterations / early));
  }
  for (int i = 1; i <= kSteps; ++i) {
    list.push_back(std::max<std::int64_t>(1, iterations * i / kSteps));
  }
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

bool keeps_trace(const Study& study, std::size_t cell, std::int64_t repeat, std::int64_t run) {
  constexpr double kMostTraced = 1e6;              // evaluations
  constexpr std::int64_t kLongestRun = 4'000'000;  // what one run may hold in memory
  const RunPlan& plan = study.plans[study.plan_of(cell)];
  if (study.execution.record != Recording::kRuns || plan.iterations > kLongestRun) return false;
  double all = 0.0;
  for (std::size_t i = 0; i < study.cells(); ++i) {
    const RunPlan& one = study.plans[study.plan_of(i)];
    all += static_cast<double>(study.repeats) * static_cast<double>(one.search());
  }
  const double share = std::min(1.0, kMostTraced / std::max(1.0, all));
  const double kept = std::ceil(share * static_cast<double>(study.repeats * plan.runs));
  return static_cast<double>(repeat * plan.runs + run) < kept;
}

}  // namespace ntune
