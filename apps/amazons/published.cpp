#include "apps/amazons/published.h"

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

}  // namespace ntune::amazons
