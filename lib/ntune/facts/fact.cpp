#include "ntune/facts/fact.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

/// A number with the digits of the fact.
std::string written(const Fact& fact, double value) {
  switch (fact.digits) {
    case Digits::kScore:
      return score_text(value, fact.interval ? fact.interval : fact.like);
    case Digits::kSigned:
    case Digits::kDifference:
      return signed_score_text(value, fact.interval);
    case Digits::kElo:
      return fmt::format("{:+.1f}", value);
    case Digits::kProbability:
      return fmt::format("{:.3f}", value);
    case Digits::kPercent:
      break;
  }
  return fmt::format("{:.0f} %", 100.0 * value);
}

}  // namespace

const Fact* find_fact(const Facts& facts, std::string_view key) {
  const auto found = std::ranges::find(facts, key, &Fact::key);
  return found == facts.end() ? nullptr : &*found;
}

Fact elo_fact(std::string key, std::string label, const Rating& rating, std::string after) {
  return {.key = std::move(key),
          .label = std::move(label),
          .value = rating.value,
          .interval = rating.interval,
          .digits = Digits::kElo,
          .after = std::move(after)};
}

std::string text_of(const Fact& fact) {
  if (const auto* number = std::get_if<double>(&fact.value)) return written(fact, *number);
  if (const auto* count = std::get_if<std::int64_t>(&fact.value)) return count_text(*count);
  const auto* words = std::get_if<std::string>(&fact.value);
  return words == nullptr ? "" : *words;
}

std::pair<Fact, Fact> ends_of(const Fact& fact) {
  Fact low{.value = fact.interval->low, .interval = fact.interval, .digits = fact.digits};
  if (low.digits == Digits::kSigned) low.digits = Digits::kScore;
  Fact high = low;
  high.value = fact.interval->high;
  return {low, high};
}

std::string ends_text(const Fact& fact) {
  if (!fact.interval || fact.interval->low == fact.interval->high) return {};
  const auto [low, high] = ends_of(fact);
  return fmt::format("[{}, {}]", text_of(low), text_of(high));
}

std::string short_text(const Fact& fact) {
  const std::string ends = ends_text(fact);
  return text_of(fact) + (ends.empty() ? "" : " " + ends);
}

std::string facts_text(const Facts& facts, Fact::Part part, std::size_t width) {
  const std::size_t indent = width > 0 ? width + 4 : 2;
  std::string text;
  std::string line;
  const auto end_line = [&] {
    if (!line.empty()) text += wrapped(line, indent) + '\n';
    line.clear();
  };
  for (const Fact& fact : facts) {
    if (fact.part != part) continue;
    if (!fact.continues) {
      end_line();
      if (width > 0) line = fmt::format("  {:<{}}  ", fact.label, width);
    }
    line += fact.before + text_of(fact);
    const std::string ends = ends_text(fact);
    if (!ends.empty()) line += (fact.brief ? " " : "  95 % interval ") + ends;
    line += fact.after;
  }
  end_line();
  return text;
}

}  // namespace ntune
