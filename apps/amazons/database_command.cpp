#include <array>
#include <ostream>

#include <fmt/format.h>

#include "apps/amazons/commands.h"
#include "apps/common/result_table.h"
#include "apps/common/rows.h"
#include "ntune/core/clock.h"
#include "ntune/core/text.h"

namespace ntune::amazons {

namespace {

constexpr int kMostEmpties = 14;

/// Positions with the same number of empty squares, by what they are worth.
struct Facts {
  std::int64_t positions = 0;
  std::int64_t integers = 0;
  std::int64_t fractions = 0;  ///< numbers that are no integers
  std::int64_t tepid = 0;      ///< temperature 0
  std::int64_t hot = 0;
  Dyadic highest = -1;  ///< temperature

  void add(const ThermographValue& value) {
    ++positions;
    ++(value.temperature == -1  ? integers
       : value.temperature < 0  ? fractions
       : value.temperature == 0 ? tepid
                                : hot);
    highest = std::max(highest, value.temperature);
  }
};

/// The facts of an independent program, by number of empty squares:
/// tests/data/amazons/facts_by_empties.csv.
struct KnownFacts {
  std::int64_t integers, fractions, tepid, hot;
  bool agrees(const Facts& facts) const {
    return facts.integers == integers && facts.fractions == fractions && facts.tepid == tepid &&
           facts.hot == hot;
  }
};
constexpr std::array<KnownFacts, kMostEmpties + 1> kKnownFacts = {{{240, 0, 0, 0},
                                                                   {2952, 0, 408, 0},
                                                                   {16708, 1152, 2080, 1900},
                                                                   {58624, 4024, 6328, 18384},
                                                                   {135852, 6976, 16096, 81316},
                                                                   {213128, 11840, 28728, 226784},
                                                                   {239768, 12304, 37260, 431388},
                                                                   {184992, 8048, 48192, 582448},
                                                                   {102240, 5792, 37084, 575604},
                                                                   {36832, 1840, 27448, 414360},
                                                                   {10304, 352, 14496, 215088},
                                                                   {1416, 64, 7176, 78704},
                                                                   {444, 0, 1424, 19972},
                                                                   {0, 0, 272, 3088},
                                                                   {12, 0, 0, 228}}};

std::array<Facts, kMostEmpties + 1> facts_of(const AmazonsDatabase& database) {
  std::array<Facts, kMostEmpties + 1> facts;
  for (std::uint32_t i = 0; i < AmazonsDatabase::kPositions; ++i) {
    const auto position = AmazonsDatabase::position_at(i);
    facts[static_cast<std::size_t>(position.empties())].add(database.value(position));
  }
  return facts;
}

void print(const AmazonsDatabase& database, Format format, std::ostream& out) {
  const auto facts = facts_of(database);
  cli::ResultTable table;
  bool all_agree = true;
  for (std::size_t empties = 0; empties < facts.size(); ++empties) {
    const Facts& one = facts[empties];
    const bool agrees = kKnownFacts[empties].agrees(one);
    all_agree = all_agree && agrees;
    table.row()
        .both("empties", "empty", empties)
        .count("positions", "positions", one.positions)
        .count("integers", "integers", one.integers)
        .count("fractions", "fractions", one.fractions)
        .count("temperature_0", "temperature 0", one.tepid)
        .count("hot", "hot", one.hot)
        .both("highest_temperature", "highest temperature", dyadic_text(one.highest))
        .data("as_known", agrees)
        .text("known", agrees ? "yes" : "no");
  }
  const Json json = {{"positions", AmazonsDatabase::kPositions},
                     {"thermographs", database.thermographs()},
                     {"as_known", all_agree},
                     {"rows", table.rows()}};
  cli::print_result(
      out, format, json, table.rows(),
      fmt::format("{} positions on 4x4 squares with one queen each, {} thermographs\n\n{}\n{}\n",
                  count_text(AmazonsDatabase::kPositions), count_text(database.thermographs()),
                  table.text(),
                  all_agree ? "All counts are those of an independent program."
                            : "These are not the counts of an independent program."));
}

}  // namespace

int database_command(const DatabaseArguments& arguments, const Terminal& terminal) {
  cli::end_at_signals();
  Parallel parallel(arguments.output.threads);
  const Clock::time_point begin = Clock::now();
  const AmazonsDatabase database = database_of(arguments.file, parallel);
  const double seconds = seconds_since(begin);
  const auto note = [&](const std::string& text) {
    if (!arguments.output.quiet) terminal.err << text;
  };
  note(fmt::format("{} in {:.2f} s with {} threads\n", arguments.file.empty() ? "Computed" : "Read",
                   seconds, parallel.threads()));
  if (!arguments.out.empty()) {
    database.save(arguments.out);
    note(fmt::format("Database in {}\n", printable(arguments.out, 1000)));
  }
  print(database, arguments.output.format, terminal.out);
  return cli::kDone;
}

}  // namespace ntune::amazons
