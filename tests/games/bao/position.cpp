#include "ntune/games/bao/position.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "catch.h"
#include "games/bao/reference.h"
#include "ntune/agents/turn_game/turn_game.h"
#include "ntune/core/rng.h"
#include "ntune/games/bao/course.h"
#include "ntune/games/bao/notation.h"
#include "ntune/games/bao/start_positions.h"

namespace ntune {
namespace {

static_assert(TurnGame<Bao>);
static_assert(sizeof(Bao) == 40);

const std::string kSource = NTUNE_SOURCE_DIR;

/// A random game from the opening: every position until a player has no move.
template <class Visit>
void random_game(Rng& rng, const BaoRules& rules, Visit visit) {
  Bao at(rules);
  BaoSuccessors list;
  for (int ply = 0; ply < 1000; ++ply) {
    at.successors(list);
    visit(at, list);
    if (list.empty()) return;
    at = list[rng.below(static_cast<std::uint32_t>(list.size()))].next;
  }
}

std::multiset<std::string> lines_of(const Bao& at, const BaoSuccessors& list) {
  std::multiset<std::string> lines;
  for (const auto& [move, next] : list) {
    lines.insert(bao_move_text(move, at.to_move()) + " -> " + bao_position_text(next));
  }
  return lines;
}

bool agrees_with_reference(const Bao& at, const BaoSuccessors& list) {
  const auto reference = test::BaoReference(at).moves();
  if (reference.size() != list.size()) return false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (bao_move_text(list[i].move, at.to_move()) != reference[i].text) return false;
    if (list[i].next != reference[i].next) return false;
  }
  return true;
}

/// Whether each_successor makes the positions of the list, and no more than it is asked for.
bool makes_one_by_one(const Bao& at, const BaoSuccessors& list) {
  for (std::size_t wanted = 1; wanted <= list.size() + 1; ++wanted) {
    std::vector<Bao> made;
    at.each_successor([&](const Bao& next) {
      made.push_back(next);
      return made.size() < wanted;
    });
    if (made.size() != std::min(wanted, list.size())) return false;
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (made[i] != list[i].next) return false;
    }
  }
  return true;
}

/// The usual rules, and others that differ in each reading.
std::vector<BaoRules> all_readings() {
  std::vector<BaoRules> readings(8);
  readings[1].house_counts_entry = true;
  readings[2].house_loss = BaoRules::HouseLoss::capturer;
  readings[3].house_loss = BaoRules::HouseLoss::victim;
  readings[4].house_loss = BaoRules::HouseLoss::nobody;
  readings[4].mtaji_house_stop = true;
  readings[5].infinite_captures_lose = true;
  readings[6].front_row_at_end = true;
  readings[7].infinite_limit = 40;
  return readings;
}

BaoBoard board_of(const Bao& at) {
  BaoBoard board;
  for (int player = 0; player < 2; ++player) {
    const auto p = static_cast<std::size_t>(player);
    for (int pit = 0; pit < Bao::kPits; ++pit) {
      board.pits[p][static_cast<std::size_t>(pit)] = static_cast<std::uint8_t>(at.pit(player, pit));
    }
    board.stores[p] = static_cast<std::uint8_t>(at.store(player));
    board.houses[p] = at.owns_house(player);
  }
  return board;
}

bool same_stones(const BaoBoard& a, const BaoBoard& b) {
  return a.pits == b.pits && a.stores == b.stores;
}

/// Whether the steps, sown stone by stone, make the boards that they hold, the last one `next`.
bool leads_to(const Bao& at, const std::vector<BaoStep>& steps, const Bao& next) {
  const auto mover = static_cast<std::size_t>(at.to_move());
  BaoBoard board = board_of(at);
  for (const BaoStep& step : steps) {
    const auto pit = static_cast<std::size_t>(step.pit);
    if (step.source == BaoStep::Source::kStore) {
      --board.stores[mover];
    } else {
      auto& pits = board.pits[step.source == BaoStep::Source::kCapture ? 1 - mover : mover];
      pits[pit] = static_cast<std::uint8_t>(pits[pit] - step.stones);
    }
    // Both ways lead to the last pit where a hand goes round the ring by halves; the board tells.
    std::vector<BaoBoard> ways;
    for (const int way : {1, 15}) {
      if ((step.first + way * (step.stones - 1)) % Bao::kPits != step.last) continue;
      ways.push_back(board);
      for (int i = 0; i < step.stones; ++i) {
        ++ways.back().pits[mover][static_cast<std::size_t>((step.first + way * i) % Bao::kPits)];
      }
    }
    const auto found = std::ranges::find_if(
        ways, [&](const BaoBoard& way) { return same_stones(way, step.board); });
    if (found == ways.end() || step.board.to_move != at.to_move()) return false;
    board = *found;
  }
  return !steps.empty() && same_stones(board, board_of(next)) &&
         steps.back().board.houses == board_of(next).houses;
}

