#pragma once

#include <string>
#include <vector>

#include "ntune/plot/figure.h"
#include "ntune/plot/layout.h"

namespace ntune {

/// A coordinate in tenths of a pixel; what is not finite stands far outside.
std::string px_text(double value);

/// The style of a colour: `kind` is f for a filled shape, s for a stroke.
std::string colour_class(char kind, int colour);

/// Writes the marks of one panel as SVG elements to the end of a text. A tip becomes a title where
/// the figure stands alone, else an attribute that the page shows.
class MarkWriter {
 public:
  /// `panel` and `out` must outlive the writer.
  MarkWriter(const PlacedPanel& panel, bool standalone, std::string& out)
      : panel_(panel), standalone_(standalone), out_(out) {}

  void operator()(const Line& line) const;
  void operator()(const Band& band) const;
  void operator()(const Dot& dot) const;
  void operator()(const Scatter& scatter) const;
  void operator()(const Whisker& whisker) const;
  void operator()(const Block& block) const;
  void operator()(const Note& note) const;

 private:
  /// Ends an element, with its tip.
  void end(const char* element, const std::string& tip) const;
  [[nodiscard]] std::string places(const std::vector<Place>& points, bool steps) const;
  /// The way back of a band: a step goes down before it goes left.
  [[nodiscard]] std::string reversed_places(const std::vector<Place>& points, bool steps) const;

  const PlacedPanel& panel_;
  bool standalone_;
  std::string& out_;
};

}  // namespace ntune
