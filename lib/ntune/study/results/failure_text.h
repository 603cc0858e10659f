#pragma once

#include <string>

#include "ntune/core/json_fwd.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// {"count": …, "causes": [{"cause": …, "count": …}, …], "values": [{"parameter": …, "value": …,
/// "evaluations": …, "failures": …, "rate": …}, …]}, with "objective" in each value where a study
/// has several. Counts of causes add up to the whole.
Json failures_json(const Study& study, const StudyResult& result);

/// How many failed, the most frequent causes, and the values that fail clearly more often than the
/// searches as a whole; empty where nothing failed.
std::string failures_text(const Study& study, const StudyResult& result);

}  // namespace ntune
