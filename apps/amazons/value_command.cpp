#include <algorithm>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "apps/amazons/commands.h"
#include "apps/amazons/replay.h"
#include "apps/amazons/solved.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/games/amazons/notation.h"
#include "ntune/plot/picture.h"

namespace ntune::amazons {

namespace {

// By the convention of combinatorial game theory values increase to the left and temperatures
// upwards. The left wall, Left's score, stands on the left, and the mast above both.

/// The rectangle that a drawing shows.
struct Frame {
  Dyadic low;   ///< value at the right edge
  Dyadic high;  ///< value at the left edge
  Dyadic top;   ///< temperature; the bottom is -1
};

Frame frame_of(const Thermograph& thermograph) {
  const Dyadic one = 1;
  return {thermograph.right(-1).rounded_down(one) - 1, thermograph.left(-1).rounded_up(one) + 1,
          std::max(thermograph.temperature(), Dyadic(0)).rounded_up(one) + 1};
}

/// The smallest power of two from 1/8 on of which `most` make up `size`.
Dyadic finest_step(Dyadic size, int most) {
  Dyadic step = Dyadic::power(3);
  while (most * step < size) step += step;
  return step;
}

/// A drawing for a terminal of 80 columns.
std::string thermograph_text(const Thermograph& thermograph) {
  const Frame frame = frame_of(thermograph);
  // Walls with slope 1 are diagonals: one step of temperature a row, one of value a column.
  const Dyadic step =
      std::max(finest_step(frame.top + 1, 24), finest_step(frame.high - frame.low, 64));
  const auto column = [&](Dyadic value) {
    return static_cast<std::size_t>((frame.high - value).rounded_down(step).units() / step.units());
  };
  const std::size_t width = column(frame.low) + 1;
  std::string text = "temperature\n";
  for (Dyadic t = frame.top.rounded_down(step); t >= -1; t -= step) {
    std::string line(width, ' ');
    if (t > thermograph.temperature()) {
      line[column(thermograph.mean())] = '|';
    } else {
      const auto mark = [&](Dyadic here, Dyadic below, char slanted) {
        line[column(here)] = here == below ? '|' : slanted;
      };
      const Dyadic below = std::max(t - step, Dyadic(-1));
      mark(thermograph.right(t), thermograph.right(below), '\\');
      mark(thermograph.left(t), thermograph.left(below), '/');
      if (column(thermograph.right(t)) == column(thermograph.left(t))) {
        line[column(thermograph.mean())] = '+';
      }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += fmt::format("{:>11} |{}\n", dyadic_text(t), line);
  }
  // The axis of values.
  constexpr int kLabel = 5;  // columns
  Dyadic apart = 1;
  while (apart < kLabel * step) apart += apart;
  std::string axis(width, '-');
  std::string labels(width + kLabel, ' ');
  for (Dyadic value = frame.high.rounded_down(apart); value >= frame.low; value -= apart) {
    axis[column(value)] = '+';
    labels.replace(column(value), dyadic_text(value).size(), dyadic_text(value));
  }
  labels.erase(labels.find_last_not_of(' ') + 1);
  return text + fmt::format("{:>11} +{}\n{:>11}  {}\n", "", axis, "value", labels);
}

Figure thermograph_figure(const Thermograph& thermograph, const std::string& title) {
  const Frame frame = frame_of(thermograph);
  Panel panel{
      .title = fmt::format("{}: mean {}, temperature {}", title, dyadic_text(thermograph.mean()),
                           dyadic_text(thermograph.temperature())),
      .x = {.label = "value (increases to the left)",
            .low = frame.low.to_double(),
            .high = frame.high.to_double(),
            .reversed = true},
      .y = {.label = "temperature", .low = -1.0, .high = frame.top.to_double()}};
  // The mast goes up from the temperature at the mean; below it are the two walls.
  const double mean = thermograph.mean().to_double();
  panel.marks.emplace_back(
      Line{.points = {{mean, thermograph.temperature().to_double()}, {mean, panel.y.high}},
           .colour = kInk,
           .width = 2.4,
           .tip = fmt::format("mast at {}", dyadic_text(thermograph.mean()))});
  for (const Player player : {Player::kLeft, Player::kRight}) {
    Line wall{.colour = player == Player::kLeft ? 0 : 1, .width = 2.4};
    for (const ThermographCorner& corner : thermograph_wall(thermograph, player)) {
      wall.points.push_back({corner.value.to_double(), corner.temperature.to_double()});
      panel.marks.emplace_back(
          Dot{.at = wall.points.back(),
              .colour = wall.colour,
              .tip = fmt::format("value {} at temperature {}", dyadic_text(corner.value),
                                 dyadic_text(corner.temperature))});
    }
    panel.marks.emplace_back(std::move(wall));
  }
  Figure figure{.name = "thermograph", .title = "Thermograph of " + title};
  figure.description = fmt::format("Mean {}, temperature {}.", dyadic_text(thermograph.mean()),
                                   dyadic_text(thermograph.temperature()));
  figure.panel_height = 320.0;
  figure.legend = {{"Left's wall", 0}, {"Right's wall", 1}, {"mast", kInk}};
  figure.panels.push_back(std::move(panel));
  return figure;
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
      ThermographSolver<std::decay_t<decltype(position)>> solver(kMostPositions);
      return solved(solver, board, position);
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
  cli::check_replay(arguments.replay);
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
  if (!arguments.replay.empty()) {
    cli::write_replay(arguments.replay, value_page(arguments.position), terminal);
  }
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
  for (const auto& [option, file] :
       {std::pair("--plot", arguments.plot), std::pair("--replay", arguments.replay)}) {
    if (!file.empty())
      throw InputError(std::string(option) + ": draws one position, not those of '-'");
  }
  return print_all(arguments, terminal);
}

}  // namespace ntune::amazons
