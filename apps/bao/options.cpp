#include "apps/bao/options.h"

#include "apps/common/options.h"

namespace ntune::bao {

void add_folder_option(CLI::App& command, std::string& folder) {
  command
      .add_option("--folder", folder,
                  "folder of weights files and start positions (default configs/bao)")
      ->type_name("DIR");
}

void add_start_options(CLI::App& command, StartArguments& arguments) {
  CLI::Option* file =
      command
          .add_option("--starts", arguments.file,
                      "CSV file of start positions (default start_positions.csv of the folder)")
          ->type_name("FILE");
  cli::add_number<std::int64_t>(command, "--random", arguments.random,
                                "so many random start positions instead: ten random moves of each "
                                "player from the opening",
                                1, 10'000'000);
  command.get_option("--random")->excludes(file);
}

}  // namespace ntune::bao
