#pragma once

#include <string>
#include <string_view>

namespace ntune {

/// Text for the content or an attribute of XML and HTML. Control characters, which XML forbids,
/// and bytes that are not UTF-8 become visible as in `printable`.
std::string xml_text(std::string_view text);

/// About how wide a text is in a sans-serif font of this size: rather more than less.
double text_width(std::string_view text, double font_size);

/// The text on one line, cut to so many characters with "…".
std::string shortened(std::string_view text, std::size_t characters);

}  // namespace ntune
