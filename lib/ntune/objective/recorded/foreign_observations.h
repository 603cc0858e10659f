#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ntune/space/search_space.h"

namespace ntune {

/// One payoff of one setting, as another program has recorded it.
struct ForeignObservation {
  std::vector<std::optional<Value>> values;  ///< per parameter; nothing: it was not there
  double payoff = 0.0;                       ///< higher is better
  std::optional<std::string> instance = {};  ///< of a study of ntune with instances
  std::string opponent = {};                 ///< of a match, where the file names it
  std::size_t line = 0;                      ///< in its file
};

struct ForeignOptions {
  /// Column of a CSV file with the payoffs; empty: `payoff` or `value`, else games.
  std::string payoff = {};
  bool minimise = false;   ///< values of a CSV file are costs; an Optuna study says it itself
  std::string study = {};  ///< name of the study in a journal; empty: its only one
  int points = 10;         ///< values of a parameter that is continuous
};

/// What another program has observed.
struct ForeignObservations {
  std::string file;       ///< as the user named it
  bool minimise = false;  ///< payoffs are negated costs
  std::vector<std::string> names;
  bool titled = false;  ///< names are titles of columns: `parameter.run` is the parameter `run`
  std::vector<Parameter> parameters;  ///< as the file tells: declared, or inferred from the values
  std::vector<ForeignObservation> observations;
  std::vector<ForeignObservation> failures = {};  ///< without payoffs, from an export of ntune
  std::vector<std::string> notes;                 ///< what was left out or inferred, one line each
};

/// Reads a CSV file or an Optuna journal (JSON lines of JournalStorage), which is told by its first
/// character. A CSV file has a header, a column per parameter and one of payoffs. Where there is no
/// payoff, each game of `wins`, `losses` and perhaps `draws` is an observation. Columns of games,
/// `pentanomial` and `opponent.…` are no parameters. Of Optuna's
/// `trials_dataframe` the columns `params_…` and `value` of complete trials count, of ntune's own
/// export of evaluations all that it says. Throws InputError with file and line.
ForeignObservations read_foreign_observations(const std::filesystem::path& path,
                                              const ForeignOptions& options);

/// Throws InputError where matches are against several opponents: their values do not compare.
void refuse_several_opponents(const ForeignObservations& data);

/// Takes out what lies further beyond the values of an ordered parameter than half a step of them:
/// it says nothing of any point of the space. `notes` gets how many. Throws InputError where
/// nothing is left.
void leave_out_beyond(ForeignObservations& data, const SearchSpace& space,
                      std::vector<std::string>& notes);

/// The points of the observations, in their order, in a space that may name fewer parameters.
/// Values of ordered parameters go to the nearest one; of others they must be known. `notes` gets
/// what has changed. Throws InputError with file, line, parameter and what is allowed.
std::vector<Point> place_observations(const ForeignObservations& data, const SearchSpace& space,
                                      std::vector<std::string>& notes);
/// The points of the failures, in the same way, without notes.
std::vector<Point> place_failures(const ForeignObservations& data, const SearchSpace& space);

}  // namespace ntune
