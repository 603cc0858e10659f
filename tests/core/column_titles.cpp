#include "ntune/core/column_titles.h"

#include <string>
#include <vector>

#include "catch.h"

namespace ntune {

TEST_CASE("a title stands once, and a name of a user gives way") {
  ColumnTitles titles("run,value,n");
  CHECK(titles.of(kParameterPrefix, "run") == "parameter.run");
  CHECK(titles.add(kParameterPrefix, "depth") == "depth");
  CHECK(titles.add(kParameterPrefix, "value") == "parameter.value");
  CHECK(titles.add(kReturnedPrefix, "depth") == "returned.depth");
  CHECK(titles.add(kReturnedPrefix, "value") == "returned.value");
  CHECK(titles.add(kReturnedPrefix, "returned.value") == "returned.returned.value");
  // A goal has three columns, none of which may be another's.
  const std::vector<std::string> ends = {"", "_low", "_high"};
  ColumnTitles goals("point,n");
  CHECK(goals.add(kGoalPrefix, "gain", ends) == "gain");
  CHECK(goals.add(kGoalPrefix, "gain_low", ends) == "goal.gain_low");
  CHECK(goals.add(kGoalPrefix, "n", ends) == "goal.n");
  CHECK(goals.add(kParameterPrefix, "gain_high") == "parameter.gain_high");
}

TEST_CASE("the title of a parameter reads back to its name") {
  const ColumnTitles titles("run");
  for (const char* name :
       {"run", "depth", "parameter.run", "parameter.parameter.x", "opponent.run", "goal.a", "."}) {
    CAPTURE(name);
    const std::string title = titles.of(kParameterPrefix, name);
    CHECK(parameter_of_title(title) == name);
    CHECK_FALSE(title.starts_with(kOpponentPrefix));
  }
}

}  // namespace ntune
