#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <ostream>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/ntune/show_commands.h"
#include "ntune/core/clock.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/plot/axis.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/data/study_watch.h"

namespace ntune::cli {

namespace {

using State = StudyStatus::State;

const char* state_text(State state) {
  switch (state) {
    case State::kDone:
      return "done";
    case State::kInterrupted:
      return "interrupted";
    case State::kRunning:
      return "running";
    case State::kStopped:
      return "stopped";
    default:
      return "silent";
  }
}

std::string time_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

std::string share_text(const StudyStatus& status) {
  return fmt::format("{:.0f} %", 100.0 * status.share());
}

/// "250 of 300 evaluations"; of a study that is done "250 of 300 evaluations planned".
std::string evaluations_text(const StudyStatus& status) {
  if (status.total_evaluations == 0) {
    return fmt::format("{} evaluations", count_text(status.evaluations));
  }
  return fmt::format("{} of {} evaluations{}", count_text(status.evaluations),
                     count_text(status.total_evaluations),
                     status.state == State::kDone ? " planned" : "");
}

std::string rate_text(const StudyStatus& status) {
  if (!status.rate) return "-";
  return fmt::format("{}/s", short_number(*status.rate, 3));
}

std::string left_text(const StudyStatus& status) {
  if (status.state != State::kRunning) return "-";
  if (status.limits.seconds) {
    return time_text(
        std::max(0.0, *status.limits.seconds - status.seconds_used.value_or(0.0) - status.silent));
  }
  if (!status.rate || *status.rate <= 0.0 || status.total_evaluations == 0) return "-";
  const auto left = static_cast<double>(status.total_evaluations - status.evaluations);
  return time_text(std::max(0.0, left) / *status.rate);
}

/// "0.718 by the hold-out", "0.53 by the model", or nothing.
std::string worth_text(const StudyStatus& status) {
  if (status.value) return short_number(*status.value) + " by the hold-out";
  if (status.estimate) return short_number(*status.estimate) + " by the model";
  return {};
}

/// "+41 ±37", half the width of the interval; "-" where there are too few games for one, or all
/// were won or lost.
std::string elo_text(const GameCounts& games) {
  if (games.empty()) return "-";
  const Rating elo = match_elo(games);
  const double half = 0.5 * (elo.interval.high - elo.interval.low);
  if (!std::isfinite(elo.value) || !std::isfinite(half)) return "-";
  return fmt::format("{:+.0f} ±{:.0f}", elo.value, half);
}

/// "+25 =17 -18", and the pairs by their points where all games are paired.
std::string games_text(const GameCounts& games) {
  const auto& [wins, draws, losses] = games.games;
  std::string text = fmt::format("+{} ={} -{}", wins, draws, losses);
  if (games.are_paired()) text += fmt::format(" [{}]", fmt::join(games.pairs.counts, " "));
  return text;
}

std::string line_of(const StudyStatus& status) {
  std::string text =
      fmt::format("{}  {}  {}  {} of {} runs  {}", state_text(status.state), share_text(status),
                  evaluations_text(status), count_text(status.runs), count_text(status.total_runs),
                  rate_text(status));
  if (status.failures > 0) text += fmt::format("  {} failed", count_text(status.failures));
  if (status.cut_off > 0) text += fmt::format("  {} cut off", count_text(status.cut_off));
  if (status.limits.cost) {
    text += fmt::format("  cost {} of {}", short_number(status.cost_used),
                        short_number(*status.limits.cost));
  }
  if (status.state == State::kRunning) text += fmt::format("  {} left", left_text(status));
  if (status.state == State::kSilent) {
    text += fmt::format("  last written {} ago", time_text(status.silent));
  }
  if (!status.games.empty()) {
    text += fmt::format("  Elo {}  {}", elo_text(status.games), games_text(status.games));
  }
  if (!status.recommendation.empty()) {
    text += fmt::format("  now {}: {}", worth_text(status), shortened(status.recommendation, 100));
  }
  return text;
}

bool is_over(const StudyStatus& status) {
  return status.state == State::kDone || status.state == State::kInterrupted ||
         status.state == State::kStopped;
}

/// Waits for the next look. False once Ctrl-C was pressed.
bool wait(const WatchArguments& arguments, const Terminal& terminal) {
  constexpr auto kStep = std::chrono::milliseconds(50);
  const Clock::time_point end = seconds_from_now(arguments.interval);
  while (Clock::now() < end) {
    if (terminal.is_interrupted()) return false;
    std::this_thread::sleep_for(kStep);
  }
  return !terminal.is_interrupted();
}

std::string table_of(std::vector<std::unique_ptr<StudyWatch>>& studies, bool& over) {
  std::vector<StudyStatus> all;
  for (const std::unique_ptr<StudyWatch>& study : studies) all.push_back(study->look());
  const bool games =
      std::ranges::any_of(all, [](const StudyStatus& status) { return !status.games.empty(); });
  std::vector<std::string> titles = {"<study", "<state", "done",   "evaluations", "runs",
                                     "rate",   "left",   "failed", "value"};
  const bool cut_off =
      std::ranges::any_of(all, [](const StudyStatus& status) { return status.cut_off > 0; });
  if (cut_off) titles.insert(titles.end() - 1, "cut off");
  if (games) titles.insert(titles.end(), {"Elo", "<games"});
  titles.emplace_back("<recommendation");
  TextTable table(titles);
  over = std::ranges::all_of(all, is_over);
  for (std::size_t i = 0; i < studies.size(); ++i) {
    const StudyStatus& status = all[i];
    const std::optional<double> worth = status.value ? status.value : status.estimate;
    std::vector<std::string> row = {
        shortened(studies[i]->title(), 24),
        state_text(status.state),
        share_text(status),
        count_text(status.evaluations),
        fmt::format("{}/{}", count_text(status.runs), count_text(status.total_runs)),
        rate_text(status),
        left_text(status),
        count_text(status.failures)};
    if (cut_off) row.push_back(count_text(status.cut_off));
    row.push_back(!worth ? "-" : short_number(*worth) + (status.value ? "" : "~"));
    if (games) {
      row.push_back(elo_text(status.games) + (status.games.empty() || status.value ? "" : "~"));
      row.push_back(status.games.empty() ? "" : games_text(status.games));
    }
    row.push_back(shortened(status.recommendation, 60));
    table.add_row(row);
  }
  return table.text();
}

/// With lines that fit the terminal, as many as before.
std::string fitting(const std::string& table) {
  std::string text;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    text += shortened(line, columns() - 1) + '\n';
  }
  return text;
}

}  // namespace

