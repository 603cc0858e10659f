#include <cmath>
#include <filesystem>
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/study_progress.h"
#include "apps/ntune/aggregate_note.h"
#include "apps/ntune/verification.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/facts/result_facts.h"
#include "ntune/facts/verify_text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/results/result_files.h"
#include "ntune/study/results/result_json.h"

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
  if (options.asks_elo && options.test == VerifyTest::kT) {
    throw InputError(
        "--elo0, --elo1: go with tests of games; --test t has --effect0 and --effect1");
  }
  if (options.asks_effect &&
      (options.test == VerifyTest::kNormalised || options.test == VerifyTest::kLogistic)) {
    throw InputError(
        fmt::format("--effect0, --effect1: go with --test t; --test {} has --elo0 and --elo1",
                    test_name(options.test)));
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

/// Says when the test of a program ends: by the difference that the study has measured, and at the
/// latest.
void say_when(const VerifyArguments& arguments, const RecommendedStudy& recommended,
              const Terminal& terminal) {
  constexpr std::uintmax_t kLargest = 1'000'000'000;
  const Json json =
      parse_json(read_file(std::filesystem::path(arguments.folder) / "result.json", kLargest));
  const SavedResult result = read_saved_result(json, recommended.study);
  const bool known = arguments.against == "default" && result.incumbent;
  const double number = known ? result.incumbent->evaluations_to_decide.value_or(0.0) : 0.0;
  // Of a match the test counts games, of evaluations with games each of these.
  const Objective& objective = recommended.objective();
  const Matches* matches = objective.matches();
  const bool match = matches != nullptr && (matches->opponent() || are_duels(objective));
  const double games = games_per_evaluation(result);
  const char* noun = match ? "game" : "evaluation";
  std::string would;
  if (number > 0.0) {
    const double count = match && games > 0.0 ? number * games : number;
    would =
        fmt::format("by the hold-out about {}{} would decide; ",
                    counted(std::llround(count), match && games == 0.0 ? "evaluation" : noun),
                    !match && games > 1.0 ? fmt::format(" of {:.4g} games", games) : std::string());
  }
  terminal.err << fmt::format("{}the test ends after {} at the latest (--evaluations)\n", would,
                              counted(arguments.options.evaluations, noun));
}

}  // namespace

int verify_command(const VerifyArguments& arguments, const Terminal& terminal) {
  check(arguments);
  check_output_file(arguments.out);
  RecommendedStudy recommended = recommended_of(arguments);
  if (!arguments.quiet) note_aggregate(recommended.study, terminal);
  const Point other =
      incumbent_of(arguments.against, recommended.study, arguments.quiet, terminal, "--against");
  const std::string test =
      fmt::format("verify {} against {}{}", recommended.space().text(recommended.point),
                  recommended.space().text(other), arguments.options.match ? " in a match" : "");
  const auto journal =
      recommended.point == other
          ? nullptr
          : open_test_journal(arguments.folder, recommended.study, test, arguments.resume);
  const bool takes_long = is_external(recommended.objective()) && recommended.point != other;
  if (!arguments.quiet && takes_long) say_when(arguments, recommended, terminal);
  StudyProgress progress;
  const auto json_of = [&](const Verification& outcome) {
    return verification_json(recommended, other, arguments.against, outcome);
  };
  TestWatch watch;
  if (journal) {
    watch = [&](const Verification& so_far) {
      Json json = json_of(so_far);
      json["status"] = kRunningTest;
      journal->keep_result(json);
    };
  }
  const Verification result = [&] {
    const ProgressDisplay display = show_test(progress, terminal, arguments.quiet);
    return verify(recommended.study, recommended.point, other, arguments.options, progress,
                  journal ? journal->log() : nullptr, watch);
  }();
  const Json json = json_of(result);
  const bool kept = keep_decision(arguments.folder, recommended, other, result);
  const int code =
      show_verification({.json = json,
                         .rows = {row_of(json)},
                         .text = verification_text(recommended, other, arguments.against, result),
                         .stopped = result.stopped},
                        arguments, journal.get(), terminal);
  if (kept && !arguments.quiet) {
    terminal.err << fmt::format("The verdict of {} follows this test\n",
                                printable(arguments.folder, 1000));
  }
  return code;
}

}  // namespace ntune::cli
