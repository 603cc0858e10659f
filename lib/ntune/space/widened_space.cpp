#include "ntune/space/widened_space.h"

#include <algorithm>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

/// Throws InputError "space.NAME: problem".
[[noreturn]] void refuse_widening(const Parameter& parameter, const std::string& problem) {
  throw InputError(fmt::format("space.{}: {}", printable(parameter.name), problem));
}

/// The index of a value, or of the default off the grid; -1 for anything else.
int place_in(const Parameter& parameter, const Value& value) {
  const int place = parameter.find(value);
  const bool off_grid =
      place < 0 && parameter.off_grid && std::is_eq(compare(*parameter.off_grid, value));
  return off_grid ? parameter.cardinality() : place;
}

/// The index in the wide parameter of each value that the narrow one knows.
std::vector<std::uint16_t> places_of_values(const Parameter& narrow, const Parameter& wide) {
  std::vector<std::uint16_t> places;
  for (int i = 0; i < narrow.known_values(); ++i) {
    const Value& value = narrow.value(i);
    const int place = place_in(wide, value);
    if (place < 0) {
      refuse_widening(narrow, fmt::format("has lost the value {}; a space that goes on may only "
                                          "get more values",
                                          printable(value_text(value), 100)));
    }
    places.push_back(static_cast<std::uint16_t>(place));
  }
  return places;
}

}  // namespace

WidenedSpace::WidenedSpace(const SearchSpace& narrow, const SearchSpace& wide)
    : narrow_(&narrow), wide_(&wide), defaults_(wide.dimensions()) {
  for (const Parameter& parameter : narrow.parameters()) {
    const int place = wide.find(parameter.name);
    if (place < 0) {
      refuse_widening(parameter, "is gone; a space that goes on may only get more parameters");
    }
    places_.push_back(place);
    values_.push_back(places_of_values(parameter, wide[place]));
  }
  // New parameters need a value that they had implicitly so far.
  for (int i = 0; i < wide.dimensions(); ++i) {
    const Parameter& parameter = wide[i];
    if (narrow.find(parameter.name) >= 0) continue;
    if (!parameter.default_index) {
      if (parameter.cardinality() == 1) continue;
      refuse_widening(parameter,
                      "is new and has no default; `default:` says which value it had so far");
    }
    defaults_[i] = *parameter.default_index;
  }
}

Point WidenedSpace::operator()(const Point& point) const {
  Point widened = defaults_;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    widened[places_[i]] = values_[i][point.indices()[i]];
  }
  // New conditions may have made parameters inactive.
  wide_->canonicalise(widened);
  if (!wide_->can_be_evaluated(widened)) {
    throw InputError(fmt::format("space: forbids a point that is recorded: {}",
                                 printable(narrow_->text(point), 1000)));
  }
  return widened;
}

Point WidenedSpace::narrowed(const Point& point) const {
  Point narrow(narrow_->dimensions());
  for (int i = 0; i < narrow.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    // A value that the narrow space does not know belongs to an inactive parameter there and is
    // reset.
    const auto found = std::ranges::find(values_[at], point[places_[at]]);
    if (found != values_[at].end()) {
      narrow[i] = static_cast<std::uint16_t>(found - values_[at].begin());
    }
  }
  narrow_->canonicalise(narrow);
  return narrow;
}

}  // namespace ntune
