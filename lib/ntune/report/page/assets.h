#pragma once

#include <string_view>

namespace ntune {

// Made by CMake from the files in assets/ and Debian's node-d3. Without that package kPlotLibrary
// is empty.
extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;
extern const std::string_view kPlotLibrary;
extern const std::string_view kPlotLicence;

}  // namespace ntune
