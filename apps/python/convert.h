#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "ntune/core/json_fwd.h"
#include "ntune/core/yaml.h"

namespace ntune::python {

/// JSON as Python's own values. Needs the interpreter lock.
pybind11::object to_python(const Json& json);

/// The value of a text that stands for `name` in a message. Throws InputError.
Json given_json(const std::string& text, const std::string& name);

/// What a caller gave: JSON in `text` that stands for a file of that name, or the file itself where
/// the text is empty. Throws InputError.
YamlNode read_given(const std::string& text, const std::string& name);

/// The name of what was given as arguments. Messages begin with it; a caller sees them without.
inline constexpr const char* kArguments = "(arguments)";

/// An error's text as a caller of Python understands it: the argument in place of a line of a file,
/// and arguments in place of options of the command.
std::string argument_text(std::string text);

}  // namespace ntune::python
