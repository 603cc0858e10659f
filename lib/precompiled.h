#pragma once

// Standard and packaged headers that most sources of the library include, see lib/CMakeLists.txt.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/detail/input/parser.hpp>
#include <nlohmann/json_fwd.hpp>

/// Because of the literals in json.hpp, every source that includes it instantiates the parser of
/// nlohmann::json, which takes a quarter of a second. ntune does not use that type. This
/// declaration stands in the parser's place; it is never called.
template <>
class nlohmann::detail::parser<nlohmann::json,
                               nlohmann::detail::iterator_input_adapter<const char*>> {
 public:
  template <typename... Arguments>
  explicit parser(Arguments&&... arguments);
  template <typename... Arguments>
  void parse(Arguments&&... arguments);
};

#include <nlohmann/json.hpp>
