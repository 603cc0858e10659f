// Broken files never do more than throw InputError.

#include <array>
#include <string>
#include <vector>

#include "catch.h"
#include "ntune/core/files.h"
#include "ntune/core/rng.h"
#include "space/import/import.h"

namespace ntune {

namespace {

const std::array<const char*, 11> kExamples = {"mcts.yaml",    "mcts_old.json", "parameters.txt",
                                               "optuna.json",  "tag.json",      "openbench.csv",
                                               "fishtest.csv", "solver.pcs",    "engine.txt",
                                               "weather.json", "tuning.json"};

/// Pieces that mean something in one of the formats.
const std::vector<std::string> kPieces = {"[",           "]",      "{",     "}",
                                          "(",           ")",      ",",     ":",
                                          "|",           "&",      "!",     "\"",
                                          "'",           "#",      "\n",    "0",
                                          "-1",          "1e9",    "1e308", "-",
                                          "%in%",        "==",     "true",  "null",
                                          "\\u",         "\xFF",   "\x01",  "log",
                                          "*a",          "&a",     "c(",    ">",
                                          "99999999999", "nan",    ".inf",  "NEQ",
                                          "OR",          "policy", "depth", "forbid",
                                          "in {",        "||",     "} [",   "option name ",
                                          " type spin ", " var ",  "min(",  "i (n, 2 * n)",
                                          "\x1b["};

std::string mutated(std::string text, const std::string& other, Rng& rng) {
  for (auto left = 1 + rng() % 3; left > 0; --left) {
    const std::size_t at = rng() % (text.size() + 1);
    const std::size_t length = rng() % 12;
    switch (rng() % 4) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, kPieces[rng() % kPieces.size()]);
        break;
      case 2:
        text.replace(at, length, kPieces[rng() % kPieces.size()]);
        break;
      default:
        text.insert(at, other, rng() % other.size(), rng() % 40);
        break;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("mutants of the examples are read or refused") {
  std::vector<std::string> texts;
  for (const char* const name : kExamples) {
    texts.push_back(read_file(test::import_data(name), 1'000'000));
  }
  Rng rng(3);
  int accepted = 0;
  for (int i = 0; i < 2'000; ++i) {
    const std::size_t which = rng() % texts.size();
    const std::string text = mutated(texts[which], texts[rng() % texts.size()], rng);
    ImportOptions options;
    if (rng() % 2 == 0)
      options.format = space_format_table()[rng() % space_format_table().size()].format;
    INFO(text);
    try {
      const ImportedSpace result = import_space_text(text, kExamples[which], options);
      CHECK(test::space_in(result.yaml).dimensions() > 0);
      ++accepted;
    } catch (const InputError& error) {
      const std::string message = error.what();
      CHECK(message.starts_with(kExamples[which]));
      CHECK(message.find('\n') == std::string::npos);
    }
  }
  CHECK(accepted > 100);
}

TEST_CASE("files that ask for too much are refused within bounds") {
  std::string numbers = "0";
  for (int i = 1; i < 60'000; ++i) numbers += "," + std::to_string(i);
  const std::string wide = "a \"\" o (" + numbers + ")\n[forbidden]\n";
  CHECK(test::import_error(wide + "a != 7\n") ==
        "file:3:1: the conditions and forbidden combinations up to here list more than the 50000 "
        "values allowed");
  CHECK(test::import_error(wide + "a %in% c(" + numbers + ")\n") ==
        "file:3:1: the conditions and forbidden combinations up to here take too much work to "
        "translate; fewer points for wide ranges may help");

  std::string text = "a \"\" i (1, 9)\nb \"\" i (1, 9)\n[forbidden]\n";
  for (int i = 0; i < 300; ++i) text += "(a == 1 | b == 2) & ";
  text += "a == 3";
  CHECK(test::imported(text).forbidden().size() == 1);

  text = "a \"\" i (1, 9)\n[forbidden]\n";
  for (int i = 0; i < 10'001; ++i) text += "a == 1\n";
  CHECK(test::import_error(text) == "file:10003:1: is one line more than the 10000 allowed");

  numbers += "," + numbers;
  CHECK(test::import_error("a \"\" c (" + numbers + ")")
            .starts_with("file:1:8: a: has the values (0,1,2,"));
}

}  // namespace ntune
