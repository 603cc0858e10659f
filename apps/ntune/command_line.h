#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "apps/common/program.h"
#include "apps/ntune/commands.h"
#include "apps/ntune/import_command.h"
#include "apps/ntune/report_commands.h"

namespace ntune::cli {

/// All commands of ntune with their options.
struct CommandLine : Program {
  RunArguments run;
  CheckArguments check;
  ListArguments list;
  std::string describe;
  EvalArguments eval;
  TabulateArguments tabulate;
  ServeArguments serve;
  StepArguments step;
  std::int64_t trial = 0;
  std::vector<double> values;
  std::string reason;
  ExportArguments exported;
  MergeArguments merge;
  ImportArguments import;
  RecommendArguments recommend;
  VerifyArguments verify;
  DeviationsArguments deviations;
  ReportArguments report;
  PlotArguments plot;
  WatchArguments watch;
  std::string shell = "bash";

  CommandLine();

 private:
  void add_tabulate();
  void add_serve();
  void add_export();
  void add_merge();
  void add_import();
  void add_recommend();
  void add_verify();
  void add_deviations();
  static void add_folder_output(CLI::App& command, VerificationArguments& arguments,
                                const char* out_help);
  void add_report();
  void add_plot();
  void add_watch();
  CLI::App* add_step(const char* name, const char* help, std::function<Json()> request);
  void add_steps();
};

}  // namespace ntune::cli
