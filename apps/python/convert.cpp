#include "apps/python/convert.h"

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/json.h"

namespace ntune::python {

namespace py = pybind11;

namespace {

void replace_all(std::string& text, const std::string& old, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += with.size()) {
    text.replace(at, old.size(), with);
  }
}

}  // namespace

py::object to_python(const Json& json) {
  switch (json.type()) {
    case Json::value_t::boolean:
      return py::bool_(json.get<bool>());
    case Json::value_t::number_integer:
      return py::int_(json.get<std::int64_t>());
    case Json::value_t::number_unsigned:
      return py::int_(json.get<std::uint64_t>());
    case Json::value_t::number_float:
      return py::float_(json.get<double>());
    case Json::value_t::string:
      return py::str(json.get_ref<const std::string&>());
    case Json::value_t::array: {
      py::list list;
      for (const Json& item : json) list.append(to_python(item));
      return list;
    }
    case Json::value_t::object: {
      py::dict dict;
      for (auto item = json.begin(); item != json.end(); ++item) {
        dict[py::str(item.key())] = to_python(*item);
      }
      return dict;
    }
    default:
      return py::none();
  }
}

Json given_json(const std::string& text, const std::string& name) {
  Json json = parse_json(text);
  if (json.is_discarded()) throw InputError(fmt::format("{}: {}", name, json_problem(text)));
  return json;
}

YamlNode read_given(const std::string& text, const std::string& name) {
  if (text.empty()) return read_yaml(name);
  return parse_yaml(to_yaml(given_json(text, name)), name);
}

std::string argument_text(std::string text) {
  replace_all(text, fmt::format("{}:1: ", kArguments), "");
  replace_all(text, "add --resume", "add resume=True");
  replace_all(text, "--resume: ", "resume: ");
  replace_all(text, "--against", "against");
  replace_all(text, "--figure: ", "name: ");
  replace_all(text, "'value': ", "value: ");
  return text;
}

}  // namespace ntune::python
