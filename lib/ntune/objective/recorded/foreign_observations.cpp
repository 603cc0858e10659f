#include "ntune/objective/recorded/foreign_observations.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "ntune/core/column_titles.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/objective/objective.h"
#include "ntune/objective/recorded/foreign_readers.h"
#include "ntune/objective/recorded/observation_values.h"

namespace ntune {

namespace {

std::string shown(const std::string& text) { return printable(text, 60); }

/// Distances below this part of a range are what writing and reading numbers leaves.
constexpr double kExact = 1e-9;

/// Index of the value of an ordered parameter that is nearest to a number.
std::uint16_t nearest(const Parameter& parameter, double number, bool& moved) {
  // Values may rise or fall, so all distances are compared.
  std::size_t best = 0;
  for (std::size_t i = 1; i < parameter.values.size(); ++i) {
    const double now = std::abs(value_number(parameter.values[i]) - number);
    if (now < std::abs(value_number(parameter.values[best]) - number)) best = i;
  }
  const double range =
      std::abs(value_number(parameter.values.back()) - value_number(parameter.values.front()));
  const double distance = std::abs(value_number(parameter.values[best]) - number);
  // A number that differs by rounding alone has not moved.
  moved = distance > kExact * std::max(range, std::abs(number));
  return static_cast<std::uint16_t>(best);
}

/// Whether a number lies further beyond an end of an ordered parameter than half a step of its
/// values there, by ratio on a logarithmic scale: a value that the space does not have is nearer.
bool is_beyond(const Parameter& parameter, double number) {
  if (parameter.cardinality() < 2) return false;
  const auto place = [&](double at) {
    return parameter.kind == ParameterKind::kLogRange ? std::log(std::max(at, 0.0)) : at;
  };
  const auto lies_beyond = [&](const Value& end, const Value& before) {
    const double step = place(value_number(end)) - place(value_number(before));
    return (place(number) - place(value_number(end))) / step > 0.5 + kExact;
  };
  const std::vector<Value>& values = parameter.values;
  return lies_beyond(values.front(), values[1]) || lies_beyond(values.back(), *(values.end() - 2));
}

/// Puts the values of one parameter of a space into points.
class Placer {
 public:
  Placer(const ForeignObservations& data, const SearchSpace& space) : data_(data), space_(space) {
    // Parameters of the space are looked for among the columns; one of a single value need not be
    // there.
    for (const std::string& name : space.names()) {
      auto found = data.names.end();
      if (data.titled) found = std::ranges::find(data.names, std::string(kParameterPrefix) + name);
      if (found == data.names.end()) found = std::ranges::find(data.names, name);
      columns_.push_back(found == data.names.end() ? -1
                                                   : static_cast<int>(found - data.names.begin()));
      if (columns_.back() >= 0 || space[space.find(name)].cardinality() == 1) continue;
      throw InputError(fmt::format("{}: has no values of '{}', a parameter of the space; it has {}",
                                   printable(data.file, 1000), shown(name),
                                   list_text(data.names, "and")));
    }
    moved_.assign(columns_.size(), 0);
  }

  Point place(const ForeignObservation& observation) {
    Point point(space_.dimensions());
    for (int i = 0; i < space_.dimensions(); ++i) {
      const int column = columns_[static_cast<std::size_t>(i)];
      if (column < 0) continue;
      const auto& value = observation.values[static_cast<std::size_t>(column)];
      if (value) point[i] = index_of(i, *value, observation);
    }
    // A value may be missing only where the parameter is inactive, which is known once all others
    // are placed.
    for (int i = 0; i < space_.dimensions(); ++i) {
      const int column = columns_[static_cast<std::size_t>(i)];
      if (column < 0 || observation.values[static_cast<std::size_t>(column)]) continue;
      if (!space_.is_active(point, i)) continue;
      fail(observation, i,
           "has no value, although it is active; `when` in --space says where it is");
    }
    space_.canonicalise(point);
    if (!space_.is_allowed(point)) {
      throw InputError(fmt::format("{}:{}: is forbidden in the space: {}",
                                   printable(data_.file, 1000), observation.line,
                                   printable(space_.text(point))));
    }
    return point;
  }

  /// The parameter whose values the observation lies beyond, if there is one.
  [[nodiscard]] std::optional<int> beyond(const ForeignObservation& observation) const {
    for (int i = 0; i < space_.dimensions(); ++i) {
      const int column = columns_[static_cast<std::size_t>(i)];
      if (column < 0 || !space_[i].ordered) continue;
      const auto& value = observation.values[static_cast<std::size_t>(column)];
      if (value && is_beyond(space_[i], value_number(*value))) return i;
    }
    return std::nullopt;
  }

