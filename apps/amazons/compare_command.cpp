#include <array>
#include <ostream>
#include <vector>

#include <fmt/format.h>

#include "apps/amazons/sum_commands.h"
#include "apps/common/progress.h"
#include "apps/common/rows.h"
#include "apps/common/settings.h"
#include "ntune/core/error.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/statistics.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/games/amazons/objective/objective.h"

namespace ntune::amazons {

namespace {

constexpr std::int64_t kUsualNodes = 3000;

/// "VARIANT" or "VARIANT:option=value,option=value".
TdsOptions read_settings(const char* option, const std::string& text,
                         const LimitArguments& limits) {
  const std::size_t colon = text.find(':');
  TdsOptions settings;
  settings.table_mb = 1;
  if (limits.nodes) settings.nodes = {false, *limits.nodes};
  if (limits.seconds) settings.seconds = {false, *limits.seconds};
  if (!limits.nodes && !limits.seconds) settings.nodes = {false, kUsualNodes};
  try {
    settings.enhancements = parse_tds_variant(text.substr(0, colon));
    if (colon != std::string::npos) {
      settings = cli::read_settings(option, text.substr(colon + 1), [&](const YamlNode& map) {
        return read_options(map, settings);
      });
    }
    settings.check();
  } catch (const InputError& error) {
    const std::string message = error.what();
    throw InputError(message.starts_with(option) ? message
                                                 : fmt::format("{}: {}", option, message));
  }
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
  TextTable table({"<", "<error of the temperature", "<of the mean", "exact", "nodes"});
  std::vector<Json> rows;
  for (std::size_t i = 0; i < 2; ++i) {
    table.add_row({printable(names[i], 200), stats_text(found.temperature[i]),
                   stats_text(found.mean[i]), std::to_string(found.exact[i]),
                   fmt::format("{:.0f}", found.nodes[i].mean())});
    const Interval temperature = student_interval(found.temperature[i]);
    const Interval mean = student_interval(found.mean[i]);
    rows.push_back({{"settings", names[i]},
                    {"positions", arguments.positions},
                    {"temperature_error", found.temperature[i].mean()},
                    {"temperature_low", temperature.low},
                    {"temperature_high", temperature.high},
                    {"mean_error", found.mean[i].mean()},
                    {"mean_low", mean.low},
                    {"mean_high", mean.high},
                    {"exact", found.exact[i]},
                    {"nodes", found.nodes[i].mean()}});
  }
  const Json json = {{"positions", arguments.positions},
                     {"seed", arguments.seed},
                     {"least_empties", arguments.least_empties},
                     {"most_empties", arguments.most_empties},
                     {"settings", options_json(settings[0])},
                     {"baseline", options_json(settings[1])},
                     {"rows", rows},
                     {"less_temperature_error", stats_json(found.less_temperature)},
                     {"less_mean_error", stats_json(found.less_mean)}};
  cli::print_result(
      out, arguments.output.format, json, rows,
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
  std::vector<std::array<TdsError, 2>> errors(static_cast<std::size_t>(arguments.positions));
  Progress progress;
  progress.total = arguments.positions;
  {
    const cli::ProgressDisplay display(progress, "positions", terminal, arguments.output.quiet);
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
  }
  if (progress.stop) return cli::kInterrupted;
  Comparison found;
  for (const auto& pair : errors) found.add(pair);
  print(found, arguments, settings, terminal.out);
  return cli::kDone;
}

}  // namespace ntune::amazons
