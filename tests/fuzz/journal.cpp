#include <cmath>
#include <cstdlib>

#include "fuzz/fuzz.h"
#include "ntune/core/error.h"
#include "ntune/study/journal/journal_reader.h"

/// Journals.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = ntune::text_of(data, size);
  try {
    const std::size_t whole =
        ntune::scan_journal(text, "journal", [](const ntune::JournalLine& line) {
          if (line.number == 1 && line.study == nullptr) std::abort();
          for (const double payoff : line.payoffs) {
            if (!std::isfinite(payoff)) std::abort();
          }
        });
    if (whole > size || (whole > 0 && text[whole - 1] != '\n')) std::abort();
  } catch (const ntune::InputError&) {
  }
  return 0;
}
