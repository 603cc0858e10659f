#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "apps/slide3/reproduce.h"
#include "ntune/core/normal.h"
#include "ntune/core/statistics.h"

namespace ntune::slide3 {

namespace {

// Quotas and intensities: Althöfer and Heuser 2005, Tables A1 to A3 (Heuser 2003, Appendix B);
// signs: their Tables 1 to 3. Lines by depth, 4 to 6, and feature; in each the intensity, quota and
// sign of Det to Comb. Det has no sign; x: there is no such cell.
constexpr const char* kQuotas = R"(
0     0.355 .  0.1   0.421 +  0.1   0.452 +  0.5   0.001 -  1     0.380 =  2     0.343 =
0     0.169 .  2.5   0.254 +  0.3   0.245 +  1     0.001 -  1     0.271 +  2     0.238 +
0     0.046 .  5     0.099 +  0.3   0.110 +  -1    0 -  1     0.117 +  2     0.109 +
0     0.045 .  5     0.052 =  0.3   0.040 =  -1    0 -  0.2   0.045 =  0 0 x
0     0.050 .  0.5   0.065 =  0.5   0.047 =  -1    0 -  0.5   0.054 =  1     0.051 =
0     0.003 .  2.5   0.016 +  0.5   0.007 =  1     0.001 -  0.5   0.017 +  0.5   0.010 =
0     0.463 .  0.005 0.638 +  0.1   0.645 +  1     0.001 -  2     0.568 +  0.5   0.531 +
0     0.271 .  2.5   0.460 +  0.2   0.443 +  -1    0 -  1     0.481 +  0.5   0.431 +
0     0.086 .  0.5   0.181 +  2.5   0.137 +  -1    0 -  0.3   0.219 +  2     0.200 +
0     0.064 .  1     0.107 +  0.1   0.078 =  -1    0 -  0.2   0.104 +  0 0 x
0     0.063 .  0.5   0.132 +  0.2   0.074 =  2     0.001 -  1     0.138 +  0.5   0.083 =
0     0.007 .  5     0.038 +  0.2   0.013 =  0.5   0.001 -  0.2   0.041 +  1.5   0.022 +
0     0.592 .  0.5   0.799 +  0.1   0.818 +  -1    0 -  2     0.737 +  2     0.682 +
0     0.353 .  2.5   0.666 +  0.2   0.623 +  -1    0 -  2     0.684 +  1.5   0.632 +
0     0.148 .  5     0.326 +  0.5   0.301 +  0.5   0.001 -  0.3   0.400 +  3     0.344 +
0     0.139 .  1     0.192 +  0.5   0.178 =  0.5   0.001 -  2     0.203 +  0 0 x
0     0.134 .  1     0.220 +  0.5   0.197 +  -1    0 -  2     0.228 +  1     0.193 +
0     0.009 .  2.5   0.092 +  0.5   0.022 =  0.5   0.001 -  0.5   0.088 +  1     0.037 +
)";

// Heuser 2003, Tables 4.2 and 4.3.
constexpr double kValues[6][kSlideFeatures] = {
    {53, 23, 22, 116, 33, 211}, {48, 22, 25, 111, 31, 115}, {48, 22, 28, 106, 30, 118},
    {44, 22, 24, 102, 28, 94},  {41, 21, 27, 94, 27, 80},   {39, 21, 26, 86, 24, 67},
};
constexpr double kTies[6][kSlideFeatures] = {
    {23.6, 49.3, 23.1, 27.0, 38.7, 1.7},  {46.8, 64.9, 41.1, 24.2, 43.8, 34.1},
    {49.9, 68.0, 43.1, 26.8, 47.0, 30.2}, {52.1, 69.1, 48.2, 29.8, 50.2, 36.8},
    {56.2, 71.3, 49.7, 33.7, 52.3, 41.3}, {55.9, 72.5, 51.2, 34.4, 52.5, 44.2},
};

// Heuser 2003, Table 6.3 (the pattern and its sign) and Tables 6.2, 7.1, 6.4 and 6.1 (signs), by
// feature and randomisation, Add to Comb; ?: not tried.
constexpr const char* kEffects[kSlideFeatures][5] = {
    {"1 ++++", "1 ++++", "4 ---?", "5==+++", "5===+ "},
    {"1 ++++", "1 ++++", "4 ---?", "5+++++", "5+++++"},
    {"2 +++ ", "2 ++- ", "4 ---?", "5+++- ", "5+++- "},
    {"3 =+++", "3 ==++", "4 --+?", "3 =+++"},
    {"3 =+++", "3 ==++", "4 ---?", "3 =+++", "3 ==++"},
    {"5==++ ", "5===- ", "4 ---?", "5==+-+", "5===-+"}};

// Heuser 2003, Table E.1.
constexpr PublishedTileTab kTileTab[] = {
    {24, 4, 0.063, 0.075}, {24, 5, 0.071, 0.187}, {24, 6, 0.114, 0.347},
    {14, 4, 0.169, 0.232}, {14, 5, 0.271, 0.406}, {14, 6, 0.353, 0.579},
};

}  // namespace

