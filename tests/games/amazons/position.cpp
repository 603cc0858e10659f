#include "ntune/games/amazons/position.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "games/amazons/fitted.h"
#include "games/amazons/reference.h"
#include "ntune/core/rng.h"
#include "ntune/games/amazons/notation.h"

namespace ntune {
namespace {

static_assert(CombinatorialGame<AmazonsPosition<4>>);
static_assert(CombinatorialGame<AmazonsPosition<8>>);
static_assert(CombinatorialGame<AmazonsPosition<10>>);

constexpr std::array kPlayers = {Player::kLeft, Player::kRight};

template <int kSide>
std::vector<AmazonsMove> moves_of(const AmazonsPosition<kSide>& position, Player player) {
  std::vector<AmazonsMove> moves;
  position.for_each_move(player, [&](const AmazonsMove& move) {
    moves.push_back(move);
    return true;
  });
  return moves;
}

template <int kSide>
std::vector<AmazonsPosition<kSide>> areas_of(const AmazonsPosition<kSide>& position) {
  std::vector<AmazonsPosition<kSide>> areas;
  position.for_each_area([&](const AmazonsPosition<kSide>& area) { areas.push_back(area); });
  return areas;
}

/// Moves, options, do and undo of random positions as those of the plain game.
template <int kSide>
void check_against_plain_game(int positions) {
  Rng rng = Rng(1).stream("amazons", kSide);
  for (int i = 0; i < positions; ++i) {
    const auto position = test::random_amazons<kSide>(
        rng, static_cast<int>(rng.below(4)), static_cast<int>(rng.below(4)),
        static_cast<int>(rng.below(AmazonsBoard<kSide>::kSquares)));
    const auto plain = test::PlainAmazons::of(position);
    for (const Player player : kPlayers) {
      const std::vector<AmazonsMove> moves = plain.moves(player);
      REQUIRE(moves_of(position, player) == moves);
      CHECK(position.can_move(player) == !moves.empty());
      for (const AmazonsMove& move : moves) {
        auto next = position;
        next.apply(player, move);
        REQUIRE(test::PlainAmazons::of(next).squares == plain.after(move).squares);
        REQUIRE(next == position.after(player, move));
        next.undo(player, move);
        REQUIRE(next == position);
      }
    }
  }
}

/// The longest sequence of moves of one player, by trying all.
int longest_sequence(const test::PlainAmazons& plain, Player player) {
  int longest = 0;
  for (const AmazonsMove& move : plain.moves(player)) {
    longest = std::max(longest, 1 + longest_sequence(plain.after(move), player));
  }
  return longest;
}

/// Whether a queen can come to a square next to one of the other colour by king's steps.
bool colours_meet(const test::PlainAmazons& plain) {
  std::string squares = plain.squares;
  const int side = plain.side;
  for (bool changed = true; changed;) {
    changed = false;
    for (int a = 0; a < side * side; ++a) {
      if (squares[static_cast<std::size_t>(a)] != 'B') continue;
      for (int b = 0; b < side * side; ++b) {
        if (std::abs(a % side - b % side) > 1 || std::abs(a / side - b / side) > 1) continue;
        char& content = squares[static_cast<std::size_t>(b)];
        if (content == 'W') return true;
        if (content == '.') {
          content = 'B';
          changed = true;
        }
      }
    }
  }
  return false;
}

}  // namespace

TEST_CASE("Amazons: moves, do and undo as square by square") {
  check_against_plain_game<1>(20);
  check_against_plain_game<2>(50);
  check_against_plain_game<4>(400);
  check_against_plain_game<5>(100);
  check_against_plain_game<6>(60);
  check_against_plain_game<8>(20);
  check_against_plain_game<10>(20);
}

TEST_CASE("Amazons: a queen's reach on 4x4 for every set of empty squares") {
  for (int from = 0; from < 16; ++from) {
    bool equal = true;
    for (std::uint32_t empty = 0; empty <= 0xffff; ++empty) {
      if ((empty >> from & 1U) != 0) continue;
      std::uint32_t reach = 0;
      const auto plain = test::PlainAmazons::of(AmazonsPosition<4>(empty, 0, 0));
      for (const int to : plain.slides(from)) reach |= AmazonsBoard<4>::bit(to);
      equal = equal && AmazonsBoard<4>::reach(from, empty) == reach;
    }
    CHECK(equal);
  }
}

TEST_CASE("Amazons: the first player of the ordinary game has 2,176 moves") {
  const auto start = parse_amazons<10>(
      "...B..B.../........../........../B........B/........../........../W........W/........../"
      "........../...W..W...");
  CHECK(moves_of(start, Player::kRight).size() == 2176);
  CHECK(moves_of(start, Player::kLeft).size() == 2176);
}

TEST_CASE("Amazons: 2,784 positions follow from the 2x4 board of CGSuite's regression test") {
  using Position = AmazonsPosition<4>;
  const auto less = [](const Position& a, const Position& b) {
    return std::tuple(a.empty(), a.queens(Player::kLeft), a.queens(Player::kRight)) <
           std::tuple(b.empty(), b.queens(Player::kLeft), b.queens(Player::kRight));
  };
  std::vector<Position> found = {parse_amazons<4>("B.../W...")};
  std::set<Position, decltype(less)> known(found.begin(), found.end(), less);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Position position = found[i];
    for (const Player player : kPlayers) {
      position.for_each_option(player, [&](const AmazonsMove&, const Position& option) {
        if (known.insert(option).second) found.push_back(option);
        return true;
      });
    }
  }
  CHECK(found.size() == 2784);
  std::set<std::uint64_t> keys;
  for (const Position& position : found) keys.insert(position.key());
  CHECK(keys.size() == found.size());
}

