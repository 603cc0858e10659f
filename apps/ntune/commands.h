#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/ntune/cli.h"

namespace ntune::cli {

enum class Format { kText, kJson, kCsv };

struct RunArguments {
  std::string study;
  std::string out;
  std::optional<std::int64_t> seed;
  std::optional<int> threads;
  Format format = Format::kText;
  bool quiet = false;
};
int run_command(const RunArguments& arguments, const Terminal& terminal);

int check_command(const std::vector<std::string>& studies, const Terminal& terminal);

struct ListArguments {
  std::string what;  ///< empty: all tables
  bool names = false;
  Format format = Format::kText;
};
int list_command(const ListArguments& arguments, const Terminal& terminal);

int describe_command(const std::string& name, const Terminal& terminal);

struct EvalArguments {
  std::string study;
  std::vector<std::string> settings;  ///< "name=value"
  std::int64_t times = 100;
  std::optional<std::int64_t> seed;
  std::optional<int> threads;
  Format format = Format::kText;
};
int eval_command(const EvalArguments& arguments, const Terminal& terminal);

int schema_command(const Terminal& terminal);
int completion_command(const std::string& shell, const Terminal& terminal);

/// Names of the tables that `ntune list` knows.
std::vector<std::string> list_tables();

}  // namespace ntune::cli
