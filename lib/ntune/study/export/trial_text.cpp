#include "ntune/study/export/trial_text.h"

#include <algorithm>
#include <compare>
#include <iterator>

#include <fmt/format.h>

#include "ntune/objective/recorded/optuna_codes.h"

namespace ntune {

namespace {

/// True if a distribution of numbers between two ends describes the values.
bool is_range(const Parameter& parameter) {
  return parameter.ordered && parameter.cardinality() > 1 &&
         (parameter.kind == ParameterKind::kIntegers || parameter.kind == ParameterKind::kRange ||
          parameter.kind == ParameterKind::kLogRange);
}

/// Optuna's internal value.
double number_of(const Parameter& parameter, int value) {
  return is_range(parameter) ? value_number(parameter.value(value)) : static_cast<double>(value);
}

Json distribution_of(const Parameter& parameter) {
  if (!is_range(parameter)) {
    Json choices = Json::array();
    for (int i = 0; i < parameter.known_values(); ++i) {
      choices.push_back(value_json(parameter.value(i)));
    }
    return {{"name", "CategoricalDistribution"}, {"attributes", {{"choices", choices}}}};
  }
  const auto before = [](const Value& a, const Value& b) { return std::is_lt(compare(a, b)); };
  const Value& last = parameter.value(parameter.known_values() - 1);
  const Value& low = std::min(parameter.values.front(), last, before);
  const Value& high = std::max(parameter.values.back(), last, before);
  if (parameter.kind == ParameterKind::kIntegers) {
    const std::int64_t step = std::get<std::int64_t>(parameter.values[1]) -
                              std::get<std::int64_t>(parameter.values.front());
    return {{"name", "IntDistribution"},
            {"attributes",
             {{"log", false},
              {"step", parameter.off_grid ? 1 : step},
              {"low", value_json(low)},
              {"high", value_json(high)}}}};
  }
  return {{"name", "FloatDistribution"},
          {"attributes",
           {{"step", nullptr},
            {"low", value_number(low)},
            {"high", value_number(high)},
            {"log", parameter.kind == ParameterKind::kLogRange && value_number(low) > 0.0}}}};
}

}  // namespace

void append_float(std::string& text, double value) {
  const std::size_t start = text.size();
  fmt::format_to(std::back_inserter(text), "{}", value);
  if (text.find_first_of(".en", start) == std::string::npos) text += ".0";
}

TrialText::TrialText(const SearchSpace& space) : space_(&space) {
  for (const Parameter& parameter : space.parameters()) {
    Column column{.name = Json(parameter.name).dump() + ":",
                  .values = {},
                  .distribution = distribution_of(parameter),
                  .distribution_text = {}};
    column.distribution_text = Json(column.distribution.dump()).dump();
    for (int i = 0; i < parameter.known_values(); ++i) {
      append_float(column.values.emplace_back(), number_of(parameter, i));
    }
    columns_.push_back(std::move(column));
  }
}

double TrialText::internal_value(int parameter, int value) const {
  return number_of((*space_)[parameter], value);
}

const Json& TrialText::distribution(int parameter) const {
  return columns_[static_cast<std::size_t>(parameter)].distribution;
}

void TrialText::append_line(std::string& text, const OptunaTrial& trial) const {
  const OptunaState state = trial.value    ? OptunaState::kComplete
                            : trial.pruned ? OptunaState::kPruned
                                           : OptunaState::kFailed;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, R"({{"op_code":{},"worker_id":"ntune","study_id":{},"state":{},"value":)",
                 optuna_code(OptunaOperation::kCreateTrial), trial.objective, optuna_code(state));
  if (trial.value) {
    append_float(text, *trial.value);
  } else {
    text += "null";
  }
  fmt::format_to(out, R"(,"datetime_start":"{}","datetime_complete":"{}",)", trial.start,
                 trial.complete);
  append(text, trial.point);
  text += ",\"user_attrs\":{";
  for (const auto& [name, value] : trial.attributes) {
    if (&name != &trial.attributes.front().first) text += ',';
    fmt::format_to(out, R"("{}":{})", name, value);
  }
  text += "}}\n";
}

void TrialText::append(std::string& line, const Point& point) const {
  for (const bool distributions : {false, true}) {
    line += distributions ? "},\"distributions\":{" : "\"params\":{";
    bool first = true;
    for (int i = 0; i < point.size(); ++i) {
      if (!space_->is_active(point, i)) continue;
      const Column& column = columns_[static_cast<std::size_t>(i)];
      if (!first) line += ',';
      first = false;
      line += column.name;
      line += distributions ? column.distribution_text : column.values[point[i]];
    }
  }
  line += '}';
}

}  // namespace ntune
