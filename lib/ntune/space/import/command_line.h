#pragma once

#include <string>
#include <vector>

#include "ntune/space/import/import_space.h"

namespace ntune {

/// A command line whose placeholders said which values a parameter has.
struct ImportedCommand {
  std::vector<std::string> words;  ///< with `{depth}` in place of `{depth:1..8=4}`
  ImportedSpace space;
};

/// Reads `{name:low..high}` and `{name:a|b|c}` in the words of a command. Behind the values may
/// stand `=4`, the default, then `:log`, equal ratios, or `:step=2`, and `:plain`, which stays. Two
/// whole numbers are a range of integers; an empty choice is no argument. All else stays as it is.
/// Throws InputError where values are wrong, or where no word has any.
ImportedCommand import_command(const std::vector<std::string>& words, int points = 21);

}  // namespace ntune
