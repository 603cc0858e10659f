#pragma once

#include <filesystem>

#include "ntune/plot/figure.h"

namespace ntune {

/// Both columns of a paper, 180 mm.
inline constexpr double kPictureWidth = 680.0;

/// Checks that a picture can be written there: its suffix is .svg, .pdf or .png, and for the last
/// two the program rsvg-convert is there. Throws InputError.
void check_picture(const std::filesystem::path& path);

/// Writes the figure whole or not at all, as the suffix says; PDF with its fonts, PNG at 192 dots
/// per inch. `width` in pixels of 1/96 inch. Throws InputError.
void write_picture(const std::filesystem::path& path, const Figure& figure, double width);

}  // namespace ntune
