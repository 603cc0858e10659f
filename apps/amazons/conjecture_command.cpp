#include <algorithm>
#include <cstdint>
#include <ostream>

#include <fmt/format.h>

#include "apps/amazons/commands.h"
#include "apps/amazons/experiments/conjecture.h"
#include "apps/common/result_table.h"
#include "apps/common/rows.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/games/amazons/notation.h"

namespace ntune::amazons {

namespace {

constexpr std::array<const char*, kConjectureReadings> kReadings = {
    "ties to the coupon, coupon before the board move", "ties to the board, coupon before",
    "ties to the board, coupon on top", "ties to the coupon, coupon on top"};

/// Takes a minute and 3 GB or less to be made.
constexpr std::uint64_t kMostEntries = 8'000'000;

/// "4x5". Throws InputError.
AmazonsSize size_of(const std::string& text) {
  if (text.size() == 3 && text[1] == 'x') {
    const AmazonsSize size = {text[0] - '0', text[2] - '0'};
    const auto fits = [](int side) { return side >= 1 && side <= 5; };
    if (fits(size.files) && fits(size.ranks) && size.files * size.ranks >= 2) return size;
  }
  throw InputError(
      fmt::format("--size '{}': needed are files and ranks, such as 4x5; allowed: 2x1 "
                  "to 5x5",
                  printable(text, 40)));
}

struct DeltaReport {
  std::string delta;
  int exponent;
  ConjectureReport report;
};

std::string in_deltas(Dyadic size, int exponent) {
  return fmt::format("{:.3f}", size.to_double() * (1 << exponent));
}

std::string failure_text(const ConjectureFailure& one, AmazonsSize size) {
  return fmt::format("{}  {} first, temperature {}, found {}", amazons_text(one.position, size),
                     one.first == Player::kLeft ? "Black" : "White", dyadic_text(one.temperature),
                     dyadic_text(one.found));
}

/// A line for each delta, a row for each reading.
cli::ResultTable table_of(const std::vector<DeltaReport>& lines) {
  cli::ResultTable table;
  for (const auto& [delta, exponent, report] : lines) {
    table.line().text("delta", delta).text("cases", count_text(report.cases));
    for (std::size_t i = 0; i < kReadings.size(); ++i) {
      const ConjectureCount& count = report.readings[i];
      const std::string reading = fmt::format("R{}", i + 1);
      table.entry()
          .data("delta", delta)
          .data("reading", reading)
          .data("cases", report.cases)
          .count("violations", reading, count.violations)
          .data("worst", dyadic_text(count.worst))
          .text("worst", in_deltas(count.worst, exponent))
          .data("mean_exact", report.mean_exact)
          .data("worst_mean", dyadic_text(report.worst_mean));
    }
    const double share = static_cast<double>(report.mean_exact) / static_cast<double>(report.cases);
    table.text("mean exact", fmt::format("{:.2f} %", 100.0 * share))
        .text("worst mean", dyadic_text(report.worst_mean));
  }
  return table;
}

Json json_of(const std::vector<DeltaReport>& lines, const std::vector<Json>& rows,
             AmazonsSize size) {
  Json failures = Json::array();
  for (const auto& [delta, exponent, report] : lines) {
    for (std::size_t i = 0; i < kReadings.size(); ++i) {
      for (const ConjectureFailure& one : report.readings[i].failures) {
        failures.push_back({{"delta", delta},
                            {"reading", fmt::format("R{}", i + 1)},
                            {"position", amazons_text(one.position, size)},
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

std::string text_of(const std::vector<DeltaReport>& lines, const cli::ResultTable& table,
                    AmazonsSize size) {
  std::string failures;
  for (const auto& [delta, exponent, report] : lines) {
    for (std::size_t i = 0; i < kReadings.size(); ++i) {
      for (const ConjectureFailure& one : report.readings[i].failures) {
        failures += fmt::format("delta {}, R{}: {}\n", delta, i + 1, failure_text(one, size));
      }
    }
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
  const AmazonsSize size = size_of(arguments.size);
  const int squares = size.files * size.ranks;
  const int most = arguments.most.value_or(std::min(squares - 2, squares > 16 ? 6 : 14));
  if (most > squares - 2) {
    throw InputError(fmt::format("--most: is {}; allowed on {} with two queens: at most {}", most,
                                 arguments.size, squares - 2));
  }
  if (arguments.least > most) {
    throw InputError(fmt::format("--least: is {}, more than --most {}", arguments.least, most));
  }
  const std::uint64_t entries = AmazonsRectangle::entries_of(size, most);
  if (entries > kMostEntries) {
    throw InputError(
        fmt::format("--most: with {} there are {} positions up to symmetry; allowed: "
                    "at most {}",
                    most, count_text(entries), count_text(kMostEntries)));
  }
  // The positions are made once, and tried with every distance of the coupons.
  std::vector<int> exponents;
  for (const std::string& delta : arguments.deltas) {
    exponents.push_back(parse_tds_delta("--delta", delta));
  }
  cli::end_at_signals();
  Parallel parallel(arguments.output.threads);
  const AmazonsRectangle positions(size, most);
  std::vector<DeltaReport> lines;
  for (const int exponent : exponents) {
    if (!arguments.output.quiet) {
      terminal.err << fmt::format("delta {} …\n", dyadic_text(Dyadic::power(exponent)));
      terminal.err.flush();
    }
    lines.push_back(
        {dyadic_text(Dyadic::power(exponent)), exponent,
         check_two_delta_conjecture(positions, exponent, arguments.least, most,
                                    static_cast<std::size_t>(arguments.failures), parallel)});
  }
  const cli::ResultTable table = table_of(lines);
  cli::print_result(terminal.out, arguments.output.format, json_of(lines, table.rows(), size),
                    table.rows(), text_of(lines, table, size));
  return cli::kDone;
}

}  // namespace ntune::amazons
