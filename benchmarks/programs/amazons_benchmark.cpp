// Amazons. It measures moves by bitboards against a board of characters, the building of the
// database of 4x4 positions with one queen each, look-ups in it, and solving positions without it.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "ntune/core/parallel.h"
#include "ntune/core/rng.h"
#include "ntune/games/amazons/database/database.h"
#include "ntune/games/amazons/notation.h"

namespace ntune {
namespace {

using Position = AmazonsDatabase::Position;

/// Counts the moves of a colour square by square, rank by rank from A1 on.
std::size_t plain_count(const std::string& squares, int side, char queen) {
  const auto slides = [&](std::string& board, int from, const auto& visit) {
    for (int files = -1; files <= 1; ++files) {
      for (int ranks = -1; ranks <= 1; ++ranks) {
        if (files == 0 && ranks == 0) continue;
        int file = from % side + files;
        int rank = from / side + ranks;
        while (file >= 0 && file < side && rank >= 0 && rank < side &&
               board[static_cast<std::size_t>(rank * side + file)] == '.') {
          visit(rank * side + file);
          file += files;
          rank += ranks;
        }
      }
    }
  };
  std::string board = squares;
  std::size_t count = 0;
  for (int from = 0; from < side * side; ++from) {
    if (board[static_cast<std::size_t>(from)] != queen) continue;
    slides(board, from, [&](int to) {
      std::string moved = board;
      std::swap(moved[static_cast<std::size_t>(from)], moved[static_cast<std::size_t>(to)]);
      slides(moved, to, [&](int) { ++count; });
    });
  }
  return count;
}

template <int kSide>
std::string plain_board(const AmazonsPosition<kSide>& position) {
  std::string squares;
  for (int square = 0; square < kSide * kSide; ++square) {
    const auto bit = AmazonsBoard<kSide>::bit(square);
    squares += (position.empty() & bit) != 0                 ? '.'
               : (position.queens(Player::kLeft) & bit) != 0 ? 'B'
               : (position.queens() & bit) != 0              ? 'W'
                                                             : '#';
  }
  return squares;
}

template <int kSide>
std::size_t count(const AmazonsPosition<kSide>& position) {
  std::size_t moves = 0;
  position.for_each_move(Player::kLeft, [&](const AmazonsMove& move) {
    AmazonsMove kept = move;
    benchmark::DoNotOptimize(kept);
    ++moves;
    return true;
  });
  return moves;
}

/// One queen each; of the other squares two in three are empty.
template <int kSide>
std::vector<AmazonsPosition<kSide>> sample() {
  using Board = AmazonsBoard<kSide>;
  std::vector<AmazonsPosition<kSide>> positions;
  for (std::uint64_t i = 0; i < 1024; ++i) {
    Rng rng = Rng(1).stream("position", i);
    const int black = static_cast<int>(rng.below(Board::kSquares));
    int white = black;
    while (white == black) white = static_cast<int>(rng.below(Board::kSquares));
    typename Board::Bits empty = 0;
    for (int square = 0; square < Board::kSquares; ++square) {
      if (square != black && square != white && rng.below(3) > 0) empty |= Board::bit(square);
    }
    positions.emplace_back(empty, Board::bit(black), Board::bit(white));
  }
  return positions;
}

template <int kSide>
bool counts_agree(const std::vector<AmazonsPosition<kSide>>& positions) {
  for (const auto& position : positions) {
    if (count(position) != plain_count(plain_board(position), kSide, 'B')) return false;
  }
  return true;
}

template <int kSide>
void amazons_moves(benchmark::State& state) {
  const auto positions = sample<kSide>();
  if (!counts_agree(positions)) {
    state.SkipWithError("the moves are not those of the plain game");
    return;
  }
  std::size_t moves = 0;
  std::size_t i = 0;
  for (auto _ : state) moves += count(positions[i++ % positions.size()]);
  state.counters["moves"] =
      benchmark::Counter(static_cast<double>(moves), benchmark::Counter::kIsRate);
}
BENCHMARK_TEMPLATE(amazons_moves, 4);
BENCHMARK_TEMPLATE(amazons_moves, 6);
BENCHMARK_TEMPLATE(amazons_moves, 10);

template <int kSide>
void amazons_moves_reference(benchmark::State& state) {
  std::vector<std::string> boards;
  for (const auto& position : sample<kSide>()) boards.push_back(plain_board(position));
  std::size_t moves = 0;
  std::size_t i = 0;
  for (auto _ : state) moves += plain_count(boards[i++ % boards.size()], kSide, 'B');
  state.counters["moves"] =
      benchmark::Counter(static_cast<double>(moves), benchmark::Counter::kIsRate);
}
BENCHMARK_TEMPLATE(amazons_moves_reference, 4);
BENCHMARK_TEMPLATE(amazons_moves_reference, 6);
BENCHMARK_TEMPLATE(amazons_moves_reference, 10);

/// The hottest position with 12 empty squares, and the one of Zhang and Mueller 2015, Figure 2.
bool has_known_answers(const AmazonsDatabase& database) {
  const auto value = [&](const char* board) { return database.value(parse_amazons<4>(board)); };
  return value("..../..../.#.#/B..W").temperature == 11 &&
         value("####/#.##/.#B#/W.##") == ThermographValue{Dyadic::ratio(3, 2), Dyadic::ratio(5, 2)};
}

void amazons_database_build(benchmark::State& state) {
  Parallel parallel(static_cast<int>(state.range(0)));
  if (!has_known_answers(AmazonsDatabase::build(parallel))) {
    state.SkipWithError("not the known values");
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(AmazonsDatabase::build(parallel));
}
BENCHMARK(amazons_database_build)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

/// Mean and temperature of a position drawn from all.
void amazons_database_look_up(benchmark::State& state) {
  Parallel parallel;
  const AmazonsDatabase database = AmazonsDatabase::build(parallel);
  if (!has_known_answers(database)) {
    state.SkipWithError("not the known values");
    return;
  }
  Rng rng(1);
  std::vector<Position> positions;
  for (int i = 0; i < 1 << 16; ++i) {
    positions.push_back(AmazonsDatabase::position_at(rng.below(AmazonsDatabase::kPositions)));
  }
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(database.value(positions[i++ % positions.size()]));
}
BENCHMARK(amazons_database_look_up);

/// One position with 9 empty squares and all that follow from it, without the database.
void amazons_solver(benchmark::State& state) {
  const auto position = parse_amazons<4>("W..#/#..#/.#.#/#..B");
  Parallel parallel;
  const AmazonsDatabase database = AmazonsDatabase::build(parallel);
  for (auto _ : state) {
    ThermographSolver<Position> solver;
    if (solver.solve(position)->value() != database.value(position)) {
      state.SkipWithError("not the value of the database");
      return;
    }
    state.counters["positions"] = static_cast<double>(solver.positions());
  }
}
BENCHMARK(amazons_solver)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ntune
