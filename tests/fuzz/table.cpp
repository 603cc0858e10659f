#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "fuzz/fuzz.h"
#include "ntune/core/error.h"
#include "ntune/objective/recorded/foreign_readers.h"
#include "ntune/objective/recorded/observation_table.h"

namespace {

/// What was read has finite payoffs, and places in a space of the parameters that it names.
void check(const ntune::ForeignObservations& data) {
  for (const ntune::ForeignObservation& observation : data.observations) {
    if (!std::isfinite(observation.payoff)) std::abort();
    if (observation.values.size() != data.names.size()) std::abort();
  }
  const ntune::SearchSpace space(data.parameters);
  std::vector<std::string> notes;
  const std::vector<ntune::Point> points = ntune::place_observations(data, space, notes);
  if (points.size() != data.observations.size()) std::abort();
}

/// Calls `read`, which may refuse what it is given.
template <typename Read>
void attempt(Read read) {
  try {
    read();
  } catch (const ntune::InputError&) {
  }
}

}  // namespace

/// Tables and journals that other programs have recorded.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = ntune::text_of(data, size);
  attempt([&] { ntune::ObservationTable::parse(text, "table"); });
  for (const bool minimise : {false, true}) {
    attempt([&] { check(ntune::read_payoff_table(text, "table", {.minimise = minimise})); });
  }
  attempt([&] { check(ntune::read_payoff_table(text, "table", {.payoff = "score"})); });
  attempt([&] { check(ntune::read_optuna_journal(text, "journal", {})); });
  return 0;
}
