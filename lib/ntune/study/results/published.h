#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ntune/study/model/study.h"
#include "ntune/study/results/summary.h"

namespace ntune {

/// A row of published results. It has mean and sd over runs of the true value of what a run
/// recommends, and the mean of estimate minus true value with its 95 % interval.
struct PublishedRow {
  std::string objective;
  std::string optimiser;
  std::int64_t iterations = 0;
  std::int64_t runs = 0;
  double mean = 0.0;
  double sd = 0.0;
  double delta = 0.0;
  Interval delta_interval = {};
};

/// Reads a CSV file with a header naming at least objective, optimiser, iterations, runs, mean, sd,
/// delta, delta_ci_low and delta_ci_high; lines that start with # are comments. Throws InputError
/// with file and line.
std::vector<PublishedRow> read_published(const std::filesystem::path& path);

/// A published row beside our cell; differences in combined standard errors.
struct PublishedComparison {
  PublishedRow row;
  SampleSummary score;
  SampleSummary delta;
  double mean_errors = 0.0;  ///< (ours - published) / sqrt(se^2 + se^2)
  double delta_errors = 0.0;
};

/// Throws InputError if a row has no cell of the same labels and iterations.
void check_published(const Study& study, const std::vector<PublishedRow>& rows);

/// Pairs rows, which must have passed check_published, with cells.
std::vector<PublishedComparison> compare_published(const Study& study,
                                                   const std::vector<CellSummary>& summaries,
                                                   const std::vector<PublishedRow>& rows);

}  // namespace ntune
