// Two open questions on chance in SlideThree, as rows added to a CSV file.
//
// strength: at which quality of the evaluation does chance help most (Althöfer and Heuser 2005,
// question (i); Heuser 2003, Section 8.2)? The evaluation is the true distance to Win, scaled, plus
// a fixed error of each position; the larger the error, the weaker the evaluation. clusters: among
// moves of least value, is it better to have more best leaves, or best leaves that are clustered in
// few subtrees (Heuser 2003, Section 8.2)?
//
//   slide_questions strength|clusters --out benchmarks/results/slide3_strength.csv

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/slide3/experiments/sample.h"
#include "benchmarks/programs/experiment.h"
#include "ntune/core/hash.h"
#include "ntune/core/parallel.h"
#include "ntune/core/statistics.h"
#include "ntune/games/slide/evaluation.h"
#include "ntune/games/slide/exact/database.h"

namespace ntune {
namespace {

using Position = SlidePosition<3>;

constexpr int kDtw = 14;
constexpr int kMoves = 100;
constexpr float kWin = -1000.0F;
constexpr float kWorst = std::numeric_limits<float>::infinity();

/// A number near normal, fixed for each position and whole number of steps of a half: evaluations
/// of the thesis have ties, and so has this.
float error_of(const Position& position) {
  const std::uint64_t bits = mix64(position.bits());
  int sum = 0;
  for (int i = 0; i < 12; ++i) sum += static_cast<int>(bits >> (5 * i) & 31U);
  return static_cast<float>(sum - 186) / 32.0F;  // of variance about 1
}

/// Depth-t search with a table that is cleared for each search, of an evaluation with chance.
class Search {
 public:
  Search(const SlideDatabase<3>& database, double error, double chance)
      : database_(database),
        error_(static_cast<float>(error)),
        chance_(static_cast<float>(chance)),
        table_(std::size_t{1} << kTableBits) {}

  struct Choice {
    int line = 0;
    bool win_seen = false;
  };

  Choice choose(const Position& position, int depth, Rng& rng) {
    ++search_;
    win_seen_ = false;
    depth_ = depth;
    float least = kWorst;
    std::vector<int> best;
    for_each_line(position.moves(), [&](int line) {
      const float value = visit(position.after(line), 1, rng);
      if (value < least) best.clear();
      least = std::min(least, value);
      if (value == least) best.push_back(line);
    });
    const std::uint32_t at =
        best.size() == 1 ? 0 : rng.below(static_cast<std::uint32_t>(best.size()));
    return {best[at], win_seen_};
  }

 private:
  static constexpr int kTableBits = 19;
  struct Entry {
    std::uint64_t bits = 0;
    float value = 0.0F;
    int ply = 0;
    std::uint32_t search = 0;
  };

  float leaf(const Position& position, Rng& rng) {
    // Quarters: the distance alone has whole numbers, and a fine error would leave no ties.
    const float exact = static_cast<float>(database_.dtw(position)) + error_ * error_of(position);
    const float value = std::round(4.0F * exact) / 4.0F;
    if (chance_ == 0.0F) return value;
    return value + chance_ * static_cast<float>(2.0 * rng.uniform() - 1.0);
  }

  float visit(const Position& position, int ply, Rng& rng) {
    if (position == Position::win()) {
      win_seen_ = true;
      return kWin;
    }
    Entry& entry = table_[golden_slot(position.bits(), kTableBits)];
    if (entry.search == search_ && entry.bits == position.bits() && entry.ply == ply) {
      return entry.value;
    }
    float value = kWorst;
    if (ply == depth_) {
      value = leaf(position, rng);
    } else {
      for_each_line(position.moves(), [&](int line) {
        value = std::min(value, visit(position.after(line), ply + 1, rng));
      });
    }
    entry = {.bits = position.bits(), .value = value, .ply = ply, .search = search_};
    return value;
  }

