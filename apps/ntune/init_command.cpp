#include "apps/ntune/init_command.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <ostream>
#include <string_view>

#include <fmt/format.h>

#include "apps/common/data_path.h"
#include "apps/common/flags.h"
#include "apps/common/settings.h"
#include "apps/ntune/commands.h"
#include "apps/ntune/engines.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/program.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/command/missing_file.h"
#include "ntune/space/import/import_space.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/model/study.h"

namespace ntune::cli {

namespace {

namespace fs = std::filesystem;

std::string absolute_path(const std::string& file) {
  return fs::absolute(file).lexically_normal().string();
}

constexpr const char* kResultHelp =
    "  # auto reads JSON, a number, lines W, D and L, and what match programs print. Others:\n"
    "  # {cost: number} is minimised, {time: processor} measures; see `ntune describe command`.\n";

/// The format of the results, as YAML in one line.
std::string result_of(const StudySource& source) {
  if (source.result.empty()) return "auto";
  const YamlNode format = parse_yaml("result: " + source.result, "--result");
  const YamlNode* node = format.find("result");
  if (node == nullptr || node->is_null() || format.children().size() != 1) {
    throw InputError(fmt::format("--result: '{}' is no format; see `ntune describe command`",
                                 printable(source.result, 100)));
  }
  return to_yaml(to_json(*node));
}

constexpr std::int64_t kBudget = 300;

/// A first study of a program, for a file: the words that start it, and its space as YAML.
/// `of_irace`: irace minimises what a program prints, whatever it is.
std::string study_of_program(const std::vector<std::string>& words, const std::string& space,
                             const StudySource& source, const std::string& file,
                             bool of_irace = false) {
  std::string text = "objective:\n  command: " + to_yaml(Json(words)) + '\n';
  text += fmt::format("{}  result: {}\n", kResultHelp, result_of(source));
  if (source.minimise) {
    text += "  direction: minimise\n";
  } else if (of_irace && source.result.empty()) {
    text += "  direction: minimise   # as irace does; maximise where larger results are better\n";
  }
  const fs::path here = fs::current_path();
  if (fs::absolute(file).lexically_normal().parent_path() != here) {
    text += "  directory: " + to_yaml(Json(here.string())) + "   # where the program starts\n";
  }
  text += "  # timeout: 60 s   # a call that takes longer has failed\n" + space;
  text += fmt::format("budget: {:<10}# calls in all, those that measure the winner too\n",
                      source.budget.value_or(kBudget));
  return text +
         "# parallel_evaluations: 4   # calls at the same time\n"
         "# fail: skip                # go on when a call fails\n"
         "seed: 1\n";
}

/// The openings that come with ntune; empty where they are not there.
std::string opening_book() {
  const std::string book = absolute_path(data_path("apps/examples/openings.epd"));
  return fs::exists(book) ? book : "";
}

/// Said where a study has no openings, so that two games of two settings are often the same.
constexpr const char* kNoBook =
    "    # All games begin at the usual position, as ntune's openings are not installed. Add a "
    "book\n"
    "    # of your own behind tc=: \"-openings\", \"file=/path/book.epd\", \"format=epd\", "
    "\"order=random\"\n";

/// The words of a match between two settings of an engine, by fastchess where it is there, else by
/// the referee that ntune brings with it.
std::vector<std::string> match_words(const std::string& engine,
                                     const std::vector<std::string>& both) {
  const bool fastchess = !find_on_path("fastchess", inherited_path(), X_OK).empty();
  std::vector<std::string> words = {"fastchess"};
  if (!fastchess) {
    const std::string referee = absolute_path(data_path("apps/examples/referee.py"));
    if (!fs::exists(referee)) {
      throw InputError("--uci: needs fastchess on the path, to play the matches");
    }
    words = {"python3", referee};
  }
  const auto add = [&](std::initializer_list<std::string> more) {
    words.insert(words.end(), more);
  };
  add({"-engine", "name=tuned", "{params:option.{name}={value}}", "-engine", "name=opponent",
       "{opponent.params:option.{name}={value}}", "-each", "cmd=" + engine});
  words.insert(words.end(), both.begin(), both.end());
  if (fastchess) {
    add({"tc=1+0.01"});
    if (const std::string book = opening_book(); !book.empty()) {
      add({"-openings", "file=" + book, "format=epd", "order=random"});
    }
  } else {
    add({"depth=4", "-openings", "plies=8"});
  }
  add({"-srand", "{seed}", "-rounds", "2"});
  if (fastchess) add({"-repeat", "-concurrency", "1", "-config", "outname={scratch}/config.json"});
  return words;
}

/// What is no matter of playing strength, and what it is set to for both sides; empty: left alone.
struct Housekeeping {
  std::string_view name;
  std::string_view value;
};
constexpr std::array kHousekeeping = {
    Housekeeping{"Hash", "16"},       Housekeeping{"Threads", "1"},
    Housekeeping{"OwnBook", "false"}, Housekeeping{"Ponder", "false"},
    Housekeeping{"MultiPV", ""},      Housekeeping{"Clear Hash", ""},
    Housekeeping{"Move Overhead", ""}};

bool is_housekeeping(const std::string& name) {
  return name.starts_with("UCI_") || name.starts_with("Syzygy") || name.starts_with("Debug") ||
         std::ranges::find(kHousekeeping, name, &Housekeeping::name) != kHousekeeping.end();
}

/// A study of duels of an engine that answers `uci`.
std::string study_of_engine(const StudySource& source) {
  // A name without a folder is looked for on the path; match programs need the whole path of
  // others.
  const bool named = source.engine.find('/') == std::string::npos;
  const std::string found = named ? source.engine : absolute_path(source.engine);
  const std::string answer = uci_answer({found});
  ImportOptions options;
  options.format = SpaceFormat::kUci;
  options.only = names_between_commas(source.only);
  ImportedSpace imported = import_space_text(answer, source.engine, options);
  std::vector<std::string> both;
  const YamlNode all = parse_yaml(imported.yaml);
  for (const YamlNode& option : all.find("space")->children()) {
    const std::string& name = option.key();
    const auto* rule = std::ranges::find(kHousekeeping, name, &Housekeeping::name);
    const bool has_default = option.is_map() && option.find("default") != nullptr;
    if (source.only.empty() && has_default && !is_housekeeping(name)) options.only.push_back(name);
    const bool set = rule != kHousekeeping.end() && !rule->value.empty() && source.only.empty();
    if (set) both.push_back(fmt::format("option.{}={}", name, rule->value));
  }
  if (options.only.empty()) {
    throw InputError(fmt::format("{}: has no option to tune; --only NAMES takes any",
                                 printable(source.engine, 1000)));
  }
  if (source.only.empty()) imported = import_space_text(answer, source.engine, options);
  const std::vector<std::string> words = match_words(found, both);
  const bool has_openings = std::ranges::find(words, "-openings") != words.end();
  return "objective:\n  match:   # every call is a match of two settings: 2 openings, both "
         "colours\n" +
         std::string(has_openings ? "" : kNoBook) + "    command: " + to_yaml(Json(words)) +
         "\n    result: fastchess\n    timeout: 1800\n    retries: 1\n" + imported.yaml +
         fmt::format("budget: {:<10}# matches of 4 games; the first, of the default, has none\n",
                     source.budget.value_or(kBudget)) +
         "# parallel_evaluations: 4   # matches at the same time, one a core\n"
         "fail: skip\n"
         "seed: 1\n";
}

/// The space of a file, or the whole study where the file is a scenario.
std::string study_of_file(const std::string& file, std::vector<std::string> words,
                          const StudySource& source, const std::string& output) {
  ImportOptions options;
  options.only = names_between_commas(source.only);
  const ImportedSpace imported = import_space(file, options);
  if (parse_yaml(imported.yaml).find("objective") != nullptr) {
    if (!words.empty() || source.budget || source.minimise || !source.result.empty()) {
      throw InputError(
          fmt::format("{}: is a whole scenario, with its command, result and budget; "
                      "change them in the study that comes of it",
                      printable(file, 1000)));
    }
    return imported.yaml;
  }
  if (words.empty()) words = {"./program", "{params:gnu}", "--seed={seed}"};
  return study_of_program(words, imported.yaml, source, output,
                          imported.format == SpaceFormat::kIrace);
}

/// The text of the study that is to stand in the file `output`.
std::string study_text(const StudySource& source, const std::string& output) {
  if (!source.engine.empty()) {
    if (!source.words.empty() || !source.space.empty() || !source.result.empty() ||
        source.minimise) {
      throw InputError("--uci: makes a study of matches, without a command, --space or --result");
    }
    return study_of_engine(source);
  }
  if (!source.space.empty()) return study_of_file(source.space, source.words, source, output);
  if (source.words.empty()) {
    throw InputError("needs a command behind --, as in `-- ./play --depth {depth:1..8=4}`");
  }
  if (source.words.size() == 1 && source.words[0].find('{') == std::string::npos) {
    return study_of_file(source.words[0], {}, source, output);
  }
  if (!source.only.empty()) {
    throw InputError("--only: goes with a FILE or --uci; a command names what it takes");
  }
  const ImportedCommand command = import_command(source.words);
  return study_of_program(command.words, command.space.yaml, source, output);
}

/// The name of a study that stands in no file yet.
constexpr const char* kUnwritten = "the study";

/// A line of a message about that study as its user knows it: by the option or the word of the
/// command line, in place of a line and a key of a file that is not there.
std::string by_command_line(const std::string& line, const StudySource& source) {
  const std::size_t end = line.find(": ");
  if (!line.starts_with(fmt::format("{}:", kUnwritten)) || end == std::string::npos) return line;
  const std::string rest = line.substr(end + 2);
  const auto named = [&](std::string_view key, std::string_view name) {
    return fmt::format("{}{}", name, rest.substr(key.size()));
  };
  constexpr std::string_view kResult = "objective.result";
  constexpr std::string_view kCalls = "budget";
  constexpr std::string_view kWord = "objective.command";
  if (!source.result.empty() && rest.starts_with(kResult)) return named(kResult, "--result");
  if (source.budget && rest.starts_with(kCalls)) return named(kCalls, "--budget");
  return rest.starts_with(kWord) ? named(kWord, "COMMAND") : rest;
}

/// Does what reads the study of a command line, with messages that its user knows.
template <class Read>
auto read_command_line(const StudySource& source, const Read& read) {
  try {
    return read();
  } catch (const InputError& error) {
    std::string message;
    for (const std::string_view line : split(error.what(), '\n')) {
      if (!message.empty()) message += '\n';
      message += by_command_line(std::string(line), source);
    }
    throw InputError(message);
  }
}

/// Writes the study where no file is, once it is known to be one. Returns it.
Study write_study(const StudySource& source, const std::string& text, const std::string& file,
                  const std::string& head) {
  if (fs::exists(file)) {
    throw InputError(
        fmt::format("{}: is there already; -o or --out names another one", printable(file, 1000)));
  }
  Study study = read_command_line(source, [&] { return read_study(parse_yaml(text, kUnwritten)); });
  write_file_atomically(file, "# " + head + "\n" + text);
  return study;
}

}  // namespace

void StudySource::visit(Flags& flags, bool of_any_source) {
  flags.value("command", words, "COMMAND",
              of_any_source
                  ? "behind --: the program, with values in placeholders: {depth:1..8=4}, "
                    "{c:0.1..10:log}, {mode:fast|slow}; or one FILE that import-space reads"
                  : "behind --: the program, with values in placeholders: {depth:1..8=4}, "
                    "{c:0.1..10:log}, {mode:fast|slow}");
  if (of_any_source) {
    flags.value("--uci", engine, "ENGINE", "a study of duels of this engine's options instead");
    flags.value("--space", space, "FILE",
                "take the space from this file, for a command that names no values");
    flags.value("--only", only, "NAMES",
                "options to take, with commas between them; * stands for any characters");
  }
  flags.value(
      "--result", result, "FORMAT",
      "how its output is read (default auto): number, letters, json, time, {cost: json}, …");
  flags.flag("--minimise", minimise, "the number that it prints is a cost");
  flags.number("--budget", budget, 2, 1'000'000'000, "calls in all (default 300)");
}

void InitArguments::visit(Flags& flags) {
  StudySource::visit(flags, true);
  flags.value("-o,--output", output, "FILE", "file of the study (default study.yaml); - prints it");
}

void TuneArguments::visit(Flags& flags) {
  StudySource::visit(flags, false);
  flags.value(
      "--out", out, "DIR",
      "folder of the results (default tuned); the study is kept in this folder, as its name "
      "and .yaml");
  flags.seed(seed);
  flags.threads(threads);
  flags.quiet(quiet);
}

int init_command(const InitArguments& arguments, const Terminal& terminal) {
  const std::string& file = arguments.output;
  if (file == "-") {
    terminal.out << study_text(arguments, "study.yaml");
    return kDone;
  }
  const Study study =
      write_study(arguments, study_text(arguments, file), file,
                  "Written by `ntune init`. Try it: ntune check --dry-run " + shown_word(file));
  const SearchSpace& space = study.objectives.front().objective->space();
  terminal.err << fmt::format("{}: {}. Next: ntune check --dry-run {}\n", printable(file, 1000),
                              counted(space.dimensions(), "parameter"), shown_word(file));
  return kDone;
}

int tune_command(const TuneArguments& arguments, const Terminal& terminal) {
  // A program is started in the folder of its study: the one where the command line was written.
  fs::path folder = fs::path(arguments.out).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  if (folder.empty() || folder.filename() == "." || folder.filename() == "..") {
    throw InputError(fmt::format("--out: is '{}', the name of a folder of results is needed",
                                 printable(arguments.out, 100)));
  }
  const std::string file = folder.filename().string() + ".yaml";
  const std::string head =
      fmt::format("Written by `ntune tune`. Go on: ntune run {} --out {} --resume",
                  shown_word(file), shown_word(arguments.out));
  const std::string text = study_text(arguments, file);
  read_command_line(arguments, [&] {
    if (const auto missing = missing_file(*parse_yaml(text, kUnwritten).find("objective"))) {
      missing->fail();
    }
  });
  write_study(arguments, text, file, head);
  if (!arguments.quiet) terminal.err << fmt::format("The study is {}\n", file);
  try {
    return run_command({.study = file,
                        .out = arguments.out,
                        .seed = arguments.seed,
                        .threads = arguments.threads,
                        .quiet = arguments.quiet},
                       terminal);
  } catch (const InputError&) {
    // Without a journal nothing has been run by it.
    if (!fs::exists(fs::path(arguments.out) / kJournalName)) fs::remove(file);
    throw;
  }
}

}  // namespace ntune::cli
