#pragma once

#include <functional>
#include <memory>

#include "apps/common/terminal.h"
#include "apps/ntune/commands.h"
#include "ntune/study/evaluator.h"

namespace ntune::cli {

class LiveRecommendations;

/// The study of the file, with what the command line says instead. Throws InputError.
Study load_study(const RunArguments& arguments);

/// Makes what carries out the evaluations of a study.
using MakeEvaluator =
    std::function<std::unique_ptr<Evaluator>(const Study&, StudyProgress&, StudyLog*)>;

/// Runs a study with an evaluator, prints and writes the result, and returns the exit code. `live`
/// adds what it has seen to the line of progress.
int execute_study(Study& study, const RunArguments& arguments, const Terminal& terminal,
                  const MakeEvaluator& make_evaluator, LiveRecommendations* live = nullptr);

}  // namespace ntune::cli
