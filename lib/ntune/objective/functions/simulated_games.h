#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/objective_entry.h"
#include "ntune/objective/seated_games.h"

namespace ntune {

/// How strength depends on the parameters.
enum class StrengthLandscape { kBowl, kSmooth, kNk, kMixed };

/// The options of `objective: {game: simulated, …}`.
struct SimulatedGamesOptions {
  StrengthLandscape landscape = StrengthLandscape::kBowl;
  int dimensions = 4;
  int interactions = 2;
  double elo = 60.0;
  double draws = 0.4;
  double openings = 0.0;
  double non_transitive = 0.0;
  int cliffs = 0;
  std::int64_t landscape_seed = 1;

  void visit(Options& options);
  [[nodiscard]] std::optional<OptionProblem> problem() const;
};

/// Games whose results are drawn from known strengths, to try tuning by matches on. The strength of
/// a point is in Elo above the default, which is somewhat better than the middle of all points:
/// - bowl: a quadratic of ordered parameters with 33 values each. Its top is away from their ends.
///   It is ten times as steep in some directions as in others, which half of the seeds turn away
///   from the axes;
/// - smooth: a random sum of 200 cosines, with lengths of about a third of the range of 21 values;
/// - nk: an NK landscape of unordered parameters of 4 values, each with `interactions` others;
/// - mixed: ten parameters, unordered, ordered, and conditional ones.
/// `elo` is how far the top is above the default. A game is won and lost with the probabilities of
/// Rao and Kupper's model, whose slope at equal strength is Elo's, and drawn with probability
/// `draws` between equals. Of the two games of a pair the opening helps one side, with a standard
/// deviation of `openings` Elo. `non_transitive` Elo is the size of a part of the difference of two
/// points that no strengths can explain. In so many parameters as `cliffs` says, values make a
/// player lose nearly every game, as one that crashes: from one end of the range 30 to 80 % of the
/// way to the default.
///
/// Games with seats are ranked by the model of Plackett and Luce. Then an opening helps every seat
/// by a number of its own, and there are no draws but between sides.
class SimulatedGames final : public Objective,
                             public Matches,
                             public SeatedGames,
                             public KnownTruth {
 public:
  explicit SimulatedGames(const SimulatedGamesOptions& options);
  SimulatedGames(const SimulatedGames&) = delete;
  SimulatedGames& operator=(const SimulatedGames&) = delete;

  [[nodiscard]] const SearchSpace& space() const override { return space_; }
  /// A game against the default, from either side: 1, 0 or -1.
  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override;
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] Payoffs payoffs() const override {
    return {.low = -1.0, .high = 1.0, .games = true};
  }
  [[nodiscard]] Unit unit() const override { return Unit::win_probability(); }
  [[nodiscard]] const Matches* matches() const override { return this; }
  [[nodiscard]] Outcome play(const Point& first, const Point& second, Rng& rng,
                             const EvaluationId& id) const override;
  [[nodiscard]] const SeatedGames* seated_games() const override { return this; }
  [[nodiscard]] Outcome play_seated(const Seating& seating, Rng& rng,
                                    const EvaluationId& id) const override;
  /// The expected points per game with seats against the default, where openings help nobody.
  [[nodiscard]] double true_seated_value(const Point& point, int players) const;
  [[nodiscard]] const KnownTruth* known_truth() const override { return this; }
  /// The expected points per game against the default.
  [[nodiscard]] double true_value(const Point& point) const override;
  [[nodiscard]] std::optional<double> optimum() const override;

  /// Elo above the default, without what is not transitive.
  [[nodiscard]] double strength(const Point& point) const;
  [[nodiscard]] const Point& default_point() const { return default_; }

 private:
  using Height = std::function<double(const Point&)>;
  void make_bowl(Rng rng);
  void make_smooth(Rng rng);
  void make_nk(Rng rng);
  void make_mixed(Rng rng);
  void choose_default(Rng& rng);
  void make_cliffs(Rng rng);
  void scale(double top);
  [[nodiscard]] double climb(Rng& rng) const;
  [[nodiscard]] double lead(const Point& first, const Point& second) const;
  /// Points of one game: lead in Elo, the opening's help included.
  [[nodiscard]] double game(double lead, Rng& rng) const;
  [[nodiscard]] double expected_score(double lead) const;

  SimulatedGamesOptions options_;
  SearchSpace space_;
  Point default_;
  Height height_;
  double zero_ = 0.0;          ///< height of the default
  double unit_ = 1.0;          ///< Elo per height
  std::vector<double> twist_;  ///< two numbers per parameter, for what is not transitive
  /// Values of a parameter that lose.
  struct Cliff {
    int parameter = 0;
    int first = 0;
    int last = 0;
  };
  std::vector<Cliff> cliffs_;
};

/// The line of the table.
ObjectiveEntry simulated_games_entry();

}  // namespace ntune
