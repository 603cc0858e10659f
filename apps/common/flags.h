#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/common/arguments.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace ntune::cli {

/// The words of a command line, so marked that those in brackets stay whole. Flags take the marks
/// off again.
std::vector<std::string> with_marks(std::vector<std::string> words);

/// Visits the options of a command, each declared once with its name, range and help. From the one
/// declaration come the flags, the help, the completion and the page of the manual. A struct of
/// arguments takes part by a member `void visit(Flags&)`. A name without dashes is a place.
class Flags {
 public:
  explicit Flags(CLI::App& command) : command_(command) {}

  /// Words, several ones, or numbers that are checked later; `type` stands for them in the help.
  template <class Value>
  Flags& value(const char* name, Value& value, const char* type, const std::string& help);
  Flags& flag(const char* name, bool& value, const char* help);

  /// A whole number, and a finite number. `target` may be an optional one.
  template <class Target>
  Flags& number(const char* name, Target& target, std::int64_t low, std::int64_t high,
                const char* help) {
    return whole(
        name, [&target](std::int64_t value) { take(target, value); }, low, high, help);
  }
  template <class Target>
  Flags& real(const char* name, Target& target, double low, double high, const char* help) {
    return finite(
        name, [&target](double value) { target = value; }, low, high, help);
  }

  /// A word that stands for a choice; `target` may be an optional one.
  template <class Choice, class Target>
  Flags& choice(const char* name, Target& target, const char* help,
                const std::map<std::string, Choice>& choices) {
    std::vector<std::string> words;
    for (const auto& [word, choice] : choices) words.push_back(word);
    return word(
        name, [&target, choices](const std::string& given) { target = choices.at(given); },
        std::move(words), help);
  }

  // Of the option that was visited last:
  Flags& required();
  Flags& excludes(const char* name);
  Flags& type(const char* name);
  Flags& expects_one();
  /// Given once for each value.
  Flags& one_at_a_time();
  Flags& one_of(std::vector<std::string> words);
  /// Several values with commas between them; numbers from low to high.
  Flags& commas();
  Flags& whole_from(std::int64_t low, std::int64_t high);
  Flags& real_from(double low, double high);
  /// Sets `was_given` where it is given.
  Flags& notes(bool& was_given);

  // What several commands have:
  /// The file of a study; one that ntune brings with it is found from any folder.
  Flags& study(std::string& file);
  Flags& studies(std::vector<std::string>& files);
  Flags& folder(std::string& folder, const char* help = "folder of the study");
  Flags& folders(std::vector<std::string>& folders, const char* help);
  Flags& seed(std::optional<std::int64_t>& seed);
  Flags& seed(std::int64_t& seed);
  template <class Target>
  Flags& threads(Target& threads, const char* help = "threads; 0: one per core") {
    return number("--threads", threads, 0, kMostThreads, help);
  }
  Flags& format(Format& format);
  /// --threads, --format and --quiet of a command that computes.
  Flags& output(OutputArguments& arguments);
  /// --plot: the file of a figure.
  Flags& plot(std::string& file);
  /// --replay: the file of a page that plays a game.
  Flags& replay(std::string& file);
  Flags& quiet(bool& quiet, const char* help = "no progress and no notes, only the result") {
    return flag("--quiet", quiet, help);
  }

 private:
  template <class Number>
  static void take(Number& target, std::int64_t value) {
    target = static_cast<Number>(value);
  }
  template <class Number>
  static void take(std::optional<Number>& target, std::int64_t value) {
    target = static_cast<Number>(value);
  }
  Flags& whole(const char* name, std::function<void(std::int64_t)> take, std::int64_t low,
               std::int64_t high, const char* help);
  Flags& finite(const char* name, std::function<void(double)> take, double low, double high,
                const char* help);
  Flags& word(const char* name, std::function<void(const std::string&)> take,
              std::vector<std::string> words, const char* help);

  CLI::App& command_;
  CLI::Option* last_ = nullptr;
};

}  // namespace ntune::cli
