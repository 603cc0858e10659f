#include <filesystem>
#include <ostream>

#include <fmt/format.h>

#include "apps/ntune/show_commands.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/plot/picture.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/page/page.h"

namespace ntune::cli {

namespace {

ReportOptions options_of(double patience, int threads, std::vector<std::string> defaults = {}) {
  ReportOptions options{.defaults = std::move(defaults)};
  options.trace.patience = patience;
  options.trace.threads = threads;
  return options;
}

/// The figure of the study, the objective's where there are several.
const Figure& chosen(const std::vector<Figure>& figures, const PlotArguments& arguments) {
  if (figures.empty()) {
    throw InputError(fmt::format("{}: the study has nothing for the figure '{}'",
                                 printable(arguments.folder, 1000), arguments.figure));
  }
  const auto place = static_cast<std::size_t>(arguments.objective - 1);
  if (place >= figures.size()) {
    throw InputError(
        fmt::format("--objective: is {}, the figure has {}", arguments.objective, figures.size()));
  }
  return figures[place];
}

}  // namespace

int report_command(const ReportArguments& arguments, const Terminal& terminal) {
  std::vector<ReportData> studies;
  for (const std::string& folder : arguments.folders) {
    studies.push_back(
        read_report(folder, options_of(arguments.patience, arguments.threads, arguments.defaults)));
  }
  const std::string page = report_page(studies);
  write_file_atomically(arguments.output, page);
  if (!arguments.quiet) {
    terminal.err << fmt::format("{} ({} KB)\n", printable(arguments.output, 1000),
                                count_text(page.size() / 1000));
  }
  return kDone;
}

int plot_command(const PlotArguments& arguments, const Terminal&) {
  constexpr double kPixelsPerMillimetre = 96.0 / 25.4;
  const FigureEntry& entry = find_figure(arguments.figure);
  check_picture(arguments.output);
  const ReportData data =
      read_report(arguments.folder, options_of(arguments.patience, arguments.threads));
  const std::vector<Figure> figures = entry.make(data);
  write_picture(arguments.output, chosen(figures, arguments),
                arguments.width * kPixelsPerMillimetre);
  return kDone;
}

}  // namespace ntune::cli
