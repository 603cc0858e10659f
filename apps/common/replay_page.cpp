#include "apps/common/replay_page.h"

#include <filesystem>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/page/html.h"
#include "ntune/study/results/result_files.h"
#include "ntune/version.h"

namespace ntune::cli {

// Made by CMake from the files in assets/.
extern const std::string_view kReplayStyle;
extern const std::string_view kReplayBody;
extern const std::string_view kReplayDrawing;
extern const std::string_view kReplayControls;

namespace {

std::string replaced(std::string text, std::string_view name, const std::string& value) {
  for (std::size_t at = text.find(name); at != std::string::npos;
       at = text.find(name, at + value.size())) {
    text.replace(at, name.size(), value);
  }
  return text;
}

}  // namespace

std::string page_text(const ReplayPage& page) {
  std::string body(kReplayBody);
  for (const auto& [name, value] :
       {std::pair("@TITLE@", xml_text(page.title)),
        {"@PLAYERS@", xml_text(page.players)},
        {"@END@", xml_text(page.end)},
        {"@VIEW_BOX@", page.view_box},
        {"@LEGEND@", page.legend},
        {"@STEP@", page.step},
        {"@SCORE@", page.score},
        {"@PLAN_KEY@", page.data.contains("ahead") ? ", <kbd>P</kbd> plans" : ""}}) {
    body = replaced(std::move(body), name, value);
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"{} of ntune {}\">\n<title>{}</title>\n"
      "<style>{}{}</style>\n</head>\n<body>\n<main>{}</main>\n<script>\"use strict\";{}const data "
      "= {};\n{}{}</script>\n</body>\n</html>\n",
      page.program, kVersion, xml_text(page.title + ": " + page.players), kReplayStyle, page.style,
      body, kReplayDrawing, script_text(json_line(page.data)), page.script, kReplayControls);
}

void check_replay(const std::string& file) {
  if (file.empty()) return;
  const std::filesystem::path path(file);
  ensure_writable_folder(path.has_parent_path() ? path.parent_path() : ".");
  check_output_file(file);
}

void write_replay(const std::string& file, const ReplayPage& page, const Terminal& terminal,
                  bool quiet) {
  write_file_atomically(file, page_text(page));
  if (!quiet) terminal.err << fmt::format("Replay in {}\n", printable(file, 1000));
}

}  // namespace ntune::cli
