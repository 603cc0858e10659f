// The SPSA lines of OpenBench, `name, int|float, start, min, max, C_end, R_end`, of fishtest, which
// has no type, and of older tuners, which have a weight of Elo in its place behind them; and the
// JSON of weather-factory.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/space/import/source.h"

namespace ntune {

namespace {

constexpr std::size_t kFields = 6;  ///< without the type

bool is_type(std::string_view field) { return field == "int" || field == "float"; }

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

bool is_whole(const Value& value) {
  constexpr double kLargest = 1e15;
  const double number = value_number(value);
  return number == std::trunc(number) && std::abs(number) <= kLargest;
}

Line parse_line(std::vector<std::string_view> fields, const Place& place) {
  Line line{.place = place};
  // A seventh field is the type, or at the end a weight that SPSA does not need.
  const bool has_more = fields.size() == kFields + 1;
  if (!has_more && is_type(fields[1])) fail_at(place, "the seventh field, R_end, is missing");
  line.typed = has_more && (is_type(fields[1]) || !parse_number(fields[1]));
  const std::string_view type = line.typed ? fields[1] : "";
  if (line.typed && !is_type(type)) {
    fail_at(place, fmt::format("the type is '{}', int or float is allowed", printable(type, 60)));
  }
  if (has_more) fields.erase(line.typed ? fields.begin() + 1 : fields.end() - 1);
  line.start = number_field(fields[1], "start", place);
  line.low = number_field(fields[2], "min", place);
  line.high = number_field(fields[3], "max", place);
  line.spacing = number_field(fields[4], "C_end", place);
  line.rate = number_field(fields[5], "R_end", place);
  const bool whole_ends = is_whole(line.low) && is_whole(line.high);
  if (type == "int" && !whole_ends) fail_at(place, "min and max of an int are whole numbers");
  // fishtest names no type and tunes integers. A start with decimals is that of a tune that went
  // on, unless the steps are smaller than 1, too.
  line.whole = line.typed ? type == "int"
                          : whole_ends && (is_whole(line.start) || value_number(line.spacing) >= 1);
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
    const double value = *decimal_number(fmt::format("{:.12g}", start + i * spacing));
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
  const double given_start = value_number(line.start);
  const double start = line.whole ? std::round(given_start) : given_start;
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

/// The parameter of a line; a start that is rounded is said.
SourceParameter parameter_of(std::string name, const Line& line, int points, SourceSpace& space) {
  SourceParameter parameter{
      .name = std::move(name), .place = line.place, .type = line.whole ? "int" : "float"};
  parameter.domain = choose_values(line, points);
  parameter.start = line.start;
  if (line.whole) {
    const auto rounded = static_cast<std::int64_t>(std::round(value_number(line.start)));
    parameter.start = rounded;
    if (!is_whole(line.start)) {
      const std::string note =
          fmt::format("the start {} is rounded to {}", value_text(line.start), rounded);
      parameter.remarks.push_back(note);
      space.warnings.push_back(fmt::format("{}: {}", line.place, note));
    }
  }
  // SPSA needs both gains, and they are kept only then.
  if (value_number(line.spacing) > 0.0 && value_number(line.rate) > 0.0) {
    parameter.gains = {value_number(line.spacing), value_number(line.rate)};
  }
  return parameter;
}

}  // namespace

SourceSpace read_openbench(const std::string& text, const std::string& name, int points) {
  SourceSpace space;
  for_each_line(text, name, [&](std::string_view line, int number) {
    if (line.starts_with('#')) return;
    std::vector<std::string_view> fields = split(line, ',');
    for (std::string_view& field : fields) field = without_blanks(field);
    const Place place = fmt::format("{}:{}: {}", name, number, printable(fields[0], 60));
    if (fields.size() != kFields && fields.size() != kFields + 1) {
      fail_at(fmt::format("{}:{}", name, number),
              fmt::format("has {} fields, name, int or float, start, min, max, C_end and R_end are "
                          "allowed (the type may be left out)",
                          fields.size()));
    }
    const Line parsed = parse_line(fields, place);
    SourceParameter parameter = parameter_of(std::string(fields[0]), parsed, points, space);
    if (!parsed.typed) parameter.type += " by its numbers";
    space.add(std::move(parameter));
  });
  return space;
}

SourceSpace read_weather_factory(const YamlNode& document, int points) {
  SourceSpace space;
  for (const YamlNode& map : document.children()) {
    const auto number = [&](const char* key) {
      const double value = read_real(needed(map, key));
      return value == std::floor(value) && std::abs(value) < 1e15
                 ? Value(static_cast<std::int64_t>(value))
                 : Value(value);
    };
    Line line{.place = map.place(),
              .start = number("value"),
              .low = number("min_value"),
              .high = number("max_value"),
              .spacing = number("step"),
              .rate = std::int64_t{0}};
    // The engine is sent whole numbers.
    line.whole = is_whole(line.low) && is_whole(line.high);
    space.add(parameter_of(map.key(), line, points, space));
  }
  return space;
}

}  // namespace ntune
