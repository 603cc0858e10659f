#include "ntune/games/bao/start_positions.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include <fmt/format.h>

#include "ntune/core/csv.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/games/bao/notation.h"

namespace ntune {
namespace {

/// Places of the columns: row and status, 32 pits, two houses.
constexpr std::size_t kFirstPit = 2;
constexpr std::size_t kHouses = kFirstPit + 2 * Bao::kPits;
constexpr std::size_t kPositionColumns = kHouses + 2;

/// Player and ring index of the pit columns, in their order.
std::pair<int, int> pit_of_column(std::size_t column) {
  const int i = static_cast<int>(column - kFirstPit);
  const int player = i < Bao::kPits ? 1 : 0;
  const bool back = (i / Bao::kRow == 0) || (i / Bao::kRow == 3);
  return {player, back ? Bao::kPits - 1 - i % Bao::kRow : i % Bao::kRow};
}

/// The names of all columns, in order.
std::vector<std::string> column_names() {
  std::vector<std::string> names = {"row", "status"};
  for (std::size_t column = kFirstPit; column < kHouses; ++column) {
    const auto [player, pit] = pit_of_column(column);
    names.push_back(bao_pit_text(player, pit));
  }
  names.insert(names.end(), {"south_house", "north_house"});
  return names;
}

/// Reads start positions; those that are damaged are listed apart.
class StartPositionReader {
 public:
  StartPositionReader(std::string_view text, const std::string& name)
      : records_(text, name, {.comments = CsvStyle::Comments::kEverywhere}) {}

  BaoStartPositions read() {
    if (!records_.next()) fail("no line with the names of the columns");
    read_header(records_.fields());
    while (records_.next()) read_row(records_.fields());
    return std::move(positions_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { records_.fail(message); }

  void check_count(const std::vector<CsvField>& fields) const {
    if (fields.size() != kPositionColumns) {
      fail(fmt::format("has {} fields; {} are allowed", fields.size(), kPositionColumns));
    }
  }

  void read_header(const std::vector<CsvField>& fields) const {
    const std::vector<std::string> names = column_names();
    check_count(fields);
    for (std::size_t i = 0; i < kPositionColumns; ++i) {
      if (fields[i].text != names[i]) {
        fail(fmt::format("column {} is '{}'; '{}' is allowed", i + 1, printable(fields[i].text),
                         names[i]));
      }
    }
  }

  [[nodiscard]] int number(const std::vector<CsvField>& fields, std::size_t column, int low,
                           int high) const {
    const std::string& text = fields[column].text;
    int value = low - 1;
    if (!read_number(text, value) || value < low || value > high) {
      fail(fmt::format("{} '{}': a whole number from {} to {} is allowed", column_names()[column],
                       printable(text), low, high));
    }
    return value;
  }

  void read_row(const std::vector<CsvField>& fields) {
    static const std::vector<std::string> kStatuses = {"ok", "repaired", "repaired_amb", "damaged",
                                                       "missing"};
    check_count(fields);
    BaoStartPosition start;
    start.row = number(fields, 0, 1, 1'000'000);
    if (!rows_.insert(start.row).second) fail(fmt::format("row {} is there twice", start.row));
    start.status = fields[1].text;
    if (std::find(kStatuses.begin(), kStatuses.end(), start.status) == kStatuses.end()) {
      fail(fmt::format("status '{}': {} are allowed", printable(start.status),
                       list_text(kStatuses)));
    }
    // Damaged and missing positions are only listed.
    if (start.status == "damaged" || start.status == "missing") {
      positions_.left_out.push_back(start);
      return;
    }
    start.position = Bao(read_board(fields));
    positions_.usable.push_back(start);
  }

  [[nodiscard]] BaoBoard read_board(const std::vector<CsvField>& fields) const {
    constexpr std::uint8_t kStore = 12;
    BaoBoard board;
    // The positions are those after ten moves of each player, with 12 stones in each store.
    board.stores = {kStore, kStore};
    for (std::size_t column = kFirstPit; column < kHouses; ++column) {
      const auto [player, pit] = pit_of_column(column);
      board.pits[static_cast<std::size_t>(player)][static_cast<std::size_t>(pit)] =
          static_cast<std::uint8_t>(number(fields, column, 0, Bao::kStones));
    }
    board.houses = {number(fields, kHouses, 0, 1) == 1, number(fields, kHouses + 1, 0, 1) == 1};
    if (const std::string fault = bao_board_fault(board); !fault.empty()) fail(fault);
    return board;
  }

  CsvReader records_;
  std::set<int> rows_;
  BaoStartPositions positions_;
};

}  // namespace

BaoStartPositions read_bao_start_positions(const std::filesystem::path& file) {
  constexpr std::uintmax_t kLimit = 10'000'000;
  const std::string text = read_file(file, kLimit);
  return StartPositionReader(text, file.string()).read();
}

Bao random_bao_start(Rng rng) {
  constexpr int kRandomPlies = 20;  // Appendix C
  Bao at;
  Bao::Successors successors;
  for (int ply = 0; ply <= kRandomPlies; ++ply) {
    successors.clear();
    at.successors(successors);
    // A game that has ended gives no start.
    if (at.is_over() || successors.empty()) {  // begin anew
      at = Bao();
      ply = -1;
    } else if (ply < kRandomPlies) {
      const auto count = static_cast<std::uint32_t>(successors.size());
      at = Bao(successors[rng.below(count)].next);
    }
  }
  return at;
}

}  // namespace ntune
