#pragma once

#include <string_view>

namespace ntune {

// Made by CMake from the files in assets/.
extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;
extern const std::string_view kBoardScript;
extern const std::string_view kLiveScript;
extern const std::string_view kFollowScript;

}  // namespace ntune
