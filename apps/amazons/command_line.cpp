#include "apps/amazons/command_line.h"

#include <fmt/format.h>

#include "apps/amazons/commands.h"
#include "apps/amazons/options.h"
#include "apps/common/options.h"
#include "apps/common/program.h"
#include "ntune/core/text.h"
#include "ntune/version.h"

namespace ntune::amazons {

namespace {

void add_cases(CLI::App& command, std::string& cases, std::string& out) {
  command
      .add_option("--cases", cases,
                  "CSV file with the columns board, mean and temperature (default "
                  "configs/amazons/sample_600.csv)")
      ->type_name("FILE");
  command
      .add_option("--out", out,
                  "CSV file that keeps the result of every search, from which a broken off command "
                  "goes on")
      ->type_name("FILE");
}

void add_case_options(CLI::App& command, std::vector<std::string>& variants, std::string& cases,
                      std::string& out) {
  command.add_option("--variants", variants, kVariantHelp)->delimiter(',')->type_name("NAMES");
  add_cases(command, cases, out);
}

void add_limit_lists(CLI::App& command, std::vector<double>& seconds,
                     std::vector<std::int64_t>& nodes) {
  command.add_option("--seconds", seconds, "limits of processor time for each search, with commas")
      ->delimiter(',')
      ->check(cli::real_from(1e-6, 1e9))
      ->type_name("X");
  command.add_option("--nodes", nodes, "limits of nodes for each search, with commas")
      ->delimiter(',')
      ->check(cli::whole_number_from(1, std::int64_t{1} << 53))
      ->type_name("N");
}

void add_value(cli::Program& program) {
  const auto [command, value] = program.add<ValueArguments>(
      "value", "mean, temperature and thermograph of a position, exactly", value_command);
  command.add_option("position", value.position, "position, or -: one a line from standard input")
      ->required()
      ->type_name("POSITION");
  cli::add_plot_option(command, value.plot);
  add_database_option(command, value.database);
  cli::add_format(command, value.format);
}

void add_database(cli::Program& program) {
  const auto [command, database] = program.add<DatabaseArguments>(
      "database", "compute the values of all 4x4 positions with one queen each, and count them",
      database_command);
  command.add_option("--out", database.out, "file that other commands take with --database")
      ->type_name("FILE");
  add_database_option(command, database.file);
  cli::add_output_options(command, database.output);
}

void add_tds(cli::Program& program) {
  const auto [command, tds] = program.add<TdsCommandArguments>(
      "tds", "temperature discovery search of one position, with its principal variation",
      tds_command);
  command.add_option("position", tds.position, "position of any size")
      ->required()
      ->type_name("POSITION");
  command.add_option("--variant", tds.variant, kVariantHelp)->type_name("NAME");
  add_tds_options(command, tds.tds);
  add_limits(command, tds.nodes, tds.seconds);
  cli::add_format(command, tds.format);
}

void add_coverage(cli::Program& program) {
  const auto [command, coverage] = program.add<CoverageArguments>(
      "coverage", "count the positions that variants of TDS solve within limits", coverage_command);
  add_case_options(command, coverage.variants, coverage.cases, coverage.out);
  add_limit_lists(command, coverage.seconds, coverage.nodes);
  command.add_flag("--until-none", coverage.until_none,
                   "leave out positions with more empty squares than a number of which none was "
                   "solved; they count as not solved");
  add_tds_options(command, coverage.tds);
  cli::add_plot_option(command, coverage.plot);
  cli::add_output_options(command, coverage.output);
}

void add_error(cli::Program& program) {
  const auto [command, error] = program.add<ErrorArguments>(
      "error", "measure how far off the answers of variants are within limits", error_command);
  add_case_options(command, error.variants, error.cases, error.out);
  add_limit_lists(command, error.seconds, error.nodes);
  add_tds_options(command, error.tds);
  cli::add_plot_option(command, error.plot);
  cli::add_output_options(command, error.output);
}

void add_conjecture(cli::Program& program) {
  const auto [command, conjecture] = program.add<ConjectureArguments>(
      "conjecture", "check the 2-delta conjecture on all positions with one queen each",
      conjecture_command);
  command
      .add_option("--delta", conjecture.deltas,
                  "distances of the coupons, with commas (default 1,1/2,1/4,1/8)")
      ->delimiter(',')
      ->type_name("D");
  command
      .add_option("--size", conjecture.size,
                  "files and ranks of the board, 2x1 to 5x5 (default 4x4)")
      ->type_name("SIZE");
  cli::add_number<int>(command, "--least", conjecture.least, "fewest empty squares (default 0)", 0,
                       23);
  cli::add_number<int>(command, "--most", conjecture.most,
                       "most empty squares (default 14, or 6 on a board of more than 16 squares)",
                       0, 23);
  cli::add_number<std::int64_t>(command, "--failures", conjecture.failures,
                                "counter-examples to be printed of each reading (default 3)", 0,
                                1'000'000);
  cli::add_output_options(command, conjecture.output);
}

void add_reproduce(cli::Program& program) {
  const auto [command, reproduce] = program.add<ReproduceArguments>(
      "reproduce", "print numbers of Zhang and Müller (2015) beside ours", reproduce_command);
  cli::add_experiment_options(command, "experiment", reproduce.experiment, experiment_names(),
                              reproduce.list);
  cli::add_real(
      command, "--time-scale", reproduce.given_time_scale,
      "our limits of time as a share of the paper's (default 0.1; 0.001 in experiments 3 and 4); "
      "in fig3, fig4, e5 and rules times a million nodes",
      1e-6, 1e6);
  cli::add_real(command, "--longest", reproduce.longest,
                "the largest of the paper's limits to be compared, in seconds (default 10)", 0.1,
                1e6);
  command.add_flag("--all-cases", reproduce.all_cases,
                   "search also positions with more empty squares than a number of which none "
                   "was solved");
  cli::add_number<int>(command, "--table", reproduce.table_mb,
                       "transposition table in MiB (default 64)", 1, 65536);
  add_cases(command, reproduce.cases, reproduce.out);
  add_match_table_options(command, reproduce.matches);
  cli::add_plot_option(command, reproduce.plot);
  cli::add_output_options(command, reproduce.output);
}

}  // namespace

int run(const std::vector<std::string>& arguments, const cli::Terminal& terminal) {
  cli::Program program(
      "amazons", fmt::format("amazons of ntune {}", kVersion),
      "amazons is a laboratory for Amazons as a combinatorial game: exact values, and the\n"
      "experiments of Zhang and Müller (2015) on temperature discovery search (TDS, TDS+).\n"
      "A position is its ranks from the highest on, squares . (empty), # (burnt), B and W\n"
      "(queens of Black, who is Left, and of White): ####/#.##/.#B#/W.##",
      "Start with: amazons value '####/#.##/.#B#/W.##'\n"
      "Exit codes: 0 done, 2 wrong input, 130 interrupted.");
  add_value(program);
  add_database(program);
  add_tds(program);
  add_coverage(program);
  add_error(program);
  add_conjecture(program);
  add_sum_commands(program);
  add_reproduce(program);
  return program.execute(arguments, terminal);
}

}  // namespace ntune::amazons
