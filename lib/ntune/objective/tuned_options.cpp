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

/// Whether it is a number; truth values and words are not.
bool is_number(const Value& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

/// Whether it is a whole number within the bounds; 3.0 is one.
bool is_whole(const Value& value, Bounds bounds) {
  const double number = value_number(value);
  return is_number(value) && bounds.contain(number) && number == std::trunc(number);
}

/// Whether it is the word "auto".
bool is_auto(const Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  return word != nullptr && *word == "auto";
}

/// The message for a value that an option cannot take.
std::string problem_text(const Value& value, const std::string& allowed) {
  return fmt::format("has the value '{}', {} is allowed", printable(value_text(value), 60),
                     allowed);
}

/// Sets the number and returns an empty text, or says what is wrong.
std::string set_number(const Value& from, Bounds bounds, double& value) {
  if (!is_number(from) || !bounds.contain(value_number(from))) {
    return problem_text(from, "a number " + bounds.text());
  }
  value = value_number(from);
  return {};
}

/// Sets the whole number and returns an empty text, or says what is wrong.
std::string set_integer(const Value& from, Bounds bounds, std::int64_t& value) {
  if (!is_whole(from, bounds)) return problem_text(from, "a whole number " + bounds.text());
  value = static_cast<std::int64_t>(value_number(from));
  return {};
}

}  // namespace

void OptionSetter::number(const char* key, double& value, Bounds bounds, const char*) {
  const Value* from = next_value(key);
  if (from == nullptr) return;
  if (const auto problem = set_number(*from, bounds, value); !problem.empty()) refuse(problem);
}

void OptionSetter::number(const char* key, AutoNumber& value, Bounds bounds, const char*) {
  const Value* from = next_value(key);
  if (from == nullptr) return;
  // The word "auto" gives the choice back to the program.
  if (is_auto(*from)) {
    value = {};
    return;
  }
  if (const auto problem = set_number(*from, bounds, value.value); !problem.empty()) {
    return refuse(problem);
  }
  value.automatic = false;
}

void OptionSetter::integer(const char* key, std::int64_t& value, Bounds bounds, const char*) {
  const Value* from = next_value(key);
  if (from == nullptr) return;
  if (const auto problem = set_integer(*from, bounds, value); !problem.empty()) refuse(problem);
}

void OptionSetter::integer(const char* key, AutoInteger& value, Bounds bounds, const char*) {
  const Value* from = next_value(key);
  if (from == nullptr) return;
  if (is_auto(*from)) {
    value = {};
    return;
  }
  if (const auto problem = set_integer(*from, bounds, value.value); !problem.empty()) {
    return refuse(problem);
  }
  value.automatic = false;
}

void OptionSetter::flag(const char* key, bool& value, const char*) {
  const Value* from = next_value(key);
  if (from == nullptr) return;
  const bool* flag = std::get_if<bool>(from);
  if (flag == nullptr) return refuse(problem_text(*from, "true or false"));
  value = *flag;
}

void OptionSetter::text(const char* key, std::string& value, const char*) {
  if (const Value* from = next_value(key)) value = value_text(*from);
}

void OptionSetter::choice(const char* key, std::string& value, std::span<const std::string> allowed,
                          const char*) {
  const Value* from = next_value(key);
  if (from == nullptr) return;
  const std::string text = value_text(*from);
  if (std::ranges::find(allowed, text) == allowed.end()) {
    return refuse(problem_text(*from, list_text(allowed)));
  }
  value = text;
}

// Options with a form of their own cannot have one value for each point, so none is looked up.
void OptionSetter::custom(const char*, const CustomOption&, const char*) {}

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
