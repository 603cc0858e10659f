#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "ntune/core/json.h"
#include "ntune/study/model/study.h"

namespace ntune::python {

/// A study as a caller gives it, and where it is kept.
struct GivenStudy {
  std::string text;    ///< as JSON; empty: `name` is its file
  std::string name;    ///< of the file, or kArguments
  std::string folder;  ///< of journal and results
  bool resume = false;
};

/// How a study is carried out. All need the interpreter lock.
struct Carriers {
  int threads = -1;           ///< of an objective of the library; -1: as the study says
  pybind11::object workers;   ///< evaluate (PythonBackend); None: the library does
  pybind11::object notify;    ///< notify(evaluations, total), called now and then; or None
  bool retry_failed = false;  ///< earlier failures do not count
};

/// What a study has come to.
struct Ended {
  Json result;             ///< as in result.json
  Json last;               ///< what the search recommended when it was ended early, or null
  pybind11::object error;  ///< the Python exception that ended it, or None
};

/// A study on another machine, of which a single evaluation is asked for at a time.
class HeldStudy {
 public:
  /// As GivenStudy has them. Throws InputError.
  HeldStudy(const std::string& text, const std::string& name);

  /// What the machine that runs the study and this one must have in common, as text of JSON.
  [[nodiscard]] const std::string& identity() const { return identity_; }
  /// The outcome of a remote_request, and how many seconds it took, as text of JSON. Nothing is
  /// carried out for one who has another `identity`: that ends the study. Any number of threads may
  /// call it. Throws InputError.
  [[nodiscard]] std::string carry_out(const std::string& request,
                                      const std::string& identity) const;

 private:
  Study study_;
  std::string identity_;
};

/// The study, checked and with every default; as it goes on in the folder where it is resumed.
/// Throws InputError.
Study read_study_of(const GivenStudy& given);

/// Runs a study and writes its folder, as `ntune run` does. Holds the interpreter lock only while
/// Python's own code runs. A KeyboardInterrupt ends the study, whose folder can be resumed.
/// Throws InputError and EvaluationError.
Ended run_given(const GivenStudy& given, const Carriers& carriers);

/// Compares the recommendation of a study's folder with another point, as `ntune verify` does.
/// `against`: "default", or a file or folder. `options`: any of alpha, beta, elo0, elo1, effect0,
/// effect1 and evaluations, as in VerifyOptions. Throws as above.
Ended verify_folder(const std::string& folder, const std::string& against, const Json& options,
                    const Carriers& carriers);

}  // namespace ntune::python
