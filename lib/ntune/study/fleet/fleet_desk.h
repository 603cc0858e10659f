#pragma once

#include <mutex>
#include <string>

#include "ntune/core/json.h"
#include "ntune/study/fleet/fleet.h"
#include "ntune/study/keys/objective_maps.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// What a worker and its server must have in common: the version, all of the study that an
/// evaluation depends on, and digests of the files that its commands name and of the instances that
/// are files.
Json fleet_identity(const Study& study);

/// Why a worker of that identity cannot work for the server of this one; empty: it can. A file that
/// the server does not have may be any. `any_program`: so may all of the commands.
std::string identity_fault(const Json& server, const Json& worker, bool any_program);

/// Answers the messages of workers; README.md has them.
class FleetDesk {
 public:
  /// Both must outlive the desk. `study_digest`: of the study's file, for the clients of a study
  /// without a command, as those of ntune_client.py and NTune.java.
  FleetDesk(const Study& study, Fleet& fleet, bool any_program, std::string study_digest = {})
      : study_(study),
        fleet_(fleet),
        identity_(is_asked(study) ? Json() : fleet_identity(study)),
        study_digest_(std::move(study_digest)),
        any_program_(any_program) {}

  /// The answer to a message; {"error": …} to one that cannot be carried out.
  Json answer(const Json& message);
  /// The workers and what has become of their evaluations.
  [[nodiscard]] Json workers() const;

 private:
  Json join(const Json& message);
  std::string client_fault(const Json& message);
  Json work(const Json& message);
  Json take_alone(const Json& message);
  bool take_answer(const Json& message);

  const Study& study_;
  Fleet& fleet_;
  Json identity_;
  std::string study_digest_;
  bool any_program_;
  std::mutex mutex_;
  std::string program_ = {};  ///< digest of the first client's program
};

}  // namespace ntune
