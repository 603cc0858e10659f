#include "ntune/games/amazons/database/database.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <string>
#include <type_traits>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/hash.h"
#include "ntune/games/amazons/database/index.h"

namespace ntune {

namespace {

/// The first bytes of a file, in the byte order of the machine: a file from a machine of the other
/// order has another version.
struct Header {
  std::array<char, 8> name = kName;
  std::uint32_t version = kVersion;
  std::uint32_t entries = AmazonsIndex::kEntries;
  std::uint64_t bytes = 0;  ///< of the file
  std::uint64_t checksum = 0;

  static constexpr std::array<char, 8> kName = {'n', 't', 'u', 'n', 'e', 'A', 'M', 'Z'};
  static constexpr std::uint32_t kVersion = 1;
};
static_assert(sizeof(Header) == 32);

/// Follows the header; then come the entries, the thermographs, the walls and the turns.
struct Sizes {
  std::uint64_t thermographs = 0;
  std::uint64_t walls = 0;
  std::uint64_t turns = 0;
};

constexpr std::size_t kBlock = 32;  ///< the image is a multiple of it

/// The bytes of the image behind the header.
std::span<const std::uint8_t> content_of(std::string_view image) {
  return {reinterpret_cast<const std::uint8_t*>(image.data()) + sizeof(Header),
          image.size() - sizeof(Header)};
}

/// Why the image is no database; empty if it is one.
std::string complaint(std::string_view image) {
  Header header;
  if (image.size() < sizeof(Header) ||
      !std::equal(header.name.begin(), header.name.end(), image.begin())) {
    return "is no database of Amazons";
  }
  // The name is compared before the rest is read, so that any file can be given.
  std::memcpy(&header, image.data(), sizeof(Header));
  if (header.version != Header::kVersion || header.entries != AmazonsIndex::kEntries) {
    return fmt::format(
        "is of version {} of the format with {} entries; this program reads version {} with {}",
        header.version, header.entries, Header::kVersion, AmazonsIndex::kEntries);
  }
  // The size is checked before the checksum, which reads the whole content.
  if (image.size() != header.bytes || image.size() % kBlock != 0) {
    return fmt::format("has {} bytes; the whole database has {}", image.size(), header.bytes);
  }
  if (header.checksum != checksum(content_of(image))) {
    return "is damaged: its checksum is not that of its content";
  }
  return {};
}

/// Appends records to an image of whole words.
class ImageWriter {
 public:
  explicit ImageWriter(std::vector<std::uint64_t>& image) : image_(image) {}

  template <class Record>
  void add(std::span<const Record> records) {
    static_assert(std::is_trivially_copyable_v<Record> && alignof(Record) <= 8);
    // Every array begins at a multiple of 8 bytes, as its records need it.
    const std::size_t at = image_.size();
    image_.resize(at + (records.size_bytes() + 7) / 8);
    std::memcpy(image_.data() + at, records.data(), records.size_bytes());
  }

 private:
  std::vector<std::uint64_t>& image_;
};

/// Reads arrays of records in the order in which they were added.
class ImageReader {
 public:
  explicit ImageReader(std::string_view image) : image_(image) {}

  template <class Record>
  std::span<const Record> take(std::size_t count) {
    const std::span<const Record> records(reinterpret_cast<const Record*>(image_.data()), count);
    const std::size_t bytes = (records.size_bytes() + 7) / 8 * 8;
    // The content has been checked by its checksum, so its sizes hold.
    assert(bytes <= image_.size());
    image_.remove_prefix(bytes);
    return records;
  }

