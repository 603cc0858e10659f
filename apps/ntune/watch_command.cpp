#include <algorithm>
#include <chrono>
#include <memory>
#include <ostream>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/ntune/fleet/fleet_status.h"
#include "apps/ntune/show_commands.h"
#include "apps/ntune/status_line.h"
#include "ntune/core/clock.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/data/study_row.h"
#include "ntune/report/data/study_watch.h"

namespace ntune::cli {

namespace {

using State = StudyStatus::State;

/// Whether nothing more will happen to a study.
bool is_over(const StudyStatus& status) {
  return !status.test && (status.state == State::kDone || status.state == State::kInterrupted ||
                          status.state == State::kStopped);
}

/// The workers of the studies that have any; names of studies where there are several.
std::string workers_of(const std::vector<std::string>& folders) {
  std::string text;
  for (const std::string& folder : folders) {
    const Json workers = present_fleet(folder);
    const std::string summary = fleet_text(workers);
    if (summary.empty()) continue;
    text += fmt::format("{}{}\n", folders.size() > 1 ? printable(folder) + ": " : "", summary);
    text += fleet_lines(workers);
  }
  return text;
}

/// A row for each study as it is now, those first that need a person; `over`: all have ended.
std::string table_of(std::vector<std::unique_ptr<StudyWatch>>& studies, bool& over,
                     std::size_t columns) {
  std::vector<std::pair<StudyStatus, StudyRow>> all;
  for (const std::unique_ptr<StudyWatch>& study : studies) {
    StudyStatus status = study->look();
    StudyRow row = study_row(*study, status);
    all.emplace_back(std::move(status), std::move(row));
  }
  std::ranges::stable_sort(all, {}, [](const auto& one) { return one.second.kind; });
  const auto any = [&](auto has) {
    return std::ranges::any_of(all, [&](const auto& one) { return has(one.first); });
  };
  // Columns of games, cut-offs and faults stand only where a study has any.
  const bool games = any([](const StudyStatus& status) { return !status.games.empty(); });
  const bool cut_off = any([](const StudyStatus& status) { return status.cut_off > 0; });
  const bool forfeits = any([](const StudyStatus& status) { return status.forfeits > 0; });
  std::vector<std::string> titles = {"<study", "<state", "done",       "calls",
                                     "left",   "failed", "best so far"};
  if (cut_off) titles.insert(titles.end() - 1, "cut off");
  if (games) titles.insert(titles.end(), {"Elo", "<games"});
  if (forfeits) titles.emplace_back("faults");
  TextTable table(titles);
  std::vector<std::string> findings;
  over = std::ranges::all_of(all, [](const auto& one) { return is_over(one.first); });
  // "~" marks what the model or the games of the search say.
  for (const auto& [status, study] : all) {
    std::vector<std::string> row = {shortened(study.title, 24), study.state,
                                    share_text(status),         count_text(status.evaluations),
                                    left_text(status),          count_text(status.failures)};
    if (cut_off) row.push_back(count_text(status.cut_off));
    row.push_back(study.best.empty() ? "-" : study.best + (status.value ? "" : "~"));
    if (games) {
      row.push_back(elo_text(status) + (status.games.empty() || !is_selected(status) ? "" : "~"));
      row.push_back(status.games.empty() ? "" : games_text(status.games));
    }
    if (forfeits) row.push_back(count_text(status.forfeits));
    findings.push_back(shortened(study.finding, 160));
    table.add_row(row);
  }
  return with_findings(table.text(), findings, columns);
}

/// The table with each line cut to fit the terminal.
std::string fitting(const std::string& table) {
  std::string text;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    text += shortened(line, columns() - 1) + '\n';
  }
  return text;
}

}  // namespace

bool wait(double seconds, const Terminal& terminal) {
  constexpr auto kStep = std::chrono::milliseconds(50);
  const Clock::time_point end = seconds_from_now(seconds);
  while (Clock::now() < end) {
    if (terminal.is_interrupted()) return false;
    std::this_thread::sleep_for(kStep);
  }
  return !terminal.is_interrupted();
}

int watch_command(const WatchArguments& arguments, const Terminal& terminal) {
  if (arguments.port) return serve_page(arguments, terminal);
  StudyWatch study(arguments.folders[0]);
  std::string before;
  for (;;) {
    const StudyStatus status = study.look();
    const std::string line = status_line(status);
    const bool last = arguments.once || is_over(status);
    // A live line is overwritten; elsewhere a line is printed when it has changed.
    if (terminal.live && !last) {
      terminal.err << "\r\x1b[K" << shortened(line, columns() - 1) << std::flush;
    } else {
      if (terminal.live) terminal.err << "\r\x1b[K" << std::flush;
      if (line != before) terminal.out << line << std::endl;
    }
    // The same line twice says nothing new.
    before = line;
    if (last || !terminal.out) return kDone;
    if (!wait(arguments.interval, terminal)) {
      if (terminal.live) terminal.err << '\n';
      return kInterrupted;
    }
  }
}

int top_command(const TopArguments& arguments, const Terminal& terminal) {
  std::vector<std::unique_ptr<StudyWatch>> studies;
  for (const std::string& folder : arguments.folders) {
    studies.push_back(std::make_unique<StudyWatch>(folder));
  }
  for (;;) {
    bool over = false;
    const std::size_t width = terminal.live ? columns() - 1 : std::string::npos;
    const std::string table = table_of(studies, over, width) + workers_of(arguments.folders);
    // The last table stays on the screen. A script, which has no terminal, gets one.
    const bool last = arguments.once || over || !terminal.live;
    (last ? terminal.out : terminal.err)
        << (terminal.live ? fitting(table) : table)
        << "~ by the model, or of the calls that chose it: expect less; else by the hold-out\n"
        << std::flush;
    if (last || !terminal.out) return kDone;
    if (!wait(arguments.interval, terminal)) return kInterrupted;
    // A live table goes back to its first line before it is written again.
    const auto lines = std::ranges::count(table, '\n') + 1;
    terminal.err << fmt::format("\x1b[{}A\x1b[J", lines) << std::flush;
  }
}

}  // namespace ntune::cli
