#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/space/import/write.h"
#include "ntune/space/point.h"
#include "ntune/space/value_checks.h"

namespace ntune {

namespace {

using Indices = std::set<std::uint64_t>;

/// About `points` of the indices 0 … last, with both ends and the kept ones. They are in equal
/// steps if at most half as many points more allow that, else as evenly spread as whole numbers can
/// be.
Indices thin(std::uint64_t last, const Indices& kept, int points) {
  const auto wanted = static_cast<std::uint64_t>(points);
  // Equal steps are tried first, with the number of points asked for and up to half as many more.
  // All kept indices must lie on them.
  for (std::uint64_t n = wanted; n <= wanted + wanted / 2; ++n) {
    const std::uint64_t step = last / (n - 1);
    if (step == 0 || last % (n - 1) != 0) continue;
    if (!std::ranges::all_of(kept, [&](std::uint64_t i) { return i % step == 0; })) continue;
    Indices indices;
    for (std::uint64_t i = 0; i < n; ++i) indices.insert(i * step);
    return indices;
  }
  // Else the kept indices stand beside points that are as evenly spread as rounding allows.
  Indices indices = kept;
  for (std::uint64_t i = 0; i + 1 < wanted; ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(wanted - 1);
    indices.insert(static_cast<std::uint64_t>(std::round(static_cast<double>(last) * t)));
  }
  indices.insert(last);
  return indices;
}

/// The integers low, low + step, … up to high, by index. low <= high, step >= 1.
class IntegerGrid {
 public:
  explicit IntegerGrid(const SourceIntegers& domain)
      : domain_(domain),
        extent_(static_cast<std::uint64_t>(domain.high) - static_cast<std::uint64_t>(domain.low)) {}

  [[nodiscard]] std::uint64_t last() const {
    return extent_ / static_cast<std::uint64_t>(domain_.step);
  }
  [[nodiscard]] bool reaches_high() const {
    return extent_ % static_cast<std::uint64_t>(domain_.step) == 0;
  }
  [[nodiscard]] std::int64_t at(std::uint64_t index) const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(domain_.low) +
                                     index * static_cast<std::uint64_t>(domain_.step));
  }
  /// Adds the index of a value that is one of the integers.
  void keep(const Value& value, Indices& kept) const;
  /// About `points` indices with equal ratios between the values, and the kept ones. low >= 1.
  [[nodiscard]] Indices thin_log(Indices kept, int points) const;

 private:
  SourceIntegers domain_;
  std::uint64_t extent_;
};

void IntegerGrid::keep(const Value& value, Indices& kept) const {
  const double number = value_number(value);
  // A double stands for an integer only up to 2^53.
  const bool whole = std::abs(number) < 0x1p53 && number == std::trunc(number);
  const auto* held = std::get_if<std::int64_t>(&value);
  if (held == nullptr && !whole) return;
  const std::int64_t integer = held != nullptr ? *held : static_cast<std::int64_t>(number);
  if (integer < domain_.low || integer > domain_.high) return;
  // Unsigned arithmetic holds the distance of any two 64-bit integers.
  const auto offset = static_cast<std::uint64_t>(integer) - static_cast<std::uint64_t>(domain_.low);
  const auto step = static_cast<std::uint64_t>(domain_.step);
  if (offset % step == 0) kept.insert(offset / step);
}

Indices IntegerGrid::thin_log(Indices kept, int points) const {
  const auto low = static_cast<double>(at(0));
  const auto high = static_cast<double>(at(last()));
  for (int i = 1; i + 1 < points; ++i) {
    // Equal ratios: value = low * (high / low)^(i / (points - 1)), and the nearest integer of the
    // grid.
    const double value = low * std::pow(high / low, static_cast<double>(i) / (points - 1));
    const double index = std::round((value - low) / static_cast<double>(domain_.step));
    const auto whole = static_cast<std::uint64_t>(std::max(0.0, index));
    kept.insert(std::min(whole, last()));
  }
  kept.insert({0, last()});
  return kept;
}

/// What a rule made of a domain.
struct Chosen {
  ParameterKind kind = ParameterKind::kChoices;
  std::vector<Value> values;
  std::string rule;
};

/// The note on a range whose high end is not reached by steps from the low end.
std::string last_step_text(std::string_view step, std::string_view high) {
  return fmt::format(" (the high end {} is no multiple of {} away)", high, step);
}

