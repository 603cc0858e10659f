#pragma once

#include <string>

#include "ntune/core/error.h"

namespace ntune::test {

/// What the InputError of an action says; "no error" if there is none.
template <class Action>
std::string input_error(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace ntune::test
