// The recommendation in the words of other programs.

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/program.h"
#include "ntune/core/text.h"
#include "ntune/space/nested_values.h"
#include "ntune/study/export/export.h"

namespace ntune {

namespace {

constexpr double kShare = 1.0 / 20.0;
constexpr double kRate = 0.002;

/// Refuses a name that would not be read back: fields end at commas, and nothing is quoted.
void check_name(const std::string& name) {
  const bool is_plain = name.find_first_of(",\n\r\t") == std::string::npos && name.front() != '#' &&
                        name.front() != ' ' && name.back() != ' ';
  if (is_plain) return;
  throw InputError(
      fmt::format("parameter '{}': lines of OpenBench cannot hold this name: it has a "
                  "comma, a blank at an end or a # at its beginning",
                  printable(name, 60)));
}

/// Whether a value is an integer.
bool is_whole(const Value& value) { return std::floor(value_number(value)) == value_number(value); }

}  // namespace

std::string settings_text(const SearchSpace& space, const Point& point, ExportTarget target) {
  // TAG nests its values; the others list them.
  if (target == ExportTarget::kTag) return nested_json(point, space).dump(2) + '\n';
  std::string text;
  for (int i = 0; i < space.dimensions(); ++i) {
    if (!space.is_active(point, i) || is_no_value(space.value(point, i))) continue;
    const std::string& name = space[i].name;
    const std::string value = value_text(space.value(point, i));
    if ((name + value).find_first_of("\n\r") != std::string::npos) {
      throw InputError(
          fmt::format("parameter '{}': its name or value has several lines, which an "
                      "option of UCI cannot have",
                      printable(name, 60)));
    }
    if (target == ExportTarget::kUci) {
      text += fmt::format("setoption name {} value {}\n", name, value);
    } else {
      text += fmt::format("{}{}", text.empty() ? "" : " ",
                          shell_word(fmt::format("option.{}={}", name, value)));
    }
  }
  return target == ExportTarget::kUci ? text : text + '\n';
}

OpenBenchLines openbench_lines(const Study& study, const Point& point,
                               const std::map<std::string, std::string>& iterate) {
  // Gains: what the optimiser was given, or else what OpenBench's guide says.
  const SearchSpace& space = study.objectives.front().objective->space();
  const StudyOptimiser& optimiser = study.optimisers.front();
  const bool is_spsa = optimiser.algorithm() == "spsa_duels";
  const double share = is_spsa ? optimiser.options.value("c_end", kShare) : kShare;
  const double rate = is_spsa ? optimiser.options.value("r_end", kRate) : kRate;
  const Json gains = optimiser.options.value("gains", Json::object());
  OpenBenchLines lines;
  for (int i = 0; i < space.dimensions(); ++i) {
    const Parameter& parameter = space[i];
    if (parameter.cardinality() < 2) continue;
    // SPSA moves numbers; what is no number cannot be tuned there.
    if (!parameter.ordered || !space.is_active(point, i)) {
      lines.left_out.push_back(parameter.name);
      continue;
    }
    check_name(parameter.name);
    const Value& first = parameter.values.front();
    const Value& last = parameter.values.back();
    const double low = std::min(value_number(first), value_number(last));
    const double high = std::max(value_number(first), value_number(last));
    const Value& value = space.value(point, i);
    // A parameter of whole numbers moves by at least one half.
    const bool whole = is_whole(value) && std::ranges::all_of(parameter.values, is_whole);
    constexpr double kLeast = 0.5;
    // Given gains come back as they were, a share of the range to six digits.
    std::string c = fmt::format("{:.6g}", std::max(share * (high - low), whole ? kLeast : 0.0));
    std::string r = number_text(rate);
    auto own = parameter.gains;
    if (gains.contains(parameter.name)) own = {gains[parameter.name][0], gains[parameter.name][1]};
    if (own) c = number_text(own->first);
    if (own) r = number_text(own->second);
    if (!own && !is_spsa) lines.usual.push_back(parameter.name);
    // The iterate of a search goes on where it is, between whole numbers too.
    const auto raw = iterate.find(parameter.name);
    lines.text +=
        fmt::format("{}, {}, {}, {}, {}, {}, {}\n", parameter.name, whole ? "int" : "float",
                    raw == iterate.end() ? value_text(value) : raw->second, number_text(low),
                    number_text(high), c, r);
  }
  return lines;
}

}  // namespace ntune
