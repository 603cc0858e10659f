#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ntune/facts/fact.h"
#include "ntune/study/results/saved_result.h"

namespace ntune {

/// A value beside its interval.
struct StoryNumber {
  double value = 0.0;
  std::optional<Interval> interval = {};  ///< 95 %; none where it has no width
};

/// How the numbers of a story are written: all with as many decimals as two digits of the
/// narrowest interval's half width need. Six digits are enough, but for a gain that needs more.
struct StoryUnit {
  enum class Kind { kWinRate, kCost, kScore } kind = Kind::kScore;
  std::optional<int> decimals = {};  ///< nothing: no interval says how many

  /// A number with the decimals of the unit: "965", "0.731", "9.55e-91".
  [[nodiscard]] std::string number_text(double value) const;
  /// "55.1 %", "965", "0.731".
  [[nodiscard]] std::string text(double value) const;
  /// "+4.8 points", "-168".
  [[nodiscard]] std::string gain_text(double gain) const;
  /// " [54.1, 56.1]", or empty.
  [[nodiscard]] std::string ends_text(const StoryNumber& number, bool is_gain = false) const;
};

/// What a study says to a person, upon its facts: what to do, why, and what next. Terminal and page
/// tell it in the same words and digits.
struct Story {
  /// A parameter's value today and in the setting that was found.
  struct Change {
    int parameter = 0;
    std::string name = {};
    std::string today = {};  ///< empty where no default is declared
    std::string found = {};
    bool moved = true;        ///< its values are not one, whatever their texts are
    double importance = 0.0;  ///< as result.json has it; 0 where it is not known
    [[nodiscard]] bool stays() const { return !moved; }
  };

  Verdict verdict = Verdict::kStopped;
  bool tested = false;        ///< `ntune verify` has tested what was found
  std::string alarm = {};     ///< said before the verdict: what makes it doubtful; mostly empty
  std::string sentence = {};  ///< the verdict in the user's unit
  std::string measured = {};  ///< the gain, and by what it was measured; empty: nothing was
  std::string sample = {};    ///< "8,000 fresh games each, same seeds"
  StoryUnit unit = {};
  std::optional<StoryNumber> today = {};
  std::optional<StoryNumber> found = {};
  std::optional<StoryNumber> gain = {};
  std::optional<Rating> elo = {};        ///< the gain as Elo
  std::vector<Change> changes = {};      ///< in their order; empty: nothing is recommended
  std::vector<std::string> doubts = {};  ///< sentences on what speaks against the numbers
  std::string next = {};                 ///< a sentence or a command

  /// What the column of the setting that was found is called: "new", "tried" or "setting".
  [[nodiscard]] std::string found_title() const;
  /// Whether the setting that was found is another than today's.
  [[nodiscard]] bool has_changes() const;
  /// "+4.8 points [3.3, 6.3], Elo +33 [+23, +44]"; empty without a gain. `elo_is_told`: its
  /// interval alone is added.
  [[nodiscard]] std::string gain_text(bool elo_is_told = false) const;
};

/// Those that change first, and of them the most important first, else as the study names them.
void put_in_order(std::vector<Story::Change>& changes);

/// Tells whether a parameter has another value in one setting than in the other, or is active in
/// one of them alone.
bool differs(const SearchSpace& space, const Point& one, const Point& other, int parameter);

/// "Stopped after 8 of 240 calls"; `planned` 0: limits alone say how many there are.
std::string stopped_after(std::int64_t calls, std::int64_t planned);

/// The command by which a study in this folder goes on.
std::string go_on_command(const Study& study, const std::string& folder);

/// The story of a study that recommends a setting; `folder` is where it lies, for the commands that
/// come next.
/// `made`: its calls, where those of searches that did not end are known too.
Story story_of(const Study& study, const SavedResult& result, const std::string& folder = {},
               std::int64_t made = 0);

/// The story as text of at most 80 columns: the verdict, the values today and new, the numbers and
/// what next.
std::string story_text(const Story& story);

}  // namespace ntune
