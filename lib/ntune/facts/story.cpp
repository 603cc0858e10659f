#include "ntune/facts/story.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/program.h"
#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/facts/front_text.h"
#include "ntune/facts/result_facts.h"
#include "ntune/study/keys/objective_maps.h"

namespace ntune {

namespace {

/// A number with so many decimals; whole ones from 10,000 on with commas.
std::string decimal_text(double value, int decimals) {
  constexpr double kMost = 1e15;
  if (!std::isfinite(value) || std::abs(value) >= kMost) return fmt::format("{:.4g}", value);
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find_first_not_of("-0.") == std::string::npos && text[0] == '-') text.erase(0, 1);
  // Commas go in from the point to the left, three digits apart.
  constexpr double kLong = 1e4;
  if (std::abs(value) < kLong) return text;
  const std::size_t begin = text[0] == '-' ? 1 : 0;
  const std::size_t point = std::min(text.find('.'), text.size());
  for (std::size_t at = point; at > begin + 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

/// The interval, unless it has no width but what rounding leaves.
std::optional<Interval> shown(const std::optional<Interval>& interval) {
  if (!interval || !std::isfinite(interval->low) || !std::isfinite(interval->high)) return {};
  constexpr double kRounding = 1e-9;
  const double size = std::max(std::abs(interval->low), std::abs(interval->high));
  return interval->high - interval->low > kRounding * size ? interval : std::nullopt;
}

/// The number of a fact with its interval; nothing where it is words or infinite.
std::optional<StoryNumber> number_of(const Facts& facts, const char* key) {
  const Fact* fact = find_fact(facts, key);
  const auto* value = fact == nullptr ? nullptr : std::get_if<double>(&fact->value);
  if (value == nullptr || !std::isfinite(*value)) return std::nullopt;
  return StoryNumber{*value, shown(fact->interval)};
}

/// The power of ten of a number's first digit.
int order_of(double number) { return static_cast<int>(std::floor(std::log10(number))); }

/// "+33", "-inf".
std::string elo_text(double elo) {
  return std::isfinite(elo) ? fmt::format("{:+.0f}", elo) : elo > 0 ? "+inf" : "-inf";
}

/// "[+23, +44]".
std::string elo_ends_text(const Rating& elo) {
  return fmt::format("[{}, {}]", elo_text(elo.interval.low), elo_text(elo.interval.high));
}

class StoryTeller {
 public:
  StoryTeller(const Study& study, const SavedResult& result, std::string folder, std::int64_t made)
      : study_(study),
        result_(result),
        objective_(*study.objectives[0].objective),
        folder_(std::move(folder)),
        made_(std::max(made, result.evaluations)),
        facts_(result_facts(study, result)) {}

  Story tell() {
    story_.verdict = verdict_of(result_).value_or(Verdict::kStopped);
    story_.tested = result_.incumbent && result_.incumbent->tested;
    if (result_.front) {  // of several goals, which has tables of its own
      story_.sentence = front_sentence(study_, *result_.front);
      return std::move(story_);
    }
    if (result_.recommendation) {
      story_.alarm = alarm();
      add_numbers();
      add_changes();
    }
    add_sample();
    story_.sentence = sentence();
    story_.measured = measured();
    add_doubts();
    story_.next = next();
    return std::move(story_);
  }

 private:
  /// Takes values, gain and Elo from the facts, and chooses the digits of all.
  void add_numbers() {
    // A value by definition was not found by any call.
    if (!result_.recommendation->fresh.is_level()) story_.found = number_of(facts_, "value");
    if (result_.incumbent) story_.today = number_of(facts_, "default");
    story_.gain = number_of(facts_, "difference");
    if (story_.gain) {
      const Fact* apart = find_fact(facts_, "elo_difference");
      if (apart == nullptr && is_match()) apart = find_fact(facts_, "elo");
      if (apart != nullptr) story_.elo = Rating{std::get<double>(apart->value), *apart->interval};
    }
    // Values are told in the user's unit: percent of games, cost or score.
    StoryUnit& unit = story_.unit;
    if (is_told_in_percent(objective_)) unit.kind = StoryUnit::Kind::kWinRate;
    if (objective_.unit().is_cost()) unit.kind = StoryUnit::Kind::kCost;
    const double scale = unit.kind == StoryUnit::Kind::kWinRate ? 100.0 : 1.0;
    // The narrowest interval says how many decimals all numbers have: two digits of its half width.
    double half = 0.0;
    for (const auto& number : {story_.found, story_.today, story_.gain}) {
      if (!number || !number->interval) continue;
      const double width = 0.5 * scale * (number->interval->high - number->interval->low);
      half = half > 0.0 ? std::min(half, width) : width;
    }
    if (half <= 0.0) return;
    double size = 0.0;
    for (const auto& number : {story_.found, story_.today}) {
      if (number) size = std::max(size, scale * std::abs(number->value));
    }
    // Beside a gain no more than six digits in all, but for one that would be lost in them. Else as
    // many as a number has.
    const int digits = story_.gain ? 6 : 15;
    const int most = size > 0.0 ? digits - 1 - order_of(size) : digits;
    unit.decimals = std::max(0, std::min(1 - order_of(half), std::max(most, gain_decimals(scale))));
  }

  /// Decimals that show two digits of the gain or of the larger end of its interval.
  [[nodiscard]] int gain_decimals(double scale) const {
    if (!story_.gain) return 0;
    const double value = story_.gain->value;
    const Interval ends = story_.gain->interval.value_or(Interval{value, value});
    const double size = std::max({std::abs(value), std::abs(ends.low), std::abs(ends.high)});
    return size > 0.0 ? 1 - order_of(scale * size) : 0;
  }

  /// True where every match is against today's setting.
  [[nodiscard]] bool is_match() const {
    return result_.incumbent && result_.incumbent->fresh.is_level();
  }

  /// Lists the parameters with their values today and as found.
  void add_changes() {
    const SearchSpace& space = objective_.space();
    const Point& found = result_.recommendation->point;
    const Point* today = result_.incumbent ? &result_.incumbent->point : nullptr;
    const auto text = [&](const Point& point, int i) {
      if (!space.is_active(point, i)) return std::string("inactive");
      return printable(value_text(space.value(point, i)), 60);
    };
    // Values of today stand beside those that were found, whether they differ or not.
    for (int i = 0; i < space.dimensions(); ++i) {
      story_.changes.push_back({.parameter = i,
                                .name = printable(space[i].name, 40),
                                .today = today == nullptr ? "" : text(*today, i),
                                .found = text(found, i),
                                .moved = today == nullptr || differs(space, *today, found, i),
                                .importance = importance_of(space[i].name)});
    }
    put_in_order(story_.changes);
  }

  /// The share of what the search saw that goes with a parameter; 0 where it is not known.
  [[nodiscard]] double importance_of(const std::string& name) const {
    return result_.importance ? share_of(*result_.importance, name) : 0.0;
  }

  /// Fresh games of the recommendation; 0: it was measured by calls.
  [[nodiscard]] std::int64_t games() const {
    return result_.elo && result_.elo->from.value_or("hold_out") != "comparison"
               ? result_.elo->games.games.games()
               : 0;
  }

  /// Fresh games of today's setting: fewer where opponents are drawn and it is one of them, since
  /// nothing is played against itself.
  [[nodiscard]] std::int64_t games_of_today() const {
    const std::optional<SavedElo>& elo = result_.incumbent->elo;
    return games() > 0 && elo ? elo->games.games.games() : games();
  }

  /// Says by how many fresh calls or games the numbers were found.
  void add_sample() {
    if (!story_.found) return;
    // Games are counted where the hold-out played any, else calls.
    const std::int64_t calls = result_.recommendation->fresh.measured();
    const std::string what =
        games() > 0 ? counted(games(), "fresh game") : counted(calls, "fresh call");
    if (is_match()) {
      story_.sample = what + " against today's setting";
    } else if (story_.today && !is_default()) {
      const std::int64_t others = result_.incumbent->fresh.measured();
      const std::int64_t games_of_others = games_of_today();
      if (others != calls) {
        story_.sample = what + fmt::format(", {} of today's; gain by the seeds that both had",
                                           counted(others, "call"));
      } else if (games_of_others != games()) {
        story_.sample =
            what + fmt::format(", {} of today's, same seeds", count_text(games_of_others));
      } else {
        story_.sample = what + " each, same seeds";
      }
    } else {
      story_.sample = what;
    }
    if (!study_.instances.test.empty()) story_.sample += ", of the test instances";
    if (story_.gain && result_.incumbent->constant) story_.sample += ", every pair with this gain";
  }

  /// Whether the study recommends today's setting.
  [[nodiscard]] bool is_default() const {
    return result_.incumbent && result_.incumbent->point == result_.recommendation->point;
  }

  /// Whether values are shares of games won, not of points.
  [[nodiscard]] bool wins() const {
    return result_.elo ? result_.elo->games.games.draws == 0
                       : unit_text(objective_) == "win rate" && !is_match();
  }

  /// "it wins 55.1 % of its games".
  [[nodiscard]] std::string worth(double value) const {
    const std::string text = story_.unit.text(value);
    switch (story_.unit.kind) {
      case StoryUnit::Kind::kWinRate:
        if (!wins()) return "it scores " + text;
        return games() > 0 ? "it wins " + text + " of its games" : "it wins " + text;
      case StoryUnit::Kind::kCost:
        return "its cost is " + text;
      case StoryUnit::Kind::kScore:
        break;
    }
    return "it scores " + text;
  }

  /// What else than the numbers the finding is for; of a keep or an open one.
  [[nodiscard]] std::string reason() const {
    if (result_.all_cut_off()) return "every call was " + all_unsolved_text(study_);
    return result_.incumbent ? standing_reason(*result_.incumbent) : "";
  }

  /// The worst warning as a sentence, unless the verdict is of it.
  [[nodiscard]] std::string alarm() const {
    if (!result_.warnings || result_.warnings->empty()) return {};
    std::string text = result_.warnings->front();
    if (text == reason()) return {};
    if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text + '.';
  }

  /// The verdict in one sentence.
  [[nodiscard]] std::string sentence() const {
    switch (story_.verdict) {
      case Verdict::kUse:
        return use_sentence();
      case Verdict::kKeep:
        return "Keep today's setting: " +
               (reason().empty() ? "nothing better was found" : reason()) + ".";
      case Verdict::kNotDecided:
        return open_sentence();
      case Verdict::kChoose:
      case Verdict::kStopped:
        break;
    }
    return stopped_sentence();
  }

  /// "it solves 38 of 40 runs, today's 30 of 40", where it solves a larger share of them.
  [[nodiscard]] std::string solved_text() const {
    const SavedMeasurement& ours = result_.recommendation->fresh;
    const SavedMeasurement& theirs = result_.incumbent->fresh;
    if (!ours.solved || !theirs.solved) return {};
    const std::int64_t runs = tried_evaluations(study_, ours);
    const std::int64_t others = tried_evaluations(study_, theirs);
    // Shares are compared without dividing, as counts may be 0.
    if (*ours.solved * others <= *theirs.solved * runs) return {};
    return fmt::format("it solves {} of {}, today's {} of {}", count_text(*ours.solved),
                       counted(runs, "run"), count_text(*theirs.solved), count_text(others));
  }

  /// Why to use the setting: the strongest reason there is.
  [[nodiscard]] std::string use_sentence() const {
    if (!result_.incumbent) {
      if (story_.found) return "Use this setting: " + worth(story_.found->value) + ".";
      const std::string text = story_.unit.text(result_.recommendation->estimate);
      return fmt::format("Use this setting: the search expects {} of it; nothing has measured it.",
                         text);
    }
    // What it solves more weighs more than what it costs less.
    if (const std::string solved = solved_text(); !solved.empty()) {
      return "Use the new setting: " + solved + ".";
    }
    if (!reason().empty()) return "Use the new setting: " + reason() + ".";
    if (is_match() && story_.elo && std::isfinite(story_.elo->value)) {
      return fmt::format("Use the new setting: it is {:.0f} Elo stronger than today's.",
                         story_.elo->value);
    }
    if (!story_.found || !story_.today) return "Use the new setting: it is better than today's.";
    return fmt::format("Use the new setting: {}, today's {}.", worth(story_.found->value),
                       story_.unit.text(story_.today->value));
  }

  /// Why neither is shown to be better, and how many more evaluations would tell.
  [[nodiscard]] std::string open_sentence() const {
    if (!reason().empty()) return "Not decided: " + reason() + ".";
    if (!story_.gain) return "Not decided: new and today's setting were not measured afresh.";
    std::string text = fmt::format("Not decided: {}{}.", story_.unit.gain_text(story_.gain->value),
                                   story_.unit.ends_text(*story_.gain, true));
    // Evaluations are calls; of matches the games that they hold are told.
    const auto more = result_.incumbent->evaluations_to_decide;
    if (!more) return text;
    const double per_call = games_per_evaluation(result_);
    const auto count =
        static_cast<std::int64_t>(std::lround(*more * (per_call > 0.0 ? per_call : 1.0)));
    return text + fmt::format(" About {} would tell.",
                              counted(count, per_call > 0.0 ? "more game" : "more call"));
  }

  /// How far a study came that has not ended.
  [[nodiscard]] std::string stopped_sentence() const {
    const std::string text = stopped_after(made_, result_.budget.total);
    if (!result_.recommendation) return text + ": no search has ended, nothing is measured.";
    return text + (story_.found
                       ? fmt::format(": of the best so far, {}.", worth(story_.found->value))
                       : ": the best so far is not measured.");
  }

  /// The gain and what it rests on, unless the sentence has said it.
  [[nodiscard]] std::string measured() const {
    if (!story_.found) return {};
    // Without another setting there is only its own interval.
    if (!story_.gain || is_default()) {
      const std::string ends = story_.unit.ends_text(*story_.found);
      return ends.empty() ? "In " + story_.sample + "."
                          : fmt::format("95 % interval{}, in {}.", ends, story_.sample);
    }
    if (story_.verdict == Verdict::kNotDecided && reason().empty()) {
      return "In " + story_.sample + ".";  // the sentence has the gain
    }
    const bool tried = story_.verdict != Verdict::kUse;
    // The sentence of a match tells its Elo. That of a test has numbers of its own.
    const bool has_elo =
        !tried && is_match() && reason().empty() && story_.elo && std::isfinite(story_.elo->value);
    return fmt::format("{} {}, in {}.",
                       tried           ? "The best that was tried:"
                       : story_.tested ? "The study itself measured"
                                       : "That is",
                       story_.gain_text(has_elo), story_.sample);
  }

  /// Failures and cut-offs of a tenth of all calls and more.
  void add_doubts() {
    const double calls = static_cast<double>(std::max<std::int64_t>(1, result_.evaluations));
    constexpr double kMany = 0.1;
    const auto share = [&](std::int64_t count) { return static_cast<double>(count) / calls; };
    // A tenth of failed or cut-off calls is worth a warning.
    if (share(result_.failures.count) >= kMany) {
      story_.doubts.push_back(
          fmt::format("{:.0f} % of the calls failed.", 100.0 * share(result_.failures.count)));
    }
    add_missing_instances();
    const bool all_cut_off = result_.all_cut_off();
    const std::string ended = unsolved_text(study_);
    if (all_cut_off && story_.sentence.find(ended) != std::string::npos) return;
    if (share(result_.endings.cut_off) >= kMany) {
      story_.doubts.push_back(fmt::format("{:.0f} % of the calls were {}.",
                                          100.0 * share(result_.endings.cut_off),
                                          all_cut_off ? all_unsolved_text(study_) : ended));
    }
  }

  /// A value that is to be the mean of all instances is one of those that were visited.
  void add_missing_instances() {
    const InstanceList& instances = study_.instances.held_out();
    const std::int64_t all = std::ssize(instances.all());
    if (!story_.found || !result_.instances || result_.recommendation->fresh.measured() == 0)
      return;
    const bool test = !study_.instances.test.empty();
    const auto visited = std::ranges::count(*result_.instances, test, &InstanceRow::test);
    if (visited >= all) return;
    story_.doubts.push_back(fmt::format(
        "{} of {} {} not measured; `hold_out: {}` visits all.", count_text(all - visited),
        counted(all, "instance"), all - visited == 1 ? "was" : "were", instances.visits_of_all()));
  }

  /// The command that follows from the verdict; empty where nothing is to be done.
  [[nodiscard]] std::string next() const {
    const std::string folder = folder_.empty() ? "DIR" : folder_;
    // A test needs today's setting, and evaluations that we make ourselves.
    switch (story_.verdict) {
      case Verdict::kUse:
      case Verdict::kNotDecided:
        if (!result_.incumbent || story_.tested || is_asked(study_)) break;
        return "ntune verify " + shown_word(folder);
      case Verdict::kKeep:
      case Verdict::kChoose:
        return {};
      case Verdict::kStopped:
        return go_on_command(study_, folder);
    }
    return {};
  }

  const Study& study_;
  const SavedResult& result_;
  const Objective& objective_;
  std::string folder_;
  std::int64_t made_;  ///< calls
  Facts facts_;
  Story story_;
};

}  // namespace

std::string StoryUnit::number_text(double value) const {
  // A small number with many decimals is told by its order.
  constexpr int kMostDecimals = 9;
  constexpr double kSmall = 1e-5;
  const int places = decimals.value_or(1);
  const double size = std::abs(value);
  if (places <= kMostDecimals || size >= kSmall || size == 0.0) return decimal_text(value, places);
  return fmt::format("{:.{}e}", value, std::clamp(places + order_of(size), 0, 15));
}

std::string StoryUnit::text(double value) const {
  if (kind == Kind::kWinRate) return number_text(100.0 * value) + " %";
  return decimals ? number_text(value) : score_text(value);
}

std::string StoryUnit::gain_text(double gain) const {
  const double shown_gain = kind == Kind::kWinRate ? 100.0 * gain : gain;
  std::string text =
      decimals || kind == Kind::kWinRate ? number_text(shown_gain) : score_text(shown_gain);
  if (text[0] != '-') text = '+' + text;
  const bool is_one = text.substr(1) == "1";
  return kind == Kind::kWinRate ? text + (is_one ? " point" : " points") : text;
}

std::string StoryUnit::ends_text(const StoryNumber& number, bool is_gain) const {
  if (!number.interval) return {};
  const bool signs = is_gain && number.interval->low < 0.0;
  const auto end = [&](double value) {
    const double scaled = kind == Kind::kWinRate ? 100.0 * value : value;
    const std::string text = number_text(scaled);
    return signs && text[0] != '-' ? '+' + text : text;
  };
  return fmt::format(" [{}, {}]", end(number.interval->low), end(number.interval->high));
}

std::string Story::found_title() const {
  if (!has_changes()) return "setting";
  return verdict == Verdict::kUse ? "new" : "tried";
}

bool Story::has_changes() const {
  return std::ranges::any_of(
      changes, [](const Change& change) { return !change.today.empty() && !change.stays(); });
}

std::string Story::gain_text(bool elo_is_told) const {
  if (!gain) return {};
  std::string text = unit.gain_text(gain->value) + unit.ends_text(*gain, true);
  if (elo) text += ", Elo " + (elo_is_told ? "" : elo_text(elo->value) + ' ') + elo_ends_text(*elo);
  // A cost is also told as a share of today's.
  if (unit.kind == StoryUnit::Kind::kCost && today && today->value > 0.0) {
    const double share = 100.0 * gain->value / today->value;
    constexpr double kLeast = 0.005;
    const int decimals = std::abs(share) < 1.0 ? 2 : std::abs(share) < 10.0 ? 1 : 0;
    if (std::abs(share) >= kLeast) {
      text +=
          fmt::format(", {:.{}f} % {}", std::abs(share), decimals, share < 0.0 ? "less" : "more");
    }
  }
  return text;
}

std::string stopped_after(std::int64_t calls, std::int64_t planned) {
  if (planned == 0) return "Stopped after " + counted(calls, "call");
  return fmt::format("Stopped after {} of {}", count_text(calls), counted(planned, "call"));
}

std::string go_on_command(const Study& study, const std::string& folder) {
  const std::string word = shown_word(folder);
  return is_asked(study) ? "ntune ask " + word
                         : fmt::format("ntune run STUDY --out {} --resume", word);
}

void put_in_order(std::vector<Story::Change>& changes) {
  std::ranges::stable_sort(changes, std::ranges::greater(), [](const Story::Change& change) {
    return std::pair(!change.stays(), change.importance);
  });
}

bool differs(const SearchSpace& space, const Point& one, const Point& other, int parameter) {
  const bool active = space.is_active(one, parameter);
  return active != space.is_active(other, parameter) ||
         (active && one[parameter] != other[parameter]);
}

Story story_of(const Study& study, const SavedResult& result, const std::string& folder,
               std::int64_t made) {
  return StoryTeller(study, result, folder, made).tell();
}

}  // namespace ntune
