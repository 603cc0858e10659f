#include "ntune/study/journal/journal_tail.h"

#include <fstream>

namespace ntune {

bool JournalTail::read(const JournalReader::Visit& visit) {
  constexpr std::size_t kPiece = std::size_t{1} << 24;
  std::ifstream file(name_, std::ios::binary);
  if (!file) return false;
  file.seekg(static_cast<std::streamoff>(offset_));
  std::string text(kPiece, '\0');
  file.read(text.data(), static_cast<std::streamsize>(kPiece));
  text.resize(static_cast<std::size_t>(file.gcount()));
  const std::size_t whole = reader_.read(text, visit);
  offset_ += whole;
  return whole > 0;
}

}  // namespace ntune
