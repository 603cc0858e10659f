#pragma once

#include <cstdlib>
#include <exception>
#include <fstream>
#include <set>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

// What the programs of experiments share: their options and their files of results.

namespace ntune {

/// A CSV file of results to which a program adds what is missing: rows by their first columns.
class ResultRows {
 public:
  /// `header`: names of all columns, of which the last `measured` do not name a row.
  ResultRows(const std::string& file, const std::string& header, int measured) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      for (int i = 0; i < measured; ++i) line.erase(line.rfind(','));
      made_.insert(line);
    }
    out_.open(file, std::ios::app);
    if (made_.empty()) out_ << header << "\n";
  }

  /// Calls measure() for the measured columns, where the file has no such row yet.
  template <class Measure>
  void add(const std::string& row, const Measure& measure) {
    if (!made_.contains(row)) out_ << row << "," << measure() << std::endl;
  }

 private:
  std::set<std::string> made_;
  std::ofstream out_;
};

/// Options of a program that adds the rows of many runs to a file.
template <class Plan>
void add_row_options(CLI::App& program, Plan& plan) {
  program.add_option("--runs", plan.runs, "runs of each row");
  program.add_option("--csv", plan.csv, "file to which missing rows are added");
}

/// Reads the program's options and runs it; what is thrown is one line of standard error.
template <class Run>
int run_experiment(CLI::App& program, int argc, char** argv, const Run& run) {
  try {
    program.parse(argc, argv);
    run();
  } catch (const CLI::ParseError& error) {
    return program.exit(error);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

}  // namespace ntune
