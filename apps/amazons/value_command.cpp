#include <istream>
#include <optional>
#include <ostream>

#include <fmt/format.h>

#include "apps/amazons/commands.h"
#include "apps/amazons/thermograph_drawing.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/games/amazons/notation.h"
#include "ntune/plot/picture.h"

namespace ntune::amazons {

namespace {

/// About a gigabyte of thermographs.
constexpr std::size_t kMostPositions = 3'000'000;

template <class Position>
Thermograph solve(const std::string& board, const Position& position) {
  ThermographSolver<Position> solver(kMostPositions);
  const Thermograph* const found = solver.solve(position);
  if (found != nullptr) return *found;
  throw InputError(fmt::format(
      "position '{}': more than {} positions follow from it; `amazons tds` approximates its value",
      printable(board, 200), count_text(kMostPositions)));
}

/// Thermographs of positions given as text.
class Values {
 public:
  explicit Values(const std::string& file) {
    if (!file.empty()) database_ = AmazonsDatabase::load(file);
  }

  /// `many`: the database is worth while. Throws InputError.
  Thermograph thermograph(const std::string& board, bool many) {
    return visit_amazons(board, [&](const auto& position) -> Thermograph {
      require_amazons_queens(position, false);
      if constexpr (std::is_same_v<decltype(position), const AmazonsDatabase::Position&>) {
        if (AmazonsDatabase::contains(position) && (many || database_)) {
          if (!database_) database_ = AmazonsDatabase::build(parallel_);
          return database_->thermograph(position);
        }
      }
      return solve(board, position);
    });
  }

 private:
  Parallel parallel_;
  std::optional<AmazonsDatabase> database_;
};

constexpr const char* kCsvHeader = "position,mean,temperature\n";

/// A position's value as a line.
std::string value_line(const std::string& board, const ThermographValue& value, Format format) {
  const std::string mean = dyadic_text(value.mean);
  const std::string temperature = dyadic_text(value.temperature);
  switch (format) {
    case Format::kText:
      return fmt::format("{}  mean {}, temperature {}\n", board, mean, temperature);
    case Format::kJson:
      return fmt::format("{{\"mean\": \"{}\", \"temperature\": \"{}\"}}\n", mean, temperature);
    case Format::kCsv:
      break;
  }
  return fmt::format("{},{},{}\n", board, mean, temperature);
}

int print_one(const ValueArguments& arguments, const Terminal& terminal) {
  constexpr double kThermographWidth = 480.0;
  if (!arguments.plot.empty()) check_picture(arguments.plot);
  const Thermograph thermograph = Values(arguments.database).thermograph(arguments.position, false);
  const ThermographValue& value = thermograph.value();
  if (!arguments.plot.empty()) {
    write_picture(arguments.plot, thermograph_figure(thermograph, arguments.position),
                  kThermographWidth);
  }
  if (arguments.format == Format::kCsv) terminal.out << kCsvHeader;
  terminal.out << (arguments.format == Format::kText
                       ? fmt::format("mean         {}\ntemperature  {}\n\n{}",
                                     dyadic_text(value.mean), dyadic_text(value.temperature),
                                     thermograph_text(thermograph))
                       : value_line(arguments.position, value, arguments.format));
  return cli::kDone;
}

/// Answers line by line, so that another program may ask one after the other.
int print_all(const ValueArguments& arguments, const Terminal& terminal) {
  Values values(arguments.database);
  if (arguments.format == Format::kCsv) terminal.out << kCsvHeader;
  std::int64_t number = 0;
  for (std::string line; terminal.in != nullptr && std::getline(*terminal.in, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    ThermographValue value;
    try {
      value = values.thermograph(line, true).value();
    } catch (const InputError& error) {
      throw InputError(fmt::format("standard input:{}: {}", number, error.what()));
    }
    terminal.out << value_line(line, value, arguments.format);
  }
  return cli::kDone;
}

}  // namespace

int value_command(const ValueArguments& arguments, const Terminal& terminal) {
  cli::end_at_signals();
  if (arguments.position != "-") return print_one(arguments, terminal);
  if (!arguments.plot.empty()) throw InputError("--plot: draws one position, not those of '-'");
  return print_all(arguments, terminal);
}

}  // namespace ntune::amazons
