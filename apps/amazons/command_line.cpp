#include "apps/amazons/command_line.h"

#include <fmt/format.h>

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

void add_plot(CLI::App& command, std::string& plot) {
  command.add_option("--plot", plot, "file for the figure, ending in .svg, .pdf or .png")
      ->type_name("FILE");
}

}  // namespace

CommandLine::CommandLine()
    : Program(
          "amazons", fmt::format("amazons of ntune {}", kVersion),
          "amazons is a laboratory for Amazons as a combinatorial game: exact values, and the\n"
          "experiments of Zhang and Müller (2015) on temperature discovery search (TDS, TDS+).\n"
          "A position is its ranks from the highest on, squares . (empty), # (burnt), B and W\n"
          "(queens of Black, who is Left, and of White): ####/#.##/.#B#/W.##",
          "Start with: amazons value '####/#.##/.#B#/W.##'\n"
          "Exit codes: 0 done, 2 wrong input, 130 interrupted.") {
  add_values();
  add_tds();
  add_samples();
  add_conjecture();
  add_matches();
  add_reproduce();
}

void CommandLine::add_values() {
  CLI::App* command =
      add_command("value", "mean, temperature and thermograph of a position, exactly",
                  [this](const Terminal& terminal) { return value_command(value, terminal); });
  command->add_option("position", value.position, "position, or -: one a line from standard input")
      ->required()
      ->type_name("POSITION");
  add_plot(*command, value.plot);
  add_database_option(*command, value.database);
  cli::add_format(*command, value.format);

  command = add_command(
      "database", "compute the values of all 4x4 positions with one queen each, and count them",
      [this](const Terminal& terminal) { return database_command(database, terminal); });
  command->add_option("--out", database.out, "file that other commands take with --database")
      ->type_name("FILE");
  add_database_option(*command, database.file);
  cli::add_output_options(*command, database.output);
}

void CommandLine::add_tds() {
  CLI::App* command = add_command(
      "tds", "temperature discovery search of one position, with its principal variation",
      [this](const Terminal& terminal) { return tds_command(tds, terminal); });
  command->add_option("position", tds.position, "position of any size")
      ->required()
      ->type_name("POSITION");
  command->add_option("--variant", tds.variant, kVariantHelp)->type_name("NAME");
  add_tds_options(*command, tds.tds);
  add_limits(*command, tds.nodes, tds.seconds);
  cli::add_format(*command, tds.format);
}

void CommandLine::add_samples() {
  CLI::App* command = add_command(
      "coverage", "count the positions that variants of TDS solve within limits",
      [this](const Terminal& terminal) { return coverage_command(coverage, terminal); });
  add_case_options(*command, coverage.variants, coverage.cases, coverage.out);
  add_limit_lists(*command, coverage.seconds, coverage.nodes);
  command->add_flag("--until-none", coverage.until_none,
                    "leave out positions with more empty squares than a number of which none was "
                    "solved; they count as not solved");
  add_tds_options(*command, coverage.tds);
  add_plot(*command, coverage.plot);
  cli::add_output_options(*command, coverage.output);

  command =
      add_command("error", "measure how far off the answers of variants are within limits",
                  [this](const Terminal& terminal) { return error_command(error, terminal); });
  add_case_options(*command, error.variants, error.cases, error.out);
  add_limit_lists(*command, error.seconds, error.nodes);
  add_tds_options(*command, error.tds);
  add_plot(*command, error.plot);
  cli::add_output_options(*command, error.output);
}

void CommandLine::add_conjecture() {
  CLI::App* command = add_command(
      "conjecture", "check the 2-delta conjecture on all 4x4 positions with one queen each",
      [this](const Terminal& terminal) { return conjecture_command(conjecture, terminal); });
  command
      ->add_option("--delta", conjecture.deltas,
                   "distances of the coupons, with commas (default 1,1/2,1/4,1/8)")
      ->delimiter(',')
      ->type_name("D");
  cli::add_number<int>(*command, "--least", conjecture.least, "fewest empty squares (default 0)", 0,
                       14);
  cli::add_number<int>(*command, "--most", conjecture.most, "most empty squares (default 14)", 0,
                       14);
  cli::add_number<std::int64_t>(*command, "--failures", conjecture.failures,
                                "counter-examples to be printed of each reading (default 3)", 0,
                                1'000'000);
  add_database_option(*command, conjecture.database);
  cli::add_output_options(*command, conjecture.output);
}

void CommandLine::add_reproduce() {
  CLI::App* command = add_command(
      "reproduce", "print numbers of Zhang and Müller (2015) beside ours",
      [this](const Terminal& terminal) { return reproduce_command(reproduce, terminal); });
  const std::vector<std::string> names = experiment_names();
  command->add_option("experiment", reproduce.experiment, list_text(names))
      ->required()
      ->check(cli::one_of(names))
      ->type_name("NAME");
  cli::add_real(*command, "--time-scale", reproduce.given_time_scale,
                "our limits of time by the paper's (default 0.1; of 3 and 4 0.001)", 1e-6, 1e6);
  cli::add_real(*command, "--longest", reproduce.longest,
                "the largest of the paper's limits to be compared, in seconds (default 10)", 0.1,
                1e6);
  command->add_flag("--all-cases", reproduce.all_cases,
                    "search also positions with more empty squares than a number of which none "
                    "was solved");
  cli::add_number<int>(*command, "--table", reproduce.table_mb,
                       "transposition table in MiB (default 64)", 1, 65536);
  add_cases(*command, reproduce.cases, reproduce.out);
  add_match_tables(*command);
  add_plot(*command, reproduce.plot);
  cli::add_output_options(*command, reproduce.output);
}

}  // namespace ntune::amazons
