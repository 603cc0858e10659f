#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/facts/story.h"

namespace ntune {

namespace {

constexpr std::size_t kColumns = 80;

/// The text with blanks up to a width, before it if it stands at the right.
std::string padded(const std::string& text, std::size_t width, bool right = false) {
  const std::string blanks(width - std::min(width, text_columns(text)), ' ');
  return right ? blanks + text : text + blanks;
}

/// A line without blanks at its end.
std::string without_end(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

/// The values today and new, the changed ones first; of many these alone.
std::string changes_text(const Story& story) {
  constexpr std::size_t kMostRows = 12;
  const std::string title = story.found_title();
  const bool changed = story.has_changes();
  const bool default_stays = !changed && !story.changes.front().today.empty();
  const bool few = story.changes.size() <= kMostRows || !changed;
  std::size_t name = 0;
  std::size_t today = text_columns("today");
  std::size_t found = text_columns(title);
  std::size_t stay = 0;
  // Columns are as wide as their widest text.
  for (const Story::Change& change : story.changes) {
    if (!few && change.stays()) continue;
    name = std::max(name, text_columns(change.name));
    today = std::max(today, text_columns(change.today));
    found = std::max(found, text_columns(change.found));
  }
  if (2 + name + 3 + today + 3 + found > kColumns) {  // a line for each, with what it was
    today = found = 0;
  }
  // The heading names both columns, or today's alone where nothing changes.
  std::string text;
  if (changed) {
    text += without_end("  " + padded("", name) + "   " + padded("today", today, true) + "   " +
                        padded(title, found, true));
  } else if (default_stays) {
    text += without_end("  " + padded("", name) + "   " + padded("today", found, true));
  }
  for (const Story::Change& change : story.changes) {
    // Of many settings those that stay are counted and not listed.
    const bool stays = changed && change.stays();
    if (!few && stays) {
      ++stay;
      continue;
    }
    std::string line = "  " + padded(change.name, name) + "   ";
    if (changed) line += padded(change.today, today, true) + "   ";
    line += padded(change.found, found, true) + (stays ? "  stays" : "");
    text += wrapped(line, name + 5) + '\n';
  }
  if (stay > 0) text += fmt::format("  and {} that stay\n", counted(stay, "value"));
  return text;
}

/// A row of the forest plot.
std::string plot_row(const StoryNumber& number, double low, double high, std::size_t width) {
  const auto place = [&](double value) {
    const double share = high > low ? (value - low) / (high - low) : 0.5;
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(width - 1)));
  };
  // The interval is a line with ends, and the value lies on it.
  std::vector<std::string> cells(width, " ");
  if (number.interval) {
    const std::size_t end = place(number.interval->high);
    for (std::size_t i = place(number.interval->low); i <= end; ++i) cells[i] = "─";
    cells[place(number.interval->low)] = "├";
    cells[end] = "┤";
  }
  cells[place(number.value)] = "●";
  std::string text;
  for (const std::string& cell : cells) text += cell;
  return text;
}

/// New and today's beside each other, with their intervals, and the gain.
std::string numbers_text(const Story& story) {
  struct Row {
    std::string label;
    StoryNumber number;
    std::string text;
  };
  std::vector<Row> rows;
  const auto add = [&](const std::string& label, const std::optional<StoryNumber>& number) {
    if (!number) return;
    const std::string ends = story.unit.ends_text(*number);
    rows.push_back(
        {label, *number, story.unit.text(number->value) + (ends.empty() ? "" : " " + ends)});
  };
  // The setting that was found stands first, today's below it if another.
  const bool compared = story.today && story.has_changes();
  add(story.found_title() == "setting" ? "value" : story.found_title(), story.found);
  if (compared) add("today's", story.today);
  std::string text;
  constexpr std::size_t kLabel = 7;
  // The plot spans all intervals; it is drawn where two rows and at least twelve columns are there
  // for it.
  std::size_t width = 0;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Row& row : rows) {
    width = std::max(width, text_columns(row.text));
    const Interval ends =
        row.number.interval.value_or(Interval{row.number.value, row.number.value});
    low = std::min(low, ends.low);
    high = std::max(high, ends.high);
  }
  constexpr std::size_t kPlot = 32;
  const std::size_t used = 2 + kLabel + 2 + width + 3;
  const bool drawn = compared && rows.size() == 2 && high > low && used + 12 <= kColumns;
  for (const Row& row : rows) {
    std::string line = "  " + padded(row.label, kLabel) + "  " + padded(row.text, width);
    if (drawn) {
      line += "   " + plot_row(row.number, low, high, std::min(kPlot, kColumns - used));
    }
    text += without_end(line);
  }
  // Below follow the gain in words and what was measured.
  if (compared && story.gain) {
    text += wrapped("  gain     " + story.gain_text(), kLabel + 4) + '\n';
  }
  if (!rows.empty()) text += wrapped("           " + story.sample, kLabel + 4) + '\n';
  return text;
}

}  // namespace

std::string story_text(const Story& story) {
  std::string text = story.alarm.empty() ? "" : wrapped(story.alarm, 2) + '\n';
  text += wrapped(story.sentence, 2) + '\n';
  if (!story.changes.empty()) text += '\n' + changes_text(story);
  const std::string numbers = numbers_text(story);
  if (!numbers.empty()) text += '\n' + numbers;
  for (const std::string& doubt : story.doubts) text += '\n' + wrapped("  But: " + doubt, 7) + '\n';
  return text;
}

}  // namespace ntune
