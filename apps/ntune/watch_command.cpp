#include <algorithm>
#include <chrono>
#include <memory>
#include <ostream>
#include <sstream>
#include <thread>

#include <fmt/format.h>

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
  const double total = std::max(1.0, static_cast<double>(status.total_evaluations));
  return fmt::format("{:.0f} %",
                     std::min(100.0, 100.0 * static_cast<double>(status.evaluations) / total));
}

std::string rate_text(const StudyStatus& status) {
  if (!status.rate) return "-";
  return fmt::format("{}/s", short_number(*status.rate, 3));
}

std::string left_text(const StudyStatus& status) {
  if (status.state != State::kRunning || !status.rate || *status.rate <= 0.0) return "-";
  const auto left = static_cast<double>(status.total_evaluations - status.evaluations);
  return time_text(std::max(0.0, left) / *status.rate);
}

/// "0.718 by the hold-out", "0.53 by the model", or nothing.
std::string worth_text(const StudyStatus& status) {
  if (status.value) return short_number(*status.value) + " by the hold-out";
  if (status.estimate) return short_number(*status.estimate) + " by the model";
  return {};
}

std::string line_of(const StudyStatus& status) {
  std::string text = fmt::format(
      "{}  {}  {} of {} evaluations  {} of {} runs  {}", state_text(status.state),
      share_text(status), count_text(status.evaluations), count_text(status.total_evaluations),
      count_text(status.runs), count_text(status.total_runs), rate_text(status));
  if (status.failures > 0) text += fmt::format("  {} failed", count_text(status.failures));
  if (status.state == State::kRunning) text += fmt::format("  {} left", left_text(status));
  if (status.state == State::kSilent) {
    text += fmt::format("  last written {} ago", time_text(status.silent));
  }
  if (!status.recommendation.empty()) {
    text += fmt::format("  now {}: {}", worth_text(status), shortened(status.recommendation, 100));
  }
  return text;
}

bool is_over(const StudyStatus& status) {
  return status.state == State::kDone || status.state == State::kInterrupted;
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
  TextTable table({"<study", "<state", "done", "evaluations", "runs", "rate", "left", "failed",
                   "value", "<recommendation"});
  over = true;
  for (const std::unique_ptr<StudyWatch>& study : studies) {
    const StudyStatus status = study->look();
    over = over && is_over(status);
    const std::optional<double> worth = status.value ? status.value : status.estimate;
    table.add_row({shortened(study->title(), 24), state_text(status.state), share_text(status),
                   count_text(status.evaluations),
                   fmt::format("{}/{}", count_text(status.runs), count_text(status.total_runs)),
                   rate_text(status), left_text(status), count_text(status.failures),
                   !worth ? "-" : short_number(*worth) + (status.value ? "" : "~"),
                   shortened(status.recommendation, 60)});
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
    if (last) return kDone;
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
        << (terminal.live ? fitting(table) : table) << "~ by the model, else by the hold-out\n"
        << std::flush;
    if (last) return kDone;
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
