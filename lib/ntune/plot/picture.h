#pragma once

#include <filesystem>

#include "ntune/plot/figure.h"

namespace ntune {

/// Both columns of a paper, 180 mm.
inline constexpr double kPictureWidth = 680.0;

/// Checks that a picture can be written there: its suffix is .svg, .pdf or .png, and for the last
/// two the program rsvg-convert is there; or .csv for its numbers. Throws InputError.
void check_picture(const std::filesystem::path& path);

struct PictureOptions {
  double width = kPictureWidth;  ///< pixels of 1/96 inch
  double font_size = 11.0;       ///< pixels
  bool title = false;            ///< drawn above the figure
  double dpi = 192.0;            ///< dots per inch of a PNG
};

/// Writes the figure whole or not at all, as the suffix says; PDF with its fonts. Throws
/// InputError.
void write_picture(const std::filesystem::path& path, const Figure& figure,
                   const PictureOptions& options);
inline void write_picture(const std::filesystem::path& path, const Figure& figure, double width) {
  write_picture(path, figure, PictureOptions{.width = width});
}

}  // namespace ntune
