#include <fmt/format.h>

#include "apps/amazons/commands.h"
#include "apps/common/program.h"
#include "ntune/version.h"

namespace ntune::amazons {

namespace {

constexpr std::int64_t kMostNodes = std::int64_t{1} << 53;
constexpr const char* kVariantHelp =
    "TDS, TDS_13 or 13 (E1 and E3; 0 is E10), TDS+ (E1 to E5) or all (E1 to E10)";
constexpr const char* kPlayerHelp =
    "hotstrat-SOURCE or sentestrat-SOURCE (TDS, TDS_13, TDS+, all or database), arrow or random, "
    "then :option=value,option=value";
constexpr const char* kMoveLimits = "limit for each move (default 20000 nodes)";

void visit_database(Flags& flags, std::string& file) {
  flags.value("--database", file, "FILE", "file of `amazons database --out` (default: computed)");
}

void visit_table(Flags& flags, int& table_mb, const char* help) {
  flags.number("--table", table_mb, 1, 65536, help);
}

void visit_cases_file(Flags& flags, std::string& cases, std::string& out) {
  flags.value("--cases", cases, "FILE",
              "CSV file with the columns board, mean and temperature (default "
              "configs/amazons/sample_600.csv)");
  flags.value("--out", out, "FILE",
              "CSV file that keeps the result of every search, from which a broken off command "
              "goes on");
}

}  // namespace

void LimitArguments::visit(Flags& flags, const std::string& what) {
  constexpr double kMostSeconds = 86'400;  // a day
  const std::string of_nodes = "nodes " + what;
  flags.number("--nodes", nodes, 1, std::int64_t{1} << 50, of_nodes.c_str());
  const std::string of_seconds = "processor time " + what;
  flags.real("--seconds", seconds, 1e-6, kMostSeconds, of_seconds.c_str());
}

void SumArguments::visit(Flags& flags) {
  flags.number("--boards", boards, 1, static_cast<int>(AmazonsSum<4>::kMostBoards),
               "boards of a sum (default 2)");
  flags.number("--size", size, 4, 6, "side of a board, 4, 5 or 6 (default 4)");
  flags.number("--burnt", burnt, 0, 34, "burnt squares of a board at random places (default 3)");
}

void TdsArguments::visit(Flags& flags) {
  const auto visit_names = [&](const char* name, auto& target, const char* help,
                               const auto& names) {
    flags.choice<typename std::decay_t<decltype(target)>::value_type>(name, target, help,
                                                                      {names.begin(), names.end()});
  };
  flags.value("--delta", delta, "D",
              "distance of the coupons, 1, 1/2, 1/4 …; auto (default): exact, 2^-n for n empty "
              "squares");
  flags.value("--t-max", t_max, "T",
              "largest coupon; auto (default): the empty squares - 1 + delta");
  flags.number("--margin", margin, 0, 1000,
               "E1: the next t_max is N delta above the temperature found (default 2)");
  visit_names("--ties", ties, "which of equally good moves is preferred: coupon (default) or board",
              tds_ties_names());
  visit_names("--reading", reading,
              "the temperature: prior (the coupon before the first board move), top (the one on "
              "top then), or rounded (default: prior, rounded up to a possible temperature)",
              tds_reading_names());
  visit_names("--no-board-move", no_board_move,
              "the temperature where a stopped search saw no board move: half_smallest (coupon; "
              "default), smallest, half_largest, largest, minus_one",
              tds_no_board_move_names());
  flags.flag("--literal", literal,
             "follow the paper literally where it is unsound: all three below, and --reading "
             "prior");
  flags.flag("--literal-e2", literal_e2, "E2: only a position's own possible temperatures");
  flags.flag("--literal-e4", literal_e4, "E4: a follower's temperature as read, not rounded up");
  flags.flag("--literal-key", literal_key, "keys of the table without the -1 coupons taken");
  visit_table(flags, table_mb,
              "transposition table in MiB, rounded down to a power of two (default 64)");
}

void ValueArguments::visit(Flags& flags) {
  flags.value("position", position, "POSITION", "position, or -: one a line from standard input")
      .required();
  flags.plot(plot);
  flags.replay(replay);
  visit_database(flags, database);
  flags.format(format);
}

void DatabaseArguments::visit(Flags& flags) {
  flags.value("--out", out, "FILE", "file that other commands take with --database");
  visit_database(flags, file);
  flags.output(output);
}

void TdsCommandArguments::visit(Flags& flags) {
  flags.value("position", position, "POSITION", "position of any size").required();
  flags.value("--variant", variant, "NAME", kVariantHelp);
  tds.visit(flags);
  flags.number("--nodes", nodes, 1, kMostNodes, "limit of nodes (default none)");
  flags.real("--seconds", seconds, 1e-6, 1e9, "limit of processor time (default none)");
  flags.replay(replay);
  flags.format(format);
}

void CasesArguments::visit_cases(Flags& flags) {
  flags.value("--variants", variants, "NAMES", kVariantHelp).commas();
  visit_cases_file(flags, cases, out);
  flags.value("--seconds", seconds, "X", "limits of processor time for each search, with commas")
      .commas()
      .real_from(1e-6, 1e9);
  flags.value("--nodes", nodes, "N", "limits of nodes for each search, with commas")
      .commas()
      .whole_from(1, kMostNodes);
}

void CasesArguments::visit(Flags& flags) {
  visit_cases(flags);
  tds.visit(flags);
  flags.plot(plot).output(output);
}

void CoverageArguments::visit(Flags& flags) {
  visit_cases(flags);
  flags.flag("--until-none", until_none,
             "leave out positions with more empty squares than a number of which none was solved; "
             "they count as not solved");
  tds.visit(flags);
  flags.plot(plot).output(output);
}

void ConjectureArguments::visit(Flags& flags) {
  flags
      .value("--delta", deltas, "D",
             "distances of the coupons, with commas (default 1,1/2,1/4,1/8)")
      .commas();
  flags.value("--size", size, "SIZE", "files and ranks of the board, 2x1 to 5x5 (default 4x4)");
  flags.number("--least", least, 0, 23, "fewest empty squares (default 0)");
  flags.number("--most", most, 0, 23,
               "most empty squares (default 14, or 6 on a board of more than 16 squares)");
  flags.number("--failures", failures, 0, 1'000'000,
               "counter-examples to be printed of each reading (default 3)");
  flags.output(output);
}

void MatchArguments::visit(Flags& flags) {
  flags.value("player", player, "PLAYER", kPlayerHelp).required();
  flags.value("opponent", opponent, "PLAYER", "against whom").required();
  sums.visit(flags);
  flags.number("--sums", count, 1, 1'000'000, "random sums, two games each (default 100)");
  limits.visit(flags, kMoveLimits);
  visit_database(flags, database);
  flags.seed(seed);
  flags.output(output);
}

void PlayArguments::visit(Flags& flags) {
  flags.value("--black", black, "PLAYER", "person (default) or a player");
  flags.value("--white", white, "PLAYER", "a player (default hotstrat-all) or person");
  flags.value("--position", positions, "POSITION", "a board; once for each (default random ones)");
  sums.visit(flags);
  limits.visit(flags, kMoveLimits);
  visit_database(flags, database);
  flags.replay(replay);
  flags.seed(seed);
}

void CompareArguments::visit(Flags& flags) {
  flags
      .value("settings", settings, "SETTINGS",
             "variant such as TDS_13, then :option=value,option=value")
      .required();
  flags.value("--baseline", baseline, "SETTINGS", "the other settings (default TDS+)");
  flags.number("--positions", positions, 1, 100'000'000,
               "random positions of the 4x4 database (default 1000)");
  flags.number("--least-empties", least_empties, 2, 14, "empty squares, at least (default 6)");
  flags.number("--most-empties", most_empties, 2, 14, "empty squares, at most (default 14)");
  limits.visit(flags, "limit for each position (default 3000 nodes)");
  visit_database(flags, database);
  flags.seed(seed);
  flags.output(output);
}

void MatchTableArguments::visit(Flags& flags) {
  flags.value("--player", player, "PLAYER",
              "the player of experiments 3 and 4 (default hotstrat-TDS+)");
  flags.value("--opponent", opponent, "PLAYER",
              "the opponent in experiments 3 and 4 (default the table's)");
  flags
      .value("--boards", boards, "N",
             "boards of a sum in experiments 3 and 4, with commas (default 2,4,6)")
      .commas();
  flags
      .value("--sizes", sizes, "N",
             "sides of the boards in experiments 3 and 4, with commas (default 4,5,6)")
      .commas();
  flags.number("--nodes", nodes, 1, std::int64_t{1} << 50,
               "limit of nodes for each move in experiments 3 and 4, instead of time");
  flags.number("--games", games, 2, 1'000'000,
               "games of each cell of experiments 3 and 4, an even number (default 20)");
  flags.seed(seed);
}

void ReproduceArguments::visit(Flags& flags) {
  visit_experiment(flags, experiments());
  flags.real("--time-scale", given_time_scale, 1e-6, 1e6,
             "our limits of time as a share of the paper's (default 0.1; 0.001 in experiments 3 "
             "and 4); in fig3, fig4, e5 and rules times a million nodes");
  flags.real("--longest", longest, 0.1, 1e6,
             "the largest of the paper's limits to be compared, in seconds (default 10)");
  flags.flag("--all-cases", all_cases,
             "search also positions with more empty squares than a number of which none was "
             "solved");
  visit_table(flags, table_mb, "transposition table in MiB (default 64)");
  visit_cases_file(flags, cases, out);
  matches.visit(flags);
  visit_output(flags);
}

int run(const std::vector<std::string>& arguments, const cli::Terminal& terminal) {
  cli::Program program(
      "amazons", fmt::format("amazons of ntune {}", kVersion),
      "amazons is a laboratory for Amazons as a combinatorial game: exact values, and the\n"
      "experiments of Zhang and Müller (2015) on temperature discovery search (TDS, TDS+).\n"
      "A position is its ranks from the highest on, squares . (empty), # (burnt), B and W\n"
      "(queens of Black, who is Left, and of White): ####/#.##/.#B#/W.##",
      "Start with: amazons value '####/#.##/.#B#/W.##'\n"
      "Exit codes: 0 done, 2 wrong input, 130 interrupted.");
  program.add("value", "mean, temperature and thermograph of a position, exactly", value_command);
  program.add("database",
              "compute the values of all 4x4 positions with one queen each, and count them",
              database_command);
  program.add("tds", "temperature discovery search of one position, with its principal variation",
              tds_command);
  program.add("coverage", "count the positions that variants of TDS solve within limits",
              coverage_command);
  program.add("error", "measure how far off the answers of variants are within limits",
              error_command);
  program.add("conjecture", "check the 2-delta conjecture on all positions with one queen each",
              conjecture_command);
  program.add("match", "let two players play random sums with both colours", match_command);
  program.add("play", "play a sum yourself, or watch two players", play_command);
  program.add("compare", "errors of two settings of TDS on the same random positions",
              compare_command);
  program.add("reproduce", "print numbers of Zhang and Müller (2015) beside ours",
              reproduce_command);
  return program.execute(arguments, terminal);
}

}  // namespace ntune::amazons
