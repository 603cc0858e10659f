// Appendices C and F of Heuser 2003, which are pictures in the thesis, and its equation 3.4.

#include "apps/slide3/reproduce_starts.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "apps/slide3/signs.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/games/slide/codes.h"

namespace ntune::slide3 {

namespace {

struct Chance {
  Randomisation kind;
  double intensity;
};

Json row_of(const std::string& panel, const SlideEvaluation& evaluation, const Autoplay& ours) {
  const Interval interval = ours.quota_interval();
  return {{"panel", panel},           {"series", evaluation.text()},
          {"games", ours.games},      {"ours", ours.winning_quota()},
          {"ours_low", interval.low}, {"ours_high", interval.high}};
}

std::string number_of(const Json& row) {
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", row["ours"].get<double>(),
                     row["ours_low"].get<double>(), row["ours_high"].get<double>());
}

}  // namespace

Reproduction reproduce_starts(Laboratory& laboratory) {
  constexpr std::int64_t kGamesFromStart = 1000;
  constexpr int kStartDtw = 24;
  constexpr std::array kChances = {
      Chance{Randomisation::kNone, 0.0},     Chance{Randomisation::kAdd, 0.1},
      Chance{Randomisation::kAdd, 0.5},      Chance{Randomisation::kAdd, 2.5},
      Chance{Randomisation::kMult, 0.1},     Chance{Randomisation::kMult, 0.3},
      Chance{Randomisation::kNormMinus, 1.0}};
  const int depth = laboratory.arguments().depth.value_or(kUsualDepth);
  std::vector<SlideEvaluation> evaluations;
  std::vector<DepthPlayer> players;
  for (const SlideFeature feature : {SlideFeature::kEu, SlideFeature::kMan}) {
    for (const Chance& chance : kChances) {
      evaluations.push_back(SlideEvaluation::of(feature, chance.kind, chance.intensity));
      players.push_back(laboratory.player(evaluations.back(), depth));
    }
  }
  const std::vector<SlidePosition<3>> starts(
      static_cast<std::size_t>(laboratory.arguments().games.value_or(kGamesFromStart)),
      SlidePosition<3>::start());
  const std::vector<Autoplay> from_start =
      laboratory.play_from(players, starts, kStartDtw, "start sample");
  const std::vector<Autoplay> others = laboratory.play(players, kStartDtw, "start distance");
  Reproduction result;
  result.title = fmt::format(
      "Appendix C of Heuser (2003): winning quotas of {} games from Start and {} from DTW {}, "
      "depth {}",
      count_text(starts.size()), count_text(laboratory.games()), kStartDtw, depth);
  TextTable table({"<evaluation", "<from Start", "<from DTW 24", "<Start against DTW 24"});
  for (std::size_t i = 0; i < players.size(); ++i) {
    if (laboratory.stopped()) return result;
    result.rows.push_back(row_of("Start", evaluations[i], from_start[i]));
    result.rows.push_back(row_of("DTW 24", evaluations[i], others[i]));
    result.evaluations += from_start[i].evaluations + others[i].evaluations;
    table.add_row({evaluations[i].text(), number_of(result.rows[2 * i]),
                   number_of(result.rows[2 * i + 1]),
                   sign_text(sign_of(from_start[i].winning_quota(), others[i].winning_quota(),
                                     from_start[i].games))});
  }
  result.table = table.text();
  return result;
}

