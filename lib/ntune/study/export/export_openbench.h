#pragma once

#include <map>
#include <string>
#include <vector>

#include "ntune/study/model/study.h"

namespace ntune {

/// The values of a point as lines of OpenBench's SPSA input: name, int or float, value, min, max, c
/// and r. c is a twentieth of the range, at least 1/2 for whole numbers, and r is 0.002, as
/// OpenBench's guide has them, but what the options of spsa_duels or the `gains` say. A
/// parameter of the `iterate` has its number as the value, whole or not. Throws InputError for a
/// name that such a line cannot hold.
struct OpenBenchLines {
  std::string text;
  std::vector<std::string> left_out;  ///< parameters that are not numbers, or not active
};
OpenBenchLines openbench_lines(const Study& study, const Point& point,
                               const std::map<std::string, std::string>& iterate = {});

}  // namespace ntune
