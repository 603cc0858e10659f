#include "apps/ntune/status_line.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/core/time_text.h"
#include "ntune/plot/axis.h"
#include "ntune/plot/svg_text.h"

namespace ntune::cli {

namespace {

using State = StudyStatus::State;

/// "250 of 300 evaluations"; of a study that is done "250 of 300 evaluations planned".
std::string evaluations_text(const StudyStatus& status) {
  if (status.total_evaluations == 0) {
    return counted(status.evaluations, "evaluation");
  }
  return fmt::format("{} of {}{}", count_text(status.evaluations),
                     counted(status.total_evaluations, "evaluation"),
                     status.state == State::kDone ? " planned" : "");
}

/// The value by the hold-out with the digits of its interval, else by the model, or nothing.
std::string worth_number(const StudyStatus& status) {
  if (status.value) return score_text(*status.value, status.interval);
  return status.estimate ? score_text(*status.estimate) : std::string();
}

const char* state_text(State state) {
  constexpr std::array kNames = {"done", "interrupted", "running", "silent", "stopped"};
  return kNames[static_cast<std::size_t>(state)];
}

/// "12.3/s", or "-".
std::string rate_text(const StudyStatus& status) {
  if (!status.rate) return "-";
  return fmt::format("{}/s", short_number(*status.rate, 3));
}

/// "0.7180 by the hold-out", "0.5300 by the model", or nothing.
std::string worth_text(const StudyStatus& status) {
  const std::string worth = worth_number(status);
  return worth.empty() ? worth : worth + (status.value ? " by the hold-out" : " by the model");
}

}  // namespace

std::string share_text(const StudyStatus& status) {
  return fmt::format("{:.0f} %", 100.0 * status.share());
}

std::string left_text(const StudyStatus& status) {
  const std::optional<double> left = status.seconds_left();
  return left ? duration_text(std::ceil(*left)) : "-";
}

bool is_selected(const StudyStatus& status) {
  return !status.elo || status.elo->from == "comparison";
}

std::string elo_text(const StudyStatus& status) {
  if (status.games.empty()) return "-";
  const Rating elo = status.elo ? status.elo->elo : match_elo(status.games);
  const double half = 0.5 * (elo.interval.high - elo.interval.low);
  if (!std::isfinite(elo.value) || !std::isfinite(half)) return "-";
  return fmt::format("{:+.0f} ±{:.0f}", elo.value, half);
}

std::string games_text(const GameCounts& games) {
  const auto& [wins, draws, losses] = games.games;
  std::string text = fmt::format("+{} ={} -{}", wins, draws, losses);
  if (games.are_paired()) text += fmt::format(" [{}]", fmt::join(games.pairs.counts, " "));
  return text;
}

std::string with_findings(const std::string& table, const std::vector<std::string>& findings,
                          std::size_t columns) {
  std::vector<std::string> lines;
  std::istringstream rows(table);
  for (std::string line; std::getline(rows, line);) lines.push_back(line);
  const auto widest = [](const std::vector<std::string>& texts) {
    return text_columns(*std::ranges::max_element(texts, {}, text_columns));
  };
  std::vector<std::string> said = {"finding", ""};  // beside the titles and their rule
  said.insert(said.end(), findings.begin(), findings.end());
  const std::size_t width = widest(lines);
  said[1] = std::string(widest(said), '-');
  const bool beside = width + 2 + said[1].size() <= columns;
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += lines[i];
    if (beside && !said[i].empty()) {
      text += std::string(width - text_columns(lines[i]) + 2, ' ') + said[i];
    }
    text += '\n';
    if (!beside && i > 1 && !said[i].empty()) text += wrapped("    " + said[i], 4, columns) + '\n';
  }
  return text;
}

std::string status_line(const StudyStatus& status) {
  std::string text =
      fmt::format("{}  {}  {}  {} of {}  {}", state_text(status.state), share_text(status),
                  evaluations_text(status), count_text(status.runs),
                  counted(status.total_runs, "run"), rate_text(status));
  if (status.failures > 0) text += fmt::format("  {} failed", count_text(status.failures));
  if (status.forfeits > 0) {
    text += fmt::format("  {} of {} lost by a fault", count_text(status.forfeits),
                        counted(status.all_games, "game"));
  }
  if (status.cut_off > 0) text += fmt::format("  {} cut off", count_text(status.cut_off));
  if (status.limits.cost) {
    text += fmt::format("  cost {} of {}", short_number(status.cost_used),
                        short_number(*status.limits.cost));
  }
  if (status.state == State::kRunning && status.seconds_left()) {
    text += fmt::format("  {} left", left_text(status));
  }
  if (status.state == State::kSilent) {
    text += fmt::format("  last written {} ago", duration_text(status.silent));
  }
  if (!status.games.empty()) {
    text += fmt::format("  Elo {}  {}{}", elo_text(status), games_text(status.games),
                        is_selected(status) ? " (of the games that chose it: expect less)" : "");
  }
  if (!status.comparison.empty()) {
    text += fmt::format("  comparison of {}", status.comparison);
  } else if (!status.front.empty()) {
    text += "  " + status.front;
  } else if (!status.recommendation.empty()) {
    text += fmt::format("  now {}: {}", worth_text(status), shortened(status.recommendation, 100));
    if (!status.verdict.empty()) {
      const bool tested = status.story && status.story->tested;
      text += fmt::format("  verdict {}{}", status.verdict["verdict"].get<std::string>(),
                          tested ? " by ntune verify" : "");
    }
  }
  if (status.test) text += "  " + test_line(*status.test);
  if (!status.fault.empty()) text += "  " + status.fault;
  return text;
}

}  // namespace ntune::cli
