#include "apps/common/flags.h"

#include <algorithm>
#include <type_traits>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/common/data_path.h"
#include "ntune/core/text.h"

namespace ntune::cli {

namespace {

/// Stands before a word in brackets, which CLI11 would take for a list.
constexpr char kMark = '\x01';

std::string without_mark(std::string word) {
  if (word.starts_with(kMark)) word.erase(0, 1);
  return word;
}

/// A check of a text: what is wrong with it, or nothing.
using Check = std::function<std::string(const std::string&)>;

Check is_one_of(std::vector<std::string> words) {
  return [words = std::move(words)](const std::string& text) -> std::string {
    if (std::ranges::find(words, text) != words.end()) return {};
    return fmt::format("is '{}'{}; allowed: {}", printable(text, 40), suggestion(text, words),
                       list_text(words));
  };
}

/// A number of this type, whose kind and ends the message names.
template <class Number>
Check is_number_from(Number low, Number high) {
  return [low, high](const std::string& text) -> std::string {
    Number value{};
    if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return {};
    const char* kind = "number";
    std::string ends;
    if constexpr (std::is_integral_v<Number>) {
      kind = "whole number";
      ends = count_text(low) + " to " + count_text(high);
    } else {
      ends = number_text(low) + " to " + number_text(high);
    }
    return fmt::format("is '{}', a {} from {} is allowed", printable(text, 40), kind, ends);
  };
}

}  // namespace

std::vector<std::string> with_marks(std::vector<std::string> words) {
  for (std::string& word : words) {
    if (word.starts_with('[') && word.ends_with(']')) word.insert(0, 1, kMark);
  }
  return words;
}

template <class Value>
Flags& Flags::value(const char* name, Value& value, const char* type, const std::string& help) {
  last_ = command_.add_option(name, value, help)->type_name(type);
  constexpr bool kWords =
      std::is_same_v<Value, std::string> || std::is_same_v<Value, std::vector<std::string>>;
  if (kWords) last_->transform(without_mark);
  return *this;
}

template Flags& Flags::value(const char*, std::string&, const char*, const std::string&);
template Flags& Flags::value(const char*, std::vector<std::string>&, const char*,
                             const std::string&);
template Flags& Flags::value(const char*, std::vector<int>&, const char*, const std::string&);
template Flags& Flags::value(const char*, std::vector<std::int64_t>&, const char*,
                             const std::string&);
template Flags& Flags::value(const char*, std::vector<double>&, const char*, const std::string&);
template Flags& Flags::value(const char*, std::optional<std::int64_t>&, const char*,
                             const std::string&);
template Flags& Flags::value(const char*, std::optional<double>&, const char*, const std::string&);

Flags& Flags::flag(const char* name, bool& value, const char* help) {
  last_ = command_.add_flag(name, value, help);
  return *this;
}

Flags& Flags::whole(const char* name, std::function<void(std::int64_t)> take, std::int64_t low,
                    std::int64_t high, const char* help) {
  last_ = command_.add_option_function<std::int64_t>(name, std::move(take), help)
              ->check(is_number_from(low, high))
              ->type_name("N");
  return *this;
}

Flags& Flags::finite(const char* name, std::function<void(double)> take, double low, double high,
                     const char* help) {
  last_ = command_.add_option_function<double>(name, std::move(take), help)
              ->check(is_number_from(low, high))
              ->type_name("X");
  return *this;
}

Flags& Flags::word(const char* name, std::function<void(const std::string&)> take,
                   std::vector<std::string> words, const char* help) {
  last_ = command_.add_option_function<std::string>(name, std::move(take), help)
              ->check(is_one_of(std::move(words)))
              ->type_name("NAME");
  return *this;
}

Flags& Flags::required() {
  last_->required();
  return *this;
}

Flags& Flags::excludes(const char* name) {
  last_->excludes(command_.get_option(name));
  return *this;
}

Flags& Flags::type(const char* name) {
  last_->type_name(name);
  return *this;
}

Flags& Flags::expects_one() {
  last_->expected(1);
  return *this;
}

Flags& Flags::one_at_a_time() {
  last_->type_size(1)->allow_extra_args(false);
  return *this;
}

Flags& Flags::one_of(std::vector<std::string> words) {
  last_->check(is_one_of(std::move(words)));
  return *this;
}

Flags& Flags::commas() {
  last_->delimiter(',');
  return *this;
}

Flags& Flags::whole_from(std::int64_t low, std::int64_t high) {
  last_->check(is_number_from(low, high));
  return *this;
}

Flags& Flags::real_from(double low, double high) {
  last_->check(is_number_from(low, high));
  return *this;
}

Flags& Flags::notes(bool& was_given) {
  last_->each([&was_given](const std::string&) { was_given = true; });
  return *this;
}

Flags& Flags::study(std::string& file) {
  value("study", file, "STUDY.yaml", "study file").required();
  last_->transform(data_path);
  return *this;
}

Flags& Flags::studies(std::vector<std::string>& files) {
  value("studies", files, "STUDY.yaml", "study files").required();
  last_->transform(data_path);
  return *this;
}

Flags& Flags::folder(std::string& folder, const char* help) {
  return value("folder", folder, "DIR", help).required();
}

Flags& Flags::folders(std::vector<std::string>& folders, const char* help) {
  return value("folders", folders, "DIR", help).required();
}

Flags& Flags::seed(std::optional<std::int64_t>& seed) {
  return number("--seed", seed, 0, kLargestSeed, "seed instead of the study's");
}

Flags& Flags::seed(std::int64_t& seed) {
  return number("--seed", seed, 0, kLargestSeed, "seed (default 1)");
}

Flags& Flags::output(OutputArguments& arguments) {
  return threads(arguments.threads, "threads; 0: one per core; does not change the result")
      .format(arguments.format)
      .quiet(arguments.quiet);
}

Flags& Flags::plot(std::string& file) {
  return value("--plot", file, "FILE", "file for the figure, ending in .svg, .pdf or .png");
}

Flags& Flags::replay(std::string& file) {
  return value("--replay", file, "FILE",
               "HTML file that plays the game in any browser, without a network");
}

Flags& Flags::format(Format& format) {
  return choice<Format>("--format", format, "text, json or csv (default text)",
                        {{"text", Format::kText}, {"json", Format::kJson}, {"csv", Format::kCsv}})
      .type("FORMAT");
}

}  // namespace ntune::cli
