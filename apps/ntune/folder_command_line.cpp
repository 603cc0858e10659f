// The commands that work on a study's folder, tables, and the import of search spaces.

#include "apps/common/flags.h"
#include "apps/common/program.h"
#include "apps/ntune/command_groups.h"
#include "apps/ntune/commands.h"
#include "apps/ntune/import_command.h"
#include "ntune/core/text.h"

namespace ntune::cli {

namespace {

constexpr std::int64_t kMostEvaluated = 1'000'000'000'000;

/// The file beside which a study's programs are run.
void visit_study_file(Flags& flags, std::string& study) {
  flags.value("--study", study, "STUDY.yaml",
              "study file to evaluate with, for programs and files beside it");
}

}  // namespace

void TabulateArguments::visit(Flags& flags) {
  flags.study(study);
  flags.value("--out", out, "FILE", "CSV file; rows that it has already are kept and filled up")
      .required();
  flags.number("--times", times, 1, 1'000'000, "evaluations of each point (default 100)");
  flags.seed(seed);
  flags.threads(threads, "threads; 0: one per core; does not change the table");
  flags.quiet(quiet, "no progress");
}

void ServeArguments::visit(Flags& flags) {
  flags.study(study);
  flags.value("--out", out, "DIR", "folder for the journal and the result");
  flags.flag("--resume", resume, "go on from the journal in the folder, if there is one");
  flags.value("--listen", listen, "ADDRESS:PORT",
              "let workers carry the evaluations out, by ntune work; over TLS but for 127.0.0.1; "
              "port 0 takes a free one");
  flags.value("--token", token, "FILE",
              "what the workers need a copy of: a secret word and the certificate of this server; "
              "made where there is none, with its key in FILE.key");
  flags.value("--lease", lease, "DURATION",
              "when the evaluations of a silent worker are dealt again; auto: three times the "
              "slowest call, from 10 s to a minute");
  flags.number("--at-once", at_once, 1, kMostThreads,
               "evaluations that are dealt at the same time, at most (default 64)");
  flags.flag("--any-program", any_program,
             "take workers whose programs beside the study are others than those here");
  flags.seed(seed);
  flags.quiet(quiet);
}

void WorkArguments::visit(Flags& flags) {
  flags.value("url", url, "URL", "what ntune serve --listen prints").required();
  flags.value("--token", token, "FILE", "copy of the server's file").required();
  flags.value("--study", study, "STUDY.yaml",
              "own copy of the study, whose commands are run; the server's must be the same");
  flags
      .flag("--trust", trust,
            "take the study from the server, and run the commands that it names on this machine")
      .excludes("--study");
  flags.number("-j,--jobs", jobs, 0, kMostThreads,
               "evaluations at the same time (default: one per core)");
  flags.value("--name", name, "NAME", "name of this worker (default: that of the machine)");
  flags.value("--patience", patience, "DURATION",
              "how long to try a server that does not answer (default 5 min)");
  flags.quiet(quiet, "no notes");
}

void ExportArguments::visit(Flags& flags) {
  flags.folder(folder, "folder of the study, also while it runs");
  flags.choice<ExportTarget>("--to", options.target,
                             "csv (default), optuna-journal or optuna-sqlite; of the "
                             "recommendation: openbench, the input of an SPSA tune, uci, lines "
                             "setoption, fastchess, words option.X=, tag, an agent file of TAG; "
                             "irace, pcs: the space with its defaults, of irace with -o FOLDER "
                             "instances and scenario",
                             {{"csv", ExportTarget::kCsv},
                              {"optuna-journal", ExportTarget::kOptunaJournal},
                              {"optuna-sqlite", ExportTarget::kOptunaSqlite},
                              {"openbench", ExportTarget::kOpenBench},
                              {"uci", ExportTarget::kUci},
                              {"fastchess", ExportTarget::kFastchess},
                              {"tag", ExportTarget::kTag},
                              {"irace", ExportTarget::kIrace},
                              {"pcs", ExportTarget::kPcs}});
  flags.choice<ExportPer>("--per", options.per,
                          "evaluation (default): one row each, of a study with `record: runs` for "
                          "each run; point: one for each distinct point, with mean, n, standard "
                          "error and 95 % interval",
                          {{"evaluation", ExportPer::kEvaluation}, {"point", ExportPer::kPoint}});
  flags.number("--at-least", options.at_least, 1, 1'000'000'000,
               "leave out points of fewer evaluations (default 1)");
  flags.value("-o,--output", output, "FILE", "file instead of standard output");
  flags.flag("--follow", follow,
             "go on with --to optuna-journal or optuna-sqlite until the study is done");
  flags
      .choice<OptunaSchema>(
          "--optuna-schema", schema,
          "SQLite tables for Optuna 3.2 and later (default), or 3.1 for 3.0 and 3.1",
          {{"3.1", OptunaSchema::k31}, {"3.2", OptunaSchema::k32}})
      .type("VERSION");
}

void MergeArguments::visit(Flags& flags) {
  flags.folders(folders, "folders of the study");
  flags.value("--out", out, "NEW", "new folder for result.json and runs.csv");
  flags.flag("--partial", partial, "use what unfinished studies have so far");
  flags.number("--evaluate", evaluate, 1, kMostEvaluated,
               "fresh evaluations: half compare the picks of the folders, the rest measure the "
               "winner, and the default beside it");
  flags.value("--study", study, "STUDY.yaml", "study file, for --evaluate where it calls programs");
  flags.threads(threads);
  flags.format(format);
  flags.quiet(quiet);
}

void ImportArguments::visit(Flags& flags) {
  flags.value("file", file, "FILE", "file of the other tool");
  flags.real("--sigmas", sigmas, 0.1, 100,
             "where a normal distribution ends that has no bounds, in standard deviations "
             "(default 3)");
  flags.value("--uci", engine, "ENGINE", "ask this engine for its options instead");
  flags.value("--only", only, "NAMES",
              "parameters to take, with commas between them; * stands for any characters");
  flags.value("--defaults", defaults, "FILE",
              "JSON of the values that are used today, as defaults, such as an agent of TAG");
  flags.value("--format", format, "NAME",
              list_text(import_formats()) + " (default: by what stands in the file)");
  flags.number("--points", points, 2, 1000, "values of a wide range (default 10)");
}

void AskArguments::visit(Flags& flags) {
  flags.folder(folder);
  flags.value("--study", study, "STUDY.yaml", "study file, to begin the folder");
  flags.flag("--again", again, "hand out again the evaluations that were never told, oldest first");
  flags.value("--lease", lease, "DURATION",
              "hand out an evaluation again that was handed out so long ago and not told, in place "
              "of an answer to wait; auto: ten times the longest, a minute at least");
}

void TellArguments::visit(Flags& flags) {
  flags.folder(folder);
  flags.value("--id", id, "N", "id that ask printed");
  flags
      .value("--params", params, "MAP",
             "parameters and their values, as JSON or YAML, of an evaluation that nobody asked "
             "for: the searches learn from it, the budget does not count it")
      .excludes("--id");
  flags.value("--instance", instance, "NAME",
              "instance of the evaluation, one that the study trains on; with --id it is checked");
  flags.value("--value", values, "X",
              "observed value, or several of one evaluation; of several goals '{a: 1, b: 2}'");
  flags
      .value("--games", games, "JSON",
             "games in place of a value, such as {\"wins\": 2, \"draws\": 1, \"losses\": 1}; of a "
             "match with seats a list of a result for each, such as {\"ranks\": [2, 1, 3]}")
      .excludes("--value");
  flags.value("--fail", reason, "REASON", "the evaluation failed, and why").excludes("--value");
  flags
      .value("--cost", cost, "X",
             "what the evaluation has used of `budget: {cost: …}` (default: its seconds since "
             "ask)")
      .excludes("--params");
}

void StatusArguments::visit(Flags& flags) {
  flags.folder(folder);
  flags
      .choice<Format>("--format", format, "text or json, for programs (default text)",
                      {{"text", Format::kText}, {"json", Format::kJson}})
      .type("FORMAT");
}

void RecommendArguments::visit(Flags& flags) {
  flags
      .value("data", data, "DIR|FILE",
             "folder of a study; or a CSV file of observations, or an Optuna journal")
      .required();
  flags.value("--space", space, "FILE",
              "YAML file with the search space of the data (default: inferred)");
  flags.value("--model", model, "NAME",
              "optimiser whose model is fitted, a name or a map (default gaussian_process, or "
              "ntbea above 3,000 distinct points)");
  flags.value("--payoff", options.payoff, "NAME",
              "column of a CSV file with the payoffs (default payoff or value)");
  flags.flag("--minimise", options.minimise,
             "payoffs of a CSV file are costs; an Optuna journal says it itself");
  flags.value("--optuna-study", options.study, "NAME", "study of a journal that holds several");
  flags.number("--points", options.points, 2, 1000,
               "values of a parameter of many numbers (default 10)");
  flags.number("--top", top, 1, 1000, "points listed (default 5)");
  flags.format(format);
  flags.quiet(quiet, "no notes, only the result");
}

void VerificationArguments::visit_rest(Flags& flags) {
  flags.value("--out", out, "FILE", "file for the result: CSV by its name, else JSON");
  flags.seed(seed);
  flags.threads(threads, "threads; 0: one per core; does not change the result");
  flags.format(format);
  flags.flag(
      "--resume", resume,
      "go on with an interrupted test or one that may evaluate more now; show a finished one "
      "again");
  flags.quiet(quiet);
}

void VerifyArguments::visit(Flags& flags) {
  flags.folder(folder);
  flags.value("--against", against, "FILE",
              "default: the parameters' defaults (default); or a YAML or JSON file with their "
              "values; or the folder of another study");
  flags.real("--alpha", options.alpha, 1e-6, 0.499,
             "chance of `better` where H0 is true (default 0.05)");
  flags.real("--beta", options.beta, 1e-6, 0.499,
             "chance of `not better` where H1 is true (default 0.05)");
  flags.real("--elo0", options.elo0, -400, 400, "H0 for wins, draws and losses, in Elo (default 0)")
      .notes(options.asks_elo);
  flags.real("--elo1", options.elo1, -400, 400, "H1, in Elo (default 20)").notes(options.asks_elo);
  flags
      .real("--effect0", options.effect0, -10, 10,
            "H0 for other payoffs: mean of the differences in their standard deviations (default "
            "0)")
      .notes(options.asks_effect);
  flags.real("--effect1", options.effect1, -10, 10, "H1, the same (default 0.1)")
      .notes(options.asks_effect);
  flags.choice<VerifyTest>("--test", options.test,
                           "auto (default): normalised for wins, draws and losses, else t; "
                           "normalised: normalised Elo; logistic: Elo; t: the sequential t-test",
                           {{"auto", VerifyTest::kAuto},
                            {"normalised", VerifyTest::kNormalised},
                            {"logistic", VerifyTest::kLogistic},
                            {"t", VerifyTest::kT}});
  flags.flag("--match", options.match,
             "let the two points play each other, where the game can; a program whose command "
             "names the opponent always does");
  flags.number("--evaluations", options.evaluations, 2, kMostEvaluated,
               "evaluations (or games) at most (default 20000)");
  visit_study_file(flags, study);
  visit_rest(flags);
}

void DeviationsArguments::visit(Flags& flags) {
  flags.folder(folder);
  flags.number("--evaluations", options.evaluations, 2, kMostEvaluated,
               "evaluations at most (default 10000)");
  flags.value("--default", against, "FILE",
              "YAML or JSON file with the defaults, or the folder of another study (default: those "
              "that the space and the objective declare)");
  visit_study_file(flags, study);
  visit_rest(flags);
}

void add_folder_commands(Program& program) {
  program.add<ImportArguments>("import-space",
                               "print the search space of another tool's file as a `space:` "
                               "section, a scenario of irace as a study",
                               import_space_command);
  program.add<TabulateArguments>(
      "tabulate", "evaluate every point of a study's space and write a table of it all",
      tabulate_command);
  program.add<ServeArguments>(
      "serve", "hand out evaluations and take results, as JSON lines on standard input and output",
      serve_command);
  program.add<WorkArguments>("work", "carry out evaluations for ntune serve --listen",
                             work_command);
  program.add<AskArguments>("ask", "print the next evaluation to be made, as JSON", ask_command);
  program.add<TellArguments>("tell", "record the result of an evaluation", tell_command);
  program.add<StatusArguments>("status", "print how far the study is, in a line, or as JSON",
                               status_command);
  program.add<RecommendArguments>(
      "recommend",
      "what a study would recommend now, as JSON; or what a model makes of another program's data",
      recommend_command);
  program.add<VerifyArguments>(
      "verify", "test a study's recommendation against the default or another point, sequentially",
      verify_command);
  program.add<DeviationsArguments>(
      "deviations",
      "test all changes of one parameter of a study's recommendation: which matter, which could "
      "go back",
      deviations_command);
  program.add<MergeArguments>(
      "merge", "combine runs of one study under different seeds into one result", merge_command);
  program.add<ExportArguments>(
      "export", "write what a study's journal holds as a table or for Optuna's tools",
      export_command);
}

}  // namespace ntune::cli
