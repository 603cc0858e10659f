#pragma once

#include "ntune/core/options.h"
#include "ntune/study/model/evaluation.h"

namespace ntune {

/// `fail:` of a study: abort, skip or {value: x}.
CustomOption fail_option(FailurePolicy& policy);

}  // namespace ntune