int watch_command(const WatchArguments& arguments, const Terminal& terminal) {
  StudyWatch study(arguments.folders[0]);
  std::string before;
  for (;;) {
    const StudyStatus status = study.look();
    const std::string line = line_of(status);
    const bool last = arguments.once || is_over(status);
    if (terminal.live && !last) {
      terminal.err << "\r\x1b[K" << shortened(line, columns() - 1) << std::flush;
    } else {
      if (terminal.live) terminal.err << "\r\x1b[K" << std::flush;
      if (line != before) terminal.out << line << std::endl;
    }
    before = line;
    if (last || !terminal.out) return kDone;
    if (!wait(arguments, terminal)) {
      if (terminal.live) terminal.err << '\n';
      return kInterrupted;
    }
  }
}

int top_command(const WatchArguments& arguments, const Terminal& terminal) {
  std::vector<std::unique_ptr<StudyWatch>> studies;
  for (const std::string& folder : arguments.folders) {
    studies.push_back(std::make_unique<StudyWatch>(folder));
  }
  for (;;) {
    bool over = false;
    const std::string table = table_of(studies, over);
    const bool last = arguments.once || over;
    (terminal.live && !last ? terminal.err : terminal.out)
        << (terminal.live ? fitting(table) : table)
        << "~ by the model and by the games of the search or the comparison, else by the hold-out\n"
        << std::flush;
    if (last || !terminal.out) return kDone;
    if (!wait(arguments, terminal)) return kInterrupted;
    if (terminal.live) {
      const auto lines = std::ranges::count(table, '\n') + 1;
      terminal.err << fmt::format("\x1b[{}A\x1b[J", lines) << std::flush;
    } else {
      terminal.out << '\n';
    }
  }
}

}  // namespace ntune::cli
