#include "fuzz/fuzz.h"
#include "ntune/core/error.h"
#include "ntune/space/import/import_space.h"

/// Search spaces of other systems, read as every format.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(ntune::text_of(data, size));
  const auto read = [&](const ntune::ImportOptions& options) {
    try {
      ntune::import_space_text(text, "space", options);
    } catch (const ntune::InputError&) {
    }
  };
  read({});
  for (const ntune::SpaceFormatEntry& entry : ntune::space_format_table()) {
    read({.format = entry.format});
  }
  return 0;
}
