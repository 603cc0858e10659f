#pragma once

#include "apps/common/terminal.h"
#include "apps/ntune/commands.h"
#include "ntune/study/evaluation/backend.h"
#include "ntune/study/model/study.h"

namespace ntune::cli {

class LiveRecommendations;

/// The study of the file, with what the command line says instead. Throws InputError.
Study load_study(const RunArguments& arguments);

/// Runs a study on the backend, prints and writes the result, and returns the exit code. `live`
/// adds what it has seen to the line of progress.
int execute_study(Study& study, Backend& backend, const RunArguments& arguments,
                  const Terminal& terminal, LiveRecommendations* live = nullptr);

}  // namespace ntune::cli
