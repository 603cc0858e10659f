#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/common/arguments.h"
#include "apps/common/command_help.h"
#include "apps/common/terminal.h"
#include "ntune/objective/recorded/foreign_observations.h"
#include "ntune/study/export/export.h"
#include "ntune/study/followup/deviations.h"
#include "ntune/study/followup/verify.h"

// The commands of `ntune`, each with its arguments as the command line gives them. All return an
// exit code (apps/common/terminal.h). A seed and threads that are not given are those of the study.
// `quiet`: no progress and no notes.

namespace ntune::cli {

class Flags;

/// Who carries out the evaluations of `ntune run`: threads of this process, the other ranks of an
/// MPI job, or the machines of a Dask cluster.
enum class Executor { kTbb, kMpi, kDask };

/// `out` is the folder; empty: nothing is kept.
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
  Executor executor = Executor::kTbb;
  std::string scheduler = {};   ///< address of Dask's
  std::string resumed_by = {};  ///< the command that goes on; empty: this one with --resume
  /// Called once the folder is the study's, before anything is evaluated.
  std::function<void()> begun = {};

  void visit(Flags& flags);
};
/// Carries a study out, or goes on with the one in the folder.
int run_command(const RunArguments& arguments, const Terminal& terminal);

/// With `dry_run` a random point of each objective is evaluated too.
struct CheckArguments {
  std::vector<std::string> studies;
  bool dry_run = false;
  std::string engine;  ///< UCI engine whose options the spaces are compared with; empty: none

  void visit(Flags& flags);
};
/// Says what studies would do, and what is wrong with them.
int check_command(const CheckArguments& arguments, const Terminal& terminal);

/// With `names` the names alone, one a line.
struct ListArguments {
  std::string what;  ///< empty: all tables
  bool names = false;
  Format format = Format::kText;

  void visit(Flags& flags);
};
/// Lists objectives, optimisers and the other tables.
int list_command(const ListArguments& arguments, const Terminal& terminal);

/// Prints an objective or optimiser with all its options, as a study.
int describe_command(const std::string& name, const Terminal& terminal);

/// The point has the default where `settings` do not name a parameter.
struct EvalArguments {
  std::string study;
  std::vector<std::string> settings;  ///< "name=value"
  std::int64_t times = 100;
  std::string instance;  ///< name; empty: all that the study has
  std::optional<std::int64_t> seed;
  std::optional<int> threads;
  Format format = Format::kText;

  void visit(Flags& flags);
};
/// Evaluates one point of a study, `times` times.
int eval_command(const EvalArguments& arguments, const Terminal& terminal);

/// `out` is the CSV file; each point is evaluated `times` times.
struct TabulateArguments {
  std::string study;
  std::string out;
  std::int64_t times = 100;
  std::optional<std::int64_t> seed;
  std::optional<int> threads;
  bool quiet = false;

  void visit(Flags& flags);
};
/// Evaluates every point of the space of a study and writes a table of all.
int tabulate_command(const TabulateArguments& arguments, const Terminal& terminal);

/// `out` is the folder; empty: nothing is kept. The rest is of workers that `listen` for.
struct ServeArguments {
  std::string study;
  std::string out;
  bool resume = false;
  std::string listen;  ///< ADDRESS:PORT; empty: the standard streams
  std::string token;   ///< file
  std::string lease = "auto";
  int at_once = 64;
  bool any_program = false;
  std::optional<std::int64_t> seed;
  bool quiet = false;

  void visit(Flags& flags);
};
/// Hands out evaluations and takes results, as lines of JSON on the standard streams, or to workers
/// on other machines.
int serve_command(const ServeArguments& arguments, const Terminal& terminal);
/// The latter, apps/ntune/fleet.
int serve_fleet(const ServeArguments& arguments, const Terminal& terminal);

struct WorkArguments {
  std::string url;
  std::string token;  ///< file
  std::string study;  ///< file; empty: the server's, which needs `trust`
  bool trust = false;
  int jobs = 0;      ///< evaluations at the same time; 0: one per core
  std::string name;  ///< empty: that of the machine
  std::string patience = "5 min";
  bool quiet = false;

