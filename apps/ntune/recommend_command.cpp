#include <filesystem>
#include <ostream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/rows.h"
#include "apps/ntune/commands.h"
#include "ntune/core/column_titles.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/facts/recommend_data_text.h"
#include "ntune/objective/recorded/foreign_observations.h"
#include "ntune/optim/optimisers.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/instances/instance_effects.h"

namespace ntune::cli {

namespace {

/// The space of --space, or the one that the data tell.
SearchSpace space_of(const RecommendArguments& arguments, ForeignObservations& data) {
  if (!arguments.space.empty()) {
    const YamlNode node = read_yaml(arguments.space);
    const YamlNode* inner = node.is_map() ? node.find("space") : nullptr;
    const bool is_study = inner != nullptr && (inner->is_map() || inner->is_scalar()) &&
                          (node.find("objective") != nullptr || node.children().size() == 1);
    return read_space(is_study ? *inner : node);
  }
  try {
    SearchSpace space(data.parameters);
    data.notes.insert(
        data.notes.begin(),
        fmt::format("the space of {} and {} is inferred from the data; --space FILE sets it",
                    counted(space.dimensions(), "parameter"),
                    counted(space.size().points, "point")));
    return space;
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", printable(data.file, 1000), error.what()));
  }
}

OptimiserPlan model_of(const std::string& model, const SearchSpace& space,
                       const std::vector<Point>& points) {
  if (model.empty()) return usual_learner(space, points);
  try {
    return plan_learner(parse_yaml(model, "--model"), space);
  } catch (const InputError& error) {
    const std::string message = error.what();
    constexpr std::string_view kPlace = "--model:1: ";
    throw InputError(message.starts_with(kPlace) ? "--model: " + message.substr(kPlace.size())
                                                 : message);
  }
}

std::vector<Json> rows_of(const Json& json) {
  std::vector<Json> rows;
  const ColumnTitles titles("rank,estimate,posterior_mean,observations,mean,low,high");
  for (const Json& point : json["top"]) {
    Json row = {{"rank", rows.size() + 1}};
    for (const char* key : {"estimate", "posterior_mean", "observations", "mean"}) {
      row[key] = point[key];
    }
    row["low"] = point["interval"].is_null() ? Json() : point["interval"][0];
    row["high"] = point["interval"].is_null() ? Json() : point["interval"][1];
    for (const auto& [name, value] : point["parameters"].items()) {
      row[titles.of(kParameterPrefix, name)] = value;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// The folder of a study says by itself what options say of other data; its answer is JSON.
void refuse_options_of_data(const RecommendArguments& arguments) {
  const RecommendArguments usual;
  const ForeignOptions& options = arguments.options;
  for (const auto& [name, given] : {std::pair("--space", !arguments.space.empty()),
                                    {"--model", !arguments.model.empty()},
                                    {"--payoff", !options.payoff.empty()},
                                    {"--minimise", options.minimise},
                                    {"--optuna-study", !options.study.empty()},
                                    {"--points", options.points != usual.options.points},
                                    {"--top", arguments.top != usual.top},
                                    {"--format csv", arguments.format == Format::kCsv}}) {
    if (!given) continue;
    throw InputError(fmt::format("{}: goes with a file of observations; {} is a folder", name,
                                 printable(arguments.data, 1000)));
  }
}

int recommend_from_data(const RecommendArguments& arguments, const Terminal& terminal) {
  ForeignObservations data = read_foreign_observations(arguments.data, arguments.options);
  refuse_several_opponents(data);
  const SearchSpace space = space_of(arguments, data);
  leave_out_beyond(data, space, data.notes);
  const std::vector<Point> points = place_observations(data, space, data.notes);
  const OptimiserPlan model = model_of(arguments.model, space, points);
  take_out_instances(data, space, points, model.make);
  const DataRecommendation result =
      recommend_from(data, space, points, model, static_cast<std::size_t>(arguments.top));
  if (!arguments.quiet) {
    for (const std::string& note : data.notes) terminal.err << "note: " << note << '\n';
  }
  const Json json = data_recommendation_json(data, space, result);
  print_result(terminal.out, arguments.format, json, rows_of(json),
               data_recommendation_text(data, space, result));
  return kDone;
}

}  // namespace

int recommend_command(const RecommendArguments& arguments, const Terminal& terminal) {
  std::error_code error;
  if (std::filesystem::is_directory(arguments.data, error)) {
    refuse_options_of_data(arguments);
    return recommend_now(arguments.data, terminal);
  }
  if (!std::filesystem::exists(arguments.data, error)) {
    throw InputError(fmt::format(
        "{}: does not exist; the folder of a study, or a CSV file or Optuna journal is allowed",
        printable(arguments.data, 1000)));
  }
  return recommend_from_data(arguments, terminal);
}

}  // namespace ntune::cli