 private:
  std::string_view image_;
};

}  // namespace

AmazonsDatabase AmazonsDatabase::build(Parallel& parallel) {
  const AmazonsAnalysis analysis = analyse_amazons(parallel);
  AmazonsDatabase database;
  std::vector<std::uint64_t>& image = database.built_;
  ImageWriter writer(image);
  Header header;
  const Sizes sizes = {analysis.thermographs.size(), analysis.walls.records().size(),
                       analysis.walls.turns().size()};
  writer.add(std::span<const Header>(&header, 1));
  writer.add(std::span<const Sizes>(&sizes, 1));
  writer.add<std::uint16_t>(analysis.entries);
  writer.add<AmazonsAnalysis::Record>(analysis.thermographs);
  writer.add<WallStore::Record>(analysis.walls.records());
  writer.add<Dyadic>(analysis.walls.turns());
  // The checksum is of multiples of 32 bytes.
  image.resize((image.size() + 3) / 4 * 4);
  // The header is written again at the end, because it holds the size and the checksum of the rest.
  header.bytes = image.size() * 8;
  header.checksum = checksum(content_of(database.image()));
  std::memcpy(image.data(), &header, sizeof(Header));
  database.use_image();
  return database;
}

AmazonsDatabase AmazonsDatabase::load(const std::filesystem::path& file) {
  AmazonsDatabase database;
  database.mapped_ = std::make_unique<const MappedFile>(file);
  const std::string reason = complaint(database.image());
  if (!reason.empty()) {
    throw InputError(fmt::format("{}: {}", path_text(file), reason));
  }
  database.use_image();
  return database;
}

void AmazonsDatabase::save(const std::filesystem::path& file) const {
  write_file_atomically(file, image());
}

std::string_view AmazonsDatabase::image() const {
  if (mapped_) return mapped_->text();
  return {reinterpret_cast<const char*>(built_.data()), built_.size() * 8};
}

void AmazonsDatabase::use_image() {
  ImageReader reader(image().substr(sizeof(Header)));
  const Sizes& sizes = reader.take<Sizes>(1)[0];
  entries_ = reader.take<std::uint16_t>(AmazonsIndex::kEntries);
  thermographs_ = reader.take<AmazonsAnalysis::Record>(sizes.thermographs);
  walls_ = reader.take<WallStore::Record>(sizes.walls);
  turns_ = reader.take<Dyadic>(sizes.turns);
}

AmazonsDatabase::Position AmazonsDatabase::position_at(std::uint32_t index) {
  assert(index < kPositions);
  // The index is queens, then the set of empty squares; 15 places are left for the second queen.
  const auto queens = static_cast<int>(index >> AmazonsIndex::kSetBits);
  const int black = queens / 15;
  const int white = queens % 15 + (queens % 15 >= black ? 1 : 0);
  const std::uint32_t empty = AmazonsIndex::spread(index & (AmazonsIndex::kSets - 1),
                                                   std::min(black, white), std::max(black, white));
  return {empty, Position::Board::bit(black), Position::Board::bit(white)};
}

const AmazonsAnalysis::Record& AmazonsDatabase::find(const Position& position,
                                                     bool& negative) const {
  // Placements that are symmetric, or negatives of each other, share their entries.
  assert(contains(position));
  const auto& placement =
      kAmazonsIndex.placement(Position::Board::lowest(position.queens(Player::kLeft)),
                              Position::Board::lowest(position.queens(Player::kRight)));
  negative = placement.negative;
  return thermographs_[entries_[placement.first_entry +
                                kAmazonsIndex.set(placement, position.empty())]];
}

ThermographValue AmazonsDatabase::value(const Position& position) const {
  bool negative = false;
  ThermographValue value = find(position, negative).value;
  if (negative) value.mean = -value.mean;
  return value;
}

Thermograph AmazonsDatabase::thermograph(const Position& position) const {
  bool negative = false;
  const AmazonsAnalysis::Record& record = find(position, negative);
  const Thermograph result(record.value, wall(record.left_wall), wall(record.right_wall));
  return negative ? result.negative() : result;
}

WallView AmazonsDatabase::wall(std::uint32_t number) const {
  const WallStore::Record& record = walls_[number];
  return {record.start, record.end, turns_.subspan(record.first_turn, record.turns)};
}

}  // namespace ntune
