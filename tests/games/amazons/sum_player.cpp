#include "ntune/games/amazons/sums/sum_player.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/core/parallel.h"
#include "ntune/games/amazons/notation.h"
#include "support/error_text.h"

namespace ntune {
namespace {

using Sum = AmazonsSum<4>;
using Agent = SumAgent<4>;

std::shared_ptr<const AmazonsDatabase> database() {
  static const std::shared_ptr<const AmazonsDatabase> built = [] {
    Parallel parallel(2);
    return std::make_shared<const AmazonsDatabase>(AmazonsDatabase::build(parallel));
  }();
  return built;
}

std::unique_ptr<Agent> agent(const std::string& name) {
  return make_sum_agent<4>(parse_sum_player(name), database());
}

Sum random_sum(std::size_t boards, int empties, std::size_t i) {
  Rng rng = Rng(17).stream("sum", boards, empties, i);
  return random_amazons_sum<4>(boards, 14 - empties, rng);
}

Dyadic mean_of(const Sum& sum) {
  Dyadic mean;
  for (const auto& board : sum.boards()) mean += database()->value(board).mean;
  return mean;
}

Dyadic temperature_of(const Sum& sum) {
  Dyadic temperature = -1;
  for (const auto& board : sum.boards()) {
    temperature = std::max(temperature, database()->value(board).temperature);
  }
  return temperature;
}

/// The least that a player with this agent gets, from his side, against everything that the other
/// can do. The agent sees each line of play from the start. Without agents: by best play of both.
class Exhaustive {
 public:
  Exhaustive(std::optional<Player> player, std::string name)
      : player_(player), name_(std::move(name)) {}

  Dyadic value(const Sum& start) {
    line_ = {start};
    return visit(start);
  }

 private:
  /// From Black's side.
  Dyadic visit(const Sum& sum) {
    if (sum.outcome()) return mean_of(sum);
    const bool is_black = sum.on_turn() == Player::kLeft;
    if (player_ == sum.on_turn()) return after(sum, agents_move());
    std::optional<Dyadic> best;
    sum.for_each_move([&](const AmazonsSumMove& move) {
      const Dyadic value = after(sum, move);
      if (!best || (is_black ? value > *best : value < *best)) best = value;
      return true;
    });
    return *best;
  }
  Dyadic after(const Sum& sum, const AmazonsSumMove& move) {
    Sum next = sum;
    next.apply(move);
    if (!player_) {
      const auto key = std::tuple(next[0].key(), next[1].key(), next.on_turn());
      const auto found = known_.find(key);
      if (found != known_.end()) return found->second;
      return known_[key] = visit(next);
    }
    line_.push_back(next);
    const Dyadic value = visit(next);
    line_.pop_back();
    return value;
  }
  /// On the last position of the line, having seen all others on which it was on turn.
  AmazonsSumMove agents_move() {
    const auto player = agent(name_);
    player->begin_game();
    AmazonsSumMove move;
    for (const Sum& sum : line_) {
      Rng rng(1);
      if (sum.on_turn() == *player_) move = player->choose(sum, rng);
    }
    return move;
  }

