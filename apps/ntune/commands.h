#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/common/arguments.h"
#include "apps/common/terminal.h"
#include "ntune/objective/recorded/foreign_observations.h"
#include "ntune/study/export/export.h"
#include "ntune/study/followup/deviations.h"
#include "ntune/study/followup/verify.h"

namespace ntune::cli {

struct RunArguments {
  std::string study;
  std::string out;
  std::optional<std::int64_t> seed;
  std::optional<int> threads;
  Format format = Format::kText;
  bool quiet = false;
  bool verbose = false;  ///< a row for every tenth of a run, on a terminal
  bool resume = false;
  bool retry_failed = false;
  bool mpi = false;  ///< evaluate on the other ranks of the MPI job
};
int run_command(const RunArguments& arguments, const Terminal& terminal);

struct CheckArguments {
  std::vector<std::string> studies;
  bool dry_run = false;
};
int check_command(const CheckArguments& arguments, const Terminal& terminal);

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
  std::string instance;  ///< name; empty: all that the study has
  std::optional<std::int64_t> seed;
  std::optional<int> threads;
  Format format = Format::kText;
};
int eval_command(const EvalArguments& arguments, const Terminal& terminal);

struct TabulateArguments {
  std::string study;
  std::string out;
  std::int64_t times = 100;
  std::optional<std::int64_t> seed;
  std::optional<int> threads;
  bool quiet = false;
};
int tabulate_command(const TabulateArguments& arguments, const Terminal& terminal);

struct ServeArguments {
  std::string study;
  std::string out;
  bool resume = false;
};
int serve_command(const ServeArguments& arguments, const Terminal& terminal);

// One request of `ntune serve` each, on the study of a folder.

struct AskArguments {
  std::string folder;
  std::string study;  ///< file that begins the folder; empty: the one that it holds
  bool again = false;
};
int ask_command(const AskArguments& arguments, const Terminal& terminal);

struct TellArguments {
  std::string folder;
  std::optional<std::int64_t> id;
  std::string params;    ///< of an evaluation that nobody asked for, as YAML or JSON
  std::string instance;  ///< name of the instance of the evaluation; empty: not said
  std::vector<double> values;
  std::optional<double> cost;  ///< of a budget of costs
  std::string reason;          ///< of a failure; empty: the values are the result
};
int tell_command(const TellArguments& arguments, const Terminal& terminal);

struct StatusArguments {
  std::string folder;
};
int status_command(const StatusArguments& arguments, const Terminal& terminal);

/// What the study of a folder would recommend now.
int recommend_now(const std::string& folder, const Terminal& terminal);

struct RecommendArguments {
  std::string data;   ///< folder of a study, or a file of observations
  std::string space;  ///< empty: inferred
  std::string model;  ///< empty: the usual one for so many points
  ForeignOptions options;
  int top = 5;
  Format format = Format::kText;
  bool quiet = false;
};
int recommend_command(const RecommendArguments& arguments, const Terminal& terminal);

struct ExportArguments {
  std::string folder;
  ExportOptions options;
  std::optional<OptunaSchema> schema;
  std::string output;  ///< empty: standard output
};
int export_command(const ExportArguments& arguments, const Terminal& terminal);

struct MergeArguments {
  std::vector<std::string> folders;
  std::string out;
  bool partial = false;
  std::optional<std::int64_t> evaluate;
  std::string study;  ///< file beside which programs are run
  std::optional<int> threads;
  Format format = Format::kText;
  bool quiet = false;
};
int merge_command(const MergeArguments& arguments, const Terminal& terminal);

/// What the commands have in common that evaluate more of what a folder recommends.
struct VerificationArguments {
  std::string folder;
  std::string study;  ///< file beside which programs are run; empty: the study of the folder
  std::string out;
  std::optional<std::int64_t> seed;
  std::optional<int> threads;
  Format format = Format::kText;
  bool resume = false;
  bool quiet = false;
};

struct VerifyArguments : VerificationArguments {
  std::string against = "default";
  VerifyOptions options;
};
int verify_command(const VerifyArguments& arguments, const Terminal& terminal);

struct DeviationsArguments : VerificationArguments {
  std::string against;  ///< file with the defaults; empty: those declared
  DeviationOptions options;
};
int deviations_command(const DeviationsArguments& arguments, const Terminal& terminal);

int schema_command(const Terminal& terminal);
int completion_command(const std::string& shell, const Terminal& terminal);

/// Names of the tables that `ntune list` knows.
std::vector<std::string> list_tables();

}  // namespace ntune::cli