TEST_CASE("Amazons: exactly the moves that are generated are legal") {
  Rng rng(2);
  for (int i = 0; i < 20; ++i) {
    const auto position = test::random_amazons<4>(rng, 2, 1, 6);
    for (const Player player : kPlayers) {
      std::vector<AmazonsMove> legal;
      for (unsigned from = 0; from < 17; ++from) {
        for (unsigned to = 0; to < 17; ++to) {
          for (unsigned arrow = 0; arrow < 17; ++arrow) {
            const AmazonsMove move = {static_cast<std::uint8_t>(from),
                                      static_cast<std::uint8_t>(to),
                                      static_cast<std::uint8_t>(arrow)};
            if (position.is_legal(player, move)) legal.push_back(move);
          }
        }
      }
      CHECK(legal == moves_of(position, player));
    }
  }
}

TEST_CASE("Amazons: an arrow may burn the square that the queen has left, and beyond") {
  const auto position = parse_amazons<4>("####/####/####/.B.#");
  std::vector<std::string> moves;
  for (const AmazonsMove& move : moves_of(position, Player::kLeft)) {
    moves.push_back(amazons_move_text<4>(move));
  }
  CHECK(moves == std::vector<std::string>{"B1-A1xB1", "B1-A1xC1", "B1-C1xA1", "B1-C1xB1"});
}

TEST_CASE("Amazons: queens pass diagonally between blocked squares") {
  const auto position = parse_amazons<4>("####/####/#.##/B#W#");
  CHECK(moves_of(position, Player::kLeft).size() == 1);
  CHECK(moves_of(position, Player::kRight).size() == 1);
  CHECK(areas_of(position).size() == 1);
}

TEST_CASE("Amazons: visiting moves ends when the visitor has enough") {
  const auto position = parse_amazons<4>("..../.B../..W./....");
  int visited = 0;
  CHECK_FALSE(
      position.for_each_move(Player::kLeft, [&](const AmazonsMove&) { return ++visited < 5; }));
  CHECK(visited == 5);
  CHECK(position.for_each_move(Player::kLeft, [](const AmazonsMove&) { return true; }));
}

TEST_CASE("Amazons: a position splits into independent areas") {
  const auto position = parse_amazons<8>("..#..W##/B.#...##/########/#W##..##/####..##/B#######");
  std::vector<std::string> areas;
  for (const auto& area : areas_of(position)) areas.push_back(amazons_text(area));
  CHECK(areas == std::vector<std::string>{
                     "########/########/..######/B.######/########/########/########/########",
                     "########/########/###..W##/###...##/########/########/########/########"});
}

