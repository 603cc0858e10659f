#include "ntune/games/amazons/database/database.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "agents/plain_thermograph.h"
#include "catch.h"
#include "games/amazons/reference.h"
#include "ntune/core/parallel.h"
#include "ntune/core/rng.h"
#include "ntune/games/amazons/notation.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {
namespace {

using Catch::Matchers::StartsWith;
using Position = AmazonsDatabase::Position;
using Board = AmazonsBoard<4>;

AmazonsDatabase build(int threads) {
  Parallel parallel(threads);
  return AmazonsDatabase::build(parallel);
}

const AmazonsDatabase& database() {
  static const AmazonsDatabase built = build(2);
  return built;
}

std::string value_text(const ThermographValue& value) {
  return dyadic_text(value.mean) + "," + dyadic_text(value.temperature);
}
std::string value_text(const std::string& board) {
  return value_text(database().value(parse_amazons<4>(board)));
}

/// The fields of the lines of a CSV file after its comments and its header.
std::vector<std::vector<std::string>> csv_fields(const std::string& name) {
  std::ifstream file(std::filesystem::path(NTUNE_SOURCE_DIR) / name);
  std::vector<std::vector<std::string>> lines;
  bool is_header = true;
  for (std::string line; std::getline(file, line);) {
    if (line[0] == '#') continue;
    if (!std::exchange(is_header, false)) {
      std::stringstream stream(line);
      auto& fields = lines.emplace_back();
      for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
    }
  }
  return lines;
}

/// What is known of the positions with one number of empty squares.
struct Facts {
  int positions = 0;
  int connected = 0;
  int terminal = 0;
  int integers = 0;
  int other_numbers = 0;
  int temperature_zero = 0;
  int hot = 0;
  double sum_of_hot = 0;
  int outside_narrow = 0;
  int impossible = 0;
  std::unordered_set<std::int64_t> temperatures;  // in units
  std::unordered_set<std::int64_t> means;
  Dyadic largest_temperature = -1;
  Dyadic largest_mean;
  int exponent = 0;

  void add(const Position& position, const ThermographValue& value) {
    const auto [mean, t] = value;
    ++positions;
    const std::uint32_t ground = position.empty() | position.queens();
    connected += Board::connected(position.queens(Player::kLeft), ground) == ground ? 1 : 0;
    terminal += position.integer_value().has_value() ? 1 : 0;
    integers += t == -1 ? 1 : 0;
    other_numbers += t > -1 && t < 0 ? 1 : 0;
    temperature_zero += t == 0 ? 1 : 0;
    hot += t > 0 ? 1 : 0;
    if (t > 0) sum_of_hot += t.to_double();
    const Dyadic fraction = t - t.rounded_down(1);
    outside_narrow += t > 0 && fraction != 0 && fraction != Dyadic::power(t.exponent()) ? 1 : 0;
    const int n = position.empties();
    impossible += is_temperature_by_day(t, n) && is_mean_by_day(mean, n) ? 0 : 1;
    temperatures.insert(t.units());
    means.insert(mean.units());
    largest_temperature = std::max(largest_temperature, t);
    largest_mean = std::max(largest_mean, mean.abs());
    exponent = std::max({exponent, t.exponent(), mean.exponent()});
  }

  [[nodiscard]] std::string text() const {
    return fmt::format("{},{},{},{},{},{},{},{},{:.3f},{},{},{},{},{}", positions, connected,
                       terminal, integers, other_numbers, temperature_zero, hot,
                       dyadic_text(largest_temperature), hot == 0 ? 0 : sum_of_hot / hot,
                       dyadic_text(largest_mean), temperatures.size(), means.size(), 1 << exponent,
                       outside_narrow);
  }
};

/// Images of the 16 squares under the symmetries of the board.
std::array<std::array<int, 16>, 8> symmetries() {
  std::array<std::array<int, 16>, 8> images{};
  for (int s = 0; s < 8; ++s) {
    for (int square = 0; square < 16; ++square) {
      int file = square % 4;
      int rank = square / 4;
      for (int turns = 0; turns < s % 4; ++turns) file = std::exchange(rank, 3 - file);
      if (s >= 4) file = 3 - file;
      images[static_cast<std::size_t>(s)][static_cast<std::size_t>(square)] = 4 * rank + file;
    }
  }
  return images;
}

std::uint32_t image_of(std::uint32_t set, const std::array<int, 16>& images) {
  std::uint32_t result = 0;
  for (; set != 0; set &= set - 1) {
    result |= Board::bit(images[static_cast<std::size_t>(Board::lowest(set))]);
  }
  return result;
}

Position image_of(const Position& position, const std::array<int, 16>& images) {
  return {image_of(position.empty(), images), image_of(position.queens(Player::kLeft), images),
          image_of(position.queens(Player::kRight), images)};
}

Position random_position(Rng& rng, int empty) { return test::random_amazons<4>(rng, 1, 1, empty); }

/// Thermographs by the plain game at multiples of 2^-kMostEmpties.
class PlainAnalysis {
 public:
  static constexpr int kMostEmpties = 4;
  static constexpr std::size_t kRows = static_cast<std::size_t>(kMostEmpties + 1) << kMostEmpties;
  static inline const Dyadic kStep = Dyadic::power(kMostEmpties);

