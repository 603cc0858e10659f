#pragma once

#include <string>
#include <vector>

#include "ntune/core/json.h"

namespace ntune::cli {

/// Published numbers beside ours: what an experiment of `reproduce` prints.
struct Reproduction {
  std::string title;
  std::string table;            ///< the table as text
  std::vector<Json> rows = {};  ///< the same for programs
  Json summary = {};            ///< null: none
  std::string remarks = {};     ///< lines below the table; may be empty
};

}  // namespace ntune::cli
