// What the paper says of positions and not of matches: the quality of predictions (Sections 5 and
// 8), orderings of evaluations (Section 4), admissibility (Section 5), infinite moves and the size
// of the game (Section 7, Appendix A).

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "apps/bao/reproduce.h"
#include "apps/common/rows.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/games/bao/agent.h"

namespace ntune::bao {

namespace {

constexpr int kNorth = 1;

/// The games of a sample: each player as South against the next as North, alpha-beta of this depth.
struct SampleGame {
  std::vector<Bao> positions;
  TurnGameResult result;
};

BaoPlayer alpha_beta_player(const BaoEvaluation& evaluation, int depth) {
  BaoPlayer player{.evaluation = evaluation};
  player.agent.depth = depth;
  return player;
}

SampleGame play_one(const BaoPlayer& south_player, const BaoPlayer& north_player, const Bao& start,
                    const Rng& rng) {
  const auto south = make_bao_agent(south_player);
  const auto north = make_bao_agent(north_player);
  SampleGame game;
  game.result = play_turn_game(start, std::array<BaoAgent*, 2>{south.get(), north.get()}, rng,
                               10'000, [&](const Bao& at, int) { game.positions.push_back(at); });
  return game;
}

/// One game for each start and repeat; players take turns.
std::vector<SampleGame> sample_games(Laboratory& laboratory, int depth, const char* purpose) {
  const std::vector<int>& players = laboratory.players();
  const std::vector<Bao>& starts = laboratory.starts().positions;
  const std::size_t count =
      starts.size() * static_cast<std::size_t>(laboratory.arguments().repeats);
  std::vector<SampleGame> games(count);
  laboratory.watched(static_cast<std::int64_t>(count), [&](Progress& progress, Parallel& parallel) {
    parallel.for_each(count, [&](std::size_t i) {
      if (progress.stop) return;
      const int south = players[i % players.size()];
      const int north = players[(i / players.size()) % players.size()];
      games[i] = play_one(alpha_beta_player(laboratory.evaluation(south), depth),
                          alpha_beta_player(laboratory.evaluation(north), depth),
                          starts[i % starts.size()], laboratory.rng().stream(purpose, i));
      ++progress.done;
    });
  });
  return games;
}

/// The board with other rules; the house and takasia of the player on turn stay.
Bao with_limit(const Bao& at, int infinite_limit) {
  BaoBoard board;
  for (int p = 0; p < 2; ++p) {
    const auto player = static_cast<std::size_t>(p);
    for (int i = 0; i < Bao::kPits; ++i) {
      board.pits[player][static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(at.pit(p, i));
    }
    board.stores[player] = static_cast<std::uint8_t>(at.store(p));
    board.houses[player] = at.owns_house(p);
  }
  board.to_move = at.to_move();
  board.takasia = at.takasia();
  BaoRules rules = at.rules();
  rules.infinite_limit = infinite_limit;
  return Bao(board, rules);
}

std::size_t move_count(const Bao& at) {
  BaoSuccessors list;
  at.successors(list);
  return list.size();
}

/// Calls visit(position) for every position of the whole tree below, the root included.
template <class Visit>
void for_each_below(const Bao& at, int plies, Visit& visit) {
  visit(at);
  if (plies == 0 || at.is_over()) return;
  BaoSuccessors list;
  at.successors(list);
  for (const BaoSuccessor& successor : list) for_each_below(successor.next, plies - 1, visit);
}

std::string share_text(const Interval& interval, double share) {
  return cli::interval_text(share, interval);
}

std::vector<double> ranks_of(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t j = i;
    while (j < order.size() && values[order[j]] == values[order[i]]) ++j;
    for (std::size_t k = i; k < j; ++k) {
      ranks[order[k]] = 0.5 * static_cast<double>(i + j - 1);
    }
    i = j;
  }
  return ranks;
}

double correlation_of(std::span<const double> a, std::span<const double> b) {
  RunningStats first;
  RunningStats second;
  RunningStats product;
  for (std::size_t i = 0; i < a.size(); ++i) {
    first.add(a[i]);
    second.add(b[i]);
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    product.add((a[i] - first.mean()) * (b[i] - second.mean()));
  }
  const double n = static_cast<double>(a.size());
  return product.mean() * n / (n - 1.0) / (first.sd() * second.sd());
}

}  // namespace

Reproduction reproduce_prediction(Laboratory& laboratory) {
  constexpr int kOpponentDepth = 6;
  constexpr std::array kProbes = {3, 4, 5, 6};
  const std::vector<int>& players = laboratory.players();
  const std::vector<SampleGame> games = sample_games(laboratory, 4, "prediction games");
  std::vector<Bao> nodes;  // North is on turn and has a choice
  for (const SampleGame& game : games) {
    for (const Bao& at : game.positions) {
      if (at.to_move() == kNorth && move_count(at) > 1) nodes.push_back(at);
    }
  }
  Reproduction result;
  TextTable table({"<evaluation", "probe, plies", "n", "<same best moves", "<move predicted"});
  struct Hits {
    std::int64_t same = 0;
    RunningStats predicted;
  };
  std::vector<std::array<Hits, kProbes.size()>> hits(players.size());
  laboratory.watched(
      static_cast<std::int64_t>(players.size()), [&](Progress& progress, Parallel& parallel) {
        parallel.for_each(players.size(), [&](std::size_t p) {
          const auto search = make_bao_search(laboratory.evaluation(players[p]));
          for (const Bao& at : nodes) {
            if (progress.stop) return;
            const Judge judge = judge_of(kNorth);
            const std::vector<int> real = search->best_moves(at, kOpponentDepth, judge).indices;
            for (std::size_t i = 0; i < kProbes.size(); ++i) {
              const std::vector<int> probed = search->best_moves(at, kProbes[i], judge).indices;
              std::vector<int> both;
              std::ranges::set_intersection(real, probed, std::back_inserter(both));
              hits[p][i].same += real == probed ? 1 : 0;
              hits[p][i].predicted.add(static_cast<double>(both.size()) /
                                       static_cast<double>(real.size() * probed.size()));
            }
          }
          ++progress.done;
        });
      });
  for (std::size_t p = 0; p < players.size(); ++p) {
    if (p > 0) table.add_rule();
    for (std::size_t i = 0; i < kProbes.size(); ++i) {
      const auto n = static_cast<double>(nodes.size());
      const double same = static_cast<double>(hits[p][i].same) / n;
      const Interval of_same = wilson_interval(static_cast<double>(hits[p][i].same), n);
      const Interval of_move = student_interval(hits[p][i].predicted);
      table.add_row({player_name(players[p]), std::to_string(kProbes[i]), count_text(nodes.size()),
                     share_text(of_same, same), share_text(of_move, hits[p][i].predicted.mean())});
      result.rows.push_back({{"evaluation", player_name(players[p])},
                             {"probe", kProbes[i]},
                             {"positions", nodes.size()},
                             {"same_best_moves", same},
                             {"same_low", of_same.low},
                             {"same_high", of_same.high},
                             {"predicted", hits[p][i].predicted.mean()},
                             {"predicted_low", of_move.low},
                             {"predicted_high", of_move.high}});
    }
  }
  result.title =
      "Sections 5 and 8 of Donkers et al. (2005): what a probe knows of the reply of alpha-beta, "
      "depth 6";
  result.table = table.text();
  result.remarks =
      "A probe of depth p at the root looks p - 1 plies ahead: 5 in tournaments 3, 4 and 8, 6 in "
      "the\nothers. Where both sides break ties at random a move is predicted with the probability "
      "of the\nlast column. Positions with a single move are left out.\n";
  return result;
}

Reproduction reproduce_orderings(Laboratory& laboratory) {
  constexpr int kDepth = 4;
  constexpr int kPlayOuts = 20;
  constexpr double kMargin = 0.25;  ///< of the ranks: an error of estimation
  const std::vector<int>& players = laboratory.players();
  const BaoEvaluation& judge = laboratory.evaluation(players.back());
  const std::vector<SampleGame> games = sample_games(laboratory, kDepth, "ordering games");
  std::vector<Bao> positions;
  for (std::size_t i = 0; i < games.size(); ++i) {
    Rng draw = laboratory.rng().stream("ordering position", i);
    const std::vector<Bao>& all = games[i].positions;
    if (all.empty()) continue;
    positions.push_back(all[draw.below(static_cast<std::uint32_t>(all.size()))]);
  }
  std::vector<double> truth(positions.size());  // share of play-outs that South wins
  laboratory.watched(
      static_cast<std::int64_t>(positions.size()), [&](Progress& progress, Parallel& parallel) {
        parallel.for_each(positions.size(), [&](std::size_t i) {
          for (int k = 0; k < kPlayOuts && !progress.stop; ++k) {
            const BaoPlayer player = alpha_beta_player(judge, kDepth);
            const SampleGame game =
                play_one(player, player, positions[i], laboratory.rng().stream("play-out", i, k));
            truth[i] += game.result.is_won_by(0) ? 1.0 / kPlayOuts : 0.0;
          }
          ++progress.done;
        });
      });
  const std::vector<double> true_ranks = ranks_of(truth);
  const double n = static_cast<double>(positions.size());
  std::vector<std::vector<double>> ranks(players.size());
  Reproduction result;
  TextTable table({"<evaluation", "3: t of wins and losses", "4: score of Table 1",
                   "7: correlation", "8: rank differences"});
  std::vector<std::array<double, 4>> measures;
  for (std::size_t p = 0; p < players.size(); ++p) {
    std::vector<double> values;
    RunningStats won;
    RunningStats lost;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      values.push_back(evaluate(laboratory.evaluation(players[p]), positions[i], 0));
      if (truth[i] > 0.5) won.add(values.back());
      if (truth[i] < 0.5) lost.add(values.back());
    }
    ranks[p] = ranks_of(values);
    double differences = 0.0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      differences += std::abs(ranks[p][i] - true_ranks[i]) / n;
    }
    const double t =
        (won.mean() - lost.mean()) / std::sqrt(won.variance() / static_cast<double>(won.count()) +
                                               lost.variance() / static_cast<double>(lost.count()));
    int score = 0;
    for (const int north : players) score += published_wins(1, players[p], north);
    const double correlation = correlation_of(values, truth);
    measures.push_back({t, static_cast<double>(score), correlation, -differences / n});
    table.add_row({player_name(players[p]), fmt::format("{:.1f}", t), std::to_string(score),
                   fmt::format("{:.3f}", correlation), fmt::format("{:.3f}", differences / n)});
    result.rows.push_back({{"evaluation", player_name(players[p])},
                           {"positions", positions.size()},
                           {"statistical_predictor_t", t},
                           {"published_score", score},
                           {"correlation", correlation},
                           {"mean_rank_difference", differences / n}});
  }
  TextTable agreement({"<orderings", "rank correlation"});
  constexpr std::array kNames = {3, 4, 7, 8};
  for (std::size_t a = 0; a < kNames.size(); ++a) {
    for (std::size_t b = a + 1; b < kNames.size(); ++b) {
      std::vector<double> first;
      std::vector<double> second;
      for (const auto& measure : measures) {
        first.push_back(measure[a]);
        second.push_back(measure[b]);
      }
      agreement.add_row(
          {fmt::format("{} and {}", kNames[a], kNames[b]),
           fmt::format("{:+.2f}", correlation_of(ranks_of(first), ranks_of(second)))});
    }
  }
  TextTable admissible({"<MAX", "<MIN", "<both overestimate, for themselves"});
  Json pairs = Json::array();
  for (std::size_t max = 0; max < players.size(); ++max) {
    for (std::size_t min = 0; min < players.size(); ++min) {
      std::int64_t both = 0;
      for (std::size_t i = 0; i < positions.size(); ++i) {
        const bool max_over = (ranks[max][i] - true_ranks[i]) / n > kMargin;
        const bool min_over = (true_ranks[i] - ranks[min][i]) / n > kMargin;
        both += max_over && min_over ? 1 : 0;
      }
      const Interval interval = wilson_interval(static_cast<double>(both), n);
      admissible.add_row({player_name(players[max]), player_name(players[min]),
                          share_text(interval, static_cast<double>(both) / n)});
      pairs.push_back({{"max", player_name(players[max])},
                       {"min", player_name(players[min])},
                       {"both_overestimate", static_cast<double>(both) / n},
                       {"low", interval.low},
                       {"high", interval.high}});
    }
  }
  result.title = fmt::format(
      "Section 4 of Donkers et al. (2005): orderings of evaluations on {} positions, one of each "
      "game",
      count_text(positions.size()));
  result.table = table.text();
  result.summary = {{"positions", positions.size()}, {"admissibility", pairs}};
  result.remarks = fmt::format(
      "{}\nThe true value of a position is the share of {} games that South wins when {} plays "
      "both "
      "sides,\n4 plies deep. Orderings 1, 2, 5 and 6 compare sets of positions that an evaluation "
      "orders without a\nfault: one fault ends them, and all are empty but for single "
      "positions.\n\n"
      "Section 5, admissibility: positions that MAX ranks higher by {:.0f} % of all ranks than "
      "they are, and MIN\nlower, so that both aim for them:\n\n{}",
      agreement.text(), kPlayOuts, player_name(players.back()), 100.0 * kMargin, admissible.text());
  return result;
}

