#include "ntune/core/packed_bytes.h"

#include <zlib.h>

#include <array>
#include <cstdint>
#include <new>

namespace ntune {

namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 64;

/// The value of each byte as a base64 digit; kNoDigit for all other bytes.
constexpr std::array<std::uint8_t, 256> digit_values() {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (std::size_t i = 0; i < kDigits.size(); ++i) {
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}

/// Base64 with padding: three bytes make four digits of six bits.
std::string base64_text(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    // Missing bytes at the end count as 0, and digits of missing bytes alone are padding.
    std::uint32_t word = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      word = word << 8U | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      const bool padding = i + j > bytes.size();
      text += padding ? '=' : kDigits[word >> (18U - 6U * j) & 63U];
    }
  }
  return text;
}

/// The bytes of a base64 text; nothing if it has other characters or a wrong length.
std::optional<std::string> base64_bytes(std::string_view text) {
  static constexpr std::array<std::uint8_t, 256> kValues = digit_values();
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t digits = text.size();
  // At most two padding signs stand at the end.
  while (digits > 0 && text.size() - digits < 2 && text[digits - 1] == '=') --digits;
  std::string bytes;
  bytes.reserve(digits * 3 / 4);
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const std::uint8_t value = kValues[static_cast<unsigned char>(text[i])];
    if (value == kNoDigit) return std::nullopt;
    word = word << 6U | value;
    // A digit completes a byte except for the first of each group of four.
    if (i % 4 == 0) continue;
    bytes += static_cast<char>(word >> (6U - 2U * (i % 4)) & 255U);
  }
  return bytes;
}

}  // namespace

std::string pack_bytes(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string packed(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()),
                               static_cast<uLong>(bytes.size()), Z_DEFAULT_COMPRESSION);
  if (status != Z_OK) throw std::bad_alloc();  // the only way in which it can fail
  packed.resize(size);
  return base64_text(packed);
}

std::optional<std::string> unpack_bytes(std::string_view text, std::size_t most) {
  const std::optional<std::string> packed = base64_bytes(text);
  if (!packed) return std::nullopt;
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
  // zlib does not write to its input, though its type says so.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed->data()));
  stream.avail_in = static_cast<uInt>(packed->size());
  std::string bytes;
  std::array<char, 65'536> block{};
  // The text may unpack to far more than its size, so it is unpacked in blocks up to the limit.
  int status = Z_OK;
  while (status == Z_OK && bytes.size() <= most) {
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    status = inflate(&stream, Z_NO_FLUSH);
    bytes.append(block.data(), block.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  // Only the end of the stream proves that its checksum is right.
  if (status != Z_STREAM_END || bytes.size() > most) return std::nullopt;
  return bytes;
}

}  // namespace ntune
