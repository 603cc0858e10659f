#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/game_statistics.h"
#include "ntune/core/json.h"
#include "ntune/core/yaml.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/model/study.h"

namespace ntune {

// A value that stands in a JSON file names its fields once, in `visit_fields(field, value)`, for
// the writer and for the reader.

template <class Value>
concept Array = requires {
  std::tuple_size<Value>::value;
};
template <class Value>
concept Number = std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>;
template <class Value>
concept Text = std::is_same_v<Value, std::string> || std::is_same_v<Value, IncumbentFinding>;
template <class Value>
concept List = Array<Value> || std::is_same_v<Value, Interval> || requires(Value v) {
  v.push_back({});
};

template <class Value>
bool is_of_kind(const Json& json) {
  if constexpr (std::is_same_v<Value, bool>) return json.is_boolean();
  if constexpr (Number<Value>) return json.is_number();
  if constexpr (Text<Value>) return json.is_string();
  return List<Value> ? json.is_array() : json.is_object();
}

/// The space of the points that follow.
class SpaceOfPoints {
 public:
  SpaceOfPoints() = default;  ///< there are no points
  explicit SpaceOfPoints(const Study& study) : study_(&study) {}

  [[nodiscard]] const SearchSpace& get() const {
    return study_->objectives[at_].objective->space();
  }
  /// The objective with this label.
  void choose(const std::string& label) {
    const auto found = std::ranges::find(study_->objectives, label, &StudyObjective::label);
    if (found != study_->objectives.end())
      at_ = static_cast<std::size_t>(found - study_->objectives.begin());
  }

 private:
  const Study* study_ = nullptr;
  std::size_t at_ = 0;
};

/// A visitor of fields: it writes them in their order.
class FieldWriter {
 public:
  explicit FieldWriter(const SpaceOfPoints& space = {}) : space_(space) {}

  static constexpr bool kReads = false;
  Json json = Json::object();

  /// Keys and values in turn.
  template <class Value, class... More>
  void operator()(const char* key, Value& value, More&&... more) {
    json[key] = written(value);
    if constexpr (sizeof...(more) > 0) (*this)(more...);
  }
  /// A key that stands there only where it has a value.
  template <class Value>
  void if_any(const char* key, std::optional<Value>& value) {
    if (value) json[key] = written(*value);
  }
  /// Fields in an object of their own.
  template <class Fields>
  void within(const char* key, const Fields& fields) {
    FieldWriter inner(space_);
    fields(inner);
    json[key] = std::move(inner.json);
  }
  void of_objective(const std::string& label) { space_.choose(label); }

 private:
  template <class Value>
  Json written(Value& value);
  template <class Value>
  Json written(std::optional<Value>& value) {
    return value ? written(*value) : Json();
  }
  template <class Value>
  Json written(std::vector<Value>& values) {
    Json list = Json::array();
    for (Value& value : values) list.push_back(written(value));
    return list;
  }

  SpaceOfPoints space_;
};

/// A visitor of fields: it reads those that are there, and of the right kind.
class FieldReader {
 public:
  FieldReader(const Json& json, const SpaceOfPoints& space) : json_(json), space_(space) {}

  static constexpr bool kReads = true;

  /// Keys and values in turn. A point must be there.
  template <class Value, class... More>
  void operator()(const char* key, Value& value, More&&... more) {
    const auto found = json_.find(key);
    if (found != json_.end() && !found->is_null()) {
      read(*found, value);
    } else if (std::is_same_v<Value, Point>) {
      throw InputError(fmt::format("result.json: a point has no '{}'", key));
    }
    if constexpr (sizeof...(more) > 0) (*this)(more...);
  }
  template <class Value>
  void if_any(const char* key, std::optional<Value>& value) {
    (*this)(key, value);
  }
  template <class Fields>
  void within(const char* key, const Fields& fields) {
    const auto found = json_.find(key);
    if (found == json_.end() || !found->is_object()) return;
    FieldReader inner(*found, space_);
    fields(inner);
  }
  void of_objective(const std::string& label) { space_.choose(label); }

 private:
  template <class Value>
  void read(const Json& json, Value& value);
  template <class Value>
  void read(const Json& json, std::optional<Value>& value) {
    if (is_of_kind<Value>(json)) read(json, value.emplace());
  }
  template <class Value>
  void read(const Json& json, std::vector<Value>& values) {
    if (!json.is_array()) return;
    values.resize(json.size());
    for (std::size_t i = 0; i < json.size(); ++i) read(json[i], values[i]);
  }

  const Json& json_;
  SpaceOfPoints space_;
};

template <class Value>
Json FieldWriter::written(Value& value) {
  if constexpr (std::is_floating_point_v<Value>) {
    return std::isfinite(value) ? Json(value) : Json();
  } else if constexpr (std::is_integral_v<Value> || std::is_same_v<Value, std::string> ||
                       std::is_same_v<Value, Json> || Array<Value>) {
    return value;
  } else if constexpr (std::is_same_v<Value, Interval>) {
    return Json::array({written(value.low), written(value.high)});
  } else if constexpr (std::is_same_v<Value, Point>) {
    return point_json(value, space_.get());
  } else if constexpr (std::is_same_v<Value, IncumbentFinding>) {
    return finding_name(value);
  } else {
    FieldWriter inner(space_);
    visit_fields(inner, value);
    return std::move(inner.json);
  }
}

template <class Value>
void FieldReader::read(const Json& json, Value& value) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if constexpr (std::is_arithmetic_v<Value> || std::is_same_v<Value, std::string>) {
    if (is_of_kind<Value>(json)) value = json.get<Value>();
  } else if constexpr (std::is_same_v<Value, Json>) {
    value = json;
  } else if constexpr (Array<Value>) {
    for (std::size_t i = 0; json.is_array() && i < std::min(json.size(), value.size()); ++i) {
      read(json[i], value[i]);
    }
  } else if constexpr (std::is_same_v<Value, Interval>) {
    value = {-kInfinite, kInfinite};
    if (!json.is_array() || json.size() != 2) return;
    read(json[0], value.low);
    read(json[1], value.high);
  } else if constexpr (std::is_same_v<Value, Point>) {
    value = read_point(parse_yaml(to_yaml(json), "result.json"), space_.get());
  } else if constexpr (std::is_same_v<Value, IncumbentFinding>) {
    value = IncumbentFinding::kNotShown;
    for (const auto finding : {IncumbentFinding::kBetter, IncumbentFinding::kKeep}) {
      if (json == finding_name(finding)) value = finding;
    }
  } else if (json.is_object()) {
    FieldReader inner(json, space_);
    visit_fields(inner, value);
  }
}

/// A value without an end is null.
template <class Visitor>
void visit_fields(Visitor& field, Rating& rating) {
  std::optional<double> value;
  if (!Visitor::kReads && std::isfinite(rating.value)) value = rating.value;
  field("value", value);
  field("interval", rating.interval);
  if constexpr (Visitor::kReads) {
    const bool low = std::isinf(rating.interval.low);
    const bool high = std::isinf(rating.interval.high);
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    rating.value = value.value_or(low == high ? std::nan("") : low ? -kInfinite : kInfinite);
  }
}

}  // namespace ntune
