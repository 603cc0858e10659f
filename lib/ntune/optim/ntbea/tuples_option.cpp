#include "ntune/optim/ntbea/tuples_option.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"

namespace ntune {

namespace {

/// Reads a list of different parameter names as their ascending indices.
std::vector<int> read_named_tuple(const YamlNode& node, const SearchSpace& space) {
  std::vector<int> parameters;
  for (const YamlNode& name : node.children()) {
    const int parameter = name.is_scalar() ? space.find(name.text()) : -1;
    if (parameter < 0) {
      const std::vector<std::string> names = space.names();
      name.fail(fmt::format("{} is not a parameter of the space{}; allowed: {}", name.describe(),
                            suggestion(name.text(), names), list_text(names)));
    }
    parameters.push_back(parameter);
  }
  std::ranges::sort(parameters);
  if (parameters.empty() || std::ranges::adjacent_find(parameters) != parameters.end()) {
    node.fail("a tuple needs one or more different parameter names");
  }
  return parameters;
}

/// Adds one item of the list: a size, 'all', or a list of names. Each may stand once.
void add_tuples(const YamlNode& item, const SearchSpace& space, TupleSet& tuples) {
  if (item.is_list()) {
    std::vector<int> named = read_named_tuple(item, space);
    if (std::ranges::count(tuples.named, named) > 0) item.fail("this tuple stands twice");
    tuples.named.push_back(std::move(named));
    return;
  }
  if (item.is_scalar() && item.text() == "all") {
    if (tuples.all) item.fail("'all' stands twice");
    tuples.all = true;
    return;
  }
  const auto size = item.integer();
  if (!size || *size < 1 || *size > kMaxDimensions) {
    item.fail(
        fmt::format("is {}, a size from 1 to {}, 'all' or a list of parameter names is allowed",
                    item.describe(), kMaxDimensions));
  }
  if (std::ranges::count(tuples.sizes, static_cast<int>(*size)) > 0) {
    item.fail(fmt::format("size {} stands twice", *size));
  }
  tuples.sizes.push_back(static_cast<int>(*size));
}

/// Returns the number of subsets of the given sizes, a sum of binomial coefficients. It is a
/// double, as it may be far beyond 64 bits.
double count_subsets(const std::vector<int>& sizes, int dimensions) {
  double count = 0.0;
  for (const int size : sizes) {
    double subsets = 1.0;
    for (int i = 0; i < size; ++i) subsets *= std::max(0, dimensions - i) / (i + 1.0);
    count += subsets;
  }
  return count;
}

}  // namespace

TupleSet read_tuples(const YamlNode& node, const SearchSpace& space) {
  if (!node.is_list() || node.children().empty()) {
    node.fail(fmt::format("is {}, a list of sizes, 'all' and lists of parameter names is allowed",
                          node.describe()));
  }
  TupleSet tuples = {.sizes = {}, .all = false, .named = {}};
  for (const YamlNode& item : node.children()) add_tuples(item, space, tuples);
  // Named tuples need no limit, as each of them stands in the file.
  constexpr double kMostTuples = 1e6;
  const double count = count_subsets(tuples.sizes, space.dimensions());
  if (count > kMostTuples) {
    node.fail(fmt::format("makes {} tuples, at most {} are allowed", count_text(count),
                          count_text(kMostTuples)));
  }
  return tuples;
}

/// Writes the list as `read_tuples` takes it. `space` gives the names, and may be null where no
/// tuple is named.
Json tuples_json(const TupleSet& tuples, const SearchSpace* space) {
  Json list = Json::array();
  for (const int size : tuples.sizes) list.push_back(size);
  if (tuples.all) list.push_back("all");
  for (const std::vector<int>& named : tuples.named) {
    Json names = Json::array();
    for (const int parameter : named) names.push_back((*space)[parameter].name);
    list.push_back(names);
  }
  return list;
}

Json tuples_schema() {
  return Json::parse(R"({"type": "array", "minItems": 1, "items": {"anyOf": [
      {"type": "integer", "minimum": 1, "maximum": 512}, {"const": "all"},
      {"type": "array", "minItems": 1, "items": {"type": ["string", "number", "boolean"]}}]}})");
}

}  // namespace ntune
