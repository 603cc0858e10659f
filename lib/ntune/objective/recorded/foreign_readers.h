#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/objective/recorded/foreign_observations.h"

namespace ntune {

// The forms of foreign observations. `name` stands in messages for the file. Throw InputError.

ForeignObservations read_payoff_table(std::string_view text, const std::string& name,
                                      const ForeignOptions& options);
ForeignObservations read_optuna_journal(std::string_view text, const std::string& name,
                                        const ForeignOptions& options);

/// The parameter of distinct values in order of appearance. More than 20 whole numbers are integers
/// by their common step, where these are at most 1,000. More than 20 other numbers are a range of
/// `points` values, about which `notes` gets a line; `are_a_grid`: they stay as they are.
Parameter foreign_parameter(const std::string& name, std::vector<Value> values, int points,
                            std::vector<std::string>& notes, bool are_a_grid = false);

/// The parameter that Optuna's distribution declares, of a continuous one so many values; nothing
/// where its values tell better. Throws Json::exception for another form.
std::optional<Parameter> optuna_parameter(const std::string& name, const Json& distribution,
                                          int points, std::vector<std::string>& notes);
/// A scalar as a value; null is the word None, and a list or a map its text.
Value json_value(const Json& json);

}  // namespace ntune
