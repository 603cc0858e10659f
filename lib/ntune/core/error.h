#pragma once

#include <stdexcept>

namespace ntune {

/// Wrong user input: a study file, a command line, a point. The text is one line, ready to print;
/// where the input came from a file it starts with "file:line: key: ". Exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An evaluation failed for good: the objective threw, or gave NaN or an infinite value. The text
/// is one line that names the objective, the point and the reason. Exit code 3.
class EvaluationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ntune
