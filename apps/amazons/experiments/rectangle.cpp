#include <algorithm>
#include <bit>
#include <cassert>

#include "apps/amazons/experiments/conjecture.h"
#include "ntune/games/amazons/database/index.h"
#include "ntune/games/amazons/database/retrograde_analysis.h"

namespace ntune {

namespace {

/// Flips of the files and ranks, each with and without the exchange of both.
constexpr int kSymmetries = 8;

int symmetries_of(AmazonsSize size) {
  return size.files == size.ranks ? kSymmetries : kSymmetries / 2;
}

}  // namespace

AmazonsRectangle::AmazonsRectangle(AmazonsSize size, int most) : size_(size), most_(most) {
  assert(size.files >= 1 && size.files <= 5 && size.ranks >= 1 && size.ranks <= 5);
  assert(squares() >= 2 && most >= 0 && most <= squares() - 2);
  make_sets();
  make_placements();
  make_options();
  make_values();
}

std::uint64_t AmazonsRectangle::entries_of(AmazonsSize size, int most) {
  const auto squares = static_cast<std::uint64_t>(size.files * size.ranks);
  std::uint64_t sets = 1;
  std::uint64_t layer = 1;
  for (std::uint64_t n = 0; n < static_cast<std::uint64_t>(most); ++n) {
    layer = layer * (squares - 2 - n) / (n + 1);
    sets += layer;
  }
  return squares * (squares - 1) / static_cast<std::uint64_t>(2 * symmetries_of(size)) * sets;
}

void AmazonsRectangle::make_sets() {
  const std::uint32_t all = std::uint32_t{1} << (squares() - 2);
  for (int empties = 0; empties <= most_; ++empties) {
    first_ranks_.push_back(static_cast<std::uint32_t>(sets_.size()));
    for (std::uint32_t set = 0; set < all; ++set) {
      if (std::popcount(set) == empties) sets_.push_back(set);
    }
  }
  first_ranks_.push_back(static_cast<std::uint32_t>(sets_.size()));
  ranks_.resize(all);
  for (std::uint32_t rank = 0; rank < sets_.size(); ++rank) ranks_[sets_[rank]] = rank;
}

int AmazonsRectangle::square_image(int symmetry, int square) const {
  int file = square % size_.files;
  int rank = square / size_.files;
  if ((symmetry & 1) != 0) file = size_.files - 1 - file;
  if ((symmetry & 2) != 0) rank = size_.ranks - 1 - rank;
  return (symmetry & 4) != 0 ? file * size_.files + rank : rank * size_.files + file;
}

void AmazonsRectangle::make_placements() {
  // The image with the lowest squares has the entries; it comes first.
  for (int black = 0; black < squares(); ++black) {
    for (int white = 0; white < squares(); ++white) {
      if (black == white) continue;
      std::array<int, 2> lowest = {squares(), squares()};
      Placement placement;
      for (int symmetry = 0; symmetry < symmetries_of(size_); ++symmetry) {
        for (const bool negative : {false, true}) {
          std::array<int, 2> queens = {square_image(symmetry, black),
                                       square_image(symmetry, white)};
          if (negative) std::swap(queens[0], queens[1]);
          if (queens >= lowest) continue;
          lowest = queens;
          placement.symmetry = static_cast<std::uint8_t>(symmetry);
          placement.negative = negative;
        }
      }
      const auto [first, second] = lowest;
      if (first == black && second == white) {
        placement.number = static_cast<std::uint32_t>(queens_.size());
        queens_.push_back(lowest);
      } else {
        placement.number =
            placements_[static_cast<std::size_t>(first)][static_cast<std::size_t>(second)].number;
      }
      placement.low = static_cast<std::uint8_t>(std::min(first, second));
      placement.high = static_cast<std::uint8_t>(std::max(first, second));
      placements_[static_cast<std::size_t>(black)][static_cast<std::size_t>(white)] = placement;
    }
  }
}

AmazonsRectangle::Position AmazonsRectangle::position(int black, int white,
                                                      std::uint32_t set) const {
  Position::Bits empty = 0;
  for (std::uint32_t rest =
           AmazonsIndex::spread(set, std::min(black, white), std::max(black, white));
       rest != 0; rest &= rest - 1) {
    empty |= Position::Board::bit(board_square(std::countr_zero(rest)));
  }
  return {empty, Position::Board::bit(board_square(black)),
          Position::Board::bit(board_square(white))};
}

AmazonsRectangle::Position AmazonsRectangle::position(std::uint32_t entry) const {
  const auto sets = static_cast<std::uint32_t>(sets_.size());
  const auto [black, white] = queens_[entry / sets];
  return position(black, white, sets_[entry % sets]);
}

AmazonsRectangle::Image AmazonsRectangle::image(const Position& position) const {
  const auto square = [&](Position::Bits set) {
    const int at = Position::Board::lowest(set);
    return static_cast<std::size_t>(at / 5 * size_.files + at % 5);
  };
  const Placement& placement =
      placements_[square(position.queens(Player::kLeft))][square(position.queens(Player::kRight))];
  std::uint32_t set = 0;
  for (Position::Bits rest = position.empty(); rest != 0; rest &= rest - 1) {
    set |= std::uint32_t{1} << square_image(placement.symmetry, static_cast<int>(square(rest)));
  }
  const std::uint32_t rank = ranks_[AmazonsIndex::squeezed(set, placement.low, placement.high)];
  return {placement.number * static_cast<std::uint32_t>(sets_.size()) + rank, placement.negative};
}

void AmazonsRectangle::make_options() {
  const auto sets = static_cast<std::uint32_t>(sets_.size());
  const auto entries = static_cast<std::uint32_t>(queens_.size()) * sets;
  layers_.resize(static_cast<std::size_t>(most_) + 1);
  integers_.resize(entries);
  for (std::uint32_t entry = 0; entry < entries; ++entry) {
    const Position position = this->position(entry);
    layers_[static_cast<std::size_t>(position.empties())].push_back(entry);
    if (const auto integer = position.integer_value()) {
      integers_[entry] = static_cast<std::int8_t>(*integer);
    }
    for (const Player player : {Player::kLeft, Player::kRight}) {
      begins_.push_back(static_cast<std::uint32_t>(options_.size()));
      if (!integers_[entry]) add_options(position, player);
    }
  }
  begins_.push_back(static_cast<std::uint32_t>(options_.size()));
}

void AmazonsRectangle::add_options(const Position& position, Player player) {
  const auto begin = static_cast<std::ptrdiff_t>(options_.size());
  position.for_each_option(player, [&](const AmazonsMove&, const Position& option) {
    const Image image = this->image(option);
    const Player other = image.is_negative ? player : opponent(player);
    options_.push_back(image.entry * 2 + static_cast<std::uint32_t>(other));
    return true;
  });
  std::sort(options_.begin() + begin, options_.end());
  options_.erase(std::unique(options_.begin() + begin, options_.end()), options_.end());
}

void AmazonsRectangle::make_values() {
  values_.resize(entries());
  WallStore walls;
  std::vector<std::uint32_t> numbers(entries() * 2);  // of -L_t and R_t
  std::array<WallMaximum, 2> maxima;
  Thermograph thermograph;
  for (const auto& layer : layers_) {
    for (const std::uint32_t entry : layer) {
      if (integers_[entry]) {
        thermograph = Thermograph(*integers_[entry]);
      } else {
        for (const Player player : {Player::kLeft, Player::kRight}) {
          WallMaximum& maximum = maxima[static_cast<std::size_t>(player)];
          maximum.clear();
          // R_t of an option of Left, whose opponent's number is 1 there, or -L_t of its negative.
          for (const std::uint32_t option : options(entry, player)) {
            maximum.add(walls.wall(numbers[option]));
          }
        }
        thermograph.assign(maxima[0], maxima[1]);
      }
      values_[entry] = thermograph.value();
      numbers[std::size_t{entry} * 2] = walls.number(thermograph.left_wall());
      numbers[std::size_t{entry} * 2 + 1] = walls.number(thermograph.right_wall());
    }
  }
}

ThermographValue AmazonsRectangle::value(const Position& position) const {
  const auto [entry, is_negative] = image(position);
  const ThermographValue& value = values_[entry];
  return is_negative ? ThermographValue{-value.mean, value.temperature} : value;
}

}  // namespace ntune
