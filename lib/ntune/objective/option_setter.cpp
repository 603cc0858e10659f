#include "ntune/objective/option_setter.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/suggestion.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

bool is_number(const Value& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

bool is_whole(const Value& value, Bounds bounds) {
  const double number = value_number(value);
  return is_number(value) && bounds.contain(number) && number == std::trunc(number);
}

bool is_auto(const Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  return word != nullptr && *word == "auto";
}

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

void OptionSetter::custom(const char*, const CustomOption&, const char*) {}

const Value* NamedOptionSetter::next_value(const char* key) {
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
  const std::size_t place = place_++;
  if (place >= parameters_.size() || parameters_[place] < 0) return nullptr;
  assert(space_[parameters_[place]].name == key);
  return &space_.value(point_, parameters_[place]);
}

void refuse(const std::optional<WrongParameter>& wrong) {
  if (wrong) throw InputError(printable(wrong->parameter) + ": " + wrong->reason);
}

}  // namespace ntune
