#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ntune {

/// Bytes compressed (zlib, RFC 1950) and written as base64 (RFC 4648), which any text can hold.
std::string pack_bytes(std::string_view bytes);

/// The bytes again; nothing for what `pack_bytes` has not written, and for more than `most` bytes.
std::optional<std::string> unpack_bytes(std::string_view text, std::size_t most);

}  // namespace ntune
