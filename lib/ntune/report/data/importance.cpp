#include <algorithm>
#include <functional>

#include "ntune/report/data/search_statistics.h"
#include "ntune/study/model/value_importance.h"

namespace ntune {

namespace {

/// A sum of payoffs as a group.
Moments group_of(const PayoffSum& sum) {
  return {.count = static_cast<double>(sum.n), .mean = sum.mean(), .squares = sum.deviations()};
}

/// The share of a parameter, whose groups are get(g).
template <class Get>
double main_share(std::size_t groups, Get get) {
  GroupedPayoffs payoffs;
  for (std::size_t g = 0; g < groups; ++g) payoffs.add(group_of(get(g)));
  return payoffs.share();
}

/// The share of an interaction, whose cells are get(g, h). Main effects come from the cells of the
/// pair, so that the same evaluations count.
template <class Get>
double pair_share(std::size_t rows, std::size_t columns, Get get) {
  std::vector<PayoffSum> by_row(rows);
  std::vector<PayoffSum> by_column(columns);
  GroupedPayoffs cells;
  for (std::size_t g = 0; g < rows; ++g) {
    for (std::size_t h = 0; h < columns; ++h) {
      const PayoffSum cell = get(g, h);
      cells.add(group_of(cell));
      by_row[g].add(cell);
      by_column[h].add(cell);
    }
  }
  GroupedPayoffs row;
  GroupedPayoffs column;
  for (const PayoffSum& sum : by_row) row.add(group_of(sum));
  for (const PayoffSum& sum : by_column) column.add(group_of(sum));
  // What the cells explain beyond their rows and columns is the interaction.
  const double freedom = cells.freedom() - row.freedom() - column.freedom();
  if (freedom <= 0.0) return 0.0;
  return omega_squared(cells.between() - row.between() - column.between(), freedom, cells.within(),
                       cells.total());
}

/// Around a share, from what it is without each batch; nothing for fewer than three.
template <class Without>
std::optional<Interval> jackknife(double share, std::size_t batches, Without without) {
  if (batches < 3) return std::nullopt;
  RunningStats shares;
  for (std::size_t batch = 0; batch < batches; ++batch) shares.add(without(batch));
  // The standard error of the jackknife is that of the mean of its values, so many times.
  const double half =
      static_cast<double>(batches - 1) * (student_interval(shares).high - shares.mean());
  return Interval{std::max(0.0, share - half), std::min(1.0, share + half)};
}

/// An interaction with its interval, where batches of pairs are kept.
PairShare share_of_pair(const SearchStatistics& search, int a, int b) {
  const std::size_t rows = search.groups(a).size();
  const std::size_t columns = search.groups(b).size();
  PairShare pair{.a = a, .b = b};
  pair.share = pair_share(rows, columns,
                          [&](std::size_t g, std::size_t h) { return search.two(a, b, g, h); });
  if (!search.has_batches_of_pairs()) return pair;
  pair.interval = jackknife(pair.share, search.batches(), [&](std::size_t batch) {
    return pair_share(rows, columns, [&](std::size_t g, std::size_t h) {
      return search.two_without(batch, a, b, g, h);
    });
  });
  return pair;
}

}  // namespace

Importance importance_of(const SearchStatistics& search) {
  Importance importance;
  const auto dimensions = static_cast<std::size_t>(search.objective().space().dimensions());
  importance.mains.assign(dimensions, 0.0);
  importance.main_intervals.resize(dimensions);
  const std::vector<int>& varied = search.varied();
  for (const int i : varied) {
    const std::size_t groups = search.groups(i).size();
    const auto place = static_cast<std::size_t>(i);
    importance.mains[place] = main_share(groups, [&](std::size_t g) { return search.one(i, g); });
    importance.main_intervals[place] =
        jackknife(importance.mains[place], search.batches(), [&](std::size_t batch) {
          return main_share(groups, [&](std::size_t g) { return search.one_without(batch, i, g); });
        });
  }
  for (std::size_t b = 1; b < varied.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      importance.pairs.push_back(share_of_pair(search, varied[a], varied[b]));
    }
  }
  std::ranges::stable_sort(importance.pairs, std::greater(), &PairShare::share);
  importance.noise = search.noise_share();
  return importance;
}

}  // namespace ntune
