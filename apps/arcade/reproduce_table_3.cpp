// Goodman and Lucas 2020, Table 3: ways to spend 20,000 games on the large spaces.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/arcade/reproduce.h"
#include "ntune/core/text.h"

namespace ntune::arcade {

namespace {

std::int64_t scaled(std::int64_t number, double scale, std::int64_t least) {
  if (number == 0) return 0;
  return std::max<std::int64_t>(least, std::llround(static_cast<double>(number) * scale));
}

/// What the runs of a cell recommend, in payoffs: +1 and -1 in Planet Wars, as in the table.
struct Cell {
  RunningStats recommended;    ///< of each run, by the re-evaluation
  RunningStats best;           ///< the best of each repeat's, likewise
  std::vector<double> picked;  ///< the same points by the hold-out alone
  Interval interval;           ///< of the mean of `picked`: over the repeats, or of a single one
};

/// The interval of a pick, which is given as a probability in Planet Wars.
Interval pick_interval(const Pick& pick, Game game) {
  const Interval given = pick.hold_out.interval.value_or(Interval());
  if (game == Game::kAsteroids) return given;
  return {2.0 * given.low - 1.0, 2.0 * given.high - 1.0};
}

/// Of the run that a repeat consists of, or of each of its runs by the re-evaluation.
RunningStats recommended_in(const CellResult& result, const Pick& pick) {
  RunningStats stats;
  for (const RunRecord& run : result.runs) {
    if (run.repeat != pick.repeat) continue;
    const auto candidate =
        std::ranges::find(pick.comparison.candidates, run.point, &Candidate::point);
    const bool compared =
        candidate != pick.comparison.candidates.end() && candidate->payoffs.count() > 0;
    if (compared) stats.add(candidate->payoffs.mean());
    if (!compared && run.point == pick.point) stats.add(pick.hold_out.payoffs.mean());
  }
  return stats;
}

Cell cell_of(const CellResult& result, Game game) {
  Cell cell;
  for (const Pick& pick : result.picks) {
    const RunningStats recommended = recommended_in(result, pick);
    cell.recommended.merge(recommended);
    cell.best.add(recommended.max());
    cell.picked.push_back(pick.hold_out.payoffs.mean());
  }
  cell.interval = result.picks.size() > 1 ? student_interval(stats_of(cell.picked))
                                          : pick_interval(result.picks.front(), game);
  return cell;
}

/// A cell of the published table: recommendations of several runs.
struct PublishedCell {
  double mean;
  double best;
  std::int64_t iterations = 0;
};

constexpr std::array<std::string_view, 5> kColumns = {"vanilla", "linear", "inverse",
                                                      "inverse_root", "exponential"};
constexpr std::array<std::pair<std::int64_t, std::int64_t>, 4> kRows = {
    {{20, 1000}, {7, 3000}, {2, 10000}, {1, 20000}}};  // runs, games of each

/// By game.
constexpr PublishedCell kPublished[2][kRows.size()][kColumns.size()] = {
    {{{0.707, 0.772}, {0.679, 0.752}, {0.694, 0.788}, {0.712, 0.762}, {0.681, 0.774}},
     {{0.709, 0.762}, {0.718, 0.762}, {0.708, 0.762}, {0.714, 0.760}, {0.735, 0.774}},
     {{0.717, 0.756}, {0.736, 0.748}, {0.747, 0.756}, {0.740, 0.756}, {0.748, 0.770}},
     {{0.708, 0.708}, {0.640, 0.640}, {0.674, 0.674}, {0.732, 0.732}, {0.632, 0.632}}},
    {{{9701, 9815}, {9655, 9776}, {9706, 9803}, {9702, 9811}, {9620, 9819}},
     {{9707, 9804}, {9764, 9804}, {9778, 9835}, {9736, 9817}, {9758, 9818}},
     {{9705, 9705}, {9612, 9709}, {9801, 9804}, {9814, 9817}, {9762, 9779}},
     {{9735, 9735}, {9783, 9783}, {9783, 9783}, {9815, 9815}, {9815, 9815}}}};

/// The cell with so many runs; nothing where the table has none.
std::optional<PublishedCell> published(Game game, const std::string& weighting, std::int64_t runs) {
  for (std::size_t r = 0; r < kRows.size(); ++r) {
    for (std::size_t c = 0; c < kColumns.size(); ++c) {
      if (kRows[r].first != runs || kColumns[c] != weighting) continue;
      PublishedCell cell = kPublished[static_cast<std::size_t>(game)][r][c];
      cell.iterations = kRows[r].second;
      return cell;
    }
  }
  return std::nullopt;
}

/// The table as it is filled.
class Table3 {
 public:
  Table3(const FinishedStudy& finished, Game game) : study_(finished.study), game_(game) {
    for (const CellResult& cell : finished.result.cells) add(cell);
  }

  [[nodiscard]] const cli::ResultTable& table() const { return table_; }

  /// What several runs gain on a single one, mean over the weightings, a value for each repeat.
  /// Weightings share their random numbers and are no sample.
  [[nodiscard]] RunningStats gains(std::int64_t runs) const {
    RunningStats stats;
    for (std::size_t repeat = 0; repeat < static_cast<std::size_t>(study_.repeats); ++repeat) {
      RunningStats over_weightings;
      for (std::size_t o = 0; o < study_.optimisers.size(); ++o) {
        const Cell* many = find(runs, o);
        const Cell* one = find(1, o);
        if (many != nullptr && one != nullptr) {
          over_weightings.add(many->picked[repeat] - one->picked[repeat]);
        }
      }
      if (over_weightings.count() > 0) stats.add(over_weightings.mean());
    }
    return stats;
  }

