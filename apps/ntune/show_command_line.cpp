// The commands that show studies: reports, figures and what is going on.

#include "apps/common/options.h"
#include "apps/common/program.h"
#include "apps/ntune/command_groups.h"
#include "apps/ntune/show_commands.h"
#include "ntune/report/figures/figures.h"

namespace ntune::cli {

namespace {

constexpr double kLongestPatience = 86'400.0;

std::string figure_list() {
  std::string text = "name of the figure:";
  for (const FigureEntry& entry : figure_table()) {
    text += std::string("\n") + entry.name + ": " + entry.what;
  }
  return text;
}

void add_report(Program& program) {
  const auto [command, report] = program.add<ReportArguments>(
      "report", "write a page on studies: one HTML file that opens without a network",
      report_command);
  command.add_option("folders", report.folders, "folders of studies, also while they run")
      ->required()
      ->type_name("DIR");
  command.add_option("-o,--output", report.output, "file (default report.html)")->type_name("FILE");
  command
      .add_option("--default", report.defaults,
                  "value that you use now, to stand beside the recommended one; once for each")
      ->type_name("NAME=VALUE")
      ->type_size(1)
      ->allow_extra_args(false);
  add_real(command, "--patience", report.patience,
           "seconds for making runs again where a journal of an older version keeps no "
           "evaluations (default 3)",
           0.0, kLongestPatience);
  add_number<int>(command, "--threads", report.threads, "threads; 0: one per core", 0,
                  kMostThreads);
  command.add_flag("--quiet", report.quiet, "no notes");
}

void add_plot(Program& program) {
  const auto [command, plot] = program.add<PlotArguments>(
      "plot", "write a figure of a study for a paper: SVG, PDF, PNG, or its numbers: CSV",
      plot_command);
  command.add_option("folder", plot.folder, "folder of the study")->required()->type_name("DIR");
  command.add_option("--figure", plot.figure, figure_list())->required()->type_name("NAME");
  command.add_option("-o,--output", plot.output, "file ending in .svg, .pdf, .png or .csv")
      ->required()
      ->type_name("FILE");
  add_real(command, "--width", plot.width,
           "millimetres (default 180, both columns of a paper; one is 90)", 40.0, 1000.0);
  add_real(command, "--font-size", plot.font_size,
           "size of the text in pixels of 1/96 inch (default 11)", 5.0, 40.0);
  add_real(command, "--dpi", plot.dpi, "dots per inch of a PNG (default 192)", 30.0, 1200.0);
  command.add_option("--title", plot.title, "text above the figure (default none)")
      ->type_name("TEXT");
  command
      .add_option("--parameters", plot.parameters,
                  "names of the parameters to show, with commas between (default all)")
      ->type_name("A,B");
  command
      .add_option("--objective", plot.objective,
                  "which objective, from 1, of a study with several (default 1)")
      ->check(whole_number_from(1, 1000))
      ->type_name("N");
  add_real(command, "--patience", plot.patience,
           "seconds for making runs again where a journal of an older version keeps no "
           "evaluations (default 10)",
           0.0, kLongestPatience);
  add_number<int>(command, "--threads", plot.threads, "threads; 0: one per core", 0, kMostThreads);
}

Program::Command<WatchArguments> add_looking(Program& program, const char* name, const char* help,
                                             int (*act)(const WatchArguments&, const Terminal&)) {
  const Program::Command<WatchArguments> looking = program.add<WatchArguments>(name, help, act);
  add_real(looking.command, "--interval", looking.arguments.interval,
           "seconds between looks (default 2)", 0.1, 3600.0);
  looking.command.add_flag("--once", looking.arguments.once, "look once and end");
  return looking;
}

void add_watch(Program& program) {
  const auto [command, watch] =
      add_looking(program, "watch", "follow a running study from another process, without locks",
                  watch_command);
  command.add_option("folder", watch.folders, "folder of the study")
      ->required()
      ->expected(1)
      ->type_name("DIR");
  command
      .add_option("--serve", watch.port,
                  "serve the study's page, which follows the study, on this port of 127.0.0.1; 0: "
                  "a free port")
      ->check(whole_number_from(0, 65535))
      ->type_name("PORT")
      ->excludes("--once");
}

void add_top(Program& program) {
  const auto [command, top] =
      add_looking(program, "top", "a table of several studies, running or not", top_command);
  command.add_option("folders", top.folders, "folders of studies")->required()->type_name("DIR");
}

}  // namespace

void add_show_commands(Program& program) {
  add_watch(program);
  add_top(program);
  add_report(program);
  add_plot(program);
}

}  // namespace ntune::cli
