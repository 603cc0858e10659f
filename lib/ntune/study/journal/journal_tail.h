#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "ntune/study/journal/journal_reader.h"

namespace ntune {

/// A place in a journal: how much stands before it.
struct JournalPlace {
  std::size_t lines = 0;
  std::int64_t trials = 0;
};

/// The same as `scan_journal`, for a text that begins at `place`, where an earlier call ended.
/// Moves the place to the end of the last whole line.
std::size_t scan_journal_from(JournalPlace& place, std::string_view text, const std::string& name,
                              const std::function<void(const JournalLine&)>& visit);

}  // namespace ntune
