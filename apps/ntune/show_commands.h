#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/common/terminal.h"

namespace ntune::cli {

class Flags;

/// `defaults` are values of today, to stand beside the recommended ones.
struct ReportArguments {
  std::vector<std::string> folders;
  std::string output = "report.html";
  std::vector<std::string> defaults;  ///< "name=value"
  int threads = 0;
  bool quiet = false;

  void visit(Flags& flags);
};
/// Writes a page on studies, one HTML file.
int report_command(const ReportArguments& arguments, const Terminal& terminal);

/// `figure` is a name of the table of figures; the suffix of `output` says the format.
struct PlotArguments {
  std::string folder;
  std::string figure;
  std::string output;
  int objective = 1;        ///< of several, from 1
  double width = 180.0;     ///< millimetres
  double font_size = 11.0;  ///< pixels of 1/96 inch
  double dpi = 192.0;       ///< of a PNG
  std::string title;        ///< above the figure; empty: none
  std::string parameters;   ///< names with commas between; empty: all
  int threads = 0;

  void visit(Flags& flags);
};
/// Writes a figure of a study, or its numbers.
int plot_command(const PlotArguments& arguments, const Terminal& terminal);

/// What `ntune top` looks at, and how often; with `once` a single time.
struct TopArguments {
  std::vector<std::string> folders;
  double interval = 2.0;  ///< seconds
  bool once = false;

  void visit(Flags& flags);
};
/// The same of `ntune watch`, of one folder.
struct WatchArguments : TopArguments {
  std::optional<int> port;  ///< the page is served there; 0: any that is free

  void visit(Flags& flags);
};
/// Serves on the loopback address until Ctrl-C. Of a study's folder, `/` is its page as it is by
/// then and `/state` a line on it; the page loads itself again when the study has gone on. Of
/// another folder, `/` is the board of all studies below it, `/rows` what it shows, `/study` a
/// study's page, `/compare` that of two, and `/note` keeps a note in a study's folder. Nothing else
/// is served or written, and a request that names another host is refused. Throws InputError where
/// the port cannot be used.
int serve_page(const WatchArguments& arguments, const Terminal& terminal);
/// Waits for the next look, seconds. False once Ctrl-C was pressed.
bool wait(double seconds, const Terminal& terminal);
/// One study, line by line.
int watch_command(const WatchArguments& arguments, const Terminal& terminal);
/// A table of several.
int top_command(const TopArguments& arguments, const Terminal& terminal);

}  // namespace ntune::cli