  std::optional<Player> player_;
  std::string name_;
  std::vector<Sum> line_;
  std::map<std::tuple<std::uint64_t, std::uint64_t, Player>, Dyadic> known_;
};

struct Losses {
  int sums = 0;
  int not_best = 0;       ///< less than best play
  Dyadic worst;           ///< loss against best play
  Dyadic worst_to_bound;  ///< by how much it fell below the guaranteed value; <= 0: never
};

/// The player is Black or White; Black is on turn.
Losses losses(const std::string& name) {
  Losses result;
  result.worst_to_bound = -100;
  for (std::size_t i = 0; result.sums < 120; ++i) {
    const Sum sum = random_sum(2, 3 + static_cast<int>(i % 2), i);
    if (sum.outcome() || temperature_of(sum) < 0) continue;
    ++result.sums;
    const Dyadic best = Exhaustive({}, "").value(sum);
    for (const Player player : {Player::kLeft, Player::kRight}) {
      const bool is_black = player == Player::kLeft;
      const Dyadic value = Exhaustive(player, name).value(sum);
      const Dyadic loss = is_black ? best - value : value - best;
      REQUIRE(loss >= 0);
      result.not_best += loss > 0 ? 1 : 0;
      result.worst = std::max(result.worst, loss);
      const Dyadic mean = is_black ? mean_of(sum) : -mean_of(sum);
      const Dyadic guaranteed = mean - 1 - (is_black ? Dyadic(0) : temperature_of(sum));
      result.worst_to_bound =
          std::max(result.worst_to_bound, guaranteed - (is_black ? value : -value));
    }
  }
  return result;
}

}  // namespace

// At the ambient temperature t the right walls R_t add up to the means. An opponent's move takes at
// most t from them, or is a threat, whose answer restores them; the player's own move adds the next
// t. His loss against the mean is then t_0 - t_1 + t_1 - …: the first temperature if he is not on
// turn, and 1 if his is the last move and gives up a move.
TEST_CASE("sentestrat with exact temperatures gets the mean, less the temperature as second") {
  const Losses found = losses("sentestrat-database");
  CAPTURE(found.not_best, dyadic_text(found.worst), dyadic_text(found.worst_to_bound));
  CHECK(found.worst_to_bound <= 0);
  CHECK(found.not_best < found.sums / 2);
}

TEST_CASE("hotstrat with exact temperatures loses no more either on small sums") {
  const Losses found = losses("hotstrat-database");
  CAPTURE(found.not_best, dyadic_text(found.worst), dyadic_text(found.worst_to_bound));
  CHECK(found.worst_to_bound <= 0);
  CHECK(found.not_best < found.sums / 2);
}

TEST_CASE("hotstrat moves on the hottest board, sentestrat answers what is hotter than all was") {
  int answers = 0;
  int differences = 0;
  for (std::size_t i = 0; i < 150; ++i) {
    Sum sum = random_sum(4, 8, i);
    const auto hot = agent("hotstrat-database");
    const auto sente = agent("sentestrat-database");
    hot->begin_game();
    sente->begin_game();
    Rng rng = Rng(3).stream("game", i);
    std::optional<Dyadic> ambient;
    int answered = -1;  // board of the opponent's last move
    while (!sum.outcome()) {
      AmazonsSumMove move;
      if (sum.on_turn() == Player::kRight) {  // any move
        std::vector<AmazonsSumMove> moves;
        sum.for_each_move([&](const AmazonsSumMove& one) { return moves.push_back(one), true; });
        move = moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
        answered = move.board;
      } else {
        Dyadic highest = -2;
        for (const auto& board : sum.boards()) {
          if (board.can_move(Player::kLeft)) {
            highest = std::max(highest, database()->value(board).temperature);
          }
        }
        const auto temperature = [&](std::size_t b) {
          return database()->value(sum[b]).temperature;
        };
        REQUIRE(temperature(hot->choose(sum, rng).board) == highest);
        move = sente->choose(sum, rng);
        const bool must_answer = answered >= 0 && ambient &&
                                 temperature(static_cast<std::size_t>(answered)) > *ambient &&
                                 sum[static_cast<std::size_t>(answered)].can_move(Player::kLeft);
        if (must_answer) {
          REQUIRE(move.board == answered);
          ++answers;
          differences += temperature(move.board) < highest ? 1 : 0;
        } else {
          REQUIRE(temperature(move.board) == highest);
        }
        ambient = std::min(ambient.value_or(highest), highest);
      }
      REQUIRE(sum[move.board].is_legal(sum.on_turn(), move.move));
      sum.apply(move);
    }
  }
  CHECK(answers > 20);
  CHECK(differences > 0);
}

TEST_CASE("the database's move keeps the wall, and that of TDS is as good wherever it finds one") {
  for (const std::string name : {"TDS_13", "TDS+", "all"}) {
    int found = 0;
    int boards = 0;
    TdsOptions options;
    options.enhancements = parse_tds_variant(name);
    options.table_mb = 1;
    TdsAppraiser<4> tds(options, UnknownTemperature::kRule, {});
    DatabaseAppraiser exact(database());
    for (std::size_t i = 0; i < 120; ++i) {
      const auto board = random_sum(1, 2 + static_cast<int>(i % 4), i)[0];
      if (board.integer_value()) continue;
      for (const Player player : {Player::kLeft, Player::kRight}) {
        if (!board.can_move(player)) continue;
        CAPTURE(name, amazons_text(board), static_cast<int>(player));
        const BoardAppraisal appraisal = tds.appraise(board, player, {});
        const ThermographValue value = database()->value(board);
        REQUIRE(appraisal.value == value);
        REQUIRE(appraisal.is_final);
        const Dyadic t = value.temperature;
        const auto wall = [&](const AmazonsMove& move) {
          const Thermograph after = database()->thermograph(board.after(player, move));
          return player == Player::kLeft ? after.right(t) - t : -after.left(t) - t;
        };
        const auto best = exact.best_move(board, player, appraisal, t, {});
        const Dyadic mean = player == Player::kLeft ? value.mean : -value.mean;
        const auto move = tds.best_move(board, player, appraisal, t, {});
        if (t > -1) {
          REQUIRE(wall(*best) == mean);
          ++boards;
          found += move ? 1 : 0;
        }
        if (!move) continue;
        CHECK(dyadic_text(wall(*move)) == dyadic_text(wall(*best)));
      }
    }
    CAPTURE(name, found, boards);
    CHECK(found * 10 > boards * 9);
    CHECK(boards > 60);
  }
}

TEST_CASE("players of sums play whole games by the rules, the same ones again") {
  for (const std::string name : {"hotstrat-TDS", "hotstrat-TDS+", "sentestrat-all", "arrow"}) {
    SumPlayerOptions options = parse_sum_player(name);
    options.tds.nodes = {false, 3000};
    const auto player = make_sum_agent<5>(options, nullptr);
    const auto random = make_sum_agent<5>(parse_sum_player("random"), nullptr);
    int wins = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      const Rng rng = Rng(5).stream("game", i);
      Rng draw = rng.stream("sum");
      const auto sum = random_amazons_sum<5>(2, 3, draw);
      const SumGame game = play_amazons_sum<5>(sum, {player.get(), random.get()}, rng);
      wins += game.outcome.winner == Player::kLeft ? 1 : 0;
      CHECK(game.counts[0].moves == (game.plies + 1) / 2);
      CHECK(game.counts[0].nodes > 0);
      CHECK(game.counts[0].nodes <= 3000 * game.counts[0].moves);
      const SumGame again = play_amazons_sum<5>(sum, {player.get(), random.get()}, rng);
      CHECK(again.outcome == game.outcome);
      CHECK(again.counts[0].nodes == game.counts[0].nodes);
    }
    INFO(name);
    CHECK(wins >= 5);
  }
}

