#pragma once

#include <cstdint>
#include <string>

#include "ntune/study/journal/journal_reader.h"

namespace ntune {

/// Reads a journal's file while its study goes on, without a lock.
class JournalTail {
 public:
  explicit JournalTail(const std::string& name) : name_(name), reader_(name) {}

  /// Passes on lines behind those of earlier calls. False where there are none yet; a journal that
  /// is larger than a piece takes several calls. Throws InputError.
  bool read(const JournalReader::Visit& visit);

 private:
  std::string name_;
  JournalReader reader_;
  std::uintmax_t offset_ = 0;
};

}  // namespace ntune