TEST_CASE("Amazons: moves in one area leave the others as they are") {
  Rng rng(3);
  int several = 0;
  for (int i = 0; i < 300; ++i) {
    const auto position = test::random_amazons<6>(rng, 3, 3, 10);
    const auto areas = areas_of(position);
    several += areas.size() > 1 ? 1 : 0;
    for (const Player player : kPlayers) {
      std::vector<AmazonsMove> moves;
      for (const auto& area : areas) {
        CHECK(areas_of(area) == std::vector{area});
        for (const AmazonsMove& move : moves_of(area, player)) {
          moves.push_back(move);
          REQUIRE(position.is_legal(player, move));
          const auto next = position.after(player, move);
          for (const auto& other : areas) {
            if (other == area) continue;
            const auto left = areas_of(next);
            REQUIRE(std::find(left.begin(), left.end(), other) != left.end());
          }
        }
      }
      std::sort(moves.begin(), moves.end());
      CHECK(moves == moves_of(position, player));
    }
  }
  CHECK(several > 50);
}

TEST_CASE("Amazons: a small area of a large board is the same on a small board") {
  const auto large =
      parse_amazons<8>("########/########/########/####..W#/####.B.#/########/########/########");
  const auto small = test::amazons_fitted<4>(large);
  REQUIRE(small.has_value());
  CHECK(amazons_text(*small) == "####/####/..W#/.B.#");
  CHECK(moves_of(*small, Player::kLeft).size() == moves_of(large, Player::kLeft).size());
  CHECK(test::amazons_fitted<8>(*small) == parse_amazons<8>("..W/.B."));
  CHECK(test::amazons_fitted<4>(parse_amazons<8>("B#...")) == std::nullopt);
  CHECK(test::amazons_fitted<4>(parse_amazons<8>("B/#/#/#/W")) == std::nullopt);
  CHECK(test::amazons_fitted<4>(parse_amazons<8>("####....")).has_value());
  CHECK(test::amazons_fitted<4>(AmazonsPosition<8>()) == AmazonsPosition<4>());
}

TEST_CASE("Amazons: separated queens are worth their longest sequences of moves") {
  const auto value = [](const std::string& board) {
    return parse_amazons<4>(board).integer_value();
  };
  CHECK(value("####/####/####/####") == 0);
  CHECK(value("####/..##/####/B.#W") == 1);
  CHECK(value("..##/W.##/####/B.#.") == -2);
  CHECK(value("####/####/BW##/####") == 0);
  CHECK(value("####/####/BW.#/####") == std::nullopt);
  CHECK(value("####/####/B.W#/####") == std::nullopt);
  CHECK(value("..##/B###/####/.W.#") == 0);
  // The queen must leave one of three pockets for another.
  CHECK(value("#.#W/#B##/.#.#/####") == 1);
}

TEST_CASE("Amazons: integer values as by trying all sequences") {
  Rng rng(4);
  int integers = 0;
  for (int i = 0; i < 1500; ++i) {
    const auto position = test::random_amazons<4>(rng, 1, 1, static_cast<int>(rng.below(6)));
    const auto plain = test::PlainAmazons::of(position);
    if (colours_meet(plain) && !plain.moves(Player::kLeft).empty()) {
      CHECK(position.integer_value() == std::nullopt);
    } else if (!colours_meet(plain)) {
      ++integers;
      CHECK(position.integer_value() ==
            longest_sequence(plain, Player::kLeft) - longest_sequence(plain, Player::kRight));
    }
  }
  CHECK(integers > 300);
  for (int i = 0; i < 30; ++i) {
    const auto position = test::random_amazons<5>(rng, 2, 0, 5);
    CHECK(position.integer_value() ==
          longest_sequence(test::PlainAmazons::of(position), Player::kLeft));
  }
}

TEST_CASE("Amazons: a longest sequence that takes too long to find is none") {
  const auto area = parse_amazons<4>("..../..../..../B...");
  CHECK(amazons_longest_sequence<4>(area.queens(), area.empty(), 100'000) == 15);
  CHECK(amazons_longest_sequence<4>(area.queens(), area.empty(), 10) == std::nullopt);
}

TEST_CASE("Amazons: every region of one queen on 4x4 has its longest sequence found", "[slow]") {
  for (int queen = 0; queen < 16; ++queen) {
    bool found = true;
    for (std::uint32_t empty = 0; empty <= 0xffff; ++empty) {
      if ((empty >> queen & 1U) != 0) continue;
      found = found && amazons_longest_sequence<4>(1U << queen, empty, 200).has_value();
    }
    CHECK(found);
  }
}

}  // namespace ntune
