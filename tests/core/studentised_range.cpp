#include <cmath>

#include "catch.h"
#include "ntune/core/normal.h"

namespace ntune {

TEST_CASE("Critical values of Nemenyi's test are those of Demsar (2006), Table 5a") {
  const double at_5_percent[] = {1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164};
  const double at_10_percent[] = {1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920};
  for (int groups = 2; groups <= 10; ++groups) {
    CAPTURE(groups);
    CHECK_THAT(normal_range_quantile(groups, 0.95) / std::sqrt(2.0),
               Catch::Matchers::WithinAbs(at_5_percent[groups - 2], 0.001));
    CHECK_THAT(normal_range_quantile(groups, 0.90) / std::sqrt(2.0),
               Catch::Matchers::WithinAbs(at_10_percent[groups - 2], 0.001));
  }
  // His example: 4 algorithms on 14 data sets.
  CHECK_THAT(critical_rank_difference(4, 14), Catch::Matchers::WithinAbs(1.25, 0.005));
}

}  // namespace ntune
