#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ntune {

/// Places of columns in what `ntune export --to csv` writes of evaluations.
struct ExportedColumns {
  std::size_t failure = 0;                    ///< why it has no value
  std::size_t first_parameter = 0;            ///< all behind it are parameters
  std::optional<std::size_t> objective = {};  ///< of a comparison
  std::optional<std::size_t> instance = {};
  std::optional<std::size_t> ending = {};  ///< `at least`: the value is a bound
};

/// The columns of such a header; nothing for any other.
std::optional<ExportedColumns> exported_columns(const std::vector<std::string>& names);

}  // namespace ntune
