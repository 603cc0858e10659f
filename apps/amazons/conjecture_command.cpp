#include <ostream>

#include <fmt/format.h>

#include "apps/amazons/commands.h"
#include "apps/common/rows.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/games/amazons/database/conjecture.h"
#include "ntune/games/amazons/notation.h"

namespace ntune::amazons {

namespace {

constexpr std::array<const char*, kConjectureReadings> kReadings = {
    "ties to the coupon, coupon before the board move", "ties to the board, coupon before",
    "ties to the board, coupon on top", "ties to the coupon, coupon on top"};

struct Line {
  std::string delta;
  int exponent;
  ConjectureReport report;
};

std::string in_deltas(Dyadic size, int exponent) {
  return fmt::format("{:.3f}", size.to_double() * (1 << exponent));
}

std::string failure_text(const ConjectureFailure& one) {
  return fmt::format("{}  {} first, temperature {}, found {}", amazons_text(one.position),
                     one.first == Player::kLeft ? "Black" : "White", dyadic_text(one.temperature),
                     dyadic_text(one.found));
}

std::vector<Json> rows_of(const std::vector<Line>& lines) {
  std::vector<Json> rows;
  for (const auto& [delta, exponent, report] : lines) {
    for (std::size_t i = 0; i < kReadings.size(); ++i) {
      rows.push_back({{"delta", delta},
                      {"reading", fmt::format("R{}", i + 1)},
                      {"cases", report.cases},
                      {"violations", report.readings[i].violations},
                      {"worst", dyadic_text(report.readings[i].worst)},
                      {"mean_exact", report.mean_exact},
                      {"worst_mean", dyadic_text(report.worst_mean)}});
    }
  }
  return rows;
}

Json json_of(const std::vector<Line>& lines, const std::vector<Json>& rows) {
  Json failures = Json::array();
  for (const auto& [delta, exponent, report] : lines) {
    for (std::size_t i = 0; i < kReadings.size(); ++i) {
      for (const ConjectureFailure& one : report.readings[i].failures) {
        failures.push_back({{"delta", delta},
                            {"reading", fmt::format("R{}", i + 1)},
                            {"position", amazons_text(one.position)},
                            {"first", one.first == Player::kLeft ? "black" : "white"},
                            {"temperature", dyadic_text(one.temperature)},
                            {"found", dyadic_text(one.found)}});
      }
    }
  }
  Json readings;
  for (std::size_t i = 0; i < kReadings.size(); ++i) {
    readings[fmt::format("R{}", i + 1)] = kReadings[i];
  }
  return {{"readings", readings}, {"rows", rows}, {"counter_examples", failures}};
}

std::string text_of(const std::vector<Line>& lines) {
  TextTable table({"delta", "cases", "R1", "worst", "R2", "worst", "R3", "worst", "R4", "worst",
                   "mean exact", "worst mean"});
  std::string failures;
  for (const auto& [delta, exponent, report] : lines) {
    std::vector<std::string> cells = {delta, count_text(report.cases)};
    for (std::size_t i = 0; i < kReadings.size(); ++i) {
      const ConjectureCount& count = report.readings[i];
      cells.push_back(count_text(count.violations));
      cells.push_back(in_deltas(count.worst, exponent));
      for (const ConjectureFailure& one : count.failures) {
        failures += fmt::format("delta {}, R{}: {}\n", delta, i + 1, failure_text(one));
      }
    }
    cells.push_back(fmt::format("{:.2f} %", 100.0 * static_cast<double>(report.mean_exact) /
                                                static_cast<double>(report.cases)));
    cells.push_back(dyadic_text(report.worst_mean));
    table.add_row(cells);
  }
  std::string text =
      "Positions, with the player to begin, whose temperature is more than 2 delta above the one "
      "that\n"
      "TDS reads with delta, and the largest difference in delta, by reading:\n";
  for (std::size_t i = 0; i < kReadings.size(); ++i) {
    text += fmt::format("  R{}  {}\n", i + 1, kReadings[i]);
  }
  text += '\n' + table.text();
  if (!failures.empty()) text += "\nCounter-examples:\n" + failures;
  return text;
}

}  // namespace

int conjecture_command(const ConjectureArguments& arguments, const Terminal& terminal) {
  if (arguments.least > arguments.most) {
    throw InputError(
        fmt::format("--least: is {}, more than --most {}", arguments.least, arguments.most));
  }
  std::vector<int> exponents;
  for (const std::string& delta : arguments.deltas) {
    exponents.push_back(parse_tds_delta("--delta", delta));
  }
  cli::end_at_signals();
  Parallel parallel(arguments.output.threads);
  const AmazonsDatabase database = database_of(arguments.database, parallel);
  std::vector<Line> lines;
  for (const int exponent : exponents) {
    if (!arguments.output.quiet) {
      terminal.err << fmt::format("delta {} …\n", dyadic_text(Dyadic::power(exponent)));
      terminal.err.flush();
    }
    lines.push_back(
        {dyadic_text(Dyadic::power(exponent)), exponent,
         check_two_delta_conjecture(database, exponent, arguments.least, arguments.most,
                                    static_cast<std::size_t>(arguments.failures), parallel)});
  }
  const std::vector<Json> rows = rows_of(lines);
  cli::print_result(terminal.out, arguments.output.format, json_of(lines, rows), rows,
                    text_of(lines));
  return cli::kDone;
}

}  // namespace ntune::amazons
