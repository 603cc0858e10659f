#include "apps/common/options.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "apps/common/flags.h"
#include "ntune/core/text.h"

namespace ntune::cli {

std::function<std::string(const std::string&)> one_of(std::vector<std::string> words) {
  return [words = std::move(words)](const std::string& text) -> std::string {
    if (std::ranges::find(words, text) != words.end()) return {};
    return fmt::format("is '{}'{}; allowed: {}", printable(text, 40), suggestion(text, words),
                       list_text(words));
  };
}

std::function<std::string(const std::string&)> whole_number_from(std::int64_t low,
                                                                 std::int64_t high) {
  return [low, high](const std::string& text) -> std::string {
    std::int64_t value = 0;
    if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return {};
    return fmt::format("is '{}', a whole number from {} to {} is allowed", printable(text, 40),
                       count_text(low), count_text(high));
  };
}

std::function<std::string(const std::string&)> real_from(double low, double high) {
  return [low, high](const std::string& text) -> std::string {
    double value = 0.0;
    if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return {};
    return fmt::format("is '{}', a number from {} to {} is allowed", printable(text, 40),
                       number_text(low), number_text(high));
  };
}

void add_format(CLI::App& command, Format& format) { Flags(command).format(format); }

void add_output_options(CLI::App& command, OutputArguments& arguments) {
  add_number<int>(command, "--threads", arguments.threads,
                  "threads; 0: one per core; does not change the result", 0, kMostThreads);
  add_format(command, arguments.format);
  command.add_flag("--quiet", arguments.quiet, "no progress and no notes, only the result");
}

void add_experiment_options(CLI::App& command, const char* name, std::string& experiment,
                            const std::vector<std::string>& names, bool& list) {
  command.add_option(name, experiment, list_text(names))->check(one_of(names))->type_name("NAME");
  command.add_flag("--list", list,
                   "what the papers claim, what was measured of it, and the command and time that "
                   "it takes");
}

void add_plot_option(CLI::App& command, std::string& file) {
  command.add_option("--plot", file, "file for the figure, ending in .svg, .pdf or .png")
      ->type_name("FILE");
}

void add_seed_option(CLI::App& command, std::int64_t& seed) {
  add_number<std::int64_t>(command, "--seed", seed, "seed (default 1)", 0, kLargestSeed);
}

}  // namespace ntune::cli
