#include "ntune/agents/turn_game/opponent_model.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "agents/toy_games.h"
#include "catch.h"
#include "ntune/agents/turn_game/alpha_beta.h"

namespace ntune {

namespace {

using Own = FineJudge;
using Theirs = CoarseJudge;
using OwnSearch = AlphaBeta<RandomTree, Own>;
using TheirSearch = AlphaBeta<RandomTree, Theirs>;

/// The value to player `us` by equations (1) and (2) of the paper, with the options spelt out.
class Plain {
 public:
  Plain(int us, const OpponentModelOptions& options, std::vector<std::pair<Theirs, double>> models)
      : us_(us), options_(options), models_(std::move(models)) {}

  double v0(const RandomTree& at, int depth, int ply) const {
    const auto successors = children(at);
    if (at.is_over() || depth == 0 || successors.size() == 0) return own(at, depth, ply);
    if (at.to_move() == us_) {
      double best = -2e9;
      for (const auto& [move, next] : successors) {
        best = std::max(best, v0(next, depth - 1, ply + 1));
      }
      return best;
    }
    const int probe =
        options_.probe_depth - (options_.probe_horizon == ProbeHorizon::kRoot ? ply : 0);
    if ((ply + 1) / 2 > options_.speculation || probe <= 0) return own(at, depth, ply);
    const int below = std::max(0, depth - 1 + (ply == 1 ? options_.own_extension : 0));
    double mean = 0.0;
    for (const auto& [model, weight] : models_) {
      double best = -2e9;  // to the opponent
      double least = 2e9;  // of v0 among his best moves
      for (const auto& [move, next] : successors) {
        const double value = -minimax(next, probe - 1, ply + 1, eyes(), model);
        if (value < best) continue;
        if (value > best)
          least = 2e9;
        else if (options_.opponent_ties == OpponentTies::kFirst)
          continue;
        best = value;
        least = std::min(least, v0(next, below, ply + 1));
      }
      mean += weight * least;
    }
    return mean;
  }

  static std::vector<Successor<int, RandomTree>> children(const RandomTree& at) {
    RandomTree::Successors successors;
    at.successors(successors);
    return {successors.begin(), successors.end()};
  }

 private:
  double own(const RandomTree& at, int depth, int ply) const {
    return (at.to_move() == us_ ? 1 : -1) * minimax(at, depth, ply, us_, Own());
  }
  int eyes() const {
    return options_.probe_roles == ProbeRoles::kSwitched ? 1 - us_
           : options_.probe_roles == ProbeRoles::kKept   ? us_
                                                         : -1;
  }

  int us_;
  OpponentModelOptions options_;
  std::vector<std::pair<Theirs, double>> models_;
};

std::vector<OpponentModelOptions> all_options() {
  std::vector<OpponentModelOptions> all;
  for (const ProbeHorizon horizon : {ProbeHorizon::kRoot, ProbeHorizon::kProbe}) {
    for (const ProbeRoles roles : {ProbeRoles::kSwitched, ProbeRoles::kKept, ProbeRoles::kOnTurn}) {
      for (const OpponentTies ties : {OpponentTies::kLowest, OpponentTies::kFirst}) {
        for (const int speculation : {0, 1, 3}) {
          for (const int probe_depth : {2, 5}) {
            all.push_back({.probe_depth = probe_depth,
                           .probe_horizon = horizon,
                           .probe_roles = roles,
                           .opponent_ties = ties,
                           .speculation = speculation,
                           .own_extension = speculation != 1   ? 0
                                            : probe_depth == 5 ? 1
                                                               : -1});
          }
        }
      }
    }
  }
  return all;
}

/// Compares values and best moves at the root.
void check_root(OpponentModelSearch<RandomTree>& search, const Plain& plain, const RandomTree& root,
                int depth) {
  Rng rng(1);
  const BestMoves best = search.best_moves(root, depth, rng);
  const auto successors = Plain::children(root);
  std::vector<double> values;
  for (const auto& [move, next] : successors) values.push_back(plain.v0(next, depth - 1, 1));
  const double highest =
      values.empty() ? -kWinScore : *std::max_element(values.begin(), values.end());
  REQUIRE(best.value == highest);
  std::vector<int> expected;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == highest) expected.push_back(static_cast<int>(i));
  }
  REQUIRE(best.indices == expected);
}

}  // namespace

TEST_CASE("opponent-model search: equals the paper's equations under every option") {
  OwnSearch own;
  for (const bool symmetric : {true, false}) {
    const Theirs theirs = {.purpose = 400, .symmetric = symmetric};
    TheirSearch model(theirs);
    for (const OpponentModelOptions& options : all_options()) {
      OpponentModelSearch<RandomTree> search(own, model, options);
      for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const RandomTree root{seed, 0, static_cast<int>(seed % 2)};
        if (root.is_over()) continue;
        const Plain plain(root.to_move(), options, {{theirs, 1.0}});
        check_root(search, plain, root, 1 + static_cast<int>(seed % 6));
      }
    }
  }
}

