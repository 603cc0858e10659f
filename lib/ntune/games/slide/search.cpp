#include "ntune/games/slide/search.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

#include "ntune/core/hash.h"

namespace ntune {

namespace {

using Position = SlidePosition<3>;

/// A move in a pattern: the line's cells are rotated by so many bits within the board's 64.
struct Step {
  std::uint64_t mask = 0;
  std::uint32_t pattern = 0;  ///< afterwards
  std::uint8_t rotation = 0;
  std::uint8_t line = 0;

  [[nodiscard]] std::uint64_t apply(std::uint64_t bits) const {
    return (bits & ~mask) | std::rotl(bits & mask, rotation);
  }
};

/// All moves of a pattern.
struct Steps {
  std::array<Step, Position::kMostMoves> step;
  int count = 0;

  [[nodiscard]] const Step* begin() const { return step.data(); }
  [[nodiscard]] const Step* end() const { return step.data() + count; }
};

/// The moves of each pattern: which cells turn, which way, and where they lead.
constexpr auto kSteps = [] {
  std::array<Steps, Position::kPatterns> table{};
  for (int pattern = 0; pattern < Position::kPatterns; ++pattern) {
    std::array<std::uint8_t, Position::kSquares> squares{};
    // Any tiles will do, because moves depend on the pattern alone.
    for (int s = 0; s < Position::kSquares; ++s) {
      squares[static_cast<std::size_t>(s)] = Position::pattern_squares(pattern) >> s & 1U;
    }
    const Position position = Position::of(squares);
    Steps& steps = table[static_cast<std::size_t>(pattern)];
    for_each_line(position.moves(), [&](int line) {
      const int bits = Position::kBits * Position::square_step(line);
      Step& step = steps.step[static_cast<std::size_t>(steps.count++)];
      step.line = static_cast<std::uint8_t>(line);
      step.pattern = static_cast<std::uint32_t>(position.after(line).pattern());
      step.rotation = static_cast<std::uint8_t>(position.slides_forward(line) ? bits : 64 - bits);
      for (int i = 0; i < Position::kSide; ++i) {
        step.mask |= std::uint64_t{15} << (Position::first_square(line) * 4 + i * bits);
      }
    });
  }
  return table;
}();

/// Bits of Win, a value above all others, and more plies than any search has.
constexpr std::uint64_t kWin = Position::win().bits();
constexpr float kWorst = std::numeric_limits<float>::infinity();
constexpr std::uint32_t kPlies = 32;  ///< deepest search is shallower

}  // namespace

struct SlideSearch::Search {
  const SlideEvaluator& evaluator;
  int depth;
  float win_value;
  Rng& rng;
};

const std::vector<std::pair<std::string, TableMode>>& table_mode_names() {
  static const std::vector<std::pair<std::string, TableMode>> kNames = {
      {"all", TableMode::kAll}, {"expanded", TableMode::kExpanded}, {"off", TableMode::kOff}};
  return kNames;
}

SlideSearch::SlideSearch() : table_(std::size_t{1} << kTableBits) {}

std::size_t SlideSearch::place(std::uint64_t bits) { return golden_slot(bits, kTableBits); }

void SlideSearch::begin_search() {
  // Stamps of old searches become invalid by a new number; before it runs over, the table is
  // cleared.
  if (++search_ == std::numeric_limits<std::uint32_t>::max() / kPlies) {
    std::ranges::fill(table_, Entry());
    search_ = 1;
  }
}

const SlideSearch::Entry* SlideSearch::find(std::size_t place, std::uint64_t bits, int ply) const {
  const Entry& entry = table_[place];
  const bool matches =
      entry.bits == bits && entry.stamp == search_ * kPlies + static_cast<std::uint32_t>(ply);
  return matches ? &entry : nullptr;
}

void SlideSearch::store(std::size_t place, std::uint64_t bits, int ply, float value) {
  Entry& entry = table_[place];
  const std::uint32_t stamp = search_ * kPlies + static_cast<std::uint32_t>(ply);
  // An entry of this search at a smaller ply is worth more and stays; another position is replaced.
  if (entry.stamp >= search_ * kPlies) {
    if (entry.bits != bits) {
      ++collisions_;
    } else if (entry.stamp < stamp) {
      return;
    }
  }
  entry = {.bits = bits, .value = value, .stamp = stamp};
}

template <TableMode mode>
float SlideSearch::leaf(Node node, Search& search) {
  // In the mode kAll a leaf keeps its random value within a search, in the others each visit draws
  // anew.
  if (mode != TableMode::kAll) {
    ++leaves_;
    return search.evaluator(node.bits, search.rng);
  }
  const std::size_t at = place(node.bits);
  if (const Entry* entry = find(at, node.bits, search.depth)) return entry->value;
  ++leaves_;
  const float value = search.evaluator(node.bits, search.rng);
  store(at, node.bits, search.depth, value);
  return value;
}

template <TableMode mode>
float SlideSearch::visit(Node node, int ply, Search& search) {
  // Win is recognised at any depth and ends the line.
  if (node.bits == kWin) {
    win_seen_ = true;
    return search.win_value;
  }
  if (ply == search.depth) return leaf<mode>(node, search);
  const std::size_t at = place(node.bits);
  if (mode != TableMode::kOff) {
    if (const Entry* entry = find(at, node.bits, ply)) return entry->value;
  }
  float value = kWorst;
  for (const Step& step : kSteps[node.pattern]) {
    value = std::min(value, visit<mode>({step.apply(node.bits), step.pattern}, ply + 1, search));
  }
  if (mode != TableMode::kOff) store(at, node.bits, ply, value);
  return value;
}

SlideSearch::Counted SlideSearch::visit_and_count(Node node, int ply, Search& search) {
  if (node.bits == kWin) {
    win_seen_ = true;
    return {search.win_value, 1};
  }
  if (ply == search.depth) {
    ++leaves_;
    return {search.evaluator.sum(node.bits), 1};
  }
  const std::size_t at = place(node.bits);
  if (const Entry* entry = find(at, node.bits, ply)) return {entry->value, counts_[at]};
  Counted best = {kWorst, 0};
  for (const Step& step : kSteps[node.pattern]) {
    const Counted next = visit_and_count({step.apply(node.bits), step.pattern}, ply + 1, search);
    // Leaves are counted through all moves of the least value.
    if (next.value < best.value) {
      best = next;
    } else if (next.value == best.value) {
      best.leaves += next.leaves;
    }
  }
  store(at, node.bits, ply, best.value);
  // The entry may have gone to another position, whose count must not be changed.
  if (find(at, node.bits, ply) != nullptr) counts_[at] = best.leaves;
  return best;
}

template <class Visit>
SlideSearch::Result SlideSearch::run(const SlidePosition<3>& root, Visit visit) {
  assert(root != Position::win());
  begin_search();
  win_seen_ = false;
  std::size_t count = 0;
  for (const Step& step : kSteps[static_cast<std::size_t>(root.pattern())]) {
    SlideSuccessor& successor = successors_[count++];
    successor = visit(Node{step.apply(root.bits()), step.pattern});
    successor.line = step.line;
  }
  return {.successors = std::span(successors_).first(count), .win_seen = win_seen_};
}

SlideSearch::Result SlideSearch::search(const SlidePosition<3>& root, int depth,
                                        const SlideEvaluator& evaluator,
                                        const DepthSearchOptions& options, Rng& rng) {
  assert(depth >= 1 && depth < static_cast<int>(kPlies));
  Search search{evaluator, depth, static_cast<float>(options.win_value), rng};
  switch (options.table) {
    case TableMode::kAll:
      return run(root, [&](Node node) {
        return SlideSuccessor{.value = visit<TableMode::kAll>(node, 1, search)};
      });
    case TableMode::kExpanded:
      return run(root, [&](Node node) {
        return SlideSuccessor{.value = visit<TableMode::kExpanded>(node, 1, search)};
      });
    case TableMode::kOff:
      break;
  }
  return run(root, [&](Node node) {
    return SlideSuccessor{.value = visit<TableMode::kOff>(node, 1, search)};
  });
}

SlideSearch::Result SlideSearch::search_and_count(const SlidePosition<3>& root, int depth,
                                                  const SlideEvaluator& evaluator,
                                                  const DepthSearchOptions& options) {
  assert(depth >= 1 && depth < static_cast<int>(kPlies) && !evaluator.random());
  counts_.resize(table_.size());
  Rng unused(0);
  // No random number is drawn, since the evaluation has no chance.
  Search search{evaluator, depth, static_cast<float>(options.win_value), unused};
  return run(root, [&](Node node) {
    const Counted counted = visit_and_count(node, 1, search);
    return SlideSuccessor{.value = counted.value, .minimal_leaves = counted.leaves};
  });
}

}  // namespace ntune
