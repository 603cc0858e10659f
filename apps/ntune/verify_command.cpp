#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/rows.h"
#include "apps/common/study_progress.h"
#include "apps/ntune/command_line.h"
#include "apps/ntune/commands.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/study/followup/recommended.h"
#include "ntune/study/followup/verify_text.h"

namespace ntune::cli {

namespace {

void check(const VerifyArguments& arguments) {
  const VerifyOptions& options = arguments.options;
  if (!(options.elo0 < options.elo1)) {
    throw InputError(fmt::format("--elo1: is {}, a number above --elo0 ({}) is allowed",
                                 options.elo1, options.elo0));
  }
  if (!(options.effect0 < options.effect1)) {
    throw InputError(fmt::format("--effect1: is {}, a number above --effect0 ({}) is allowed",
                                 options.effect1, options.effect0));
  }
  if (options.match && options.test == VerifyTest::kT) {
    throw InputError("--test t: does not go with --match; normalised and logistic are allowed");
  }
}

/// One row: what stands first in the JSON.
Json row_of(const Json& json) {
  Json row = Json::object();
  for (const char* key : {"against", "decision", "test", "h0", "h1", "log_likelihood_ratio",
                          "pairs", "evaluations", "failures"}) {
    row[key] = json[key];
  }
  for (const char* key : {"difference", "elo", "normalised_elo"}) {
    const Json& rating = json[key];
    row[key] = rating.is_null() ? Json() : rating["value"];
    row[std::string(key) + "_low"] = rating.is_null() ? Json() : rating["interval"][0];
    row[std::string(key) + "_high"] = rating.is_null() ? Json() : rating["interval"][1];
  }
  return row;
}

}  // namespace

int verify_command(const VerifyArguments& arguments, const Terminal& terminal) {
  check(arguments);
  RecommendedStudy recommended = read_recommended(arguments.folder, arguments.study);
  if (arguments.seed) recommended.study.seed = static_cast<std::uint64_t>(*arguments.seed);
  if (arguments.threads) recommended.study.threads = *arguments.threads;
  const Point other = read_incumbent(arguments.against, recommended.objective());
  StudyProgress progress;
  const Verification result = [&] {
    const ProgressDisplay display = show_test(progress, terminal, arguments.quiet);
    return verify(recommended.study, recommended.point, other, arguments.options, progress);
  }();
  if (result.stopped) return kInterrupted;
  const Json json = verification_json(recommended, other, arguments.against, result);
  print_result(terminal.out, arguments.format, json, {row_of(json)},
               verification_text(recommended, other, arguments.against, result));
  if (!arguments.out.empty()) {
    write_file_atomically(arguments.out, json.dump(2) + '\n');
    if (!arguments.quiet) {
      terminal.err << fmt::format("Result in {}\n", printable(arguments.out, 1000));
    }
  }
  return kDone;
}

void CommandLine::add_verify() {
  CLI::App* command = add_command(
      "verify", "test a study's recommendation against the default or another point, sequentially",
      [this](const Terminal& terminal) { return verify_command(verify, terminal); });
  command->add_option("folder", verify.folder, "folder of the study")->required()->type_name("DIR");
  command
      ->add_option("--against", verify.against,
                   "default: the parameters' defaults (default); or a YAML or JSON file with "
                   "their values; or the folder of another study")
      ->type_name("FILE");
  VerifyOptions& options = verify.options;
  add_real(*command, "--alpha", options.alpha, "chance of `better` where H0 is true (default 0.05)",
           1e-6, 0.499);
  add_real(*command, "--beta", options.beta,
           "chance of `not better` where H1 is true (default 0.05)", 1e-6, 0.499);
  add_real(*command, "--elo0", options.elo0, "H0 for wins, draws and losses, in Elo (default 0)",
           -400, 400);
  add_real(*command, "--elo1", options.elo1, "H1, in Elo (default 20)", -400, 400);
  add_real(*command, "--effect0", options.effect0,
           "H0 for other payoffs: mean of the differences in their standard deviations (default 0)",
           -10, 10);
  add_real(*command, "--effect1", options.effect1, "H1, the same (default 0.1)", -10, 10);
  add_choice<VerifyTest>(*command, "--test", options.test,
                         "auto (default): normalised for wins, draws and losses, else t; "
                         "normalised: normalised Elo; logistic: Elo; t: the sequential t-test",
                         {{"auto", VerifyTest::kAuto},
                          {"normalised", VerifyTest::kNormalised},
                          {"logistic", VerifyTest::kLogistic},
                          {"t", VerifyTest::kT}});
  command->add_flag("--match", options.match,
                    "let the two points play each other, where the game can");
  add_number<std::int64_t>(*command, "--evaluations", options.evaluations,
                           "evaluations (or games) at most (default 20000)", 2, 1'000'000'000'000);
  command
      ->add_option("--study", verify.study,
                   "study file to evaluate with, for programs and files beside it")
      ->type_name("STUDY.yaml");
  add_folder_output(*command, verify, "file for the result, as JSON");
}

void CommandLine::add_folder_output(CLI::App& command, VerificationArguments& arguments,
                                    const char* out_help) {
  command.add_option("--out", arguments.out, out_help)->type_name("FILE");
  add_number<std::int64_t>(command, "--seed", arguments.seed, "seed instead of the study's", 0,
                           kLargestSeed);
  add_number<int>(command, "--threads", arguments.threads,
                  "threads; 0: one per core; does not change the result", 0, kMostThreads);
  add_format(command, arguments.format);
  command.add_flag("--quiet", arguments.quiet, "no progress and no notes, only the result");
}

}  // namespace ntune::cli