TEST_CASE("opponent-model search: several models give the weighted mean of their moves") {
  OwnSearch own;
  const Theirs first = {.purpose = 500};
  const Theirs second = {.purpose = 600};
  TheirSearch first_search(first);
  TheirSearch second_search(second);
  for (const int speculation : {1, 2}) {
    const OpponentModelOptions options = {.probe_depth = 4, .speculation = speculation};
    OpponentModelSearch<RandomTree> search(own, {{&first_search, 3.0}, {&second_search, 1.0}},
                                           options);
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const RandomTree root{seed, 0, 0};
      const Plain plain(0, options, {{first, 0.75}, {second, 0.25}});
      check_root(search, plain, root, 1 + static_cast<int>(seed % 5));
    }
  }
}

TEST_CASE("opponent-model search: equals alpha-beta when the model is the truth and depths agree") {
  const Theirs evaluation = {.purpose = 700, .symmetric = true};
  TheirSearch own(evaluation);
  TheirSearch model(evaluation);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const RandomTree root{seed, 0, 0};
    for (int depth = 1; depth <= 6; ++depth) {
      const OpponentModelOptions options = {.probe_depth = depth,
                                            .speculation = static_cast<int>(seed % 4)};
      OpponentModelSearch<RandomTree> search(own, model, options);
      Rng rng(2);
      const BestMoves found = search.best_moves(root, depth, rng);
      const BestMoves expected = own.best_moves(root, depth, Judge::kPlayer0);
      REQUIRE(found.value == expected.value);
      REQUIRE(found.indices == expected.indices);
    }
  }
}

TEST_CASE("opponent-model search: the window of the probe above changes the work alone") {
  std::int64_t nodes[2] = {0, 0};
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const RandomTree root{seed, 0, 0};
    BestMoves found[2];
    for (const bool reduces : {false, true}) {
      OwnSearch own({}, {.table_depth = 1000});
      TheirSearch model({}, {.table_depth = 1000});
      const OpponentModelOptions options = {
          .probe_depth = 7, .speculation = 3, .window_reduction = reduces};
      OpponentModelSearch<RandomTree> search(own, model, options);
      Rng rng(3);
      found[reduces ? 1 : 0] = search.best_moves(root, 6, rng);
      nodes[reduces ? 1 : 0] += model.nodes();
    }
    REQUIRE(found[0].value == found[1].value);
    REQUIRE(found[0].indices == found[1].indices);
  }
  CHECK(nodes[1] < nodes[0]);
}

TEST_CASE("opponent-model search: a random tie of the opponent is one of his best moves") {
  OwnSearch own;
  TheirSearch model;
  bool differs = false;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const RandomTree root{seed, 0, 0};
    const OpponentModelOptions worst = {.probe_depth = 2};
    OpponentModelOptions random = worst;
    random.opponent_ties = OpponentTies::kRandom;
    Rng rng(4);
    const double least =
        OpponentModelSearch<RandomTree>(own, model, worst).best_moves(root, 3, rng).value;
    for (std::uint64_t draw = 0; draw < 5; ++draw) {
      Rng dice = Rng(5).stream("draw", draw);
      const double value =
          OpponentModelSearch<RandomTree>(own, model, random).best_moves(root, 3, dice).value;
      CHECK(value >= least);
      differs = differs || value > least;
    }
  }
  CHECK(differs);
}

TEST_CASE("opponent-model search: one speculative ply makes one probe a root move that goes on") {
  OwnSearch own;
  TheirSearch model;
  const RandomTree root{3, 0, 0};
  OpponentModelSearch<RandomTree> search(own, model, OpponentModelOptions());
  Rng rng(6);
  search.best_moves(root, 6, rng);
  std::int64_t expected = 0;
  for (const auto& [move, next] : Plain::children(root)) {
    expected += Plain::children(next).size() > 0 ? 1 : 0;
  }
  CHECK(search.probes() == expected);
}

TEST_CASE("opponent-model search: among some moves the best of these is found") {
  OwnSearch own;
  TheirSearch model;
  OpponentModelSearch<RandomTree> search(own, model, OpponentModelOptions());
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RandomTree root{seed, 0, 0};
    const Plain plain(0, {}, {{Theirs(), 1.0}});
    const std::vector<int> among = {0, 2};
    Rng rng(7);
    const BestMoves best = search.best_moves(root, 4, rng, among);
    const auto successors = Plain::children(root);
    const double first = plain.v0(successors[0].next, 3, 1);
    const double third = plain.v0(successors[2].next, 3, 1);
    CHECK(best.value == std::max(first, third));
    CHECK((best.indices.front() == 0) == (first >= third));
  }
}

}  // namespace ntune
