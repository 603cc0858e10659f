#pragma once

#include <atomic>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "apps/ntune/command_line.h"

namespace ntune::test {

/// What a command returned and wrote.
struct CommandOutcome {
  int code = -1;
  std::string out;
  std::string err;
};

/// Runs `ntune ARGUMENTS…` within the test program.
inline CommandOutcome command(const std::vector<std::string>& arguments,
                              std::atomic<bool>* interrupted = nullptr) {
  std::ostringstream out;
  std::ostringstream err;
  const cli::Terminal terminal{.out = out, .err = err, .live = false, .interrupted = interrupted};
  const int code = cli::run(arguments, terminal);
  return {code, out.str(), err.str()};
}

/// The studies of configs/ and configs/papers/; its other folders hold the data of games.
inline std::vector<std::string> studies_in_configs() {
  std::vector<std::string> studies;
  for (const char* folder : {"configs", "configs/papers"}) {
    const auto path = std::filesystem::path(NTUNE_SOURCE_DIR) / folder;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (entry.path().extension() == ".yaml") studies.push_back(entry.path().string());
    }
  }
  return studies;
}

/// True for a text of one line with its end.
inline bool is_one_line(const std::string& text) {
  return text.size() > 1 && text.find('\n') == text.size() - 1;
}

}  // namespace ntune::test
