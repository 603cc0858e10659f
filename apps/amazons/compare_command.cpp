#include <array>
#include <ostream>
#include <vector>

#include <fmt/format.h>

#include "apps/amazons/commands.h"
#include "apps/common/result_table.h"
#include "apps/common/rows.h"
#include "apps/common/settings.h"
#include "apps/common/watched.h"
#include "ntune/core/error.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/statistics.h"
#include "ntune/core/text.h"
#include "ntune/games/amazons/objective/objective.h"

namespace ntune::amazons {

namespace {

constexpr std::int64_t kComparedNodes = 3000;

/// "VARIANT" or "VARIANT:option=value,option=value".
TdsOptions read_settings(const char* option, const std::string& text,
                         const LimitArguments& limits) {
  const std::size_t colon = text.find(':');
  TdsOptions settings;
  settings.table_mb = 1;
  if (limits.nodes) settings.nodes = {false, *limits.nodes};
  if (limits.seconds) settings.seconds = {false, *limits.seconds};
  if (!limits.nodes && !limits.seconds) settings.nodes = {false, kComparedNodes};
  settings.enhancements =
      cli::with_option(option, [&] { return parse_tds_variant(text.substr(0, colon)); });
  if (colon != std::string::npos) {
    settings = cli::read_settings(option, text.substr(colon + 1),
                                  [&](const YamlNode& map) { return read_options(map, settings); });
  }
  cli::with_option(option, [&] { settings.check(); });
  return settings;
}

/// Errors of both on the same positions.
struct Comparison {
  std::array<RunningStats, 2> temperature;
  std::array<RunningStats, 2> mean;
  std::array<RunningStats, 2> nodes;
  std::array<std::int64_t, 2> exact{};  ///< positions without an error
  RunningStats less_temperature;        ///< the baseline's error less that of the settings
  RunningStats less_mean;

  void add(const std::array<TdsError, 2>& errors) {
    for (std::size_t i = 0; i < 2; ++i) {
      temperature[i].add(errors[i].temperature);
      mean[i].add(errors[i].mean);
      nodes[i].add(static_cast<double>(errors[i].nodes));
      exact[i] += errors[i].temperature == 0.0 && errors[i].mean == 0.0 ? 1 : 0;
    }
    less_temperature.add(errors[1].temperature - errors[0].temperature);
    less_mean.add(errors[1].mean - errors[0].mean);
  }
};

std::string stats_text(const RunningStats& stats) {
  const Interval interval = student_interval(stats);
  return fmt::format("{:.4f} [{:.4f}, {:.4f}]", stats.mean(), interval.low, interval.high);
}

Json stats_json(const RunningStats& stats) {
  const Interval interval = student_interval(stats);
  return {{"mean", stats.mean()}, {"low", interval.low}, {"high", interval.high}};
}

void print(const Comparison& found, const CompareArguments& arguments,
           const std::array<TdsOptions, 2>& settings, std::ostream& out) {
  const std::array<std::string, 2> names = {arguments.settings, arguments.baseline};
  cli::ResultTable table;
  for (std::size_t i = 0; i < 2; ++i) {
    const Interval temperature = student_interval(found.temperature[i]);
    const Interval mean = student_interval(found.mean[i]);
    table.row()
        .data("settings", names[i])
        .text("<", printable(names[i], 200))
        .data("positions", arguments.positions)
        .data("temperature_error", found.temperature[i].mean())
        .ends("temperature", temperature)
        .text("<error of the temperature", stats_text(found.temperature[i]))
        .data("mean_error", found.mean[i].mean())
        .ends("mean", mean)
        .text("<of the mean", stats_text(found.mean[i]))
        .both("exact", "exact", found.exact[i])
        .both("nodes", "nodes", found.nodes[i].mean(), "{:.0f}");
  }
  const Json json = {{"positions", arguments.positions},
                     {"seed", arguments.seed},
                     {"least_empties", arguments.least_empties},
                     {"most_empties", arguments.most_empties},
                     {"settings", options_json(settings[0])},
                     {"baseline", options_json(settings[1])},
                     {"rows", table.rows()},
                     {"less_temperature_error", stats_json(found.less_temperature)},
                     {"less_mean_error", stats_json(found.less_mean)}};
  cli::print_result(
      out, arguments.output.format, json, table.rows(),
      fmt::format("{} random 4x4 positions with {} to {} empty squares, seed {}; 95 % intervals\n\n"
                  "{}\nThe first is ahead, position by position: temperature {}, mean {}\n",
                  arguments.positions, arguments.least_empties, arguments.most_empties,
                  arguments.seed, table.text(), stats_text(found.less_temperature),
                  stats_text(found.less_mean)));
}

}  // namespace

int compare_command(const CompareArguments& arguments, const Terminal& terminal) {
  const std::array<TdsOptions, 2> settings = {
      read_settings("settings", arguments.settings, arguments.limits),
      read_settings("--baseline", arguments.baseline, arguments.limits)};
  if (arguments.least_empties > arguments.most_empties) {
    throw InputError("--least-empties: is more than --most-empties");
  }
  const Rng rng = cli::rng_of(arguments.seed);
  Parallel parallel(arguments.output.threads);
  const AmazonsDatabase database = database_of(arguments.database, parallel);
  // 1. Both settings search the same random positions, whose values the database knows.
  using Errors = std::vector<std::array<TdsError, 2>>;
  const auto search = [&](Progress& progress) {
    Errors errors(static_cast<std::size_t>(arguments.positions));
    parallel.for_each(errors.size(), [&](std::size_t i) {
      if (progress.stop) return;
      Rng draw = rng.stream("compare", i);
      const auto position =
          random_amazons_position(arguments.least_empties, arguments.most_empties, draw);
      for (std::size_t s = 0; s < 2; ++s) {
        errors[i][s] = tds_error(settings[s], position, database.value(position));
      }
      ++progress.done;
    });
    return errors;
  };
  const Errors errors =
      cli::watched(arguments.positions, "positions", arguments.output, terminal, search);
  // 2. Their errors are compared position by position.
  Comparison found;
  for (const auto& pair : errors) found.add(pair);
  print(found, arguments, settings, terminal.out);
  return cli::kDone;
}

}  // namespace ntune::amazons