Reproduction reproduce_rounded(Laboratory& laboratory) {
  constexpr std::array kChances = {
      Chance{Randomisation::kNone, 0.0},      Chance{Randomisation::kAdd, 0.5},
      Chance{Randomisation::kAdd, 2.5},       Chance{Randomisation::kMult, 0.1},
      Chance{Randomisation::kMult, 0.3},      Chance{Randomisation::kNormPlus, 1.0},
      Chance{Randomisation::kNormMinus, 0.2}, Chance{Randomisation::kNormMinus, 1.0},
      Chance{Randomisation::kComb, 1.0}};
  const int depth = laboratory.arguments().depth.value_or(kUsualDepth);
  const int dtw = laboratory.arguments().dtw.value_or(kUsualDtw);
  std::vector<SlideEvaluation> evaluations;
  std::vector<DepthPlayer> players;
  for (const SlideFeature feature : {SlideFeature::kPerm, SlideFeature::kL2}) {
    for (const Chance& chance : kChances) {
      if (feature == SlideFeature::kPerm && chance.kind == Randomisation::kComb) continue;
      for (const bool rounded : {false, true}) {
        evaluations.push_back(SlideEvaluation::of(feature, chance.kind, chance.intensity));
        evaluations.back().rounded = rounded;
        players.push_back(laboratory.player(evaluations.back(), depth));
      }
    }
  }
  const std::vector<Autoplay> ours = laboratory.play(players, dtw, "rounded");
  Reproduction result;
  result.title = fmt::format(
      "Appendix F of Heuser (2003): Perm and L2 rounded to whole numbers, depth {}, {} games a "
      "cell from DTW {}",
      depth, count_text(laboratory.games()), dtw);
  TextTable table({"<evaluation", "<as it is", "<rounded", "<rounded against not"});
  int higher = 0;
  int better = 0;
  int worse = 0;
  for (std::size_t i = 0; i + 1 < players.size(); i += 2) {
    for (const std::size_t at : {i, i + 1}) {
      result.rows.push_back(row_of(at == i ? "as it is" : "rounded", evaluations[at], ours[at]));
      result.evaluations += ours[at].evaluations;
    }
    const char sign = sign_of(ours[i + 1].winning_quota(), ours[i].winning_quota(), ours[i].games);
    higher += ours[i + 1].won > ours[i].won ? 1 : 0;
    better += sign == '+' ? 1 : 0;
    worse += sign == '-' ? 1 : 0;
    table.add_row({evaluations[i].text(), number_of(result.rows[i]), number_of(result.rows[i + 1]),
                   sign_text(sign)});
  }
  result.table = table.text();
  const std::size_t pairs = players.size() / 2;
  result.summary = {{"pairs", pairs}, {"higher", higher}, {"better", better}, {"worse", worse}};
  result.remarks = fmt::format(
      "Rounded is higher in {} of {} pairs, beyond the 95 % intervals in {}, below them in {}. The "
      "thesis:\nhigher in all, mostly within the intervals, beyond them for Perm with Mult "
      "alone.\n",
      higher, pairs, better, worse);
  return result;
}

Reproduction reproduce_count(Laboratory& laboratory) {
  Reproduction result;
  result.title =
      "Equation 3.4 of Heuser (2003): positions of SlideK, 4 * 2^(2 (K - 1)) * (K^2)! / 2";
  result.plays = false;
  // A distance modulo 3 tells which moves lead nearer to Win.
  constexpr double kPositionsPerByte = 4.0;
  TextTable table({"K", "positions", "bytes at 2 bits", "reached from Win", "<farthest"});
  const auto count_reached = [](const std::vector<std::uint64_t>& counts) {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counts) sum += count;
    return sum;
  };
  for (int k = 2; k <= 5; ++k) {
    double positions = 4.0 * std::pow(2.0, 2 * (k - 1)) / 2.0;
    for (int tile = 2; tile <= k * k; ++tile) positions *= tile;
    std::vector<std::uint64_t> counts;
    if (k == 2) counts = SlideDatabase<2>::build(laboratory.parallel()).counts();
    if (k == 3) counts = laboratory.database().counts();
    const bool known = !counts.empty();
    const std::uint64_t reached = count_reached(counts);
    const double bytes = positions / kPositionsPerByte;
    table.add_row({std::to_string(k), count_text(positions), count_text(bytes),
                   known ? count_text(reached) : "",
                   known ? fmt::format("{} moves", counts.size() - 1) : ""});
    result.rows.push_back({{"k", k},
                           {"positions", positions},
                           {"bytes", bytes},
                           {"reached", known ? Json(reached) : Json()},
                           {"farthest", known ? Json(counts.size() - 1) : Json()}});
  }
  result.table = table.text();
  result.remarks =
      "Two bits hold a distance modulo 3, from which a shortest way is read. For K = 4 that is "
      "670\n"
      "terabytes: no memory holds it. slide3 four levels counts the levels around Win that fit.\n";
  return result;
}

}  // namespace ntune::slide3
