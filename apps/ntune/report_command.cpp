#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "apps/common/settings.h"
#include "apps/ntune/show_commands.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/plot/picture.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/page/page.h"
#include "ntune/study/results/result_files.h"

namespace ntune::cli {

namespace {

/// How a study's folder is to be read.
ReportOptions options_of(int threads, std::vector<std::string> defaults = {}) {
  ReportOptions options{.defaults = std::move(defaults)};
  options.trace.threads = threads;
  return options;
}

/// A line where a figure shows less than the study has made.
void note_partial(const ReportData& data, const std::string& folder, const Terminal& terminal) {
  const Traces& traces = data.traces;
  if (traces.is_whole()) return;
  const auto shown = std::min(std::ssize(traces.runs), traces.evaluated_runs);
  terminal.err << fmt::format("{}: {} in figures of evaluations{}\n", printable(folder, 1000),
                              share_of_runs(shown, traces.of),
                              traces.problem.empty() ? "" : ": " + traces.problem);
}

/// The figure of the study, the objective's where there are several.
const Figure& chosen(const std::vector<Figure>& figures, const PlotArguments& arguments,
                     const std::string& problem) {
  // A study may have nothing for a figure, and several for another.
  if (figures.empty()) {
    throw InputError(fmt::format("{}: the study has nothing for the figure '{}'{}",
                                 printable(arguments.folder, 1000), arguments.figure,
                                 problem.empty() ? "" : ": " + problem));
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
  check_output_file(arguments.output);
  std::vector<ReportData> studies;
  // All folders are read before anything is written.
  for (const std::string& folder : arguments.folders) {
    studies.push_back(read_report(folder, options_of(arguments.threads, arguments.defaults)));
  }
  share_colours(studies);
  const std::string page = report_page(studies);
  write_file_atomically(arguments.output, page);
  if (!arguments.quiet) {
    for (std::size_t i = 0; i < studies.size(); ++i) {
      note_partial(studies[i], arguments.folders[i], terminal);
    }
    terminal.err << fmt::format("{} ({} KB)\n", printable(arguments.output, 1000),
                                count_text(page.size() / 1000));
  }
  return kDone;
}

int plot_command(const PlotArguments& arguments, const Terminal& terminal) {
  constexpr double kPixelsPerMillimetre = 96.0 / 25.4;
  const FigureEntry& entry = find_figure(arguments.figure);
  check_picture(arguments.output);
  check_output_file(arguments.output);
  // What the figure does not show is not computed.
  ReportOptions options = options_of(arguments.threads);
  options.parameters = names_between_commas(arguments.parameters);
  options.calls = entry.calls;
  options.model = entry.model;
  const ReportData data = read_report(arguments.folder, options);
  Figure figure = chosen(entry.make(data), arguments, data.traces.problem);
  note_partial(data, arguments.folder, terminal);
  if (!arguments.title.empty()) figure.title = arguments.title;
  write_picture(arguments.output, figure,
                {.width = arguments.width * kPixelsPerMillimetre,
                 .font_size = arguments.font_size,
                 .title = !arguments.title.empty(),
                 .dpi = arguments.dpi});
  return kDone;
}

}  // namespace ntune::cli
