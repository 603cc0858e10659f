#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "apps/common/arguments.h"

namespace ntune::cli {

// Options that several commands have. Only the sources of command lines include this header: CLI11
// is slow to compile.

/// A check that the text is one of the words.
std::function<std::string(const std::string&)> one_of(std::vector<std::string> words);

/// Checks that the text is a whole number, or a finite number, from low to high.
std::function<std::string(const std::string&)> whole_number_from(std::int64_t low,
                                                                 std::int64_t high);
std::function<std::string(const std::string&)> real_from(double low, double high);

/// An option whose text stands for a choice. `target` is a Choice or std::optional<Choice>.
template <class Choice, class Target>
CLI::Option* add_choice(CLI::App& command, const char* name, Target& target, const char* help,
                        const std::map<std::string, Choice>& choices) {
  std::vector<std::string> words;
  for (const auto& [word, choice] : choices) words.push_back(word);
  return command
      .add_option_function<std::string>(
          name, [&target, choices](const std::string& word) { target = choices.at(word); }, help)
      ->check(one_of(words))
      ->type_name("NAME");
}

void add_format(CLI::App& command, Format& format);

/// A whole number. `target` is a number, or an optional one.
template <class Number, class Target>
void add_number(CLI::App& command, const char* name, Target& target, const char* help, Number low,
                Number high) {
  command
      .add_option_function<Number>(
          name, [&target](const Number& value) { target = value; }, help)
      ->check(whole_number_from(low, high))
      ->type_name("N");
}

/// A finite number, the same.
template <class Target>
CLI::Option* add_real(CLI::App& command, const char* name, Target& target, const char* help,
                      double low, double high) {
  return command
      .add_option_function<double>(
          name, [&target](double value) { target = value; }, help)
      ->check(real_from(low, high))
      ->type_name("X");
}

/// --threads, --format and --quiet.
void add_output_options(CLI::App& command, OutputArguments& arguments);

void add_seed_option(CLI::App& command, std::int64_t& seed);
/// The experiment of `reproduce`, one of the names, and --list for all claims in its place.
void add_experiment_options(CLI::App& command, const char* name, std::string& experiment,
                            const std::vector<std::string>& names, bool& list);
/// --plot: the file of a figure.
void add_plot_option(CLI::App& command, std::string& file);

}  // namespace ntune::cli
