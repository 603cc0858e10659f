#pragma once

// A fuzz target: reads any bytes as one of the formats that ntune takes from outside. It may throw
// nothing, and must end soon. Linked with libFuzzer (scripts/fuzz.sh), or with replay.cpp in the
// tests.

#include <cstddef>
#include <cstdint>
#include <string_view>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace ntune {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace ntune
