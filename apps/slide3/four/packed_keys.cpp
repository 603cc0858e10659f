#include "apps/slide3/four/packed_keys.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"

namespace ntune {

namespace {

constexpr std::string_view kName = "ntuneSL1";

}  // namespace

template <int K>
PackedSlideKeys<K> SlideKeyPacker<K>::packed() && {
  std::copy(kName.begin(), kName.end(), image_.begin());
  std::memcpy(image_.data() + kName.size(), &count_, sizeof(count_));
  image_.shrink_to_fit();
  const auto image = std::make_shared<const std::vector<std::uint8_t>>(std::move(image_));
  PackedSlideKeys<K> keys;
  keys.image_ = *image;
  keys.count_ = count_;
  keys.owner_ = image;
  return keys;
}

template <int K>
PackedSlideKeys<K> PackedSlideKeys<K>::load(const std::filesystem::path& file) {
  const auto mapped = std::make_shared<const MappedFile>(file);
  const std::string_view text = mapped->text();
  PackedSlideKeys keys;
  if (text.size() >= kHeader) std::memcpy(&keys.count_, text.data() + kName.size(), 8);
  // A key takes a byte or more, and the last byte ends one.
  if (text.size() < kHeader || !text.starts_with(kName) || text.size() - kHeader < keys.count_ ||
      (text.size() > kHeader && (static_cast<unsigned char>(text.back()) & 128U) != 0)) {
    throw InputError(fmt::format("{}: is no whole file of packed keys", path_text(file)));
  }
  keys.image_ = {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
  keys.owner_ = mapped;
  return keys;
}

template <int K>
void PackedSlideKeys<K>::save(const std::filesystem::path& file) const {
  write_file_atomically(file, {reinterpret_cast<const char*>(image_.data()), image_.size()});
}

#define NTUNE_PACKED_KEYS(K)         \
  template class PackedSlideKeys<K>; \
  template class SlideKeyPacker<K>;
NTUNE_PACKED_KEYS(2)
NTUNE_PACKED_KEYS(3)
NTUNE_PACKED_KEYS(4)
#undef NTUNE_PACKED_KEYS

}  // namespace ntune
