// The commands that show studies: reports, figures and what is going on.

#include "apps/common/flags.h"
#include "apps/common/program.h"
#include "apps/ntune/command_groups.h"
#include "apps/ntune/show_commands.h"
#include "ntune/report/figures/figures.h"

namespace ntune::cli {

namespace {

std::string figure_list() {
  std::string text = "name of the figure:";
  for (const FigureEntry& entry : figure_table()) {
    text += std::string("\n") + entry.name + ": " + entry.what;
  }
  return text;
}

void visit_looks(Flags& flags, TopArguments& looking) {
  flags.real("--interval", looking.interval, 0.1, 3600.0, "seconds between looks (default 2)");
  flags.flag("--once", looking.once, "look once and end");
}

}  // namespace

void ReportArguments::visit(Flags& flags) {
  flags.folders(folders, "folders of studies, also while they run");
  flags.value("-o,--output", output, "FILE", "file (default report.html)");
  flags
      .value("--default", defaults, "NAME=VALUE",
             "value that you use now, to stand beside the recommended one; once for each")
      .one_at_a_time();
  flags.threads(threads);
  flags.quiet(quiet, "no notes");
}

void PlotArguments::visit(Flags& flags) {
  flags.folder(folder);
  flags.value("--figure", figure, "NAME", figure_list()).required();
  flags.value("-o,--output", output, "FILE", "file ending in .svg, .pdf, .png or .csv").required();
  flags.real("--width", width, 40.0, 1000.0,
             "millimetres (default 180, both columns of a paper; one is 90)");
  flags.real("--font-size", font_size, 5.0, 40.0,
             "size of the text in pixels of 1/96 inch (default 11)");
  flags.real("--dpi", dpi, 30.0, 1200.0, "dots per inch of a PNG (default 192)");
  flags.value("--title", title, "TEXT", "text above the figure (default none)");
  flags.value("--parameters", parameters, "A,B",
              "names of the parameters to show, with commas between (default all)");
  flags.number("--objective", objective, 1, 1000,
               "which objective, from 1, of a study with several (default 1)");
  flags.threads(threads);
}

void TopArguments::visit(Flags& flags) {
  visit_looks(flags, *this);
  flags.folders(folders, "folders of studies");
}

void WatchArguments::visit(Flags& flags) {
  visit_looks(flags, *this);
  flags
      .value("folder", folders, "DIR",
             "folder of the study; with --serve also one that has studies below it")
      .required()
      .expects_one();
  flags
      .number("--serve", port, 0, 65535,
              "serve the study's page, which follows the study, on this port of 127.0.0.1; of a "
              "folder of studies their board; 0: a free port")
      .type("PORT")
      .excludes("--once");
}

void add_show_commands(Program& program) {
  program.add<WatchArguments>("watch", "follow a running study from another process, without locks",
                              watch_command);
  program.add<TopArguments>("top", "a table of several studies, running or not", top_command);
  program.add<ReportArguments>(
      "report", "write a page on studies: one HTML file that opens without a network",
      report_command);
  program.add<PlotArguments>(
      "plot", "write a figure of a study for a paper: SVG, PDF, PNG, or its numbers: CSV",
      plot_command);
}

}  // namespace ntune::cli
