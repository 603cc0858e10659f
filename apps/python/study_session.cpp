#include "apps/python/study_session.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "apps/python/convert.h"
#include "apps/python/python_backend.h"
#include "ntune/core/clock.h"
#include "ntune/core/error.h"
#include "ntune/core/folder_lock.h"
#include "ntune/facts/verify_text.h"
#include "ntune/study/budget/split_advice.h"
#include "ntune/study/evaluation/backend.h"
#include "ntune/study/evaluation/remote_evaluation.h"
#include "ntune/study/fleet/fleet_desk.h"
#include "ntune/study/followup/recommended.h"
#include "ntune/study/followup/test_journal.h"
#include "ntune/study/followup/verify.h"
#include "ntune/study/journal/extension.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/journal/recorded_study.h"
#include "ntune/study/journal/study_folder.h"
#include "ntune/study/keys/objective_maps.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/results/result_files.h"
#include "ntune/study/results/result_json.h"
#include "ntune/study/run_study.h"

namespace ntune::python {

namespace py = pybind11;

namespace {

/// The exception that a caller is to raise.
py::object exception_of(const py::error_already_set& error) {
  if (error.trace()) PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
  return error.value();
}

/// Works on another thread, and has Python look at its signals meanwhile. Returns the exception
/// that has stopped the work, or None.
py::object work_and_watch(StudyProgress& progress, const py::object& notify,
                          const std::function<void()>& work) {
  constexpr auto kLook = std::chrono::milliseconds(50);
  py::object error = py::none();
  std::future<void> done = std::async(std::launch::async, work);
  const auto is_done = [&] {
    const py::gil_scoped_release free;
    return done.wait_for(kLook) == std::future_status::ready;
  };
  while (!is_done()) {
    if (!error.is_none()) continue;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!notify.is_none()) notify(progress.evaluations.load(), progress.total_evaluations);
    } catch (const py::error_already_set& raised) {
      error = exception_of(raised);
      progress.stop = true;
    }
  }
  done.get();
  return error;
}

/// Evaluates by the workers, or else in the library.
class Evaluation {
 public:
  /// Throws InputError where the study needs workers and there are none.
  Evaluation(const Study& study, const Carriers& carriers, StudyProgress& progress)
      : carriers_(carriers), progress_(progress) {
    const bool has_workers = !carriers.workers.is_none();
    if (!has_workers && is_asked(study)) {
      throw InputError("function: the study is evaluated by a function of Python; none was given");
    }
    if (has_workers) {
      python_ = std::make_unique<PythonBackend>(study, carriers, progress);
    } else {
      local_ = std::make_unique<LocalBackend>(study.execution.threads);
    }
  }

  [[nodiscard]] Backend& backend() const {
    return python_ ? static_cast<Backend&>(*python_) : *local_;
  }
  [[nodiscard]] StudyObserver* observer() const { return python_.get(); }

  /// Does the work, with Python's exception if one has ended it, and what was recommended then.
  void carry_out(Ended& ended, const std::function<void()>& work) const {
    if (!python_) {
      ended.error = work_and_watch(progress_, carriers_.notify, work);
      return;
    }
    {
      const py::gil_scoped_release free;
      work();
    }
    ended.last = python_->last_recommendation();
    if (ended.last.is_object()) ended.last["evaluations"] = progress_.evaluations.load();
    ended.error = python_->error() ? exception_of(*python_->error()) : py::none();
  }

 private:
  const Carriers& carriers_;
  StudyProgress& progress_;
  std::unique_ptr<PythonBackend> python_;
  std::unique_ptr<LocalBackend> local_;
};

std::unique_ptr<Journal> open_journal(const GivenStudy& given, const Carriers& carriers,
                                      const Study& study) {
  const Journal::Open open = carriers.retry_failed ? Journal::Open::kRetryFailed
                             : given.resume        ? Journal::Open::kResume
                                                   : Journal::Open::kNew;
  return open_study_folder(given.folder, study, open);
}

