#include "apps/slide3/options.h"

#include "apps/common/options.h"
#include "ntune/core/text.h"

namespace ntune::slide3 {

void add_database_option(CLI::App& command, std::string& file) {
  command.add_option("--database", file, "file of slide3 database (default: built anew)")
      ->type_name("FILE");
}

void add_drawing_options(CLI::App& command, SampleArguments& arguments) {
  constexpr auto kMost = static_cast<std::int64_t>(slide_position_count<3>());
  command
      .add_option("--dtw", arguments.dtw, "distance to win of the positions, or all (default 14)")
      ->type_name("N");
  cli::add_number<std::int64_t>(command, "--count", arguments.count,
                                "number of positions (default 1068)", 1, kMost);
  cli::add_seed_option(command, arguments.seed);
  add_database_option(command, arguments.database);
}

void add_sample_options(CLI::App& command, SampleArguments& arguments) {
  add_drawing_options(command, arguments);
  command.add_option("--sample", arguments.file, "file of positions, in place of drawn ones")
      ->type_name("FILE")
      ->excludes(command.get_option("--dtw"))
      ->excludes(command.get_option("--count"));
}

void add_search_options(CLI::App& command, DepthSearchOptions& search) {
  const auto& modes = table_mode_names();
  cli::add_choice<TableMode>(
      command, "--table", search.table,
      "what the transposition table holds: all (default), expanded (no leaves) or off",
      {modes.begin(), modes.end()});
  cli::add_real(command, "--win-value", search.win_value,
                "value of Win: -1000 (default), or 0 as in the thesis's first programs",
                -kLargestWeight, kLargestWeight);
}

void add_player_options(CLI::App& command, PlayerArguments& arguments) {
  const std::vector<std::string> names = evaluation_names();
  CLI::Option* name =
      command.add_option("--eval", arguments.name, list_text(names) + " (default Eu)");
  name->check(cli::one_of(names))->type_name("NAME");
  command
      .add_option("--weight", arguments.weights,
                  "a weight of a sum, once for each evaluation in it")
      ->type_name("NAME=X")
      ->type_size(1)
      ->allow_extra_args(false)
      ->excludes(name);
  cli::add_choice<Randomisation>(
      command, "--randomisation", arguments.randomisation,
      "how chance enters: none (default), add, mult, norm_plus, norm_minus or comb",
      additive_randomisations());
  cli::add_real(command, "--intensity", arguments.intensity, "largest random number a", 0.0,
                kLargestWeight)
      ->type_name("A");
  command
      .add_option_function<std::string>(
          "--interval",
          [&arguments](const std::string& text) { arguments.both_sides = text == "both"; },
          "both: [-a, a], the default for add and mult; positive: [0, a], for the others")
      ->check(cli::one_of({"both", "positive"}))
      ->type_name("NAME");
  command.add_flag("--rounded", arguments.rounded,
                   "the sum to a whole number before chance enters");
  add_search_options(command, arguments.search);
}

}  // namespace ntune::slide3
