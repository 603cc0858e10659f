// The landscape models mirrored call by call into the reference model.

#include <cmath>
#include <string>
#include <vector>

#include "catch.h"
#include "ntune/optim/models/n_tuple_model.h"
#include "ntune/optim/models/pair_model.h"
#include "optim/models/mirror.h"
#include "support/spaces.h"

namespace ntune {

using test::grid_space;
using test::kTolerance;
using test::Mirror;
using test::random_changes;

namespace {

static_assert(LandscapeModel<PairModel<false>>);
static_assert(LandscapeModel<PairModel<true>>);
static_assert(LandscapeModel<NTupleModel>);

double win_loss(Rng& rng) { return rng.bernoulli(0.6) ? 1.0 : -1.0; }
double gaussian(Rng& rng) { return 0.3 + rng.normal(); }
double large(Rng& rng) { return 1e12 + 3e11 * rng.normal(); }
double tiny(Rng& rng) { return 1e-12 * rng.normal(); }

struct NamedTuples {
  std::string name;
  TupleSet tuples;
};

/// Those that PairModel holds too.
const std::vector<NamedTuples> kPairTuples = {
    {"{1, 2, all}", {.sizes = {1, 2}, .all = true, .named = {}}},
    {"{2, 1, all}", {.sizes = {2, 1}, .all = true, .named = {}}},
    {"{1, 2}", {.sizes = {1, 2}, .all = false, .named = {}}},
    {"{2, all}", {.sizes = {2}, .all = true, .named = {}}},
    {"{2}", {.sizes = {2}, .all = false, .named = {}}}};

const std::vector<NamedTuples> kOtherTuples = {
    {"{1, 3, all}", {.sizes = {1, 3}, .all = true, .named = {}}},
    {"{3, 2}", {.sizes = {3, 2}, .all = false, .named = {}}},
    {"{1}", {.sizes = {1}, .all = false, .named = {}}},
    {"{1, all}", {.sizes = {1}, .all = true, .named = {}}},
    {"{all}", {.sizes = {}, .all = true, .named = {}}},
    {"{64}", {.sizes = {64}, .all = false, .named = {}}}};

std::string describe(const std::vector<int>& cardinalities) {
  std::string text;
  for (const int cardinality : cardinalities) text += std::to_string(cardinality) + " ";
  return text;
}

/// Every weighting with every exploration form; T and epsilon vary along.
std::vector<ModelOptions> model_options(const TupleSet& tuples) {
  std::vector<ModelOptions> list;
  for (std::size_t w = 0; w < kWeightings.size(); ++w) {
    for (std::size_t e = 0; e < kExplorations.size(); ++e) {
      list.push_back({.tuples = tuples,
                      .weighting = &kWeightings[w],
                      .horizon = e == 1 ? 3.0 : 15.0,
                      .exploration = &kExplorations[e],
                      .epsilon = w % 2 == 0 ? 0.5 : 0.1,
                      .unseen_is_zero = (w + e) % 2 == 1});
    }
  }
  return list;
}

template <class Model>
void mirror(const SearchSpace& space, const ModelOptions& options, int adds, std::uint64_t seed) {
  constexpr test::Payoff kPayoffs[] = {win_loss, gaussian, large, tiny};
  const test::Payoff payoff = kPayoffs[seed % 4];
  CAPTURE(options.weighting->name, options.exploration->name, seed % 4);
  Mirror<Model>(space, options, payoff, seed, adds).run(adds, 4);
  Mirror<Model>(space, options, payoff, seed, adds).run_in_flight(adds, 2);
}

void mirror_pairs(const SearchSpace& space, const ModelOptions& options, int adds,
                  std::uint64_t seed) {
  if (!options.weighted()) {
    REQUIRE(PairModel<false>::fits(space, options.tuples));
    mirror<PairModel<false>>(space, options, adds, seed);
  } else {
    REQUIRE(PairModel<true>::fits(space, options.tuples));
    mirror<PairModel<true>>(space, options, adds, seed);
  }
}

const std::vector<std::vector<int>> kSpaces = {{2, 2},
                                               {20, 20},
                                               {3, 1, 4},
                                               {1, 7, 1, 2, 1},
                                               {10, 10, 10},
                                               {2, 9, 4},
                                               {5, 5, 5, 5, 5, 5},
                                               {2, 7, 3, 1, 6, 4},
                                               {3, 2, 5, 2, 1, 4, 2, 12, 3, 2}};

}  // namespace

TEST_CASE("pair models equal the reference") {
  std::uint64_t seed = 0;
  for (const auto& cardinalities : kSpaces) {
    const SearchSpace space = grid_space(cardinalities);
    for (const auto& [name, tuples] : kPairTuples) {
      for (const ModelOptions& options : model_options(tuples)) {
        CAPTURE(describe(cardinalities), name);
        mirror_pairs(space, options, space.dimensions() > 6 ? 12 : 30, ++seed);
      }
    }
  }
}

TEST_CASE("the N-tuple model equals the reference") {
  std::vector<std::vector<int>> spaces = kSpaces;
  spaces.push_back({8});
  spaces.push_back({2});
  spaces.push_back({1, 5});
  std::vector<NamedTuples> sets = kPairTuples;
  sets.insert(sets.end(), kOtherTuples.begin(), kOtherTuples.end());
  std::uint64_t seed = 1000;
  for (const auto& cardinalities : spaces) {
    const SearchSpace space = grid_space(cardinalities);
    for (const auto& [name, tuples] : sets) {
      for (const ModelOptions& options : model_options(tuples)) {
        CAPTURE(describe(cardinalities), name);
        mirror<NTupleModel>(space, options, space.dimensions() > 6 ? 6 : 15, ++seed);
      }
    }
  }
}

TEST_CASE("the N-tuple model equals the reference on named tuples") {
  const std::vector<NamedTuples> sets = {
      {"one pair", {.sizes = {}, .all = false, .named = {{1, 3}}}},
      {"chain", {.sizes = {}, .all = false, .named = {{0}, {0, 1}, {0, 1, 2}, {0, 1, 2, 3, 5}}}},
      {"overlaps", {.sizes = {1}, .all = true, .named = {{0, 1, 2}, {1, 2, 3}, {2, 5}, {1, 2}}}},
      {"twice", {.sizes = {1, 2}, .all = false, .named = {{2}, {0, 5}, {3, 5}}}},
      {"apart", {.sizes = {}, .all = true, .named = {{0, 2, 5}, {1, 3}}}},
      {"one-valued dropped", {.sizes = {1}, .all = true, .named = {{4}, {0, 4}, {1, 2, 4, 5}}}},
      {"nothing left", {.sizes = {}, .all = false, .named = {{4}}}},
      {"whole by name", {.sizes = {2}, .all = true, .named = {{0, 1, 2, 3, 5}}}}};
  const SearchSpace space = grid_space({2, 7, 3, 4, 1, 5});
  std::uint64_t seed = 3000;
  for (const auto& [name, tuples] : sets) {
    for (const ModelOptions& options : model_options(tuples)) {
      CAPTURE(name);
      mirror<NTupleModel>(space, options, 40, ++seed);
    }
  }
}

TEST_CASE("the N-tuple model equals the reference where cells are sparse") {
  struct Case {
    std::vector<int> cardinalities;
    TupleSet tuples;
  };
  const std::vector<Case> cases = {
      {{300, 400, 500}, {.sizes = {1, 2}, .all = true, .named = {}}},
      {{300, 400, 500}, {.sizes = {1, 3}, .all = true, .named = {}}},
      {{65'535, 2, 65'535}, {.sizes = {1, 2}, .all = true, .named = {}}},
      {{65'535}, {.sizes = {1}, .all = true, .named = {}}},
      {std::vector<int>(10, 256), {.sizes = {1, 9}, .all = true, .named = {}}},  // 2^72 settings
      {std::vector<int>(12, 256),
       {.sizes = {1}, .all = false, .named = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}}},
      {std::vector<int>(7, 60'000), {.sizes = {5}, .all = true, .named = {}}}};
  std::uint64_t seed = 4000;
  for (const auto& [cardinalities, tuples] : cases) {
    const SearchSpace space = grid_space(cardinalities);
    for (const ModelOptions& options : model_options(tuples)) {
      CAPTURE(describe(cardinalities), options.tuples.sizes);
      mirror<NTupleModel>(space, options, 40, ++seed);
    }
  }
}

TEST_CASE("tuples with more than 2^64 settings keep their last parameters") {
  const SearchSpace space = grid_space(std::vector<int>(12, 256));
  TupleSet tuples = {.sizes = {11}, .all = false, .named = {}};
  NTupleModel model(space, {.tuples = tuples, .unseen_is_zero = true}, 100);
  model.add(Point(12), 1.0);
  for (int i = 0; i < 12; ++i) {
    Point other(12);
    other[i] = 1;  // agrees in the one tuple without this parameter
    other[(i + 1) % 12] = 1;
    CAPTURE(i);
    CHECK(model.score(other).mean == 0.0);
  }
}

TEST_CASE("pair models equal the reference in large spaces") {
  std::uint64_t seed = 5000;
  for (const auto& cardinalities :
       {std::vector<int>{300, 400, 500}, std::vector<int>(20, 12), std::vector<int>(64, 3)}) {
    const SearchSpace space = grid_space(cardinalities);
    std::size_t i = 0;
    for (const ModelOptions& options : model_options({})) {
      // Each weighting with one exploration, in turn.
      const std::size_t weighting = i / kExplorations.size();
      if (i++ % kExplorations.size() != weighting % kExplorations.size()) continue;
      CAPTURE(describe(cardinalities));
      mirror_pairs(space, options, space.dimensions() > 20 ? 2 : 8, ++seed);
    }
  }
}

TEST_CASE("pair model and N-tuple model agree") {
  std::uint64_t seed = 6000;
  const auto agree = [&]<class Model>(Model pairs, const SearchSpace& space,
                                      const ModelOptions& options) {
    NTupleModel tuples(space, options, 300);
    Rng rng(++seed);
    for (int i = 0; i < 300; ++i) {
      const Point point = space.sample(rng);
      const double payoff = gaussian(rng);
      pairs.add(point, payoff);
      tuples.add(point, payoff);
      const Point focus = rng.below(2) == 0 ? point : space.sample(rng);
      pairs.focus(focus);
      tuples.focus(focus);
      const auto size = static_cast<int>(1 + rng.below(4));
      const auto changes = random_changes(space, focus, size, rng);
      const Score a = pairs.neighbours()(Changes(changes));
      const Score b = tuples.score_neighbour(changes);
      REQUIRE(std::abs(a.mean - b.mean) < kTolerance);
      REQUIRE(std::abs(a.exploration - b.exploration) < kTolerance);
    }
  };
  for (const auto& cardinalities : kSpaces) {
    const SearchSpace space = grid_space(cardinalities);
    for (const ModelOptions& options : model_options({})) {
      CAPTURE(describe(cardinalities), options.weighting->name, options.exploration->name);
      if (!options.weighted()) {
        agree(PairModel<false>(space, options, 300), space, options);
      } else {
        agree(PairModel<true>(space, options, 300), space, options);
      }
    }
  }
}

TEST_CASE("no drift accumulates over 20,000 payoffs") {
  const SearchSpace space = grid_space({4, 1, 5, 3, 6});
  bool in_flight = false;
  const auto run = [&]<class Model>(const Model*, const ModelOptions& options,
                                    test::Payoff payoff) {
    CAPTURE(options.weighting->name, options.exploration->name);
    constexpr int kAdds = 20'000;
    Mirror<Model> mirror(space, options, payoff, 77, kAdds);
    for (int i = 0; i < kAdds; ++i) {
      mirror.add();
      if (in_flight) mirror.mark();
      if (i % 500 == 0) mirror.compare(4);
    }
    for (int i = 0; i < 20; ++i) mirror.compare(20);
    mirror.compare_points();
  };
  for (const ModelOptions& options : model_options({})) {
    const bool every_form = options.weighting == entry_named(kWeightings, "inverse");
    if (!every_form && options.exploration != entry_named(kExplorations, "ucb1")) continue;
    if (!options.weighted()) {
      run(static_cast<PairModel<false>*>(nullptr), options, gaussian);
      run(static_cast<PairModel<false>*>(nullptr), options, large);
    } else {
      run(static_cast<PairModel<true>*>(nullptr), options, gaussian);
    }
  }
  run(static_cast<NTupleModel*>(nullptr), {}, gaussian);
  run(static_cast<NTupleModel*>(nullptr),
      {.tuples = {}, .weighting = entry_named(kWeightings, "linear")}, large);
  in_flight = true;
  run(static_cast<PairModel<false>*>(nullptr), {}, large);
  run(static_cast<PairModel<true>*>(nullptr),
      {.tuples = {},
       .weighting = entry_named(kWeightings, "linear"),
       .exploration = entry_named(kExplorations, "ratio")},
      gaussian);
}

TEST_CASE("counts beyond the budget are computed") {
  const SearchSpace space = grid_space({2, 3, 2});
  for (const ModelOptions& options : model_options({})) {
    if (!options.weighted()) {
      Mirror<PairModel<false>>(space, options, gaussian, 9, 1).run(60, 2);
    } else {
      Mirror<PairModel<true>>(space, options, gaussian, 9, 1).run(60, 2);
    }
    Mirror<NTupleModel>(space, options, gaussian, 9, 1).run(60, 2);
  }
}

TEST_CASE("pair models fit tuples of sizes 1 and 2 with at least two free parameters") {
  const SearchSpace space = grid_space({3, 1, 4});
  for (const auto& [name, tuples] : kPairTuples) {
    CHECK(PairModel<false>::fits(space, tuples));
    CHECK_FALSE(PairModel<true>::fits(grid_space({5, 1}), tuples));
    CHECK_FALSE(PairModel<true>::fits(grid_space({1, 1}), tuples));
  }
  for (const auto& [name, tuples] : kOtherTuples) {
    CAPTURE(name);
    CHECK_FALSE(PairModel<false>::fits(space, tuples));
  }
  CHECK_FALSE(PairModel<true>::fits(space, {.sizes = {1, 2}, .all = true, .named = {{0, 2}}}));
  CHECK_FALSE(PairModel<true>::fits(grid_space({65'535, 65'535}), {}));
}

TEST_CASE("the N-tuple model counts its tuples") {
  const SearchSpace space = grid_space({3, 1, 4, 2, 2});  // four free parameters
  const auto tuples = [&](const TupleSet& set) {
    return NTupleModel(space, {.tuples = set}, 10).tuples();
  };
  CHECK(tuples({}) == 4 + 6 + 1);
  CHECK(tuples({.sizes = {3}, .all = false, .named = {}}) == 4);
  CHECK(tuples({.sizes = {4}, .all = true, .named = {}}) == 2);
  CHECK(tuples({.sizes = {1, 5}, .all = false, .named = {{1}, {0, 1}}}) == 5);
}

TEST_CASE("many weighted tuples are linked in a moment") {
  const SearchSpace space = grid_space(std::vector<int>(40, 2));
  const TupleSet tuples = {.sizes = {1, 2, 4}, .all = true, .named = {}};
  NTupleModel model(space, {.tuples = tuples, .weighting = entry_named(kWeightings, "linear")}, 10);
  CHECK(model.tuples() == 40 + 780 + 91'390 + 1);
  model.add(Point(40), 2.0);
  CHECK(model.score(Point(40)).mean == Approx(2.0));
}

}  // namespace ntune
