#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "ntune/study/journal/journal_reader.h"

namespace ntune {

/// Where in a journal a reader has come to.
struct JournalPlace {
  std::size_t lines = 0;
  std::int64_t trials = 0;
};

/// As `scan_journal`, for text that goes on at a place that an earlier call has come to; moves the
/// place on.
std::size_t scan_journal_from(JournalPlace& place, std::string_view text, const std::string& name,
                              const std::function<void(const JournalLine&)>& visit);

}  // namespace ntune
