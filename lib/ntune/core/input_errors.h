#pragma once

#include <functional>
#include <string>
#include <vector>

namespace ntune {

/// The errors of parts of an input that are read independently of one another, so that all of them
/// are reported at once.
class InputErrors {
 public:
  /// Reads a part. False if it threw an InputError, which is kept.
  bool hold(const std::function<void()>& read);
  [[nodiscard]] bool any() const { return !lines_.empty(); }
  /// Throws one InputError with a line for each of them, in the order of the file; nothing without.
  void throw_any() const;

 private:
  std::vector<std::string> lines_;
};

}  // namespace ntune
