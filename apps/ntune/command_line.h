#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "apps/ntune/commands.h"
#include "apps/ntune/import_command.h"

namespace ntune::cli {

/// All commands with their options; `chosen` is set to the one that was called.
struct CommandLine {
  CLI::App app{
      "ntune tunes the parameters of noisy, expensive black boxes with the N-Tuple Bandit\n"
      "Evolutionary Algorithm. A study file in YAML says what to maximise, over which values and\n"
      "with how many evaluations."};
  RunArguments run;
  CheckArguments check;
  ListArguments list;
  std::string describe;
  EvalArguments eval;
  ServeArguments serve;
  StepArguments step;
  std::int64_t trial = 0;
  std::vector<double> values;
  std::string reason;
  ExportArguments exported;
  MergeArguments merge;
  ImportArguments import;
  std::string shell = "bash";
  std::function<int(const Terminal&)> chosen;

  CommandLine();

 private:
  void add_serve();
  void add_export();
  void add_merge();
  void add_import();
  CLI::App* add_step(const char* name, const char* help, std::function<Json()> request);
  void add_steps();
};

// Options that several commands have.
inline const std::map<std::string, Format> kFormats = {
    {"text", Format::kText}, {"json", Format::kJson}, {"csv", Format::kCsv}};

inline constexpr int kMostThreads = 1024;

inline void add_format(CLI::App& command, Format& format) {
  command.add_option("--format", format, "text, json or csv (default text)")
      ->transform(CLI::CheckedTransformer(kFormats).description(""))
      ->type_name("FORMAT");
}

template <class Choice>
void add_choice(CLI::App& command, const char* name, Choice& target, const char* help,
                const std::map<std::string, Choice>& choices) {
  command.add_option(name, target, help)
      ->transform(CLI::CheckedTransformer(choices).description(""))
      ->type_name("NAME");
}

template <class Number>
void add_number(CLI::App& command, const char* name, std::optional<Number>& target,
                const char* help, Number low, Number high) {
  command
      .add_option_function<Number>(
          name, [&target](const Number& value) { target = value; }, help)
      ->check(CLI::Range(low, high).description(""))
      ->type_name("N");
}

}  // namespace ntune::cli
