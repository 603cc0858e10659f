#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ntune/core/json_fwd.h"
#include "ntune/study/journal/journal_line.h"
#include "ntune/study/model/run_plan.h"

namespace ntune {

// What a journal says rarely stands in lines {"NAME": FIELDS}. Each has a function that writes it;
// one reads them all.

/// A decision of a study with limits.
Json recorded_step(const PlannedStep& step);
/// Where the search of a run is.
Json recorded_state(const EvaluationKey& key, const SearchState& state);
/// How the budget of a study with `split: auto` is divided.
Json recorded_split(const RunPlan& plan);
/// Failures before it do not count: they are tried again.
Json recorded_retry();
Json recorded_run(std::uint32_t cell, const RunRecord& run, JournalLine::Time end);

/// Fills in the line of these fields. False for fields that no study can have, and other names.
bool read_recorded_object(std::string_view name, const Json& fields, JournalLine& line);

/// A whole number; one beyond int64 is negative. Throws Json::exception for anything else.
std::int64_t recorded_integer(const Json& json);
/// The key of an evaluation, five numbers of a list from `begin` on: cell, stage, repeat, run and
/// index. False for keys that the line of this number cannot have. Throws Json::exception.
bool read_recorded_key(const Json& list, std::size_t begin, std::size_t line, EvaluationKey& key);

/// Whether the line of this number may be of such an evaluation: each has been asked for in its
/// order, and the journal lacks at most those that are in flight.
bool is_recorded_key(const EvaluationKey& key, std::size_t line);
/// Whether points have as many parameters as spaces may have.
bool is_recorded_point(const JournalLine& line);

}  // namespace ntune
