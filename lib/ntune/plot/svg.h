#pragma once

#include <string>

#include "ntune/plot/figure.h"

namespace ntune {

struct SvgOptions {
  double width = 680.0;  ///< pixels of 1/96 inch: 340 is a paper's column, 680 both
  /// A file of its own: with colours and a white background. Else for a page, whose style sheet
  /// knows the classes, with `data-tip` on marks.
  bool standalone = true;
  std::string css_class = {};
  double font_size = 11.0;  ///< pixels; all else grows with it
  bool title = false;       ///< the figure's title stands above it
};

/// The figure as SVG. Text has the same size, whatever the width.
std::string svg_text(const Figure& figure, const SvgOptions& options);

}  // namespace ntune
