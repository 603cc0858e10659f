#pragma once

#include <utility>
#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/core/option_json.h"
#include "ntune/objective/option_setter.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// Options of which some are tuned: every parameter of a space stands in for the option of its
/// name. Names are looked up once, when this is made. The struct's `visit` must visit the same
/// options in the same order, whatever their values.
template <class Struct>
class TunedOptions {
 public:
  /// Throws InputError "parameter: reason" for a parameter that is no option of the struct, or has
  /// a value that the option cannot take.
  TunedOptions(Struct options, SearchSpace space)
      : options_(std::move(options)), space_(std::move(space)) {
    refuse(wrong_parameter(space_, options_));
    for (int i = 0; i < space_.dimensions(); ++i) {
      NamedOptionSetter setter(space_[i].name, space_[i].values.front());
      Struct copy = options_;
      copy.visit(setter);
      if (parameters_.size() <= setter.place()) parameters_.resize(setter.place() + 1, -1);
      parameters_[setter.place()] = i;
    }
  }

  [[nodiscard]] const SearchSpace& space() const { return space_; }
  /// The values that hold where the space has no parameter, by name.
  [[nodiscard]] Json defaults() const { return options_json(options_); }

  /// The options with the values of a point.
  [[nodiscard]] Struct at(const Point& point) const {
    Struct options = options_;
    BoundOptionSetter setter(parameters_, space_, point);
    options.visit(setter);
    return options;
  }

 private:
  Struct options_;
  SearchSpace space_;
  std::vector<int> parameters_;  ///< parameter of every option in order of the visit; -1: none
};

}  // namespace ntune
