#include <exception>
#include <optional>
#include <string>

#include "apps/common/study_progress.h"
#include "apps/ntune/study_run.h"
#include "ntune/core/error.h"
#include "ntune/mpi/mpi_dispatcher.h"
#include "ntune/study/budget/split_advice.h"

namespace ntune::cli {

namespace {

/// The study, which every rank reads by itself. All ranks must have read the same one, or all have
/// failed alike. Throws InputError.
Study load_same_study(const MpiWorld& world, const RunArguments& arguments) {
  std::optional<Study> study;
  std::string text;
  try {
    study = load_study(arguments);
    text = study->config.dump();
  } catch (const std::exception& error) {
    text = error.what();
  }
  world.check_same(text, "the study");
  if (!study) throw InputError(text);
  return *std::move(study);
}

/// A rank other than 0: carries out what it is sent. It gives the same advice on the split as rank
/// 0, because the advice changes the plans of the study.
void work(Study& study, const Terminal& terminal) {
  StudyProgress progress;
  const ProgressDisplay display = show_study(progress, terminal, true);
  if (study.advise_budget > 0) advise_split(study, progress);
  work_mpi(study, progress);
}

}  // namespace

const char* mpi_text() { return "with MPI"; }

int run_with_mpi(const RunArguments& arguments, const Terminal& terminal) {
  const MpiWorld world;
  std::optional<Study> study;
  try {
    study = load_same_study(world, arguments);
    if (world.rank() == 0 && world.size() == 1) {
      throw InputError("--executor mpi: needs two processes or more, such as mpirun -n 3 ntune …");
    }
  } catch (const InputError&) {
    if (world.rank() == 0) throw;
    return kDone;  // rank 0 alone says what is wrong
  }
  if (world.rank() > 0) {
    work(*study, terminal);
    return kDone;
  }
  MpiDispatcher dispatcher(world);
  MpiBackend backend(*study, dispatcher);
  return execute_study(*study, backend, arguments, terminal);
}

}  // namespace ntune::cli