TEST_CASE("players of sums: names and wrong ones") {
  CHECK(parse_sum_player("hotstrat-TDS").tds.enhancements == TdsEnhancements());
  CHECK(parse_sum_player("sentestrat-database").source == SumSource::kDatabase);
  CHECK(parse_sum_player("arrow").strategy == SumStrategy::kAlphaBeta);
  for (const auto& [name, text] : std::map<std::string, std::string>{
           {"hotstat", "is 'hotstat', hotstrat-SOURCE, sentestrat-SOURCE (database, TDS"},
           {"hotstrat-TDS_x", "is 'hotstrat-TDS_x': variant 'TDS_x'"},
           {"", "is ''"}}) {
    const std::string wrong = name;
    CHECK_THAT(test::input_error([&] { parse_sum_player(wrong); }),
               Catch::Matchers::ContainsSubstring(text));
  }
  CHECK_THAT(
      test::input_error([] { make_sum_agent<5>(parse_sum_player("hotstrat-database"), nullptr); }),
      Catch::Matchers::ContainsSubstring("boards of 4x4, none of 5x5"));
  CHECK_THAT(
      test::input_error([] { make_sum_agent<4>(parse_sum_player("hotstrat-database"), nullptr); }),
      Catch::Matchers::ContainsSubstring("there is no database"));
}

}  // namespace ntune
