#include "apps/arcade/sample.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ntune/core/mean_interval.h"
#include "ntune/core/text.h"

namespace ntune::arcade {

namespace {

double median_of(std::vector<double> values) {
  const std::size_t half = values.size() / 2;
  std::ranges::sort(values);
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

/// What a game can bring: lost, drawn, won.
constexpr PossibleValues kResults = {.low = -1.0, .high = 1.0};

RunningStats pairs_of(const std::vector<double>& results) {
  RunningStats pairs;
  for (std::size_t i = 0; i + 1 < results.size(); i += 2) {
    pairs.add(0.5 * (results[i] + results[i + 1]));
  }
  return pairs;
}

}  // namespace

Sample sample_of(const std::vector<double>& results, bool paired) {
  const RunningStats observed = paired ? pairs_of(results) : stats_of(results);
  Sample sample = {
      .stats = stats_of(results), .interval = std::nullopt, .median = median_of(results)};
  if (observed.count() > 1) sample.interval = student_interval(observed);
  return sample;
}

Sample win_loss_sample_of(const std::vector<double>& results, bool paired) {
  Sample sample = sample_of(results);
  sample.interval = mean_interval(paired ? pairs_of(results) : sample.stats, kResults);
  return sample;
}

Json sample_json(const Sample& sample) {
  const auto end = [&](double Interval::*which) {
    return sample.interval ? Json((*sample.interval).*which) : Json();
  };
  return {{"n", sample.stats.count()},  {"mean", sample.stats.mean()},  {"sd", sample.stats.sd()},
          {"low", end(&Interval::low)}, {"high", end(&Interval::high)}, {"min", sample.stats.min()},
          {"median", sample.median},    {"max", sample.stats.max()}};
}

void add_sample(cli::ResultTable& table, const std::string& measure, const std::string& title,
                const Sample& sample, int decimals) {
  const auto text = [&](double value) { return fmt::format("{:.{}f}", value, decimals); };
  const auto short_text = [](double value) {
    return number_text(std::round(100.0 * value) / 100.0);
  };
  const auto& ends = sample.interval;
  table.row()
      .data("measure", measure)
      .data_of(sample_json(sample))
      .text("<", title)
      .text("n", count_text(sample.stats.count()))
      .text("mean", text(sample.stats.mean()))
      .text("sd", text(sample.stats.sd()))
      .text("95 % interval",
            ends ? fmt::format("[{}, {}]", text(ends->low), text(ends->high)) : "-")
      .text("min", short_text(sample.stats.min()))
      .text("median", short_text(sample.median))
      .text("max", short_text(sample.stats.max()));
}

}  // namespace ntune::arcade