std::span<const PublishedQuota> published_quotas() {
  static const std::vector<PublishedQuota> kAll = [] {
    std::vector<PublishedQuota> all;
    std::istringstream numbers(kQuotas);
    for (int depth = 4; depth <= 6; ++depth) {
      for (const SlideFeature feature : kFeatures) {
        for (int kind = 0; kind < 6; ++kind) {
          PublishedQuota cell{depth, feature, static_cast<Randomisation>(kind), 0.0, 0.0, ' '};
          numbers >> cell.intensity >> cell.quota >> cell.sign;
          if (cell.sign == '.') cell.sign = ' ';
          if (cell.sign != 'x') all.push_back(cell);
        }
      }
    }
    return all;
  }();
  return kAll;
}

double published_values(SlideFeature feature, int depth) {
  return kValues[depth][static_cast<int>(feature)];
}

double published_ties(SlideFeature feature, int depth) {
  return kTies[depth - 1][static_cast<int>(feature)];
}

std::span<const PublishedEffect> published_effects() {
  static const std::vector<PublishedEffect> kAll = [] {
    std::vector<PublishedEffect> all;
    for (const SlideFeature feature : kFeatures) {
      int kind = 0;
      for (const char* const signs : kEffects[static_cast<int>(feature)]) {
        const auto randomisation = static_cast<Randomisation>(++kind);
        if (signs == nullptr) continue;
        all.push_back({feature, randomisation, signs[0] - '0', signs[1], signs[2], signs[3],
                       signs[4], signs[5] == '?' ? '\0' : signs[5]});
      }
    }
    return all;
  }();
  return kAll;
}

std::span<const PublishedTileTab> published_tile_tab() { return kTileTab; }

const std::vector<PublishedRank>& published_ranking() {
  // Heuser 2003, Sections 6.1.1 and 6.2.1.
  static const std::vector<PublishedRank> kRanking = {
      {SlideEvaluation::of(SlideFeature::kEu), 0.693, 0.360},
      {SlideEvaluation::of(SlideFeature::kPerm), 0.651, 0.045},
      {SlideEvaluation::of(SlideFeature::kInv), 0.633, 0.047},
      {SlideEvaluation::of(SlideFeature::kMan), 0.624, 0.174},
      {SlideEvaluation::of(SlideFeature::kNb), 0.618, 0.050},
      {SlideEvaluation::of(SlideFeature::kL2), 0.562, 0.003},
      {{.randomisation = Randomisation::kRandom}, 0.503, 0.001},
      {{}, 0.500, -1},
  };
  return kRanking;
}

namespace {

Interval normal_interval(double quota, double n) {
  const double half = kNormal95 * std::sqrt(quota * (1.0 - quota) / n);
  return {quota - half, quota + half};
}

}  // namespace

char sign_of(double quota, double plain, std::int64_t games) {
  const Interval a = normal_interval(quota, static_cast<double>(games));
  const Interval b = normal_interval(plain, static_cast<double>(games));
  return a.low > b.high ? '+' : a.high < b.low ? '-' : '=';
}

std::string sign_text(char sign) { return sign == '=' ? "≈" : std::string(1, sign); }

Pattern pattern_of(double plain, std::span<const double> quotas, std::int64_t games) {
  const auto against_plain = [&](double quota) { return sign_of(quota, plain, games); };
  const auto peak = std::ranges::max_element(quotas);
  const bool rises = against_plain(*peak) == '+';
  const bool falls_again = std::any_of(
      peak, quotas.end(), [&](double quota) { return sign_of(quota, *peak, games) == '-'; });
  const bool all_below =
      std::ranges::all_of(quotas, [&](double quota) { return against_plain(quota) == '-'; });
  const bool any_below =
      std::ranges::any_of(quotas, [&](double quota) { return against_plain(quota) == '-'; });
  Pattern pattern{.sign = rises ? '+' : any_below ? '-' : '='};
  if (all_below) {
    pattern.number = 4;
  } else if (rises && falls_again) {
    pattern.number = against_plain(quotas.front()) == '+' ? 1 : 2;
  } else if (!rises && against_plain(quotas.back()) == '-') {
    pattern.number = 3;
  }
  return pattern;
}

std::string pattern_text(const Pattern& pattern) {
  const std::string number = std::to_string(pattern.number);
  return pattern.number == 5 ? number + ' ' + sign_text(pattern.sign) : number;
}

const char* randomisation_title(Randomisation randomisation) {
  constexpr std::array kTitles = {"Det", "Add", "Mult", "Norm+", "Norm-", "Comb"};
  return kTitles[static_cast<std::size_t>(randomisation)];
}

}  // namespace ntune::slide3
