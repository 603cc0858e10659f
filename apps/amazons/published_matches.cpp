#include "apps/amazons/published_matches.h"

#include <array>
#include <cassert>
#include <cmath>

#include "ntune/core/normal.h"

namespace ntune::amazons {

namespace {

constexpr std::array<PublishedMatch, 9> kTable3 = {{{2, 4, -2.20, 6.06, 44.0},
                                                    {2, 5, -1.62, 8.95, 52.3},
                                                    {2, 6, 0.58, 11.8, 57.3},
                                                    {4, 4, -2.60, 8.49, 49.3},
                                                    {4, 5, 2.54, 12.3, 58.6},
                                                    {4, 6, 25.4, 19.7, 77.5},
                                                    {6, 4, -1.58, 10.1, 50.1},
                                                    {6, 5, 16.4, 16.9, 72.8},
                                                    {6, 6, 53.9, 25.4, 86.8}}};
constexpr std::array<PublishedMatch, 9> kTable4 = {{{2, 4, 9.77, 5.53, 82.5},
                                                    {2, 5, 22.2, 9.26, 88.2},
                                                    {2, 6, 43.2, 13.5, 91.4},
                                                    {4, 4, 19.7, 7.59, 90.0},
                                                    {4, 5, 39.7, 12.2, 94.7},
                                                    {4, 6, 61.1, 16.2, 97.7},
                                                    {6, 4, 29.9, 9.85, 93.3},
                                                    {6, 5, 50.7, 15.5, 96.7},
                                                    {6, 6, 76.6, 21.6, 98.8}}};

}  // namespace

double PublishedMatch::share_margin() const {
  return kNormal95 * std::sqrt(share * (100.0 - share) / kPublishedGames);
}

std::span<const PublishedMatch> published_matches(int table) {
  assert(table == 3 || table == 4);
  return table == 3 ? kTable3 : kTable4;
}

}  // namespace ntune::amazons