  /// Says how many observations moved to another value, and which columns are left out.
  void add_notes(std::vector<std::string>& notes) const {
    for (std::size_t i = 0; i < moved_.size(); ++i) {
      if (moved_[i] == 0) continue;
      notes.push_back(fmt::format(
          "{}: {} of {} observations count at the nearest value of the space",
          shown(space_[static_cast<int>(i)].name), moved_[i], data_.observations.size()));
    }
    for (std::size_t column = 0; column < data_.names.size(); ++column) {
      if (std::ranges::find(columns_, static_cast<int>(column)) != columns_.end()) continue;
      notes.push_back(fmt::format("{}: is no parameter of the space and is left out",
                                  shown(data_.names[column])));
    }
  }

 private:
  /// The index of a value, or of the nearest one where the parameter is ordered.
  std::uint16_t index_of(int i, const Value& value, const ForeignObservation& observation) {
    const Parameter& parameter = space_[i];
    const int index = parameter.find(value);
    if (index >= 0) return static_cast<std::uint16_t>(index);
    const double number = value_number(value);
    // Words and unordered values have no nearest one.
    if (parameter.cardinality() == 1 || !parameter.ordered || !std::isfinite(number)) {
      fail(observation, i,
           fmt::format("has the value '{}', allowed: {}", shown(value_text(value)),
                       values_text(parameter.values)));
    }
    bool moved = false;
    const std::uint16_t place = nearest(parameter, number, moved);
    if (moved) ++moved_[static_cast<std::size_t>(i)];
    return place;
  }

  [[noreturn]] void fail(const ForeignObservation& observation, int i,
                         const std::string& message) const {
    throw InputError(fmt::format("{}:{}: {}: {}", printable(data_.file, 1000), observation.line,
                                 shown(space_[i].name), message));
  }

  const ForeignObservations& data_;
  const SearchSpace& space_;
  std::vector<int> columns_;
  std::vector<std::size_t> moved_;
};

}  // namespace

ForeignObservations read_foreign_observations(const std::filesystem::path& path,
                                              const ForeignOptions& options) {
  const MappedFile file(path);
  const std::string_view text = file.text();
  // Only an Optuna journal begins with a brace; a CSV file begins with its header.
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    throw InputError(fmt::format("{}: is empty", path_text(path)));
  }
  ForeignObservations data = text[first] == '{' ? read_optuna_journal(text, path.string(), options)
                                                : read_payoff_table(text, path.string(), options);
  if (data.observations.empty()) {
    throw InputError(fmt::format("{}: holds no finished observation", printable(data.file, 1000)));
  }
  // Larger payoffs would overflow in sums of squares.
  for (const ForeignObservation& observation : data.observations) {
    if (std::abs(observation.payoff) <= kLargestPayoff) continue;
    throw InputError(fmt::format("{}: holds a payoff of {}, numbers from {} to {} are allowed",
                                 printable(data.file, 1000), observation.payoff, -kLargestPayoff,
                                 kLargestPayoff));
  }
  return data;
}

void refuse_several_opponents(const ForeignObservations& data) {
  for (const ForeignObservation& one : data.observations) {
    const ForeignObservation& first = data.observations.front();
    if (one.opponent == first.opponent) continue;
    throw InputError(fmt::format(
        "{}:{}: is a match against another opponent than line {}: their values do not compare; "
        "keep the rows of one opponent, or ask the study itself: ntune recommend DIR",
        printable(data.file, 1000), one.line, first.line));
  }
}

void leave_out_beyond(ForeignObservations& data, const SearchSpace& space,
                      std::vector<std::string>& notes) {
  const Placer placer(data, space);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(space.dimensions()), 0);
  const auto is_out = [&](const ForeignObservation& observation) {
    const std::optional<int> at = placer.beyond(observation);
    if (at) ++counts[static_cast<std::size_t>(*at)];
    return at.has_value();
  };
  std::erase_if(data.observations, is_out);
  std::erase_if(data.failures, is_out);
  for (int i = 0; i < space.dimensions(); ++i) {
    const std::int64_t count = counts[static_cast<std::size_t>(i)];
    if (count == 0) continue;
    notes.push_back(fmt::format("{}: {} beyond the values of the space {} left out",
                                shown(space[i].name), counted(count, "observation"),
                                count == 1 ? "is" : "are"));
  }
  if (!data.observations.empty()) return;
  throw InputError(
      fmt::format("{}: holds no observation within the space", printable(data.file, 1000)));
}

std::vector<Point> place_observations(const ForeignObservations& data, const SearchSpace& space,
                                      std::vector<std::string>& notes) {
  Placer placer(data, space);
  std::vector<Point> points;
  for (const ForeignObservation& observation : data.observations) {
    points.push_back(placer.place(observation));
  }
  placer.add_notes(notes);
  return points;
}

std::vector<Point> place_failures(const ForeignObservations& data, const SearchSpace& space) {
  Placer placer(data, space);
  std::vector<Point> points;
  for (const ForeignObservation& failure : data.failures) points.push_back(placer.place(failure));
  return points;
}

}  // namespace ntune