  void visit(Flags& flags);
};
/// Carries out evaluations for a server until its study is done.
int work_command(const WorkArguments& arguments, const Terminal& terminal);

// One request of `ntune serve` each, on the study of a folder.

/// With `again` evaluations that were handed out and not told are handed out again.
struct AskArguments {
  std::string folder;
  std::string study;  ///< file that begins the folder; empty: the one that it holds
  bool again = false;
  /// When what was handed out and not told is handed out again, to who would have to wait: "auto"
  /// or a duration.
  std::string lease = "auto";

  void visit(Flags& flags);
};
/// Prints the next evaluation of the study.
int ask_command(const AskArguments& arguments, const Terminal& terminal);

/// The evaluation is the one of the `id`, or that of `params`.
struct TellArguments {
  std::string folder;
  std::optional<std::int64_t> id;
  std::string params;               ///< of an evaluation that nobody asked for, as YAML or JSON
  std::string instance;             ///< name of the instance of the evaluation; empty: not said
  std::vector<std::string> values;  ///< numbers, or a map with one for each goal
  std::string games;                ///< results by seat, as JSON, in place of the values
  std::optional<double> cost;       ///< of a budget of costs
  std::string reason;               ///< of a failure; empty: the values are the result

  void visit(Flags& flags);
};
/// Records the result of an evaluation, or its failure.
int tell_command(const TellArguments& arguments, const Terminal& terminal);

/// The folder of the study.
struct StatusArguments {
  std::string folder;
  Format format = Format::kText;

  void visit(Flags& flags);
};
/// Prints how far the study is.
int status_command(const StatusArguments& arguments, const Terminal& terminal);

/// What the study of a folder would recommend now.
int recommend_now(const std::string& folder, const Terminal& terminal);

/// `top` is how many points are shown, `options` how a file of observations is read.
struct RecommendArguments {
  std::string data;   ///< folder of a study, or a file of observations
  std::string space;  ///< empty: inferred
  std::string model;  ///< empty: the usual one for so many points
  ForeignOptions options;
  int top = 5;
  Format format = Format::kText;
  bool quiet = false;

  void visit(Flags& flags);
};
/// What a study would recommend now, or what a model makes of another program's data.
int recommend_command(const RecommendArguments& arguments, const Terminal& terminal);

/// `schema` is of the tables of Optuna that SQLite holds.
struct ExportArguments {
  std::string folder;
  ExportOptions options;
  std::optional<OptunaSchema> schema;
  std::string output;  ///< empty: standard output
  bool follow = false;

  void visit(Flags& flags);
};
/// Writes the evaluations of a folder for other programs.
int export_command(const ExportArguments& arguments, const Terminal& terminal);

/// `out` is a new folder. With `partial` unfinished studies give what they have. `evaluate` is the
/// number of fresh evaluations.
struct MergeArguments {
  std::vector<std::string> folders;
  std::string out;
  bool partial = false;
  std::optional<std::int64_t> evaluate;
  std::string study;  ///< file beside which programs are run
  std::optional<int> threads;
  Format format = Format::kText;
  bool quiet = false;

  void visit(Flags& flags);
};
/// Makes one result of the runs of a study under several seeds.
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

  /// Those that stand last.
  void visit_rest(Flags& flags);
};

/// `against`: "default", or a file or folder with the point to compare with.
struct VerifyArguments : VerificationArguments {
  std::string against = "default";
  VerifyOptions options;

  void visit(Flags& flags);
};
/// Tests the recommendation against another point, until it is decided.
int verify_command(const VerifyArguments& arguments, const Terminal& terminal);

/// How the changes of one parameter each are tested.
struct DeviationsArguments : VerificationArguments {
  std::string against;  ///< file with the defaults; empty: those declared
  DeviationOptions options;

  void visit(Flags& flags);
};
/// Says which parameters of the recommendation matter.
int deviations_command(const DeviationsArguments& arguments, const Terminal& terminal);

/// Prints the JSON Schema of study files.
int schema_command(const Terminal& terminal);
/// The completion script of bash for these commands.
std::string completion_script(const std::vector<CommandOptions>& commands);

/// Names of the tables that `ntune list` knows.
std::vector<std::string> list_tables();

}  // namespace ntune::cli
