#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/core/option_json.h"
#include "ntune/core/options.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// Gives some options of a struct the values of parameters. Texts, numbers, flags and choices can
/// be set; options of a form of their own cannot.
class OptionSetter : public Options {
 protected:
  /// The value for the next option that is visited; nullptr: it keeps its own.
  virtual const Value* next_value(const char* key) = 0;
  /// Called where the option cannot take its value: "has the value '-1', …".
  virtual void refuse(const std::string& /*problem*/) {}

 private:
  void option(const OptionRef& option) override;
};

/// Sets one option, found by its name.
class NamedOptionSetter final : public OptionSetter {
 public:
  /// Both must outlive the setter.
  NamedOptionSetter(std::string_view name, const Value& value) : name_(name), value_(value) {}

  /// What is wrong with the value, or that there is no such option; empty if it has been set.
  [[nodiscard]] std::string problem() const;
  /// How many options were visited before the one that was found.
  [[nodiscard]] std::size_t place() const { return place_; }

 private:
  const Value* next_value(const char* key) override;
  void refuse(const std::string& problem) override { problem_ = problem; }

  std::string_view name_;
  const Value& value_;
  bool found_ = false;
  std::size_t place_ = 0;
  std::string problem_;
  std::vector<const char*> known_;
};

/// Sets the options that the parameters of a space are bound to, in one visit, by their places in
/// the order of the visit.
class BoundOptionSetter final : public OptionSetter {
 public:
  /// `parameters`: by place of an option its parameter, or -1. All must outlive the setter.
  BoundOptionSetter(std::span<const int> parameters, const SearchSpace& space, const Point& point)
      : parameters_(parameters), space_(space), point_(point) {}

 private:
  const Value* next_value(const char* key) override;

  std::span<const int> parameters_;
  const SearchSpace& space_;
  const Point& point_;
  std::size_t place_ = 0;
};

/// Sets an option of a struct that has `visit`. Returns what is wrong, "has the value '-1', …" or
/// "is no option, …", and leaves the struct as it was; empty if nothing is.
template <class Struct>
std::string set_option(Struct& options, std::string_view name, const Value& value) {
  NamedOptionSetter setter(name, value);
  options.visit(setter);
  return setter.problem();
}

/// A parameter that is no option of a struct, or has a value that the option cannot take, and why.
struct WrongParameter {
  std::string parameter;
  std::string reason;
};

/// Throws InputError "parameter: reason" if there is any.
void refuse(const std::optional<WrongParameter>& wrong);

/// The first of a space, if there is any.
template <class Struct>
std::optional<WrongParameter> wrong_parameter(const SearchSpace& space, Struct options) {
  for (const Parameter& parameter : space.parameters()) {
    for (int i = 0; i < parameter.known_values(); ++i) {
      std::string reason = set_option(options, parameter.name, parameter.value(i));
      if (!reason.empty()) return WrongParameter{parameter.name, std::move(reason)};
    }
  }
  return std::nullopt;
}

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