  /// The same by the published bests.
  [[nodiscard]] RunningStats published_gains(std::int64_t runs) const {
    RunningStats stats;
    for (const StudyOptimiser& optimiser : study_.optimisers) {
      const auto many = published(game_, optimiser.label, runs);
      const auto one = published(game_, optimiser.label, 1);
      if (many && one) stats.add(many->best - one->best);
    }
    return stats;
  }

 private:
  struct Place {
    std::int64_t runs;
    std::size_t optimiser;
    Cell cell;
  };

  [[nodiscard]] const Cell* find(std::int64_t runs, std::size_t optimiser) const {
    for (const Place& place : cells_) {
      if (place.runs == runs && place.optimiser == optimiser) return &place.cell;
    }
    return nullptr;
  }

  void add(const CellResult& result) {
    const RunPlan& plan = study_.plans[result.plan];
    const std::string& weighting = study_.optimisers[result.optimiser].label;
    const auto row = published(game_, weighting, plan.runs);
    const Cell cell = cell_of(result, game_);
    const double picked = stats_of(cell.picked).mean();
    const auto known = [&](auto PublishedCell::*which) {
      return row ? Json((*row).*which) : Json();
    };
    const auto text = [&](double number) { return value_text(game_, number); };
    const bool several = plan.runs > 1;
    if (result.optimiser == 0 && result.plan > 0) table_.rule();
    table_.row()
        .data("game", game_name(game_))
        .data("runs", plan.runs)
        .data("games", plan.iterations)
        .text("runs x games", fmt::format("{} x {}", plan.runs, count_text(plan.iterations)))
        .data("published_games", known(&PublishedCell::iterations))
        .both("weighting", "<weighting", weighting)
        .data("published_mean", known(&PublishedCell::mean))
        .text("mean", row ? text(row->mean) : "")
        .data("mean", cell.recommended.mean())
        .text("ours", text(cell.recommended.mean()))
        .data("published_best", known(&PublishedCell::best))
        .text("best", row && several ? text(row->best) : "")
        .data("best", cell.best.mean())
        .text("ours", several ? text(cell.best.mean()) : "")
        .data("best_anew", picked)
        .text("best anew", text(picked))
        .ends("best_anew", cell.interval)
        .text("95 % interval", interval_text(game_, cell.interval));
    cells_.push_back({plan.runs, result.optimiser, cell});
  }

  const Study& study_;
  Game game_;
  cli::ResultTable table_;
  std::vector<Place> cells_;
};

/// "holds", "is refuted" or "is not decided", by an interval of what it says is positive.
const char* verdict(const std::optional<Interval>& gain) {
  if (!gain) return "no interval from one repeat";
  return gain->low > 0.0 ? "holds" : gain->high < 0.0 ? "is refuted" : "is not decided";
}

void add_findings(Reproduction& part, const Study& study, Game game, const Table3& table) {
  part.remarks +=
      "Published finding: several short runs and a comparison of what they recommend beat one long "
      "run.\nBest anew, several runs less one, mean over the weightings:\n";
  Json findings = Json::array();
  for (const RunPlan& plan : study.plans) {
    const RunningStats ours = table.gains(plan.runs);
    const RunningStats theirs = table.published_gains(plan.runs);
    if (plan.runs == 1 || ours.count() == 0) continue;
    std::optional<Interval> interval;
    if (ours.count() > 1) interval = student_interval(ours);
    findings.push_back({{"runs", plan.runs},
                        {"gain", ours.mean()},
                        {"gain_low", interval ? Json(interval->low) : Json()},
                        {"gain_high", interval ? Json(interval->high) : Json()},
                        {"published_gain", theirs.count() > 0 ? Json(theirs.mean()) : Json()},
                        {"finding", verdict(interval)}});
    part.remarks +=
        fmt::format("  {:2} x {:<7} {}{}: {} (published, by best: {})\n", plan.runs,
                    count_text(plan.iterations), difference_text(game, ours.mean()),
                    interval ? " " + interval_text(game, *interval) : "", verdict(interval),
                    theirs.count() > 0 ? difference_text(game, theirs.mean()) : "-");
  }
  part.summary["several_short_runs_against_one"] = std::move(findings);
}

}  // namespace

Study table_3_study(const ReproduceArguments& arguments, Game game) {
  const double scale = arguments.scale.value_or(kUsualScale);
  Study study = load_paper_study(arguments, "ntbea_table_3_" + game_name(game));
  study.repeats = arguments.repeats.value_or(kUsualRepeats);
  for (RunPlan& plan : study.plans) {
    plan.iterations = scaled(plan.iterations, scale, 1);
    plan.re_evaluation = scaled(plan.re_evaluation, scale, plan.runs);
    plan.hold_out = scaled(plan.hold_out, scale, 2);
  }
  return study;
}

Reproduction table_3(const FinishedStudy& finished, Game game) {
  const Study& study = finished.study;
  const Table3 table(finished, game);
  Reproduction part;
  part.table = table.table();
  part.title = fmt::format(", {}: {} games in all, seed {}\n{}", game_title(game),
                           count_text(finished.result.evaluations()), study.seed,
                           study.objectives.front().objective->description());
  part.summary = {
      {"seed", study.seed}, {"repeats", study.repeats}, {"games", finished.result.evaluations()}};
  const RunPlan& first = study.plans.front();
  part.remarks = fmt::format(
      "Mean and best of what the runs recommend, by {} games each; best anew: the best of these by "
      "{} other\ngames, so that its being chosen as the best does not matter. Intervals: over the "
      "repeats; of a single "
      "one, over its games.\n",
      count_text(
          std::floor(static_cast<double>(first.re_evaluation) / static_cast<double>(first.runs))),
      count_text(first.hold_out));
  add_findings(part, study, game, table);
  return part;
}

}  // namespace ntune::arcade
