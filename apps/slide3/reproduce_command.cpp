#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <ostream>

#include <fmt/format.h>

#include "apps/common/claims.h"
#include "apps/common/rows.h"
#include "apps/slide3/reproduce.h"
#include "apps/slide3/reproduce_appendix.h"
#include "apps/slide3/reproduce_intensities.h"
#include "apps/slide3/reproduce_moves.h"
#include "apps/slide3/reproduce_plot.h"
#include "apps/slide3/reproduce_series.h"
#include "apps/slide3/reproduce_starts.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/plot/picture.h"

namespace ntune::slide3 {

namespace {

constexpr int kMoves = 100;

const std::map<std::string, Reproduction (*)(Laboratory&)>& experiments() {
  static const std::map<std::string, Reproduction (*)(Laboratory&)> kExperiments = {
      {"a1-a3", reproduce_quotas},    {"4.2", reproduce_values},
      {"4.3", reproduce_ties},        {"6.1", reproduce_intensity},
      {"6.2", reproduce_distance},    {"b", reproduce_fat},
      {"d", reproduce_distances},     {"e1", reproduce_tile_tab},
      {"ranking", reproduce_ranking}, {"intensities", reproduce_intensities},
      {"6.4", reproduce_weak},        {"c", reproduce_starts},
      {"f", reproduce_rounded},       {"3.4", reproduce_count},
      {"moves", reproduce_moves},     {"reasons", reproduce_reasons},
      {"7", reproduce_repair}};
  return kExperiments;
}

}  // namespace

Laboratory::Laboratory(const ReproduceArguments& arguments, const Terminal& terminal)
    : arguments_(arguments),
      terminal_(terminal),
      parallel_(arguments.output.threads),
      database_(database_of<3>(arguments.database, parallel_)) {}

std::vector<SlidePosition<3>> Laboratory::sample(int dtw) const {
  return draw_sample({.file = "",
                      .dtw = std::to_string(dtw),
                      .count = games(),
                      .seed = arguments_.seed,
                      .database = ""},
                     database_);
}

DepthPlayer Laboratory::player(const SlideEvaluation& evaluation, int depth) const {
  return {.evaluation = evaluation, .depth = depth, .search = arguments_.search};
}

std::vector<Autoplay> Laboratory::play(const std::vector<DepthPlayer>& players, int dtw,
                                       const char* purpose, bool count) {
  return play_from(players, sample(dtw), dtw, purpose, count);
}

std::vector<Autoplay> Laboratory::play_from(const std::vector<DepthPlayer>& players,
                                            const std::vector<SlidePosition<3>>& positions, int dtw,
                                            const char* purpose, bool count) {
  std::vector<AutoplayTask> tasks;
  for (const DepthPlayer& player : players) {
    tasks.push_back(
        {.make_agent = [player, count] { return std::make_unique<DepthAgent>(player, count); },
         .rng = rng().stream(purpose, dtw, tasks.size())});
  }
  const auto games = static_cast<std::int64_t>(players.size() * positions.size());
  return watched(games, "games", [&](Progress& progress) {
    return autoplay(tasks, positions, kMoves, parallel_, progress);
  });
}

std::vector<std::string> experiment_names() {
  std::vector<std::string> names;
  for (const auto& [name, run] : experiments()) names.push_back(name);
  return names;
}

namespace {

/// --depth and --dtw go with experiments that are played at one depth and DTW, and --win-value with
/// all but that of Chapter 7, which compares two values.
void check_places(const ReproduceArguments& arguments) {
  const std::vector<std::string> with_depth = {"6.4", "7", "c", "f", "intensities", "reasons"};
  const std::vector<std::string> with_dtw = {"6.4", "7", "f", "intensities", "reasons"};
  const auto refuse = [&](const char* option, const std::vector<std::string>& names) {
    throw InputError(fmt::format("{}: does not go with {}; it goes with {}", option,
                                 arguments.experiment, list_text(names, "and")));
  };
  const auto is_of = [&](const std::vector<std::string>& names) {
    return std::ranges::find(names, arguments.experiment) != names.end();
  };
  if (arguments.depth && !is_of(with_depth)) refuse("--depth", with_depth);
  if (arguments.dtw && !is_of(with_dtw)) refuse("--dtw", with_dtw);
  if (arguments.experiment == "7" && arguments.search.win_value != kRepairedWinValue) {
    throw InputError(fmt::format("--win-value: does not go with 7, which has Win worth 0 and {}",
                                 number_text(kRepairedWinValue)));
  }
}

Json json_of(const Reproduction& result, const ReproduceArguments& arguments) {
  Json json = {
      {"experiment", arguments.experiment}, {"title", result.title}, {"seed", arguments.seed}};
  if (result.plays) {
    json["table"] = table_name(arguments.search.table);
    json["win_value"] = arguments.search.win_value;
  }
  json["rows"] = result.rows;
  if (!result.summary.is_null()) json["summary"] = result.summary;
  return json;
}

std::string text_of(const Reproduction& result, const ReproduceArguments& arguments) {
  std::string text = result.title + '\n';
  if (result.plays) {
    text += fmt::format("table {}, Win {}, ", table_name(arguments.search.table),
                        number_text(arguments.search.win_value));
  }
  text += fmt::format("seed {}\n\n{}", arguments.seed, result.table);
  return result.remarks.empty() ? text : text + '\n' + result.remarks;
}

}  // namespace

int reproduce_command(const ReproduceArguments& arguments, const Terminal& terminal) {
  cli::check_experiment(arguments.experiment, arguments.list, experiment_names());
  if (arguments.list) return cli::list_claims("slide3", arguments.output.format, terminal);
  check_places(arguments);
  if (!arguments.plot.empty()) check_picture(arguments.plot);
  Laboratory laboratory(arguments, terminal);
  const Reproduction result = experiments().at(arguments.experiment)(laboratory);
  if (laboratory.stopped()) return cli::kInterrupted;
  cli::print_result(terminal.out, arguments.output.format, json_of(result, arguments), result.rows,
                    text_of(result, arguments));
  if (!arguments.plot.empty()) {
    write_picture(arguments.plot,
                  reproduction_figure(arguments.experiment, result.title, result.rows),
                  kPictureWidth);
  }
  if (arguments.output.quiet) return cli::kDone;
  terminal.err << fmt::format("{:.1f} s", laboratory.seconds());
  if (result.evaluations > 0) {
    const double rate = static_cast<double>(result.evaluations) / laboratory.seconds();
    terminal.err << fmt::format(", {} leaves a second", count_text(std::floor(rate)));
  }
  terminal.err << '\n';
  return cli::kDone;
}

}  // namespace ntune::slide3