  const test::PlainThermograph& of(const test::PlainAmazons& plain) {
    const auto found = known_.find(plain.squares);
    if (found != known_.end()) return found->second;
    std::array<std::vector<const test::PlainThermograph*>, 2> options;
    for (const std::size_t player : {0U, 1U}) {
      for (const AmazonsMove& move : plain.moves(static_cast<Player>(player))) {
        options[player].push_back(&of(plain.after(move)));
      }
    }
    return known_
        .emplace(plain.squares, test::PlainThermograph::of(options[0], options[1], kStep, kRows))
        .first->second;
  }

 private:
  std::map<std::string, test::PlainThermograph> known_;
};

/// The file of the database.
const std::string& database_file() {
  static const std::string content = [] {
    const test::TemporaryFolder folder;
    database().save(folder / "file");
    return test::content_of(folder / "file");
  }();
  return content;
}

/// What loading a file of this content says after the name of the file.
std::string complaint(const std::string& content) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("file", content);
  const std::string error = test::input_error([&] { AmazonsDatabase::load(path); });
  CHECK_THAT(error, StartsWith(path + ": "));
  return error.substr(std::min(error.size(), path.size() + 2));
}

}  // namespace

TEST_CASE("Amazons database: all facts by number of empty squares") {
  std::array<Facts, 15> facts;
  for (std::uint32_t index = 0; index < AmazonsDatabase::kPositions; ++index) {
    const Position position = AmazonsDatabase::position_at(index);
    facts[static_cast<std::size_t>(position.empties())].add(position, database().value(position));
  }
  const auto expected = csv_fields("tests/data/amazons/facts_by_empties.csv");
  REQUIRE(expected.size() == facts.size());
  std::unordered_set<std::int64_t> temperatures;
  std::unordered_set<std::int64_t> means;
  for (std::size_t n = 0; n < facts.size(); ++n) {
    std::string line = expected[n][1];
    for (std::size_t field = 4; field < expected[n].size(); ++field) {
      line += "," + expected[n][field];
    }
    CHECK(facts[n].text() == line);
    CHECK(facts[n].impossible == 0);  // Theorem 1 of Zhang and Mueller 2015
    temperatures.insert(facts[n].temperatures.begin(), facts[n].temperatures.end());
    means.insert(facts[n].means.begin(), facts[n].means.end());
  }
  CHECK(temperatures.size() == 506);
  CHECK(means.size() == 841);
}

TEST_CASE("Amazons database: known positions have their values") {
  const auto samples = csv_fields("configs/amazons/sample_600.csv");
  REQUIRE(samples.size() == 600);
  for (const auto& sample : samples) {
    INFO(sample[1]);
    CHECK(value_text(sample[1]) == sample[3] + "," + sample[4]);
  }
  // Zhang and Mueller 2015, Figure 2.
  const auto position = parse_amazons<4>("####/#.##/.#B#/W.##");
  CHECK(value_text(database().value(position)) == "3/4,5/4");
  const AmazonsMove move = parse_amazons_move(position, Player::kRight, "A1-A2xB1");
  CHECK(value_text(database().value(position.after(Player::kRight, move))) == "-1/2,-1/2");
  // Positions on which variants of temperature discovery search fail.
  CHECK(value_text("####/##W#/##../B.#.") == "-2,1");
  CHECK(value_text("####/####/.###/BW.#") == "-1/2,-1/2");
  CHECK(value_text("####/#.##/.W.#/#B#.") == "-3/8,3/8");
}

TEST_CASE("Amazons database: walls") {
  SECTION("as by the plain game at a grid of temperatures") {
    PlainAnalysis plain;
    Rng rng(1);
    for (int i = 0; i < 150; ++i) {
      const Position position = random_position(rng, static_cast<int>(rng.below(5)));
      INFO(amazons_text(position));
      CHECK(plain.of(test::PlainAmazons::of(position))
                .equals(database().thermograph(position), PlainAnalysis::kStep));
    }
  }
  SECTION("as of the solver, which knows separated queens") {
    ThermographSolver<Position> solver;
    Rng rng(2);
    for (int i = 0; i < 60; ++i) {
      const Position position = random_position(rng, static_cast<int>(rng.below(9)));
      const Thermograph* const thermograph = solver.solve(position);
      REQUIRE(thermograph != nullptr);
      CHECK(*thermograph == database().thermograph(position));
    }
  }
  SECTION("shared by symmetric positions, negated by exchanged colours") {
    Rng rng(3);
    const auto symmetric = symmetries();
    for (int i = 0; i < 500; ++i) {
      const Position position = random_position(rng, static_cast<int>(rng.below(15)));
      const Thermograph thermograph = database().thermograph(position);
      CHECK(thermograph.value() == database().value(position));
      for (const auto& images : symmetric) {
        const Position image = image_of(position, images);
        REQUIRE(database().thermograph(image) == thermograph);
        REQUIRE(database().thermograph(image.negative()) == thermograph.negative());
      }
    }
  }
}

