#include "ntune/objective/tuned_options.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

/// Sets an option to a value. Returns what is wrong with the value; empty: nothing is.
struct ValueSetter {
  const Value& from;
  Bounds bounds;

  std::string operator()(double* value) const {
    if (!is_number(from) || !bounds.contain(value_number(from))) {
      return problem("a number " + bounds.text());
    }
    *value = value_number(from);
    return {};
  }
  /// A whole number within the bounds; 3.0 is one.
  std::string operator()(std::int64_t* value) const {
    const double number = value_number(from);
    if (!is_number(from) || !bounds.contain(number) || number != std::trunc(number)) {
      return problem("a whole number " + bounds.text());
    }
    *value = static_cast<std::int64_t>(number);
    return {};
  }
  /// The word "auto" gives the choice back to the program.
  template <class Number>
  std::string operator()(Auto<Number>* value) const {
    Auto<Number> set{.automatic = from == Value(std::string("auto"))};
    const std::string problem = set.automatic ? "" : (*this)(&set.value);
    if (problem.empty()) *value = set;
    return problem;
  }
  std::string operator()(bool* value) const {
    const bool* flag = std::get_if<bool>(&from);
    if (flag == nullptr) return problem("true or false");
    *value = *flag;
    return {};
  }
  std::string operator()(std::string* value) const {
    *value = value_text(from);
    return {};
  }
  std::string operator()(const WordChoice& choice) const {
    const std::string text = value_text(from);
    if (std::ranges::find(choice.allowed, text) == choice.allowed.end()) {
      return problem(list_text(choice.allowed));
    }
    *choice.word = text;
    return {};
  }
  std::string operator()(const CustomOption*) const { return {}; }

  /// The message for a value that the option cannot take.
  [[nodiscard]] std::string problem(const std::string& allowed) const {
    return fmt::format("has the value '{}', {} is allowed", printable(value_text(from), 60),
                       allowed);
  }
};

}  // namespace

void OptionSetter::option(const OptionRef& option) {
  // Options with a form of their own cannot have one value for each point, so none is looked up.
  if (std::holds_alternative<const CustomOption*>(option.value)) return;
  const Value* from = next_value(option.key);
  if (from == nullptr) return;
  const std::string problem = std::visit(ValueSetter{*from, option.bounds}, option.value);
  if (!problem.empty()) refuse(problem);
}

const Value* NamedOptionSetter::next_value(const char* key) {
  // The names are collected for the message, in the order of the visit.
  known_.push_back(key);
  if (name_ != key) return nullptr;
  found_ = true;
  place_ = known_.size() - 1;
  return &value_;
}

std::string NamedOptionSetter::problem() const {
  if (found_) return problem_;
  const std::vector<std::string> names(known_.begin(), known_.end());
  return fmt::format("is no option{}; allowed: {}", suggestion(name_, names),
                     list_text(names, "and"));
}

const Value* BoundOptionSetter::next_value([[maybe_unused]] const char* key) {
  // Every visited option takes the next place, whether or not it is bound.
  const std::size_t place = place_++;
  if (place >= parameters_.size() || parameters_[place] < 0) return nullptr;
  assert(space_[parameters_[place]].name == key);
  return &space_.value(point_, parameters_[place]);
}

void refuse(const std::optional<WrongParameter>& wrong) {
  if (wrong) throw InputError(printable(wrong->parameter) + ": " + wrong->reason);
}

}  // namespace ntune
