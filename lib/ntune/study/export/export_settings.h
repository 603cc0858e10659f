#pragma once

#include <map>
#include <string>
#include <vector>

#include "ntune/space/search_space.h"
#include "ntune/study/export/export.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// The active parameters of a point as another program takes them. kUci: lines `setoption name …
/// value …`. kFastchess: words `option.NAME=VALUE` of a command line. kTag: an agent file of TAG's,
/// with nested names as objects. Throws InputError for a name or value that cannot be written.
std::string settings_text(const SearchSpace& space, const Point& point, ExportTarget target);

/// The values of a point as lines of OpenBench's SPSA input: name, int or float, value, min, max, c
/// and r. c is a twentieth of the range, at least 1/2 for whole numbers, and r is 0.002, as
/// OpenBench's guide has them, but what the options of spsa_duels or the `gains` say. A
/// parameter of the `iterate` has its number as the value, whole or not. Throws InputError for a
/// name that such a line cannot hold.
struct OpenBenchLines {
  std::string text;
  std::vector<std::string> left_out;  ///< parameters that are not numbers, or not active
  std::vector<std::string> usual;     ///< those whose c and r are the guide's, as none were given
};
OpenBenchLines openbench_lines(const Study& study, const Point& point,
                               const std::map<std::string, std::string>& iterate = {});

}  // namespace ntune