/// Chooses values of a range of integers: all of them if they are few, else about `points`.
Chosen choose(const SourceIntegers& domain, const Value* start, const std::vector<Value>& tested,
              int points) {
  if (domain.step < 1) throw ParameterFault("has a step below 1");
  if (domain.low > domain.high) {
    throw ParameterFault(fmt::format("is from {} to {}, the low end may not be above the high end",
                                     domain.low, domain.high));
  }
  if (domain.log && domain.low < 1) {
    throw ParameterFault(
        fmt::format("is logarithmic from {}, a low end of at least 1 is needed", domain.low));
  }
  const IntegerGrid grid(domain);
  // The note says so if the step does not lead to the high end.
  const std::string end = grid.reaches_high() ? ""
                                              : last_step_text(std::to_string(domain.step),
                                                               std::to_string(domain.high));
  Chosen chosen;
  if (grid.last() < static_cast<std::uint64_t>(std::max(kEveryInteger, points))) {
    for (std::uint64_t i = 0; i <= grid.last(); ++i) chosen.values.emplace_back(grid.at(i));
    chosen.rule = "every value" + end;
    return chosen;
  }
  // The default and tested values stay on the grid, so that conditions keep their meaning.
  Indices kept;
  if (start != nullptr) grid.keep(*start, kept);
  for (const Value& value : tested) grid.keep(value, kept);
  for (const std::uint64_t i :
       domain.log ? grid.thin_log(kept, points) : thin(grid.last(), kept, points)) {
    chosen.values.emplace_back(grid.at(i));
  }
  chosen.rule = fmt::format("{} of {} values, {}, both ends{}", chosen.values.size(),
                            count_text(static_cast<double>(grid.last()) + 1.0),
                            domain.log ? "with equal ratios as far as possible" : "evenly", end);
  return chosen;
}

/// Rounds the noise of arithmetic away: 12 significant digits stay.
double clean(double value) { return *decimal_number(fmt::format("{:.12g}", value)); }

/// Chooses values of a real range with a step: all of them if they are few, else about `points`.
Chosen choose_steps(const SourceReals& domain, const std::vector<Value>& tested, int points) {
  // Rounding may leave a whole number of steps just short, hence the slack.
  const double steps = (domain.high - domain.low) / domain.step;
  constexpr double kSlack = 1e-9;
  const double last = std::floor(steps + kSlack);
  const bool reaches_high = steps - last <= kSlack;
  const std::string end =
      reaches_high ? "" : last_step_text(number_text(domain.step), number_text(domain.high));
  Chosen chosen;
  chosen.kind = ParameterKind::kRange;
  if (last < std::max(kEveryInteger, points)) {
    chosen.values = step_values(domain.low, domain.high, domain.step, {});
    chosen.rule = "every value" + end;
    return chosen;
  }
  Indices kept;
  // A tested value is kept at the multiple of the step next to it.
  for (const Value& value : tested) {
    const double index = std::round((value_number(value) - domain.low) / domain.step);
    if (index >= 0.0 && index <= last) kept.insert(static_cast<std::uint64_t>(index));
  }
  for (const std::uint64_t i : thin(static_cast<std::uint64_t>(last), kept, points)) {
    const auto index = static_cast<double>(i);
    // The ends are taken as they are written, without the rounding of the arithmetic.
    const bool at_high = reaches_high && index == last;
    chosen.values.emplace_back(at_high ? domain.high : clean(domain.low + index * domain.step));
  }
  chosen.values.front() = domain.low;
  chosen.rule = fmt::format("{} of {} values, evenly, both ends{}", chosen.values.size(),
                            count_text(last + 1.0), end);
  return chosen;
}

/// The value at so many decimal places.
double rounded(double value, int digits) {
  return *decimal_number(fmt::format("{:.{}f}", value, digits)) + 0.0;  // not -0
}

/// Rounds all but the ends to decimal places, and adds tested values.
void adjust(std::vector<Value>& values, const SourceReals& domain,
            const std::vector<Value>& tested) {
  std::set<double> numbers;
  // The ends stay exact, since they bound what the program accepts.
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_end = i == 0 || i + 1 == values.size();
    const double number = value_number(values[i]);
    const double near = domain.digits && !is_end ? rounded(number, *domain.digits) : number;
    if (near >= domain.low && near <= domain.high) numbers.insert(near);
  }
  for (const Value& value : tested) {
    const double number = value_number(value);
    if (number >= domain.low && number <= domain.high) numbers.insert(number);
  }
  values.assign(numbers.begin(), numbers.end());
}

