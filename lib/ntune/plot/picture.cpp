#include "ntune/plot/picture.h"

#include <vector>

#include <fmt/format.h>

#include "ntune/core/clock.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/process.h"
#include "ntune/core/text.h"
#include "ntune/plot/svg.h"

namespace ntune {

namespace {

/// The program that makes PDF and PNG files from SVG.
constexpr const char* kConverter = "rsvg-convert";

/// Runs the converter on an input, for up to a minute; throws InputError at `path` where it is
/// missing.
ProcessResult convert(std::vector<std::string> arguments, std::string_view input,
                      const std::filesystem::path& path) {
  constexpr double kPatience = 60.0;
  arguments.insert(arguments.begin(), kConverter);
  try {
    return run_program({.arguments = std::move(arguments)}, input,
                       {.deadline = seconds_from_now(kPatience)});
  } catch (const ProcessError&) {
    throw InputError(fmt::format(
        "{}: needs the program {} (Debian: librsvg2-bin); a name ending in .svg does without",
        path_text(path), kConverter));
  }
}

}  // namespace

void check_picture(const std::filesystem::path& path) {
  const std::string suffix = path.extension().string();
  if (suffix == ".svg" || suffix == ".csv") return;
  if (suffix != ".pdf" && suffix != ".png") {
    throw InputError(fmt::format("{}: ends in '{}'; allowed: .svg, .pdf, .png or .csv",
                                 path_text(path), printable(suffix, 20)));
  }
  // A converter that is missing shows now, and not after a long computation.
  convert({"--version"}, {}, path);
}

void write_picture(const std::filesystem::path& path, const Figure& figure,
                   const PictureOptions& options) {
  check_picture(path);
  if (path.extension() == ".csv") {
    if (figure.data.empty()) {
      throw InputError(fmt::format("{}: the figure has no table of numbers", path_text(path)));
    }
    return write_file_atomically(path, csv_text(figure.data));
  }
  const std::string svg = svg_text(
      figure, {.width = options.width, .font_size = options.font_size, .title = options.title});
  if (path.extension() == ".svg") return write_file_atomically(path, svg);
  // Large figures exceed the limits of the XML parser, which are for files from strangers.
  std::vector<std::string> arguments{"--unlimited", "--format",
                                     path.extension().string().substr(1)};
  if (path.extension() == ".png") {
    // SVG pixels are 1/96 inch.
    constexpr double kUsualDpi = 96.0;
    arguments.insert(arguments.end(), {"--zoom", fmt::format("{:.6g}", options.dpi / kUsualDpi)});
  }
  const ProcessResult result = convert(std::move(arguments), svg, path);
  if (result.event != Process::Event::kEnded || result.status.signalled ||
      result.status.code != 0) {
    throw InputError(
        fmt::format("{}: {} failed: {}", path_text(path), kConverter, printable(result.err, 300)));
  }
  write_file_atomically(path, result.out);
}

}  // namespace ntune
