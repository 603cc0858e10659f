// The SPSA lines of OpenBench, `name, int|float, start, min, max, C_end, R_end`, and of fishtest,
// which has no type.

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/space/import/source.h"

namespace ntune {

namespace {

constexpr std::size_t kFields = 6;  ///< without the type

/// The fields between commas, without blanks around them.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    fields.push_back(without_blanks(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return fields;
}

/// A parsed line of a parameter. `whole`: its values are integers; `typed`: it names its type.
struct Line {
  Place place;
  bool whole = false;
  bool typed = false;
  Value start = {};
  Value low = {};
  Value high = {};
  Value spacing = {};
  Value rate = {};
};

/// The number of a field; fails with the field's name.
Value number_field(std::string_view field, const char* name, const Place& place) {
  const auto value = parse_number(field);
  if (!value) {
    fail_at(place, fmt::format("{} is '{}', a number is allowed", name, printable(field, 60)));
  }
  return *value;
}

Line parse_line(std::vector<std::string_view> fields, const Place& place) {
  Line line{.place = place};
  line.typed = fields.size() == kFields + 1;
  const std::string_view type = line.typed ? fields[1] : "";
  // Without the type both kinds of lines have equal fields.
  if (line.typed) fields.erase(fields.begin() + 1);
  if (line.typed && type != "int" && type != "float") {
    fail_at(place, fmt::format("the type is '{}', int or float is allowed", printable(type, 60)));
  }
  line.start = number_field(fields[1], "start", place);
  line.low = number_field(fields[2], "min", place);
  line.high = number_field(fields[3], "max", place);
  line.spacing = number_field(fields[4], "C_end", place);
  line.rate = number_field(fields[5], "R_end", place);
  const auto is_whole = [](const Value& value) {
    constexpr double kLargest = 1e15;
    const double number = value_number(value);
    return number == std::trunc(number) && std::abs(number) <= kLargest;
  };
  // fishtest names no type: whole numbers then mean an integer parameter.
  const bool all_whole = is_whole(line.start) && is_whole(line.low) && is_whole(line.high);
  if (type == "int" && !all_whole) fail_at(place, "start, min and max of an int are whole numbers");
  line.whole = line.typed ? type == "int" : all_whole;
  return line;
}

/// start and what is whole multiples of the spacing away from it, and both ends.
std::vector<Value> values_around(double start, double low, double high, double spacing,
                                 bool whole) {
  std::set<double> numbers = {low, high, start};
  const auto first = static_cast<int>(std::ceil((low - start) / spacing));
  const auto last = static_cast<int>(std::floor((high - start) / spacing));
  for (int i = first; i <= last; ++i) {
    // Twelve significant digits are free of the noise of arithmetic.
    const auto clean = parse_number(fmt::format("{:.12g}", start + i * spacing));
    const double value = value_number(*clean);
    if (value > low && value < high) numbers.insert(value);
  }
  std::vector<Value> values;
  for (const double number : numbers) {
    if (whole) {
      values.emplace_back(static_cast<std::int64_t>(number));
    } else {
      values.emplace_back(number);
    }
  }
  return values;
}

/// Values around the start at the spacing that SPSA would use at its end (C_end), coarser if need
/// be.
SourceValues choose_values(const Line& line, int points) {
  const double start = value_number(line.start);
  const double low = value_number(line.low);
  const double high = value_number(line.high);
  const double extent = high - low;
  if (!(low < high)) fail_at(line.place, "min must be below max");
  if (start < low || start > high) fail_at(line.place, "start must lie from min to max");
  if (!std::isfinite(extent)) fail_at(line.place, "min and max are too far apart");
  // The spacing must be able to tell values apart, and to fit into the range.
  const double smallest = line.whole ? 1.0 : extent * 1e-9;
  const double given = value_number(line.spacing);
  double unit = std::clamp(line.whole ? std::round(given) : given, smallest, extent);
  // Without a useful C_end the range is divided by the number of points.
  const bool by_spacing = given > 0.0 && given <= extent;
  if (!by_spacing) unit = line.whole ? 1.0 : extent / points;
  // At most about 2 * points values: a finer spacing is multiplied by a whole number.
  const double most = 2.0 * points;
  const double multiple = std::max(1.0, std::ceil(extent / unit / most - 1e-9));
  SourceValues chosen;
  chosen.values = values_around(start, low, high, unit * multiple, line.whole);
  const double step = unit * multiple;
  const char* const note = !by_spacing                          ? " is of no use"
                           : multiple > 1.0 || given < smallest ? " is too fine"
                           : step != given                      ? " is rounded"
                                                                : "";
  chosen.rule = fmt::format("{} values, {} apart from the start on, both ends (C_end {}{})",
                            chosen.values.size(), number_text(step), number_text(given), note);
  return chosen;
}

}  // namespace

SourceSpace read_openbench(const std::string& text, const std::string& name, int points) {
  SourceSpace space;
  for_each_line(text, name, [&](std::string_view line, int number) {
    if (line.starts_with('#')) return;
    const std::vector<std::string_view> fields = fields_of(line);
    const Place place = fmt::format("{}:{}: {}", name, number, printable(fields[0], 60));
    if (fields.size() != kFields && fields.size() != kFields + 1) {
      fail_at(fmt::format("{}:{}", name, number),
              fmt::format("has {} fields, name, int or float, start, min, max, C_end and R_end are "
                          "allowed (the type may be left out)",
                          fields.size()));
    }
    const Line parsed = parse_line(fields, place);
    SourceParameter parameter{
        .name = std::string(fields[0]), .place = place, .type = parsed.whole ? "int" : "float"};
    if (!parsed.typed) parameter.type += " by its numbers";
    parameter.domain = choose_values(parsed, points);
    parameter.start = parsed.start;
    // SPSA needs both gains, and they are kept only then.
    if (value_number(parsed.spacing) > 0.0 && value_number(parsed.rate) > 0.0) {
      space.gains.emplace_back(parameter.name, std::pair(parsed.spacing, parsed.rate));
    }
    space.add(std::move(parameter));
  });
  return space;
}

}  // namespace ntune
