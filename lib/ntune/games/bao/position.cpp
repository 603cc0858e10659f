#include "ntune/games/bao/position.h"

#include <cassert>

#include "ntune/core/hash.h"
#include "ntune/core/options.h"
#include "ntune/games/bao/sowing.h"

namespace ntune {

void BaoRules::visit(Options& options) {
  options.integer("infinite_limit", infinite_limit, between(16, 10'000),
                  "a move that sows more stones than this is infinite and illegal");
  options.flag("house_counts_entry", house_counts_entry,
               "the six stones that keep an owned house from starting a takasa include the stone "
               "just entered");
  options.choice("house_loss", house_loss,
                 {{"both", HouseLoss::both},
                  {"capturer", HouseLoss::capturer},
                  {"victim", HouseLoss::victim},
                  {"nobody", HouseLoss::nobody}},
                 "who loses an owned house at the first capture of the mtaji stage");
  options.flag("mtaji_house_stop", mtaji_house_stop,
               "a move may stop in an owned house in the mtaji stage too");
  options.flag("infinite_captures_lose", infinite_captures_lose,
               "a player all of whose captures are infinite has lost; otherwise he may takasa");
  options.flag("front_row_at_end", front_row_at_end,
               "an empty front row ends the game after the move only, not within it");
}

namespace {

/// Pits that 2 … 15 stones of a pit end in, either way, as bits: [pit][stones].
constexpr auto kEnds = [] {
  std::array<std::array<std::uint16_t, Bao::kStones + 1>, Bao::kPits> ends{};
  for (std::size_t pit = 0; pit < Bao::kPits; ++pit) {
    for (std::size_t n = 2; n < Bao::kPits; ++n) {
      ends[pit][n] = static_cast<std::uint16_t>(1 << (pit + n) % Bao::kPits |
                                                1 << (pit + Bao::kPits - n) % Bao::kPits);
    }
  }
  return ends;
}();

/// Eight pits as the bytes of a word.
constexpr std::uint64_t row_of(const std::array<std::uint8_t, 16>& pits, std::size_t first) {
  std::uint64_t row = 0;
  for (std::size_t i = 0; i < 8; ++i) row |= std::uint64_t{pits[first + i]} << (i * 8);
  return row;
}

/// 0xff in the pits of the bits.
constexpr std::uint64_t spread(unsigned bits) {
  return bao_row::filled(bits * bao_row::kEach & 0x8040201008040201);
}

/// The two halves of the product (wyhash; Wang Yi 2019).
std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

BaoBoard Bao::opening_board() {
  BaoBoard board;
  // Six stones in the house and two in each of the two pits beside it; the others are in the
  // stores.
  for (auto& pits : board.pits) {
    pits[kHouse] = 6;
    pits[kHouse + 1] = pits[kHouse + 2] = 2;
  }
  board.stores = {22, 22};
  board.houses = {true, true};
  return board;
}

Bao::Bao(const BaoBoard& board, const BaoRules& rules)
    : stores_(board.stores),
      houses_(static_cast<std::uint8_t>((board.houses[0] ? 1 : 0) | (board.houses[1] ? 2 : 0))),
      takasia_(board.takasia < 0 ? kNoPit : static_cast<std::uint8_t>(board.takasia)),
      to_move_(static_cast<std::uint8_t>(board.to_move)),
      readings_(static_cast<std::uint8_t>(
          static_cast<int>(rules.house_loss) | (rules.house_counts_entry ? kHouseCountsEntry : 0) |
          (rules.mtaji_house_stop ? kMtajiHouseStop : 0) |
          (rules.infinite_captures_lose ? kInfiniteCapturesLose : 0) |
          (rules.front_row_at_end ? kFrontRowAtEnd : 0))),
      infinite_limit_(static_cast<std::uint16_t>(rules.infinite_limit)) {
  for (std::size_t p = 0; p < 2; ++p) {
    sides_[p] = {row_of(board.pits[p], 0), row_of(board.pits[p], kRow)};
  }
  assert(stones(0) + stones(1) + store(0) + store(1) == kStones);
}

BaoRules Bao::rules() const {
  BaoRules rules;
  rules.infinite_limit = infinite_limit_;
  rules.house_loss = static_cast<BaoRules::HouseLoss>(readings_ & kLossMask);
  rules.house_counts_entry = (readings_ & kHouseCountsEntry) != 0;
  rules.mtaji_house_stop = (readings_ & kMtajiHouseStop) != 0;
  rules.infinite_captures_lose = (readings_ & kInfiniteCapturesLose) != 0;
  rules.front_row_at_end = (readings_ & kFrontRowAtEnd) != 0;
  return rules;
}

std::uint64_t Bao::key() const {
  // All that is no stone on the board fits into one word.
  const std::uint64_t rest = std::uint64_t{stores_[0]} | std::uint64_t{stores_[1]} << 8 |
                             std::uint64_t{houses_} << 16 | std::uint64_t{takasia_} << 24 |
                             std::uint64_t{to_move_} << 32 | std::uint64_t{readings_} << 40 |
                             std::uint64_t{infinite_limit_} << 48;
  const std::uint64_t south =
      fold(sides_[0].front ^ kGolden64, sides_[0].back ^ 0xbf58476d1ce4e5b9);
  const std::uint64_t north =
      fold(sides_[1].front ^ 0x94d049bb133111eb, sides_[1].back ^ 0xd6e8feb86659fd93);
  return fold(south ^ 0xa0761d6478bd642f, rest ^ 0xe7037ed1a0b428db) ^
         fold(north ^ 0x8ebc6af09c88c6e3, rest ^ 0x589965cc75374cc3);
}

std::uint64_t Bao::captures(int player) const {
  const Side& ring = side(player);
  const std::uint64_t theirs = front_row(1 - player);
  // Pits of the player's front row that hold stones and face stones.
  const std::uint64_t targets =
      bao_row::filled(ring.front) & bao_row::facing(bao_row::filled(theirs));
  // In namua any of them captures by an entered stone; in mtaji a sowing must end there.
  if (store(player) > 0) return theirs & bao_row::facing(targets);
  if (targets == 0) return 0;
  unsigned ends = 0;
  for (std::size_t i = 0; i < kRow; ++i) {
    ends |= kEnds[i][ring.front >> (i * 8) & 0xff];
    ends |= kEnds[kRow + i][ring.back >> (i * 8) & 0xff];
  }
  return theirs & bao_row::facing(targets & spread(ends & 0xff));
}

}  // namespace ntune
