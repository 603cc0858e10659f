#include "ntune/core/input_errors.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

/// The number of the line in "file:12: key: message"; 0 where there is none.
int line_of(std::string_view error) {
  for (std::size_t begin = error.find(':'); begin < error.size();) {
    const std::size_t end = error.find(':', begin + 1);
    if (end == std::string_view::npos) return 0;
    const std::string_view number = error.substr(begin + 1, end - begin - 1);
    const bool digits = std::ranges::all_of(
        number, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
    const auto line = digits ? decimal_number(number) : std::nullopt;
    if (line && *line < 1e9) return static_cast<int>(*line);
    begin = end;
  }
  return 0;
}

}  // namespace

bool InputErrors::hold(const std::function<void()>& read) {
  try {
    read();
    return true;
  } catch (const InputError& error) {
    std::string_view text = error.what();
    while (!text.empty()) {
      const std::string line(cut(text, "\n"));
      // Parts that read the same again find the same error.
      if (std::ranges::find(lines_, line) == lines_.end()) lines_.push_back(line);
    }
  }
  return false;
}

void InputErrors::throw_any() const {
  if (lines_.empty()) return;
  std::vector<std::string> lines = lines_;
  std::ranges::stable_sort(lines, {}, [](const std::string& line) { return line_of(line); });
  throw InputError(fmt::format("{}", fmt::join(lines, "\n")));
}

}  // namespace ntune