/// Chooses values of a real range without a step, or with one too fine to count.
Chosen choose(const SourceReals& domain, const Value*, const std::vector<Value>& tested,
              int points) {
  constexpr double kMostSteps = 0x1p53;
  const double extent = domain.high - domain.low;
  if (domain.step < 0.0) throw ParameterFault("has a step below 0");
  // The difference of two finite numbers may be infinite.
  if (!std::isfinite(extent)) throw ParameterFault("is wider than a number can say");
  if (domain.step > 0.0 && !domain.log && extent >= 0.0 && extent / domain.step < kMostSteps) {
    return choose_steps(domain, tested, points);
  }
  const int count = domain.low == domain.high ? 1 : points;
  Chosen chosen;
  chosen.kind = domain.log ? ParameterKind::kLogRange : ParameterKind::kRange;
  chosen.values = domain.log ? log_range_values(domain.low, domain.high, count, {})
                             : range_values(domain.low, domain.high, count, {});
  adjust(chosen.values, domain, tested);
  chosen.rule = count == 1
                    ? "one value"
                    : fmt::format("{} values from {} to {}, {}, both ends", chosen.values.size(),
                                  number_text(domain.low), number_text(domain.high),
                                  domain.log ? "equal ratios" : "equal distances");
  if (domain.digits) chosen.rule += fmt::format(", {} decimal places", *domain.digits);
  if (domain.step > 0.0) chosen.rule += ", the step is dropped";
  return chosen;
}

/// Choices are kept as they are.
Chosen choose(const SourceChoices& domain, const Value*, const std::vector<Value>&, int) {
  return {.kind = domain.fixed ? ParameterKind::kFixed : ParameterKind::kChoices,
          .values = domain.values,
          .rule = {}};
}

/// Values that the reader has chosen are kept; they are a range unless all are integers.
Chosen choose(const SourceValues& domain, const Value*, const std::vector<Value>&, int) {
  const bool whole = std::ranges::all_of(domain.values, [](const Value& value) {
    return std::holds_alternative<std::int64_t>(value);
  });
  return {.kind = whole ? ParameterKind::kChoices : ParameterKind::kRange,
          .values = domain.values,
          .rule = domain.rule};
}

/// A parameter of ascending integers, of kind kIntegers where their steps are equal.
Parameter make_ascending(std::string name, std::vector<Value> values) {
  Parameter parameter;
  parameter.name = std::move(name);
  parameter.kind = ParameterKind::kIntegers;
  const auto at = [&](std::size_t i) {
    return static_cast<std::uint64_t>(std::get<std::int64_t>(values[i]));
  };
  // Equal steps of integers can be written as a range, others only as a list.
  for (std::size_t i = 2; i < values.size(); ++i) {
    if (at(i) - at(i - 1) != at(1) - at(0)) parameter.kind = ParameterKind::kChoices;
  }
  if (values.size() == 2 && at(1) - at(0) != 1) parameter.kind = ParameterKind::kChoices;
  set_values(parameter, std::move(values));
  return parameter;
}

/// The parameter with its values; lists of numbers may still be unordered.
Parameter make_parameter(const SourceParameter& source, Chosen chosen) {
  const auto* choices = std::get_if<SourceChoices>(&source.domain);
  if (choices == nullptr && chosen.kind == ParameterKind::kChoices) {
    return make_ascending(source.name, std::move(chosen.values));
  }
  Parameter parameter;
  parameter.name = source.name;
  parameter.kind = chosen.kind;
  set_values(parameter, std::move(chosen.values));
  if (choices != nullptr && choices->unordered) parameter.ordered = false;
  return parameter;
}

/// Declares the source's default where it is a value or lies between two, and says so.
std::string declare_default(const Value& start, Parameter& parameter) {
  const std::string text = fmt::format("default {}", printable(value_text(start)));
  const bool is_value = parameter.find(start) >= 0;
  const double number = value_number(start);
  const bool between = parameter.ordered && number > value_number(parameter.values.front()) &&
                       number < value_number(parameter.values.back());
  // A default outside of the range would be an error of the study, so it is only mentioned.
  if (!is_value && !between) return text + " is none of the values";
  try {
    set_default(parameter, start);
  } catch (const ParameterFault&) {
    return text + " lies between two values, and is left out";
  }
  return is_value ? text : text + " lies between two values";
}

}  // namespace

DiscreteParameter discretise(const SourceParameter& source, const std::vector<Value>& tested,
                             int points) {
  try {
    // Faults of a domain carry no place, so it is added here.
    const Value* start = source.start ? &*source.start : nullptr;
    Chosen chosen = std::visit(
        [&](const auto& domain) { return choose(domain, start, tested, points); }, source.domain);
    std::vector<std::string> notes = {source.type};
    if (!chosen.rule.empty()) notes.front() += ": " + chosen.rule;
    DiscreteParameter made{.parameter = make_parameter(source, std::move(chosen)), .comment = {}};
    // A constant needs no default.
    const bool free = made.parameter.cardinality() > 1;
    if (start != nullptr && free) notes.push_back(declare_default(*start, made.parameter));
    notes.insert(notes.end(), source.remarks.begin(), source.remarks.end());
    made.comment = fmt::format("{}", fmt::join(notes, "; "));
    return made;
  } catch (const ParameterFault& fault) {
    fail_at(source.place, fault.what());
  }
}

}  // namespace ntune
