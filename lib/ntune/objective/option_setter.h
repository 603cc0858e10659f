#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// Gives some options of a struct the values of parameters. Texts, numbers, flags and choices can
/// be set; options of a form of their own cannot.
class OptionSetter : public Options {
 public:
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

 protected:
  /// The value for the next option that is visited; nullptr: it keeps its own.
  virtual const Value* next_value(const char* key) = 0;
  /// Called where the option cannot take its value: "has the value '-1', …".
  virtual void refuse(const std::string& /*problem*/) {}
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

}  // namespace ntune
