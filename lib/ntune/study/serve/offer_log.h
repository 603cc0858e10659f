#pragma once

#include <optional>
#include <utility>

#include "ntune/study/evaluation/study_log.h"

namespace ntune {

/// Where there is no journal: holds nothing but what was offered.
class OfferLog final : public StudyLog {
 public:
  [[nodiscard]] std::optional<Outcome> find(const EvaluationKey&, const Point&,
                                            const Point*) const override {
    return std::nullopt;
  }
  void append(const Request&, const Outcome&, Time, Time) override {}
  [[nodiscard]] std::optional<RunRecord> find_run(std::uint32_t, std::int64_t,
                                                  std::int64_t) const override {
    return std::nullopt;
  }
  void append_run(std::uint32_t, const RunRecord&) override {}
  [[nodiscard]] const OfferedObservations& offered() const override { return offered_; }

  void add(OfferedObservation observation) { offered_.push_back(std::move(observation)); }

 private:
  OfferedObservations offered_;
};

}  // namespace ntune
