#pragma once

#include <string_view>

#include "ntune/study/journal/journal_reader.h"

namespace ntune {

/// Reads lines that version 0.2 wrote. Each is a record of Optuna's JournalStorage; those of ours
/// begin with the key "ntune", whose value is a list [LETTER, FIELDS …] or an object.
class OlderLines {
 public:
  explicit OlderLines(JournalReader& reader) : reader_(reader) {}

  /// False if the text is no such line.
  [[nodiscard]] bool read(std::string_view text, JournalLine& line);

 private:
  [[nodiscard]] bool read_fields(std::string_view text, JournalLine& line);
  [[nodiscard]] bool read_record(std::string_view text, JournalLine& line);
  [[nodiscard]] bool take_trial(std::string_view record, JournalLine& line);

  JournalReader& reader_;
};

}  // namespace ntune
