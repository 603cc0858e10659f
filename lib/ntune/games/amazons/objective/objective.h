#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ntune/agents/combinatorial_game/tds_options.h"
#include "ntune/core/options.h"
#include "ntune/games/amazons/database/database.h"
#include "ntune/games/amazons/sums/sum_player.h"
#include "ntune/objective/objective_entry.h"
#include "ntune/objective/tuned_options.h"

namespace ntune {

/// The options of `objective: {game: amazons_tds, …}`.
struct AmazonsTdsOptions {
  enum class Observation { kTemperature, kMean, kMatch };

  Observation observation = Observation::kTemperature;
  double node_price = 0.0;                 ///< in temperature for a thousand nodes
  int least_empties = 6;                   ///< fewest empty squares of a database position
  int most_empties = 14;                   ///< most empty squares
  std::string opponent = "hotstrat-TDS+";  ///< name of the opponent in a match
  int boards = 2;
  int size = 4;
  UnknownTemperature unknown = UnknownTemperature::kRule;
  TdsOptions tds = usual_tds();

  void visit(Options& options);

 private:
  /// The paper's TDS+ with 3000 nodes.
  static TdsOptions usual_tds();
};

/// A database position that is no easily seen integer, one of all that have so many empty squares.
AmazonsPosition<4> random_amazons_position(int least_empties, int most_empties, Rng& rng);

/// The errors of a search, in temperature and in mean, and its nodes.
struct TdsError {
  double temperature = 0.0;
  double mean = 0.0;
  std::int64_t nodes = 0;
};
TdsError tds_error(const TdsOptions& options, const AmazonsPosition<4>& position,
                   const ThermographValue& truth);

/// The settings without the enhancements that lack one that they build upon (TdsOptions::check).
TdsOptions supported(TdsOptions options);

/// Tunes the settings of temperature discovery search. The payoff is the negative error on a random
/// position of the 4x4 database less a price for the nodes. Or Hotstrat with the search plays a
/// random sum, which it begins or not by chance: +1 for a win, else -1. A parameter of the space
/// stands in for the setting of the same name.
class AmazonsTdsObjective final : public Objective {
 public:
  /// On the default space where none is given. Throws InputError: a parameter or a value that TDS
  /// cannot take, an opponent that there is not.
  AmazonsTdsObjective(const AmazonsTdsOptions& options, const std::optional<SearchSpace>& space);

  [[nodiscard]] const SearchSpace& space() const override { return tds_.space(); }
  [[nodiscard]] TdsOptions settings_at(const Point& point) const;
  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override;
  [[nodiscard]] Json defaults() const override;
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] Payoffs payoffs() const override;
  [[nodiscard]] Unit unit() const override;

 private:
  [[nodiscard]] bool is_match() const {
    return options_.observation == AmazonsTdsOptions::Observation::kMatch;
  }
  [[nodiscard]] double match(const TdsOptions& tds, Rng& rng) const;

  AmazonsTdsOptions options_;
  TunedOptions<TdsOptions> tds_;
  SumPlayerOptions opponent_;
};

/// The database, computed at the first call in about half a second.
std::shared_ptr<const AmazonsDatabase> shared_amazons_database();

/// Settings of TDS: delta, the rules for t_max and for a variation without board move, E1 … E5, the
/// reading.
SearchSpace default_amazons_tds_space();

/// The line of the table.
ObjectiveEntry amazons_tds_entry();

}  // namespace ntune
