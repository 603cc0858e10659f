#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/objective/objective.h"
#include "ntune/space/point.h"
#include "ntune/study/model/evaluation.h"
#include "ntune/study/model/instances.h"
#include "ntune/study/serve/client_request.h"

namespace ntune {

/// The seed that an evaluation hands to a program: 31 bits, for those whose integers are small.
std::int64_t request_seed(const Request& request);

/// The games of a match with seats, as a client is asked for them: of each its seed, and the
/// settings in all seats. Null: there are no seats.
Json asked_games(const Request& request);
/// An evaluation as a client is asked for it.
Json asked_json(const Request& request, std::int64_t id);

// What a client tells, as the study takes it. All throw RequestFault.

/// The payoff of a reported value, which must be as the objective declares its payoffs.
double told_payoff(double value, const Objective& objective);
/// The values of a request, of goals in their order.
std::vector<double> told_values(const ClientRequest& request, std::span<const Goal> goals);
/// What was told of an evaluation; of several goals by as many values. `are_games`: the values are
/// results of games, 1, 1/2 and 0, which count as such where they are maximised.
Outcome told_outcome(const std::vector<double>& values, const Objective& objective,
                     bool are_games = false);
/// The same of a request, with its cost and its counts of games.
Outcome told_outcome(const ClientRequest& request, const Objective& objective);
/// The same of an evaluation that was asked for, which may have seats.
Outcome told_outcome(const ClientRequest& request, const Request& asked);
/// The point of a map of parameters.
Point told_point(const Json& params, const Objective& objective);
/// The place of an instance that searches visit, by its name or as `asked_json` has it.
std::size_t told_instance(const Json& named, const InstanceList& instances);
/// Whether what was told is of that evaluation's instance; a null is of any.
void check_told_instance(const Json& named, const Request& request, const InstanceList& instances);

}  // namespace ntune
