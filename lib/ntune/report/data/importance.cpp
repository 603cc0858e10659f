#include "ntune/report/data/importance.h"

#include <algorithm>
#include <functional>

namespace ntune {

namespace {

/// Sum of squares between the groups and what the share is computed from.
struct Between {
  double squares = 0.0;
  double freedom = 0.0;  ///< of the groups
  double count = 0.0;
  double sum = 0.0;
  double parts = 0.0;  ///< sum over groups of sum^2 / n
  double total = 0.0;

  void add(const PayoffSum& group) {
    if (group.n == 0) return;
    const auto n = static_cast<double>(group.n);
    freedom += 1.0;
    count += n;
    sum += group.sum;
    parts += group.sum * group.sum / n;
    total += group.squares;
  }
  void finish() {
    if (count == 0.0) return;
    const double middle = sum * sum / count;
    squares = parts - middle;
    total -= middle;
    freedom -= 1.0;
  }
  /// Mean square within the groups.
  [[nodiscard]] double within() const {
    const double rest = count - freedom - 1.0;
    return rest > 0.0 ? std::max(0.0, total - squares) / rest : 0.0;
  }
};

double omega_squared(double squares, double freedom, double within, double total) {
  if (total <= 0.0) return 0.0;
  return std::clamp((squares - freedom * within) / (total + within), 0.0, 1.0);
}

Between main_of(const SearchStatistics& search, int i) {
  Between between;
  for (std::size_t g = 0; g < search.groups(i).size(); ++g) between.add(search.one(i, g));
  between.finish();
  return between;
}

/// Main effects from the cells of the pair, so that the same evaluations count.
double interaction_of(const SearchStatistics& search, int a, int b) {
  const std::size_t rows = search.groups(a).size();
  const std::size_t columns = search.groups(b).size();
  std::vector<PayoffSum> by_row(rows);
  std::vector<PayoffSum> by_column(columns);
  Between cells;
  for (std::size_t g = 0; g < rows; ++g) {
    for (std::size_t h = 0; h < columns; ++h) {
      const PayoffSum& cell = search.two(a, b, g, h);
      cells.add(cell);
      for (PayoffSum* sum : {&by_row[g], &by_column[h]}) {
        sum->n += cell.n;
        sum->sum += cell.sum;
        sum->squares += cell.squares;
      }
    }
  }
  cells.finish();
  Between row;
  Between column;
  for (const PayoffSum& sum : by_row) row.add(sum);
  for (const PayoffSum& sum : by_column) column.add(sum);
  row.finish();
  column.finish();
  const double freedom = cells.freedom - row.freedom - column.freedom;
  if (freedom <= 0.0) return 0.0;
  return omega_squared(cells.squares - row.squares - column.squares, freedom, cells.within(),
                       cells.total);
}

}  // namespace

Importance importance_of(const SearchStatistics& search) {
  Importance importance;
  importance.mains.assign(static_cast<std::size_t>(search.objective().space().dimensions()), 0.0);
  const std::vector<int>& varied = search.varied();
  for (const int i : varied) {
    const Between between = main_of(search, i);
    importance.mains[static_cast<std::size_t>(i)] =
        omega_squared(between.squares, between.freedom, between.within(), between.total);
  }
  for (std::size_t b = 1; b < varied.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      importance.pairs.push_back(
          {varied[a], varied[b], interaction_of(search, varied[a], varied[b])});
    }
  }
  std::ranges::stable_sort(importance.pairs, std::greater(), &PairShare::share);
  importance.noise = search.noise_share();
  return importance;
}

}  // namespace ntune
