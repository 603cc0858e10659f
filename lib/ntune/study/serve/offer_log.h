#pragma once

#include <utility>

#include "ntune/study/evaluation/study_log.h"

namespace ntune {

/// Where there is no journal: holds nothing but what was offered.
class OfferLog final : public StudyLog {
 public:
  [[nodiscard]] const OfferedObservations& offered() const override { return offered_; }

  void add(OfferedObservation observation) { offered_.push_back(std::move(observation)); }

 private:
  OfferedObservations offered_;
};

}  // namespace ntune