  const SlideDatabase<3>& database_;
  float error_;
  float chance_;
  std::vector<Entry> table_;
  std::uint32_t search_ = 0;
  int depth_ = 0;
  bool win_seen_ = false;
};

bool wins(Search& search, Position position, int depth, Rng& rng) {
  for (int move = 0; move < kMoves; ++move) {
    const Search::Choice choice = search.choose(position, depth, rng);
    position.slide(choice.line);
    if (position == Position::win()) return true;
    if (choice.win_seen) depth = std::max(1, depth - 1);
  }
  return false;
}

void measure_strength(ResultRows& rows, const SlideDatabase<3>& database,
                      const std::vector<Position>& sample) {
  for (const int depth : {4, 5, 6}) {
    for (const double error : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 12.0, 20.0}) {
      for (const double chance : {0.0, 0.02, 0.5, 1.0, 2.0, 4.0, 8.0}) {
        rows.add(fmt::format("{},{},{},{}", depth, error, chance, sample.size()), [&] {
          Search search(database, error, chance);
          int won = 0;
          for (std::size_t i = 0; i < sample.size(); ++i) {
            Rng rng = Rng(1).stream("strength", i);
            won += wins(search, sample[i], depth, rng) ? 1 : 0;
          }
          const auto n = static_cast<double>(sample.size());
          const Interval interval = wilson_interval(won, n);
          return fmt::format("{:.4f},{:.4f},{:.4f}", won / n, interval.low, interval.high);
        });
      }
    }
  }
}

/// Leaves of a value in the tree below a position, and where they are: the largest share of them
/// that lies below one of its successors.
struct Leaves {
  float least = kWorst;
  std::int64_t count = 0;
};

Leaves leaves_of(const Position& position, int plies, const SlideEvaluator& evaluator) {
  if (position == Position::win()) return {kWin, 1};
  if (plies == 0) return {evaluator.sum(position.bits()), 1};
  Leaves all;
  for_each_line(position.moves(), [&](int line) {
    const Leaves below = leaves_of(position.after(line), plies - 1, evaluator);
    if (below.least < all.least) all = {below.least, 0};
    if (below.least == all.least) all.count += below.count;
  });
  return all;
}

/// A move of least value: its best leaves, how clustered they are, and whether it is good.
struct Candidate {
  std::int64_t leaves = 0;
  double clustering = 0.0;  ///< share of the leaves below the fullest successor
  bool good = false;
};

std::vector<Candidate> candidates_of(const Position& position, int depth,
                                     const SlideEvaluator& evaluator,
                                     const SlideDatabase<3>& database) {
  float least = kWorst;
  std::vector<Candidate> candidates;
  for_each_line(position.moves(), [&](int line) {
    const Position after = position.after(line);
    Leaves all;
    std::int64_t fullest = 0;
    if (after == Position::win()) {
      all = {kWin, 1};
      fullest = 1;
    } else {
      for_each_line(after.moves(), [&](int next) {
        const Leaves below = leaves_of(after.after(next), depth - 2, evaluator);
        if (below.least < all.least) {
          all = {below.least, 0};
          fullest = 0;
        }
        if (below.least != all.least) return;
        all.count += below.count;
        fullest = std::max(fullest, below.count);
      });
    }
    if (all.least > least) return;
    if (all.least < least) candidates.clear();
    least = all.least;
    candidates.push_back({all.count, static_cast<double>(fullest) / static_cast<double>(all.count),
                          database.dtw(after) < database.dtw(position)});
  });
  return candidates;
}

/// Of the ties, how often the move that a rule prefers is good.
void measure_clusters(ResultRows& rows, const SlideDatabase<3>& database,
                      const std::vector<Position>& sample) {
  for (int f = 0; f < kSlideFeatures; ++f) {
    const auto feature = static_cast<SlideFeature>(f);
    const SlideEvaluator evaluator(SlideEvaluation::of(feature), slide_tables());
    for (const int depth : {4, 5}) {
      rows.add(fmt::format("{},{},{}", slide_feature_name(feature), depth, sample.size()), [&] {
        RunningStats any;        // a tie broken at random
        RunningStats fullest;    // less that: to the most best leaves
        RunningStats clustered;  // less that: to the most clustered leaves
        RunningStats alike;      // the same among moves with equally many best leaves
        for (const Position& position : sample) {
          std::vector<Candidate> all = candidates_of(position, depth, evaluator, database);
          if (all.size() < 2) continue;
          const auto share = [](const std::vector<Candidate>& some) {
            const auto good = std::ranges::count_if(some, &Candidate::good);
            return static_cast<double>(good) / static_cast<double>(some.size());
          };
          const auto best_by = [](std::vector<Candidate> some, auto key) {
            const auto most = std::invoke(key, *std::ranges::max_element(some, {}, key));
            std::erase_if(some, [&](const Candidate& one) { return std::invoke(key, one) < most; });
            return some;
          };
          const double random = share(all);
          any.add(random);
          const std::vector<Candidate> full = best_by(all, &Candidate::leaves);
          fullest.add(share(full) - random);
          clustered.add(share(best_by(all, &Candidate::clustering)) - random);
          if (full.size() > 1) {
            alike.add(share(best_by(full, &Candidate::clustering)) - share(full));
          }
        }
        const auto text = [](const RunningStats& stats) {
          const Interval interval = student_interval(stats);
          return fmt::format("{},{:.4f},{:.4f},{:.4f}", stats.count(), stats.mean(), interval.low,
                             interval.high);
        };
        return fmt::format("{:.4f},{},{},{}", any.mean(), text(fullest), text(clustered),
                           text(alike));
      });
    }
  }
}

void run(const std::string& question, const std::string& out, std::int64_t count) {
  Parallel parallel(1);
  const auto database = SlideDatabase<3>::build(parallel);
  const bool strength = question == "strength";
  const std::vector<Position> sample =
      sample_positions(database, strength ? std::optional(kDtw) : std::nullopt, count,
                       Rng(1).stream("questions sample"));
  if (strength) {
    ResultRows rows(out, "depth,error,chance,games,quota,low,high", 3);
    measure_strength(rows, database, sample);
    return;
  }
  ResultRows rows(out,
                  "evaluation,depth,positions,good_at_random,ties,fullest,fullest_low,fullest_high,"
                  "ties_again,clustered,clustered_low,clustered_high,equally_full,"
                  "clustered_of_these,clustered_of_these_low,clustered_of_these_high",
                  13);
  measure_clusters(rows, database, sample);
}

}  // namespace
}  // namespace ntune

int main(int argc, char** argv) {
  CLI::App program("open questions on chance in SlideThree");
  std::string question;
  std::string out;
  std::int64_t count = 1068;
  program.add_option("question", question, "strength or clusters")
      ->required()
      ->check(CLI::IsMember({"strength", "clusters"}));
  program.add_option("--out", out, "CSV file; rows that are there are not made again")->required();
  program.add_option("--count", count, "games a row, or positions");
  return ntune::run_experiment(program, argc, argv, [&] { ntune::run(question, out, count); });
}