Reproduction reproduce_game_size(Laboratory& laboratory) {
  constexpr int kDepth = 6;
  constexpr int kTreePlies = 3;
  constexpr int kNoLimit = 20'000;
  const std::vector<SampleGame> games = sample_games(laboratory, kDepth, "size games");
  RunningStats plies;
  RunningStats moves;
  std::size_t most_moves = 0;
  std::int64_t forced = 0;
  std::int64_t shortest = 1'000'000;
  std::vector<double> lengths;
  std::vector<Bao> roots;
  for (std::size_t i = 0; i < games.size(); ++i) {
    const SampleGame& game = games[i];
    if (game.positions.empty()) continue;
    plies.add(game.result.plies);
    shortest = std::min<std::int64_t>(shortest, game.result.plies);
    lengths.push_back(game.result.plies);
    for (const Bao& at : game.positions) {
      const std::size_t count = move_count(at);
      moves.add(static_cast<double>(count));
      most_moves = std::max(most_moves, count);
      forced += count == 1 ? 1 : 0;
    }
    Rng draw = laboratory.rng().stream("size position", i);
    roots.push_back(game.positions[draw.below(static_cast<std::uint32_t>(game.positions.size()))]);
  }
  // What the paper counts is not said: positions with a long move among those that may move, such
  // moves among all, or such positions where no capture is possible and a move may be endless.
  std::int64_t visited = 0;
  std::int64_t infinite = 0;
  std::int64_t infinite_sowings = 0;
  std::int64_t moves_met = 0;
  std::int64_t infinite_moves = 0;
  auto visit = [&](const Bao& at) {
    if (at.is_over()) return;
    ++visited;
    const std::size_t finite = move_count(at);
    const std::size_t all = move_count(with_limit(at, kNoLimit));
    most_moves = std::max(most_moves, finite);
    moves_met += static_cast<std::int64_t>(all);
    if (all == finite) return;
    ++infinite;
    infinite_moves += all > finite ? static_cast<std::int64_t>(all - finite) : 1;
    infinite_sowings += at.captures(at.to_move()) == 0 ? 1 : 0;
  };
  for (const Bao& root : roots) for_each_below(root, kTreePlies, visit);
  std::ranges::sort(lengths);
  const auto quantile = [&](double q) {
    return lengths[static_cast<std::size_t>(q * static_cast<double>(lengths.size() - 1))];
  };
  const double rate = static_cast<double>(infinite) / static_cast<double>(visited);
  const double forced_share = static_cast<double>(forced) / static_cast<double>(moves.count());
  Reproduction result;
  TextTable table({"<what", "<published", "<ours"});
  const auto add = [&](const char* what, const char* published, const std::string& ours) {
    table.add_row({what, published, ours});
    result.rows.push_back({{"what", what}, {"published", published}, {"ours", ours}});
  };
  const auto add_rate = [&](const char* what, const char* published, std::int64_t count,
                            std::int64_t of) {
    const Interval interval = wilson_interval(static_cast<double>(count), static_cast<double>(of));
    add(what, published,
        fmt::format("{:.4f} % [{:.4f}, {:.4f}] of {}",
                    100.0 * static_cast<double>(count) / static_cast<double>(of),
                    100.0 * interval.low, 100.0 * interval.high, count_text(of)));
  };
  add_rate("positions with a move of more than 100 stones", "0.015 %", infinite, visited);
  add_rate("the same where no capture is possible", "", infinite_sowings, visited);
  add_rate("moves of more than 100 stones", "", infinite_moves, moves_met);
  add("possible moves, mean", "3 to 5", fmt::format("{:.2f}", moves.mean()));
  add("possible moves, most", "32", std::to_string(most_moves));
  add("forced moves", "quite often", fmt::format("{:.1f} %", 100.0 * forced_share));
  add("plies of a game from a start position, mean", "39.8", fmt::format("{:.1f}", plies.mean()));
  add("plies, tenth, median, nine tenths", "most 50 to 60 from the opening",
      fmt::format("{:.0f}, {:.0f}, {:.0f}", quantile(0.1), quantile(0.5), quantile(0.9)));
  add("plies, least", "5 from the opening", std::to_string(shortest));
  result.title = fmt::format(
      "Section 7 and Appendix A of Donkers et al. (2005): the size of the game, {} games of depth "
      "{}",
      count_text(games.size()), kDepth);
  result.table = table.text();
  result.summary = {{"games", games.size()},
                    {"visited", visited},
                    {"infinite_rate", rate},
                    {"mean_moves", moves.mean()},
                    {"mean_plies", plies.mean()}};
  result.remarks = fmt::format(
      "Infinite moves are sought in the whole trees of {} plies below one position of each game. "
      "The start\npositions have moves behind them, so that games from the opening are longer.\n",
      kTreePlies);
  return result;
}

}  // namespace ntune::bao
