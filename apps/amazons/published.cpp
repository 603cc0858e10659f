#include <array>
#include <cassert>
#include <cmath>

#include "apps/amazons/reproduce.h"
#include "ntune/core/normal.h"

namespace ntune::amazons {

std::span<const PublishedCoverage> published_table_1() {
  static constexpr std::array<PublishedCoverage, 13> kRows = {
      {{"TDS", "auto", {69, 73, 73, 74, 76, 76}},
       {"1", "auto", {78, 88, 100, 107, 116, 116}},
       {"2", "auto", {69, 73, 73, 75, 76, 76}},
       {"3", "auto", {73, 76, 85, 95, 117, 117}},
       {"134", "auto", {81, 108, 129, 135, 137, 141}},
       {"35", "auto", {73, 76, 86, 96, 117, 117}},
       {"13", "auto", {99, 117, 130, 131, 136, 141}},
       {"235", "auto", {73, 77, 91, 102, 117, 117}},
       {"1345", "auto", {82, 109, 129, 135, 137, 141}},
       {"12", "auto", {78, 89, 100, 108, 116, 116}},
       {"1235", "auto", {96, 118, 130, 135, 150, 157}},
       {"1234", "auto", {83, 111, 133, 136, 153, 157}},
       {"TDS+", "auto", {82, 111, 133, 136, 153, 159}}}};
  return kRows;
}

std::span<const PublishedCoverage> published_table_2() {
  static constexpr std::array<PublishedCoverage, 6> kRows = {
      {{"TDS", "1", {85, 165, 188, 214, 246, 0}},
       {"TDS+", "1", {178, 195, 240, 261, 305, 0}},
       {"TDS", "1/2", {84, 143, 165, 180, 197, 0}},
       {"TDS+", "1/2", {156, 171, 190, 232, 257, 0}},
       {"TDS", "1/4", {79, 95, 131, 156, 170, 0}},
       {"TDS+", "1/4", {116, 155, 175, 195, 239, 0}}}};
  return kRows;
}

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
