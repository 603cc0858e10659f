#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "ntune/core/clock.h"
#include "ntune/space/point.h"
#include "ntune/study/evaluation/study_observer.h"
#include "ntune/study/model/study.h"

namespace ntune::cli {

/// What the runs of a study would recommend now, for the live line and the rows of --verbose. All
/// members may be called from several threads.
class LiveRecommendations {
 public:
  /// `rows`: also a row for every tenth of a run; `cells`: which name their cell and repeat.
  LiveRecommendations(bool rows, bool cells) : rows_wanted_(rows), cells_(cells) {}

  /// Looks at the run that asks for an evaluation, now and then.
  void look(const Request& request, std::int64_t iterations);

  /// "run 3: 0.5312  x1 0.4  x2 0" of the last look, in the order of the space; empty: none yet.
  [[nodiscard]] std::string text() const;
  /// The rows since the last call; the first of all has a header before it.
  std::vector<std::string> take_rows();

 private:
  [[nodiscard]] bool wants_row(const Request& request, std::int64_t iterations) const;
  bool is_due();
  void find_widths(const SearchSpace& space);
  void add_row(const Request& request, double estimate, const std::string& point);

  bool rows_wanted_;
  bool cells_;
  const Clock::time_point start_ = Clock::now();
  std::atomic<std::int64_t> next_look_ms_{0};
  mutable std::mutex mutex_;
  std::string text_;
  std::vector<std::size_t> widths_;  ///< of the longest value of each parameter
  std::vector<std::string> rows_;
  bool has_header_ = false;
};

/// Shows the runs of a study to LiveRecommendations.
class LiveObserver final : public StudyObserver {
 public:
  LiveObserver(const Study& study, LiveRecommendations& live) : study_(study), live_(live) {}

  void asked(const Request& request) override {
    live_.look(request, study_.plans[study_.plan_of(request.key.cell)].iterations);
  }

 private:
  const Study& study_;
  LiveRecommendations& live_;
};

}  // namespace ntune::cli
