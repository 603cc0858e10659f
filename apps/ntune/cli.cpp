#include "apps/ntune/cli.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "apps/ntune/command_line.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune::cli {

namespace {

/// CLI11 says of a wrong command that one is missing.
void check_command_name(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments.front().starts_with('-')) return;
  const std::string& name = arguments.front();
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  if (std::ranges::find(names, name) != names.end()) return;
  const std::string near = closest_word(name, names);
  throw InputError(fmt::format("ntune: '{}' is not a command{}; allowed: {}", printable(name, 60),
                               near.empty() ? "" : fmt::format(", did you mean '{}'?", near),
                               list_text(names)));
}

}  // namespace

int run(const std::vector<std::string>& arguments, const Terminal& terminal) {
  try {
    CommandLine line;
    check_command_name(line.app, arguments);
    try {
      std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
      line.app.parse(reversed);
    } catch (const CLI::Success& success) {
      return line.app.exit(success, terminal.out, terminal.err);
    } catch (const CLI::ParseError& error) {
      terminal.err << "ntune: " << printable(error.what()) << " (see ntune --help)\n";
      return kWrongInput;
    }
    const int code = line.chosen(terminal);
    terminal.out.flush();
    if (!terminal.out) throw InputError("standard output: cannot be written");
    return code;
  } catch (const InputError& error) {
    terminal.err << error.what() << '\n';
    return kWrongInput;
  } catch (const EvaluationError& error) {
    terminal.err << error.what() << '\n';
    return kEvaluationFailed;
  } catch (const std::bad_alloc&) {
    terminal.err << "ntune: not enough memory for this study\n";
    return kWrongInput;
  }
}

}  // namespace ntune::cli