TEST_CASE("Amazons database: positions fall into the known numbers of classes") {
  // Burnside's lemma: the mean number of positions that a symmetry leaves as they are.
  std::array<int, 15> fixed{};
  std::array<int, 15> fixed_with_swap{};
  for (const auto& images : symmetries()) {
    for (std::uint32_t index = 0; index < AmazonsDatabase::kPositions;) {
      const Position position = AmazonsDatabase::position_at(index);
      const std::uint32_t black = image_of(position.queens(Player::kLeft), images);
      const std::uint32_t white = image_of(position.queens(Player::kRight), images);
      const bool swaps =
          white == position.queens(Player::kLeft) && black == position.queens(Player::kRight);
      if (!swaps && black != position.queens(Player::kLeft)) {
        index += 1U << 14;
        continue;
      }
      if (!swaps && white != position.queens(Player::kRight)) {
        index += 1U << 14;
        continue;
      }
      if (image_of(position.empty(), images) == position.empty()) {
        ++(swaps ? fixed_with_swap : fixed)[static_cast<std::size_t>(position.empties())];
      }
      ++index;
    }
  }
  const auto expected = csv_fields("tests/data/amazons/facts_by_empties.csv");
  int classes = 0;
  for (std::size_t n = 0; n < fixed.size(); ++n) {
    CHECK(std::to_string(fixed[n] / 8) == expected[n][2]);
    CHECK(std::to_string((fixed[n] + fixed_with_swap[n]) / 16) == expected[n][3]);
    classes += (fixed[n] + fixed_with_swap[n]) / 16;
  }
  CHECK(classes == 247'296);
}

TEST_CASE("Amazons database: only positions with one queen each are in it, each once") {
  CHECK(AmazonsDatabase::contains(parse_amazons<4>("B..W")));
  CHECK_FALSE(AmazonsDatabase::contains(parse_amazons<4>("B..B")));
  CHECK_FALSE(AmazonsDatabase::contains(parse_amazons<4>("BW.W")));
  std::vector<std::uint8_t> seen(std::size_t{1} << 24);
  std::uint32_t different = 0;
  for (std::uint32_t index = 0; index < AmazonsDatabase::kPositions; ++index) {
    const Position position = AmazonsDatabase::position_at(index);
    const auto black = static_cast<std::uint32_t>(Board::lowest(position.queens(Player::kLeft)));
    const auto white = static_cast<std::uint32_t>(Board::lowest(position.queens(Player::kRight)));
    std::uint8_t& mark = seen[position.empty() << 8 | black << 4 | white];
    different += mark == 0 ? 1 : 0;
    mark = 1;
  }
  CHECK(different == AmazonsDatabase::kPositions);
}

TEST_CASE("Amazons database: the same file from one thread as from two") {
  const test::TemporaryFolder folder;
  build(1).save(folder / "other");
  CHECK(test::content_of(folder / "other") == database_file());
  CHECK(database_file().size() < 4'000'000);
}

TEST_CASE("Amazons database: a file gives back what was saved") {
  const test::TemporaryFolder folder;
  database().save(folder / "saved");
  const AmazonsDatabase loaded = AmazonsDatabase::load(folder / "saved");
  CHECK(loaded.thermographs() == database().thermographs());
  bool equal = true;
  for (std::uint32_t index = 0; index < AmazonsDatabase::kPositions; index += 101) {
    const Position position = AmazonsDatabase::position_at(index);
    equal = equal && loaded.thermograph(position) == database().thermograph(position);
  }
  CHECK(equal);
  loaded.save(folder / "saved");  // in place of the file that is mapped
  CHECK(test::content_of(folder / "saved") == database_file());
}

TEST_CASE("Amazons database: damaged and foreign files are refused") {
  const std::string file = database_file();
  Rng rng(4);
  for (int i = 0; i < 40; ++i) {
    std::string changed = file;
    const std::size_t at =
        i < 32 ? static_cast<std::size_t>(i) : rng.below(static_cast<std::uint32_t>(file.size()));
    changed[at] = static_cast<char>(changed[at] ^ (1 << rng.below(8)));
    const std::string error = complaint(changed);
    CHECK((error.substr(0, 3) == "is " || error.substr(0, 4) == "has "));
    if (at >= 24) CHECK(error == "is damaged: its checksum is not that of its content");
  }
  CHECK(complaint("") == "is no database of Amazons");
  CHECK(complaint(std::string(1000, 'x')) == "is no database of Amazons");
  CHECK(complaint(file.substr(0, 31)) == "is no database of Amazons");
  CHECK(complaint(file.substr(0, 1000)) ==
        fmt::format("has 1000 bytes; the whole database has {}", file.size()));
  std::string other = file;
  const std::uint32_t version = 2;
  std::memcpy(other.data() + 8, &version, sizeof(version));
  CHECK(complaint(other) ==
        "is of version 2 of the format with 344064 entries; this program reads version 1 with "
        "344064");
}

}  // namespace ntune
