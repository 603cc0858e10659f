#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/space/widened_space.h"
#include "ntune/study/journal/journal_line.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// The configuration that a journal names last: of its first line, or of the last one that says
/// that the study has been given more. Throws InputError for a text that is no journal.
Json last_config(std::string_view text, const std::string& name);

/// Fills in the plan of a study with `split: auto`; false where it is known already.
bool take_chosen_split(Study& study, const RunPlan& split);

/// Fills in the plan of a study with `split: auto`: as its journal says where that was chosen
/// before, so that neither time nor another version changes what was begun, or else by simulation
/// (advise_split). `journal` is its text, perhaps empty.
void settle_split(Study& study, std::string_view journal);

/// Prepares a study to go on in a folder. Its journal may hold less of the study: fewer or shorter
/// runs, fewer repeats or hold-out evaluations, or a narrower space. That then becomes the study's
/// last earlier stage. A split that was chosen by simulation keeps its number of runs. Without a
/// journal, or where it is of another study, nothing changes. Throws InputError where the journal
/// holds more.
void go_on_from(const std::filesystem::path& folder, Study& study);

/// The lines of a study's journal with their points, of both players of a match, in the space that
/// the study has now. Traces of runs stay as they are. Lines that no journal of the study can hold
/// are refused: of a cell or an instance that it does not have, and of offered points out of its
/// space.
class LinePlacer {
 public:
  /// The study must outlive this. `name`: of the journal, for messages.
  LinePlacer(const Study& study, std::string name) : study_(study), name_(std::move(name)) {}

  /// The next line; valid until the next call. Throws InputError.
  const JournalLine& operator()(const JournalLine& line);

 private:
  void check(const JournalLine& line) const;
  void enter(std::size_t stage);
  void place(std::vector<std::uint16_t>& indices) const;

  const Study& study_;
  std::string name_;
  const SearchSpace* space_ = nullptr;  ///< space of the lines that come, where it is narrower
  std::optional<WidenedSpace> widen_;
  JournalLine placed_;
};

}  // namespace ntune
