#include "ntune/objective/option_setter.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

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

}  // namespace

bool OptionSetter::is_it(const char* key) {
  known_.push_back(key);
  if (name_ != key) return false;
  found_ = true;
  return true;
}

bool OptionSetter::is_auto() const {
  const auto* word = std::get_if<std::string>(&value_);
  return word != nullptr && *word == "auto";
}

void OptionSetter::refuse(const std::string& allowed) {
  problem_ =
      fmt::format("has the value '{}', {} is allowed", printable(value_text(value_), 60), allowed);
}

void OptionSetter::number(const char* key, double& value, Bounds bounds, const char*) {
  if (!is_it(key)) return;
  if (!is_number(value_) || !bounds.contain(value_number(value_))) {
    return refuse("a number " + bounds.text());
  }
  value = value_number(value_);
}

void OptionSetter::number(const char* key, AutoNumber& value, Bounds bounds, const char* help) {
  if (name_ == key && is_auto()) {
    found_ = true;
    value = {};
    return;
  }
  number(key, value.value, bounds, help);
  if (name_ == key && problem_.empty()) value.automatic = false;
}

void OptionSetter::integer(const char* key, std::int64_t& value, Bounds bounds, const char*) {
  if (!is_it(key)) return;
  if (!is_whole(value_, bounds)) return refuse("a whole number " + bounds.text());
  value = static_cast<std::int64_t>(value_number(value_));
}

void OptionSetter::integer(const char* key, AutoInteger& value, Bounds bounds, const char* help) {
  if (name_ == key && is_auto()) {
    found_ = true;
    value = {};
    return;
  }
  integer(key, value.value, bounds, help);
  if (name_ == key && problem_.empty()) value.automatic = false;
}

void OptionSetter::flag(const char* key, bool& value, const char*) {
  if (!is_it(key)) return;
  const bool* flag = std::get_if<bool>(&value_);
  if (flag == nullptr) return refuse("true or false");
  value = *flag;
}

void OptionSetter::text(const char* key, std::string& value, const char*) {
  if (is_it(key)) value = value_text(value_);
}

void OptionSetter::choice(const char* key, std::string& value, std::span<const std::string> allowed,
                          const char*) {
  if (!is_it(key)) return;
  const std::string text = value_text(value_);
  if (std::ranges::find(allowed, text) == allowed.end()) return refuse(list_text(allowed));
  value = text;
}

void OptionSetter::custom(const char*, const CustomOption&, const char*) {}

std::string OptionSetter::problem() const {
  if (found_) return problem_;
  const std::vector<std::string> names(known_.begin(), known_.end());
  return fmt::format("is no option{}; allowed: {}", suggestion(name_, names),
                     list_text(names, "and"));
}

}  // namespace ntune
