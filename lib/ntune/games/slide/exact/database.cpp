#include "ntune/games/slide/exact/database.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/hash.h"

namespace ntune {

namespace {

/// The first bytes of a file, in the byte order of the machine: a file from a machine of the other
/// order has another version.
struct Header {
  std::array<char, 8> name = kName;
  std::uint32_t version = kVersion;
  std::uint32_t game = 0;  ///< K
  std::uint64_t positions = 0;
  std::uint64_t checksum = 0;

  static constexpr std::array<char, 8> kName = {'n', 't', 'u', 'n', 'e', 'D', 'T', 'W'};
  static constexpr std::uint32_t kVersion = 1;
};
static_assert(sizeof(Header) == 32);

/// The distances of an image, which follow its header.
std::span<const std::uint8_t> distances_of(std::string_view image) {
  return {reinterpret_cast<const std::uint8_t*>(image.data()) + sizeof(Header),
          image.size() - sizeof(Header)};
}

/// Why the image is no database of SlideK; empty if it is one.
std::string complaint(std::string_view image, int k, std::uint64_t positions) {
  Header header;
  if (image.size() < sizeof(Header) ||
      !std::equal(header.name.begin(), header.name.end(), image.begin())) {
    return "is no database of distances to win";
  }
  std::memcpy(&header, image.data(), sizeof(Header));
  if (header.version != Header::kVersion) {
    return fmt::format("is of version {} of the format; this program reads version {}",
                       header.version, Header::kVersion);
  }
  if (header.game != static_cast<std::uint32_t>(k) || header.positions != positions) {
    return fmt::format("is for K = {} with {} positions; needed is K = {} with {}", header.game,
                       header.positions, k, positions);
  }
  if (image.size() != sizeof(Header) + positions) {
    return fmt::format("has {} bytes; a whole database has {}", image.size(),
                       sizeof(Header) + positions);
  }
  if (header.checksum != checksum(distances_of(image))) {
    return "is damaged: its checksum is not that of its content";
  }
  return {};
}

}  // namespace

template <int K>
requires(K == 2 || K == 3) SlideDatabase<K> SlideDatabase<K>::build(Parallel& parallel) {
  constexpr std::uint64_t kPositions = slide_position_count<K>();
  SlideDatabase database;
  database.built_.resize(sizeof(Header) + kPositions);
  const std::span<std::uint8_t> distances = std::span(database.built_).subspan(sizeof(Header));
  analyse_slide<K>(distances, parallel);
  const Header header = {.game = K, .positions = kPositions, .checksum = checksum(distances)};
  std::memcpy(database.built_.data(), &header, sizeof(Header));
  database.distances_ = distances;
  return database;
}

template <int K>
requires(K == 2 ||
         K == 3) SlideDatabase<K> SlideDatabase<K>::load(const std::filesystem::path& file) {
  SlideDatabase database;
  database.mapped_ = std::make_unique<const MappedFile>(file);
  const std::string_view image = database.image();
  const std::string reason = complaint(image, K, slide_position_count<K>());
  if (!reason.empty()) {
    throw InputError(fmt::format("{}: {}", path_text(file), reason));
  }
  database.distances_ = distances_of(image);
  return database;
}

template <int K>
requires(K == 2 || K == 3) void SlideDatabase<K>::save(const std::filesystem::path& file) const {
  write_file_atomically(file, image());
}

template <int K>
requires(K == 2 || K == 3) std::string_view SlideDatabase<K>::image()
const {
  if (mapped_) return mapped_->text();
  return {reinterpret_cast<const char*>(built_.data()), built_.size()};
}

template <int K>
requires(K == 2 || K == 3) std::vector<std::uint64_t> SlideDatabase<K>::counts()
const {
  // Neighbours are often equal: four tables, so that no count waits for the one before.
  constexpr std::size_t kTables = 4;
  std::array<std::array<std::uint64_t, 256>, kTables> tables{};
  for (std::size_t i = 0; i < distances_.size(); ++i) ++tables[i % kTables][distances_[i]];
  std::vector<std::uint64_t> counts(256);
  for (const auto& table : tables) {
    for (std::size_t dtw = 0; dtw < counts.size(); ++dtw) counts[dtw] += table[dtw];
  }
  while (!counts.empty() && counts.back() == 0) counts.pop_back();
  return counts;
}

template <int K>
requires(K == 2 || K == 3) std::vector<std::uint32_t> SlideDatabase<K>::positions_at(int dtw)
const {
  std::vector<std::uint32_t> indices;
  if (dtw < 0 || dtw > 255) return indices;
  const auto wanted = static_cast<std::uint8_t>(dtw);
  indices.reserve(
      static_cast<std::size_t>(std::count(distances_.begin(), distances_.end(), wanted)));
  const std::uint8_t* const begin = distances_.data();
  const std::uint8_t* const end = begin + distances_.size();
  // memchr finds the next byte many at a time.
  const auto find = [&](const std::uint8_t* from) {
    return static_cast<const std::uint8_t*>(
        std::memchr(from, wanted, static_cast<std::size_t>(end - from)));
  };
  for (const std::uint8_t* at = find(begin); at != nullptr; at = find(at + 1)) {
    indices.push_back(static_cast<std::uint32_t>(at - begin));
  }
  return indices;
}

template class SlideDatabase<2>;
template class SlideDatabase<3>;

}  // namespace ntune
