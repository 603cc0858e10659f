// Payoffs of another program as CSV.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

#include <fmt/format.h>

#include "ntune/core/column_titles.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/objective/recorded/foreign_readers.h"
#include "ntune/objective/recorded/observation_values.h"

namespace ntune {

namespace {

/// Prefix of the columns of parameters in Optuna's data frames.
constexpr std::string_view kOptunaPrefix = "params_";

constexpr double kDraw = 0.5;

/// Games that a file may count: each becomes an observation.
constexpr double kMostGames = 1e6;

/// Places of columns that count games.
struct GameColumns {
  std::size_t wins = 0;
  std::size_t losses = 0;
  std::optional<std::size_t> draws = {};
  std::optional<std::size_t> pairs = {};  ///< the same games once more

  [[nodiscard]] bool holds(std::size_t place) const {
    return place == wins || place == losses || place == draws || place == pairs;
  }
};

/// The place of a name; nothing if it is not there.
std::optional<std::size_t> place_of(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

/// The columns of games; wins and losses must both be there.
std::optional<GameColumns> game_columns(const std::vector<std::string>& names) {
  const auto wins = place_of(names, "wins");
  const auto losses = place_of(names, "losses");
  if (!wins || !losses) return std::nullopt;
  return GameColumns{.wins = *wins,
                     .losses = *losses,
                     .draws = place_of(names, "draws"),
                     .pairs = place_of(names, "pentanomial")};
}

/// Places of columns in what `ntune export --to csv` writes of evaluations.
struct ExportedColumns {
  std::size_t failure = 0;                    ///< why it has no value
  std::size_t first_parameter = 0;            ///< all behind it are parameters
  std::optional<std::size_t> objective = {};  ///< of a comparison
  std::optional<std::size_t> instance = {};
  std::optional<std::size_t> ending = {};  ///< `at least`: the value is a bound
};

/// The columns of such a header; nothing for any other.
std::optional<ExportedColumns> exported_columns(const std::vector<std::string>& names) {
  // What every such header has, in this order.
  static constexpr std::array<std::string_view, 9> kAlways = {
      "stage", "run", "evaluation", "value", "failure", "seconds", "attempts", "start", "complete"};
  std::array<std::size_t, kAlways.size()> places{};
  std::size_t next = 0;
  for (std::size_t i = 0; i < kAlways.size(); ++i) {
    while (next < names.size() && names[next] != kAlways[i]) ++next;
    // Further columns may stand between these, as far as the order is kept.
    if (next == names.size()) return std::nullopt;
    places[i] = next++;
  }
  const auto has = [&](std::size_t place, std::string_view name) {
    return place < names.size() && names[place] == name;
  };
  ExportedColumns columns{.failure = places[4], .first_parameter = next};
  // Columns that only some exports have are known by their place beside these.
  if (places[0] > 0 && has(0, "objective")) columns.objective = 0;
  if (has(places[2] + 1, "instance")) columns.instance = places[2] + 1;
  if (has(columns.first_parameter, "ending")) columns.ending = columns.first_parameter++;
  if (has(columns.first_parameter, "cost")) ++columns.first_parameter;
  return columns;
}

/// Reads a CSV file of payoffs or of games, record by record.
class TableReader {
 public:
  TableReader(std::string_view text, const std::string& name, const ForeignOptions& options)
      : options_(options), records_(text, printable(name, 1000), kTableStyle) {
    data_.file = name;
    data_.minimise = options.minimise;
  }

  ForeignObservations read() {
    if (records_.next()) read_header(records_.fields());
    while (records_.next()) read_row(records_.fields());
    // Parameters are inferred at the end, when all of their values are known.
    for (std::size_t i = 0; i < data_.names.size(); ++i) infer(i);
    if (games_counted_ > 0) {
      data_.notes.push_back(fmt::format("{} of wins, draws and losses are an observation each",
                                        counted(games_counted_, "game")));
    }
    if (left_out_ > 0) {
      data_.notes.push_back(fmt::format("{} left out: not complete", counted(left_out_, "row")));
    }
    if (bounds_ > 0) {
      data_.notes.push_back(fmt::format("{} left out: ended early, so that only a bound is known",
                                        counted(bounds_, "row")));
    }
    if (!data_.failures.empty()) {
      data_.notes.push_back(fmt::format("{} failed and brought no value",
                                        counted(std::ssize(data_.failures), "evaluation")));
    }
    return std::move(data_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { records_.fail(message); }

  /// Sorts the columns: payoff, games, opponents, state, and parameters for all others.
  void read_header(const std::vector<CsvField>& fields) {
    columns_ = fields.size();
    std::vector<std::string> names;
    for (const CsvField& field : fields) names.push_back(field.text);
    exported_ = exported_columns(names);
    // In ntune's own export, parameters are all columns behind the fixed ones.
    std::vector<std::string> fixed = names;
    if (exported_) fixed.resize(exported_->first_parameter);
    games_ = game_columns(fixed);
    payoff_ = payoff_column(names, fixed);
    // In a data frame of Optuna only columns with the prefix are parameters.
    const bool optuna = std::ranges::any_of(
        names, [](const std::string& name) { return name.starts_with(kOptunaPrefix); });
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (i == payoff_ || (exported_ && i < exported_->first_parameter)) continue;
      if (games_ && games_->holds(i)) continue;
      if (names[i].starts_with(kOpponentPrefix)) {
        opponents_.push_back(i);
        continue;
      }
      if (names[i].empty()) fail(fmt::format("column {} has no name", i + 1));
      if (optuna && names[i] == "state") state_ = i;
      if (optuna && !names[i].starts_with(kOptunaPrefix)) continue;
      const std::string name = optuna      ? names[i].substr(kOptunaPrefix.size())
                               : exported_ ? parameter_of_title(names[i])
                                           : names[i];
      if (std::ranges::find(data_.names, name) != data_.names.end()) {
        fail(fmt::format("{}: stands twice among the columns", printable(name, 60)));
      }
      data_.names.push_back(name);
      places_.push_back(i);
    }
    data_.titled = !optuna && !exported_;
    if (data_.names.empty()) fail("has no column of a parameter");
  }

  /// The place of the column of payoffs; nothing where games tell them. `fixed`: the names among
  /// which one without a name is looked for.
  [[nodiscard]] std::optional<std::size_t> payoff_column(
      const std::vector<std::string>& names, const std::vector<std::string>& fixed) const {
    const std::vector<std::string> usual = {"payoff", "value"};
    const std::vector<std::string> wanted =
        options_.payoff.empty() ? usual : std::vector<std::string>{options_.payoff};
    // A column that the user names counts alone, else the usual names.
    for (const std::string& name : wanted) {
      const auto place = place_of(options_.payoff.empty() ? fixed : names, name);
      if (place) return place;
    }
    if (options_.payoff.empty() && games_) return std::nullopt;
    fail(fmt::format("has no column {}{}; its columns are {} (payoff gives its name)",
                     list_text(wanted), suggestion(wanted.front(), names),
                     printable(list_text(names, "and"))));
  }

  void read_row(const std::vector<CsvField>& fields) {
    if (fields.size() != columns_) {
      fail(fmt::format("has {} fields, the header has {}", fields.size(), columns_));
    }
    // Trials that failed, were pruned or still run have no value to learn from.
    if (state_ && fields[*state_].text != "COMPLETE") {
      ++left_out_;
      return;
    }
    ForeignObservation observation;
    observation.line = records_.line();
    for (const std::size_t place : opponents_) observation.opponent += fields[place].text + ' ';
    for (const std::size_t place : places_) {
      const CsvField& field = fields[place];
      // An empty field means no value, but an empty text in quotes is a word.
      observation.values.push_back(
          field.text.empty() && !field.quoted ? std::nullopt : std::optional(field_value(field)));
    }
    if (exported_ && !read_exported(fields, observation)) return;
    const std::string payoff_text = payoff_ ? fields[*payoff_].text : "";
    // Where a row has no payoff, its counts of games stand for it.
    if (games_ && payoff_text.empty()) return add_games(fields, observation);
    const auto payoff = field_number(payoff_text);
    if (!payoff) {
      fail(fmt::format("is '{}' in the column of payoffs, one finite number is allowed",
                       printable(payoff_text, 60)));
    }
    observation.payoff = data_.minimise ? -*payoff : *payoff;
    data_.observations.push_back(std::move(observation));
  }

  /// An observation for every game: so the more games count the more.
  void add_games(const std::vector<CsvField>& fields, const ForeignObservation& row) {
    if (data_.minimise) fail("has wins, draws and losses in place of a cost");
    const auto count_at = [&](std::size_t place) {
      const std::string& text = fields[place].text;
      const double count = text.empty() ? 0.0 : field_number(text).value_or(-1.0);
      if (count < 0.0 || count > kMostGames || count != std::floor(count)) {
        fail(fmt::format("is '{}' in a column of games, a whole number up to {} is allowed",
                         printable(text, 60), count_text(kMostGames)));
      }
      return static_cast<std::int64_t>(count);
    };
    const std::int64_t before = games_counted_;
    const auto add = [&](std::int64_t games, double score) {
      games_counted_ += games;
      // The number of games is bounded, because each becomes an observation in memory.
      if (static_cast<double>(games_counted_) > kMostGames) {
        fail(
            fmt::format("is beyond the {} games that a file may have; a column of values takes "
                        "the place of any number",
                        count_text(kMostGames)));
      }
      ForeignObservation observation = row;
      observation.payoff = score;
      data_.observations.insert(data_.observations.end(), static_cast<std::size_t>(games),
                                observation);
    };
    add(count_at(games_->wins), 1.0);
    if (games_->draws) add(count_at(*games_->draws), kDraw);
    add(count_at(games_->losses), 0.0);
    // A row without any game is no observation.
    if (games_counted_ == before) ++left_out_;
  }

  /// What a row of our own export says beside payoff and parameters; false if it has no payoff.
  bool read_exported(const std::vector<CsvField>& fields, ForeignObservation& observation) {
    if (exported_->objective) {
      // The first row fixes the objective; payoffs of different ones do not compare.
      const std::string& objective = fields[*exported_->objective].text;
      if (!objective_) objective_ = objective;
      if (*objective_ != objective) {
        fail(fmt::format("is of the objective {}, the rows before are of {}; one is allowed",
                         printable(objective, 60), printable(*objective_, 60)));
      }
    }
    if (exported_->instance) observation.instance = fields[*exported_->instance].text;
    // A bound is not the value, and counting it as such would favour bad points.
    if (exported_->ending && fields[*exported_->ending].text == "at least") {
      ++bounds_;
      return false;
    }
    if (fields[exported_->failure].text.empty()) return true;
    data_.failures.push_back(std::move(observation));
    return false;
  }

  /// Infers a parameter from its values in observations and failures.
  void infer(std::size_t column) {
    if (data_.observations.empty()) return;
    std::vector<Value> values;
    std::set<Value, ValueBefore> known;
    const auto add = [&](const ForeignObservation& observation) {
      const auto& value = observation.values[column];
      if (value && known.insert(*value).second) values.push_back(*value);
    };
    std::ranges::for_each(data_.observations, add);
    std::ranges::for_each(data_.failures, add);
    if (values.empty()) {
      throw InputError(fmt::format("{}: {}: has no value in any row", printable(data_.file, 1000),
                                   printable(data_.names[column], 60)));
    }
    data_.parameters.push_back(foreign_parameter(data_.names[column], std::move(values),
                                                 options_.points, data_.notes,
                                                 exported_.has_value()));
  }

  const ForeignOptions& options_;
  CsvReader records_;
  ForeignObservations data_;
  std::size_t columns_ = 0;
  std::optional<std::size_t> payoff_;
  std::optional<GameColumns> games_;
  std::int64_t games_counted_ = 0;
  std::vector<std::size_t> opponents_;  ///< places of the columns that name the opponent
  std::optional<std::size_t> state_;
  std::optional<ExportedColumns> exported_;  ///< where ntune has written the file
  std::optional<std::string> objective_;     ///< of its first row
  std::int64_t bounds_ = 0;
  std::vector<std::size_t> places_;  ///< place of every parameter among the columns
  std::size_t left_out_ = 0;
};

}  // namespace

ForeignObservations read_payoff_table(std::string_view text, const std::string& name,
                                      const ForeignOptions& options) {
  return TableReader(text, name, options).read();
}

}  // namespace ntune
