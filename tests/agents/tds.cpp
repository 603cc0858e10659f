#include "ntune/agents/combinatorial_game/tds.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "agents/tds_cases.h"
#include "agents/tree_game.h"
#include "catch.h"
#include "ntune/core/rng.h"

namespace ntune {
namespace {

using test::AmazonsFour;
using test::positions_with_empties;
using test::tds_options;
using test::tree;
using test::TreeGame;
using test::value_text;

const std::vector<std::string> kPaperVariants = {"TDS", "1",    "2",  "3",    "134",  "35",  "13",
                                                 "235", "1345", "12", "1235", "1234", "TDS+"};
const std::vector<std::string> kLaterVariants = {"36",  "367",      "368", "369",   "360", "3678",
                                                 "all", "12345678", "8",   "13890", "0"};

/// What games are worth, or the first that a variant gets wrong.
template <class Game>
std::string wrong_values(const std::string& variant, const std::vector<Game>& games) {
  ThermographSolver<Game> truth;
  TemperatureDiscovery<Game> search(tds_options(variant));
  for (std::size_t i = 0; i < games.size(); ++i) {
    const auto found = search.solve(games[i]);
    const ThermographValue value = truth.solve(games[i])->value();
    if (found.is_exact && found.is_finished && found.value == value) continue;
    return fmt::format("{}: game {} is {}, found {}", variant, i, value_text(value),
                       value_text(found.value));
  }
  return "";
}

template <class T>
std::vector<T> every(std::size_t step, const std::vector<T>& all) {
  std::vector<T> some;
  for (std::size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
  return some;
}

/// Minimax as the paper tells it: every coupon, k final ones of -1 and one of -1/2, scores of the
/// whole play from Left's side, no table but for the same state.
template <class Game>
class PlainStack {
 public:
  struct State {
    Game game;
    int level = 0;       ///< of the top coupon while it is above -1
    int final_left = 0;  ///< coupons of -1, then the balancing one; none: -1
    Player player = Player::kLeft;
    bool after_minus_one = false;
  };

  explicit PlainStack(int exponent) : delta_(Dyadic::power(exponent)) {}

  static State start(const Game& game, int level) {
    return {game, level, game.birthday_bound() + 3, Player::kLeft, false};
  }
  /// Left's score of the rest of the play.
  Dyadic score(const State& state) {
    const auto key = std::tuple(state.game.key(), state.level, state.final_left, state.player,
                                state.after_minus_one);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    return known_[key] = compute(state);
  }
  /// The level at the first board move that is better than the coupon; 0 if there is none.
  int first_board_level(State state) {
    for (; state.level > 0; take_coupon(state)) {
      State next = state;
      const Dyadic gain = take_coupon(next);
      if (score(state) != gain + score(next)) return state.level;
    }
    return 0;
  }

 private:
  /// What Left gains.
  Dyadic take_coupon(State& state) const {
    const int sign = state.player == Player::kLeft ? 1 : -1;
    state.player = opponent(state.player);
    if (state.level > 0) {
      --state.level;
      return sign * ((state.level + 1) * delta_ - 1);
    }
    if (state.final_left < 0) return 0;
    if (state.final_left-- == 0) return sign * Dyadic::ratio(-1, 1);
    return -sign;
  }

  /// The coupons that are left, taken in turn.
  Dyadic alone(State state) const {
    Dyadic sum;
    while (state.final_left >= 0) sum += take_coupon(state);
    return sum;
  }
  Dyadic compute(const State& state) {
    if (state.game.birthday_bound() == 0) return alone(state);
    if (const auto integer = state.game.integer_value()) return *integer + alone(state);
    State next = state;
    Dyadic best = take_coupon(next);
    next.after_minus_one = state.level == 0;
    best += state.after_minus_one ? alone(next) : score(next);
    state.game.for_each_option(state.player, [&](const auto&, const Game& option) {
      State after = state;
      after.game = option;
      after.player = opponent(state.player);
      after.after_minus_one = false;
      const Dyadic value = score(after);
      best = state.player == Player::kLeft ? std::max(best, value) : std::min(best, value);
      return true;
    });
    return best;
  }

  Dyadic delta_;
  std::map<std::tuple<std::uint64_t, int, int, Player, bool>, Dyadic> known_;
};

/// The search's mean and prior coupon against the plain play.
template <class Game>
void compare_with_plain(const Game& game, const std::string& variant, int exponent) {
  TdsOptions options = tds_options(variant);
  options.delta_exponent = {false, exponent};
  options.reading = TdsReading::kPrior;
  const auto found = TemperatureDiscovery<Game>(options).solve(game);
  REQUIRE(found.is_finished);
  PlainStack<Game> plain(exponent);
  const CouponStack stack(exponent);
  const int level = stack.level_from(found.t_max);
  const auto start = PlainStack<Game>::start(game, level);
  const Dyadic alone = Dyadic::ratio(stack.alone(level), kTdsBits);
  const int board = plain.first_board_level(start);
  CHECK(value_text(found.value) ==
        value_text({plain.score(start) - alone, board == 0 ? -1 : stack.coupon_value(board + 1)}));
}

TreeGame random_tree(Rng& rng, int birthday) {
  if (birthday == 0) return {};
  std::array<TreeGame::Options, 2> options;
  for (auto& of_player : options) {
    for (std::uint32_t count = rng.below(4); count > 0; --count) {
      of_player.push_back(
          random_tree(rng, static_cast<int>(rng.below(static_cast<std::uint32_t>(birthday)))));
    }
  }
  return {options[0], options[1]};
}

std::vector<TreeGame> random_trees(int count, int birthday) {
  Rng rng(11);
  std::vector<TreeGame> games;
  for (int i = 0; i < count; ++i) games.push_back(random_tree(rng, birthday));
  return games;
}

}  // namespace

TEST_CASE("tds: textbook games in every variant") {
  const TreeGame star = tree(0, 0);
  const TreeGame up = tree(0, star);
  const TreeGame half = Dyadic::power(1);
  const std::vector<TreeGame> games = {0,
                                       1,
                                       -2,
                                       half,
                                       Dyadic::ratio(3, 2),
                                       star,
                                       up,
                                       star + up,
                                       tree(1, 1),
                                       tree(half, half),
                                       tree(1, -1),
                                       tree(2, -1),
                                       tree(1, 0),
                                       tree(1, tree(0, -1)),
                                       tree(3, tree(2, 1)),
                                       tree(tree(2, 1), 0),
                                       tree(-1, 1),
                                       tree(star, star),
                                       TreeGame({up}, {}),
                                       tree(tree(3, -3), tree(3, -3)),
                                       tree(1, 0) + tree(1, -1)};
  for (const std::string& variant : kPaperVariants) CHECK(wrong_values(variant, games).empty());
  for (const std::string& variant : kLaterVariants) CHECK(wrong_values(variant, games).empty());
  // {10|1||0}: Left's threat is sente. Eleven moves, so only by walls here.
  CHECK(wrong_values("all", std::vector<TreeGame>{tree(tree(10, 1), 0)}).empty());
}

TEST_CASE("tds: random games in every variant") {
  const auto games = random_trees(60, 4);
  for (const std::string& variant : kPaperVariants) CHECK(wrong_values(variant, games).empty());
  for (const std::string& variant : kLaterVariants) CHECK(wrong_values(variant, games).empty());
  CHECK(wrong_values("all", random_trees(60, 7)).empty());
}

TEST_CASE("tds: the stack alone is worth as much whatever the number of final coupons") {
  for (const int exponent : {0, 1, 3}) {
    const CouponStack stack(exponent);
    for (int level = 0; level <= 12; ++level) {
      for (int final_coupons = 0; final_coupons <= 5; ++final_coupons) {
        std::vector<int> coupons;
        for (int i = level; i > 0; --i) coupons.push_back(stack.coupon(i));
        coupons.insert(coupons.end(), static_cast<std::size_t>(final_coupons), -kTdsOne);
        coupons.push_back(-kTdsOne / 2);
        int sum = 0;
        for (std::size_t i = 0; i < coupons.size(); ++i)
          sum += i % 2 == 0 ? coupons[i] : -coupons[i];
        CHECK(stack.alone(level) == sum);
      }
    }
  }
}

TEST_CASE("tds: the minimax value and the coupon before the first board move at any delta") {
  for (const std::string variant : {"TDS", "3", "35", "1", "13"}) {
    for (const int exponent : {0, 1, 2, 4}) {
      for (const TreeGame& game : random_trees(12, 4)) {
        if (game.birthday_bound() > 0) compare_with_plain(game, variant, exponent);
      }
      for (const int empties : {2, 3}) {
        for (const AmazonsFour& position : every(400, positions_with_empties(empties))) {
          if (!position.integer_value()) compare_with_plain(position, variant, exponent);
        }
      }
    }
  }
}

TEST_CASE("tds: every position with up to 3 empty squares by walls") {
  for (int empties = 0; empties <= 3; ++empties) {
    CHECK(wrong_values("all", positions_with_empties(empties)).empty());
  }
}

TEST_CASE("tds: positions with up to 4 empty squares in every variant") {
  std::vector<AmazonsFour> positions;
  for (const auto& [empties, step] : {std::pair(1, 1), {2, 4}, {3, 100}, {4, 5000}}) {
    const auto some = every(static_cast<std::size_t>(step), positions_with_empties(empties));
    positions.insert(positions.end(), some.begin(), some.end());
  }
  for (const std::string& variant : kPaperVariants) CHECK(wrong_values(variant, positions).empty());
  for (const std::string& variant : kLaterVariants) CHECK(wrong_values(variant, positions).empty());
}

TEST_CASE("tds: every position with up to 3 empty squares in every variant", "[slow]") {
  for (int empties = 0; empties <= 4; ++empties) {
    const auto positions = every(empties < 4 ? 1 : 40, positions_with_empties(empties));
    for (const std::string& variant : kPaperVariants) {
      CHECK(wrong_values(variant, positions).empty());
    }
    for (const std::string& variant : kLaterVariants) {
      CHECK(wrong_values(variant, positions).empty());
    }
  }
}

TEST_CASE("tds: every position with 4 to 6 empty squares by walls", "[slow]") {
  for (const int empties : {4, 5, 6}) {
    const auto positions = positions_with_empties(empties);
    CHECK(wrong_values("all", positions).empty());
    for (const std::string variant : {"36", "3678"}) {
      CHECK(wrong_values(variant, every(10, positions)).empty());
    }
    for (const std::string variant : {"3", "13", "134", "TDS+"}) {
      CHECK(wrong_values(variant, every(empties == 6 ? 3000 : 300, positions)).empty());
    }
  }
}

TEST_CASE("tds: larger boards and more queens") {
  ThermographSolver<AmazonsPosition<5>> truth;
  TemperatureDiscovery<AmazonsPosition<5>> search(tds_options("all"));
  for (const std::string board :
       {"B.W##/#..##/#.#B#/#####/#####", "B...W/##.##/#####/#####/#####",
        "BW.../W#B##/.####/#####/#####", "#.B.#/#W#W#/#...#/#####/#####"}) {
    const auto position = parse_amazons<5>(board);
    const auto found = search.solve(position);
    CHECK(found.is_exact);
    CHECK(value_text(found.value) == value_text(truth.solve(position)->value()));
  }
}

TEST_CASE("tds: symmetric positions are one, and squares out of reach do not count") {
  const auto canonical = [](const std::string& board) {
    return amazons_text(tds_canonical(parse_amazons<4>(board)));
  };
  const std::string board = canonical("B..#/.#.W/#..#/##..");
  for (const std::string image : {"#..B/W.#./#..#/..##", "##../#..#/.#.W/B..#",
                                  "B.##/.#.#/..../#W#.", "#W#./..../.#.#/B.##"}) {
    CHECK(canonical(image) == board);
  }
  CHECK(canonical("B.##/####/####/..#W") == canonical("B.##/####/####/###W"));
  CHECK(canonical("B.##/####/####/.##W") != canonical("W.##/####/####/.##B"));
}

}  // namespace ntune