void read_verify_options(const Json& json, VerifyOptions& options) {
  for (const auto& [key, value] : {std::pair("alpha", &options.alpha),
                                   {"beta", &options.beta},
                                   {"elo0", &options.elo0},
                                   {"elo1", &options.elo1},
                                   {"effect0", &options.effect0},
                                   {"effect1", &options.effect1}}) {
    if (json.contains(key)) *value = json[key].get<double>();
  }
  options.evaluations = json.value("evaluations", options.evaluations);
  options.asks_elo = json.contains("elo0") || json.contains("elo1");
  options.asks_effect = json.contains("effect0") || json.contains("effect1");
  if (!(options.elo0 < options.elo1)) throw InputError("elo1: a number above elo0 is allowed");
  if (!(options.effect0 < options.effect1)) {
    throw InputError("effect1: a number above effect0 is allowed");
  }
}

}  // namespace

Study read_study_of(const GivenStudy& given) {
  const YamlNode node = read_given(given.text, given.name);
  Study study = given.resume ? read_resumed_study(node, given.folder) : read_study(node);
  // As `ntune serve` has it, so that either goes on with what the other has begun.
  if (is_asked(study)) set_record(study, Recording::kEvaluations);
  if (given.resume) go_on_from(given.folder, study);
  return study;
}

HeldStudy::HeldStudy(const std::string& text, const std::string& name)
    : study_(read_study_of({.text = text, .name = name, .folder = {}})),
      identity_(fleet_identity(study_).dump()) {}

std::string HeldStudy::carry_out(const std::string& request, const std::string& identity) const {
  static const std::atomic<bool> kGoesOn = false;
  const Clock::time_point begin = Clock::now();
  // An older build or instance would make results that belong to another study.
  std::string fault;
  if (identity != identity_) {
    fault = identity_fault(given_json(identity, "the identity"), Json::parse(identity_), false);
  }
  const Outcome outcome =
      fault.empty() ? carry_out_remote(study_, given_json(request, "the request"), kGoesOn)
                    : Outcome{.failure = fmt::format("worker on {}: {}", host_name(), fault),
                              .blame = Blame::kMachine};
  return Json({{"outcome", outcome_json(outcome)}, {"seconds", seconds_since(begin)}}).dump();
}

Ended run_given(const GivenStudy& given, const Carriers& carriers) {
  Study study = read_study_of(given);
  if (carriers.threads >= 0) study.execution.threads = carriers.threads;
  Ended ended{.result = {}, .last = {}, .error = py::none()};
  StudyProgress progress;
  const Evaluation evaluation(study, carriers, progress);
  const std::unique_ptr<Journal> journal = open_journal(given, carriers, study);
  std::optional<FolderLock> lock;  // of a study without a journal, which holds it itself
  if (journal == nullptr) lock.emplace(given.folder);
  if (study.advise_budget > 0) {
    ended.error = work_and_watch(progress, py::none(), [&] { advise_split(study, progress); });
    if (progress.stop) return ended;
    if (journal) journal->keep_split();
  }
  evaluation.carry_out(ended, [&] {
    const StudyResult result =
        run_study(study, evaluation.backend(), progress, journal.get(), evaluation.observer());
    if (journal) journal->sync();
    const std::vector<CellSummary> summaries = summarise(study, result);
    write_result(given.folder, study, result, summaries);
    ended.result = result_json(study, result, summaries);
  });
  return ended;
}

Ended verify_folder(const std::string& folder, const std::string& against, const Json& options,
                    const Carriers& carriers) {
  RecommendedStudy recommended = read_recommended(folder, {}, AskedFromOutside::kAllowed);
  Study& study = recommended.study;
  if (carriers.threads >= 0) study.execution.threads = carriers.threads;
  if (!carriers.workers.is_none() && !is_asked(study)) {
    throw InputError("function: the study has an objective of its own; leave out one of them");
  }
  VerifyOptions test;
  read_verify_options(options, test);
  if (options.contains("seed")) study.seed = options["seed"].get<std::uint64_t>();
  const Incumbent incumbent = read_incumbent(against, study);
  if (!incumbent.note.empty()) {
    constexpr int kCaller = 2;  // of Result.verify
    py::module_::import("warnings").attr("warn")("against: " + incumbent.note, py::none(), kCaller);
  }
  const Point& other = incumbent.point;
  Ended ended{.result = {}, .last = {}, .error = py::none()};
  StudyProgress progress;
  const Evaluation evaluation(study, carriers, progress);
  evaluation.carry_out(ended, [&] {
    const Verification result =
        verify(study, evaluation.backend(), recommended.point, other, test, progress);
    ended.result = verification_json(recommended, other, against, result);
    keep_decision(folder, recommended, other, result);
  });
  return ended;
}

}  // namespace ntune::python
