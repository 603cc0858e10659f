#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ntune/core/error.h"
#include "ntune/core/options.h"
#include "ntune/core/text.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// Gives one option of a struct a value, so that a parameter of a space can stand in for it. Texts,
/// numbers, flags and choices can be set; options of a form of their own cannot.
class OptionSetter final : public Options {
 public:
  /// Both must outlive the setter.
  OptionSetter(std::string_view name, const Value& value) : name_(name), value_(value) {}

  using Options::choice;
  using Options::integer;
  void number(const char* key, double& value, Bounds bounds, const char* help) override;
  void number(const char* key, AutoNumber& value, Bounds bounds, const char* help) override;
  void integer(const char* key, std::int64_t& value, Bounds bounds, const char* help) override;
  void integer(const char* key, AutoInteger& value, Bounds bounds, const char* help) override;
  void flag(const char* key, bool& value, const char* help) override;
  void text(const char* key, std::string& value, const char* help) override;
  void choice(const char* key, std::string& value, std::span<const std::string> allowed,
              const char* help) override;
  void custom(const char* key, const CustomOption& option, const char* help) override;

  /// What is wrong with the value, or that there is no such option; empty if it has been set.
  [[nodiscard]] std::string problem() const;

 private:
  bool is_it(const char* key);
  [[nodiscard]] bool is_auto() const;
  void refuse(const std::string& allowed);

  std::string_view name_;
  const Value& value_;
  bool found_ = false;
  std::string problem_;
  std::vector<const char*> known_;
};

/// Sets an option of a struct that has `visit`. Returns what is wrong, "has the value '-1', …" or
/// "is no option, …", and leaves the struct as it was; empty if nothing is.
template <class Struct>
std::string set_option(Struct& options, std::string_view name, const Value& value) {
  OptionSetter setter(name, value);
  options.visit(setter);
  return setter.problem();
}

/// A parameter that is no option of a struct, or has a value that the option cannot take, and why.
struct WrongParameter {
  std::string parameter;
  std::string reason;
};

/// The first of a space, if there is any.
template <class Struct>
std::optional<WrongParameter> wrong_parameter(const SearchSpace& space, Struct options) {
  for (const Parameter& parameter : space.parameters()) {
    for (const Value& value : parameter.values) {
      std::string reason = set_option(options, parameter.name, value);
      if (!reason.empty()) return WrongParameter{parameter.name, std::move(reason)};
    }
  }
  return std::nullopt;
}

/// Throws InputError "parameter: reason" if there is any.
template <class Struct>
void refuse_wrong_parameter(const SearchSpace& space, const Struct& options) {
  if (const auto wrong = wrong_parameter(space, options)) {
    throw InputError(printable(wrong->parameter) + ": " + wrong->reason);
  }
}

/// The options with the values of a point of a space in which no parameter is wrong.
template <class Struct>
Struct options_at(Struct options, const SearchSpace& space, const Point& point) {
  for (int i = 0; i < space.dimensions(); ++i) {
    set_option(options, space[i].name, space.value(point, i));
  }
  return options;
}

}  // namespace ntune
