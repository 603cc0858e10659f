// Tables A1 to A3 of Althöfer and Heuser 2005, with the signs of their Tables 1 to 3.

#include <cmath>

#include <fmt/format.h>

#include "apps/slide3/reproduce.h"
#include "ntune/core/text.h"

namespace ntune::slide3 {

namespace {

/// The paper's own bound of the difference between two samples: 3 points for each (Heuser 2003,
/// Section 5.2.2).
constexpr double kBound = 0.06;
constexpr double kUnknownIntensity = 1.0;

SlideEvaluation evaluation_of(const PublishedQuota& cell) {
  return SlideEvaluation::of(cell.feature, cell.randomisation,
                             cell.intensity < 0.0 ? kUnknownIntensity : cell.intensity);
}

std::string interval_of(const PublishedQuota& cell) {
  const SlideEvaluation evaluation = evaluation_of(cell);
  if (cell.randomisation == Randomisation::kNone) return "";
  return fmt::format("[{}, {}]{}", number_text(evaluation.low()), number_text(evaluation.high()),
                     cell.intensity < 0.0 ? " *" : "");
}

/// A published cell and ours.
struct Cell {
  const PublishedQuota* published = nullptr;
  Autoplay ours;
  char sign = ' ';

  [[nodiscard]] bool is_plain() const { return published->randomisation == Randomisation::kNone; }
  [[nodiscard]] double difference() const { return ours.winning_quota() - published->quota; }
  [[nodiscard]] bool is_within() const { return std::abs(difference()) <= kBound; }
  [[nodiscard]] bool agrees() const { return sign == published->sign; }
};

/// What the cells say as a whole.
struct Summary {
  int cells = 0;
  int within = 0;
  int plain = 0;
  int plain_within = 0;
  int signs = 0;
  int agreeing = 0;
  int published_agreeing = 0;  ///< of the published quotas, by the same criterion
  // Root mean square differences. The thesis made the first again with its repaired programs.
  double add_norm_minus = 0.0;
  double mult_comb = 0.0;
};

/// Root mean square difference of the cells of two randomisations.
double difference_of(const std::vector<Cell>& cells, Randomisation one, Randomisation other) {
  RunningStats squares;
  for (const Cell& cell : cells) {
    const Randomisation randomisation = cell.published->randomisation;
    if (randomisation != one && randomisation != other) continue;
    squares.add(cell.difference() * cell.difference());
  }
  return std::sqrt(squares.mean());
}

std::vector<Cell> cells_of(Laboratory& laboratory) {
  std::vector<DepthPlayer> players;
  for (const PublishedQuota& cell : published_quotas()) {
    players.push_back(laboratory.player(evaluation_of(cell), cell.depth));
  }
  const std::vector<Autoplay> ours = laboratory.play(players, kUsualDtw, "quotas");
  std::vector<Cell> cells;
  double plain = 0.0;  // of the same depth and evaluation: it is the first of its row
  for (std::size_t i = 0; i < ours.size(); ++i) {
    Cell& cell = cells.emplace_back(Cell{&published_quotas()[i], ours[i]});
    const double quota = cell.ours.winning_quota();
    if (cell.is_plain()) {
      plain = quota;
    } else {
      cell.sign = sign_of(quota, plain, cell.ours.games);
    }
  }
  return cells;
}

int published_agreement() {
  int agreeing = 0;
  double plain = 0.0;
  for (const PublishedQuota& cell : published_quotas()) {
    if (cell.randomisation == Randomisation::kNone) {
      plain = cell.quota;
    } else {
      agreeing += sign_of(cell.quota, plain, kUsualCount) == cell.sign ? 1 : 0;
    }
  }
  return agreeing;
}

Summary summarise(const std::vector<Cell>& cells) {
  Summary summary = {
      .published_agreeing = published_agreement(),
      .add_norm_minus = difference_of(cells, Randomisation::kAdd, Randomisation::kNormMinus),
      .mult_comb = difference_of(cells, Randomisation::kMult, Randomisation::kComb)};
  for (const Cell& cell : cells) {
    ++summary.cells;
    summary.within += cell.is_within() ? 1 : 0;
    if (cell.is_plain()) {
      ++summary.plain;
      summary.plain_within += cell.is_within() ? 1 : 0;
    } else {
      ++summary.signs;
      summary.agreeing += cell.agrees() ? 1 : 0;
    }
  }
  return summary;
}

/// A cell as a row; the first one of an evaluation has a line above it.
void add_row(cli::ResultTable& table, const Cell& cell) {
  const PublishedQuota& published = *cell.published;
  const SlideEvaluation evaluation = evaluation_of(published);
  const bool plain = cell.is_plain();
  const auto chance = [&](const auto& value) { return plain ? Json() : Json(value); };
  if (plain && !table.rows().empty()) table.rule();
  table.row()
      .both("depth", "depth", published.depth)
      .both("evaluation", "<evaluation", slide_feature_name(published.feature))
      .both("randomisation", "<randomisation", randomisation_title(published.randomisation))
      .data("low", chance(evaluation.low()))
      .data("high", chance(evaluation.high()))
      .data("interval_published", chance(published.intensity >= 0.0))
      .text("<interval", interval_of(published))
      .both("published", "published", published.quota, "{:.3f}")
      .both("ours", "ours", cell.ours.winning_quota(), "{:.3f}")
      .ends("ours", cell.ours.quota_interval())
      .both("difference", "difference", cell.difference(), "{:+.3f}")
      .data("within", cell.is_within())
      .text("<", cell.is_within() ? "" : "!")
      .data("published_sign", chance(sign_text(published.sign)))
      .text("<published", plain ? "" : sign_text(published.sign))
      .data("our_sign", chance(sign_text(cell.sign)))
      .text("<ours", plain ? "" : sign_text(cell.sign))
      .data("signs_agree", chance(cell.agrees()))
      .text("<", plain || cell.agrees() ? "" : "differs");
}

}  // namespace

Reproduction reproduce_quotas(Laboratory& laboratory) {
  const std::vector<Cell> cells = cells_of(laboratory);
  const Summary summary = summarise(cells);
  Reproduction result;
  result.title = fmt::format(" of {} games from DTW {}", count_text(laboratory.games()), kUsualDtw);
  // The cells, and what they say as a whole.
  for (const Cell& cell : cells) add_row(result.table, cell);
  result.summary = {{"cells", summary.cells},
                    {"cells_within_0.06", summary.within},
                    {"deterministic_cells", summary.plain},
                    {"deterministic_cells_within_0.06", summary.plain_within},
                    {"rms_difference_add_norm_minus", summary.add_norm_minus},
                    {"rms_difference_mult_comb", summary.mult_comb},
                    {"signs", summary.signs},
                    {"signs_in_agreement", summary.agreeing},
                    {"published_quotas_signs_in_agreement", summary.published_agreeing}};
  result.remarks = fmt::format(
      "Within 0.06 of the published quota: {} of {} deterministic cells, {} of all {}; ! marks "
      "the others.\n"
      "Root mean square difference: {:.3f} of the Add and Norm- cells, which the thesis made again "
      "with its\nrepaired programs, {:.3f} of the Mult and Comb cells.\n"
      "Signs in agreement with Tables 1 to 3: {} of {}. A sign is + or - where the normal 95 % "
      "intervals\nof the cell and its deterministic one do not overlap; by this criterion the "
      "published quotas\nthemselves give {} of {}.\n"
      "Published quotas of randomised evaluations are the best of several intervals, each chosen "
      "by its\nresult; ours are of the one interval named, so that small shortfalls are "
      "expected.\n"
      "* the published quota is 0 and no interval is given: ours is [0, {}].\n",
      summary.plain_within, summary.plain, summary.within, summary.cells, summary.add_norm_minus,
      summary.mult_comb, summary.agreeing, summary.signs, summary.published_agreeing, summary.signs,
      number_text(kUnknownIntensity));
  return result;
}

}  // namespace ntune::slide3
