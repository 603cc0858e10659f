#pragma once

#include "ntune/core/json.h"
#include "ntune/study/fleet/fleet.h"
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
  /// Both must outlive the desk.
  FleetDesk(const Study& study, Fleet& fleet, bool any_program)
      : study_(study), fleet_(fleet), identity_(fleet_identity(study)), any_program_(any_program) {}

  /// The answer to a message; {"error": …} to one that cannot be carried out.
  Json answer(const Json& message);
  /// The workers and what has become of their evaluations.
  [[nodiscard]] Json workers() const;

 private:
  Json join(const Json& message);
  Json work(const Json& message);
  bool take_answer(const Json& message);

  const Study& study_;
  Fleet& fleet_;
  Json identity_;
  bool any_program_;
};

}  // namespace ntune
