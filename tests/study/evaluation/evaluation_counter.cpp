#include "ntune/study/evaluation/evaluation_counter.h"

#include "catch.h"

namespace ntune {

TEST_CASE("What follows evaluations of a log is counted at once, however fast these were") {
  StudyProgress progress;
  EvaluationCounter counter(progress);
  for (int i = 1; i <= 1000; ++i) {
    counter.count(1, true);
    REQUIRE(progress.evaluations == i);
  }
  counter.count(1, false);
  CHECK(progress.evaluations == 1001);
}

TEST_CASE("Fast evaluations are counted in batches, the last of them in the end") {
  StudyProgress progress;
  {
    EvaluationCounter counter(progress);
    for (int i = 0; i < 5000; ++i) counter.count(1, false);
    CHECK(progress.evaluations <= 5000);
    CHECK(progress.evaluations > 5000 - 1024);
  }
  CHECK(progress.evaluations == 5000);
}

}  // namespace ntune