/// The opponent's front pits of `Bao::captures`, pit by pit.
std::set<int> first_captures(const Bao& at, int player) {
  const auto can_capture = [&](int pit) {
    return pit < 8 && at.pit(player, pit) > 0 && at.pit(1 - player, 7 - pit) > 0;
  };
  std::set<int> pits;
  for (int pit = 0; pit < 16; ++pit) {
    const int stones = at.pit(player, pit);
    if (at.store(player) > 0) {
      if (can_capture(pit)) pits.insert(7 - pit);
    } else if (stones >= 2 && stones <= 15) {
      for (const int end : {(pit + stones) % 16, (pit - stones + 16) % 16}) {
        if (can_capture(end)) pits.insert(7 - end);
      }
    }
  }
  return pits;
}

}  // namespace

TEST_CASE("bao: perft from the opening") {
  const std::vector<std::uint64_t> counts = {1,    4,    14,     38,      124,    405,
                                             1430, 5655, 23'270, 105'704, 494'462};
  for (std::size_t depth = 0; depth < counts.size(); ++depth) {
    INFO(depth);
    CHECK(perft(Bao(), static_cast<int>(depth)) == counts[depth]);
  }
}

TEST_CASE("bao: deep perft from the opening", "[slow]") {
  CHECK(perft(Bao(), 11) == 2'439'001);
  CHECK(perft(Bao(), 12) == 12'205'445);
}

TEST_CASE("bao: perft from the odd start positions") {
  std::unordered_map<int, Bao> starts;
  for (const auto& start :
       read_bao_start_positions(kSource + "/configs/bao/start_positions.csv").usable) {
    starts[start.row] = start.position;
  }
  std::ifstream file(kSource + "/tests/data/bao/perft.csv");
  int rows = 0;
  for (std::string line; std::getline(file, line);) {
    if (line[0] < '0' || line[0] > '9') continue;
    std::istringstream fields(line);
    std::string field;
    std::getline(fields, field, ',');
    const Bao start = starts.at(std::stoi(field));
    std::getline(fields, field, ',');
    for (int depth = 1; depth <= 6; ++depth) {
      std::getline(fields, field, ',');
      INFO(line << " depth " << depth);
      CHECK(perft(start, depth) == std::stoull(field));
    }
    ++rows;
  }
  CHECK(rows == 48);
}

TEST_CASE("bao: all moves and results of positions of every special case") {
  int positions = 0;
  for (const std::string name : {"tricky_positions.txt", "positions.txt"}) {
    std::ifstream file(kSource + "/tests/data/bao/" + name);
    std::string label;
    std::string position;
    std::multiset<std::string> expected;
    const auto compare = [&] {
      if (position.empty()) return;
      INFO(label << ' ' << position);
      const Bao at = parse_bao_position(position);
      BaoSuccessors list;
      at.successors(list);
      CHECK(lines_of(at, list) == expected);
      position.clear();
      expected.clear();
      ++positions;
    };
    for (std::string line; std::getline(file, line);) {
      if (line[0] == '#') continue;
      if (line.rfind("position ", 0) == 0) {
        position = line.substr(9);
      } else if (line.rfind("  ", 0) == 0) {
        const std::string move = line.substr(2, line.find(" WON") - 2);
        expected.insert(move);
      } else {
        compare();
        label = line;
      }
    }
    compare();
  }
  CHECK(positions == 54);
}

TEST_CASE("bao: random games keep 64 stones, a legal state and different keys") {
  const Rng rng(1);
  std::unordered_map<std::uint64_t, Bao> keys;
  int clashes = 0;
  int lost_stones = 0;
  int wrong_ends = 0;
  for (int game = 0; game < 1000; ++game) {
    Rng stream = rng.stream("game", static_cast<std::uint64_t>(game));
    random_game(stream, {}, [&](const Bao& at, const BaoSuccessors& list) {
      const int stones = at.stones(0) + at.stones(1) + at.store(0) + at.store(1);
      if (stones != Bao::kStones) ++lost_stones;
      if (at.is_over() && !list.empty()) ++wrong_ends;
      const auto [place, added] = keys.emplace(at.key(), at);
      if (!added && place->second != at) ++clashes;
    });
  }
  CHECK(lost_stones == 0);
  CHECK(wrong_ends == 0);
  CHECK(clashes == 0);
  CHECK(keys.size() > 10'000);
}

TEST_CASE("bao: the steps of every move lead stone by stone to its position") {
  const std::vector<BaoRules> readings = all_readings();
  int wrong = 0;
  std::size_t longest = 0;
  for (std::size_t reading = 0; reading < readings.size(); ++reading) {
    for (int game = 0; game < 20; ++game) {
      Rng stream = Rng(3).stream("game", reading, static_cast<std::uint64_t>(game));
      random_game(stream, readings[reading], [&](const Bao& at, const BaoSuccessors& list) {
        for (const BaoSuccessor& successor : list) {
          const std::vector<BaoStep> steps = bao_course(at, successor.move);
          longest = std::max(longest, steps.size());
          if (!leads_to(at, steps, Bao(successor.next))) ++wrong;
        }
      });
    }
  }
  CHECK(wrong == 0);
  CHECK(longest > 10);
}

TEST_CASE("bao: random games agree with the rules played stone by stone, under every reading") {
  const std::vector<BaoRules> readings = all_readings();
  const Rng rng(2);
  for (std::size_t reading = 0; reading < readings.size(); ++reading) {
    int wrong = 0;
    int positions = 0;
    for (int game = 0; game < 150; ++game) {
      Rng stream = rng.stream("game", reading, static_cast<std::uint64_t>(game));
      random_game(stream, readings[reading], [&](const Bao& at, const BaoSuccessors& list) {
        ++positions;
        if (!agrees_with_reference(at, list)) ++wrong;
        if (!makes_one_by_one(at, list)) ++wrong;
        if (at.rules() != readings[reading]) ++wrong;
      });
    }
    INFO("reading " << reading);
    CHECK(wrong == 0);
    CHECK(positions > 5000);
  }
}

TEST_CASE("bao: captures are those of the captures that may begin a move") {
  const Rng rng(3);
  int wrong = 0;
  int captures = 0;
  for (int game = 0; game < 200; ++game) {
    Rng stream = rng.stream("game", static_cast<std::uint64_t>(game));
    random_game(stream, {}, [&](const Bao& at, const BaoSuccessors&) {
      for (const int player : {0, 1}) {
        const std::uint64_t row = at.captures(player);
        const std::set<int> pits = first_captures(at, player);
        for (int i = 0; i < Bao::kRow; ++i) {
          const int stones = static_cast<int>(row >> (8 * i) & 0xff);
          if (stones != (pits.count(i) != 0 ? at.front(1 - player, i) : 0)) ++wrong;
        }
        captures += static_cast<int>(pits.size());
      }
    });
  }
  CHECK(wrong == 0);
  CHECK(captures > 10'000);
}

TEST_CASE("bao: the opening") {
  const Bao opening;
  CHECK(bao_position_text(opening) ==
        "0 0 0 0 0 0 0 0/0 2 2 6 0 0 0 0/0 0 0 0 6 2 2 0/0 0 0 0 0 0 0 0 st 22,22 h SN South tk -");
  CHECK(opening.stones(0) == 10);
  CHECK((opening.is_namua() && !opening.is_over() && opening.is_house_active(1)));
  CHECK((opening.front(1, 4) == 6 && opening.front(1, 6) == 2 && opening.back(1, 0) == 0));
  CHECK(opening.rules() == BaoRules());
}

}  // namespace ntune
