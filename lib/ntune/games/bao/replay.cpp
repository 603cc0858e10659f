#include "ntune/games/bao/replay.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/games/bao/notation.h"

namespace ntune {
namespace {

/// Plays a transcript from a start position, line by line.
class Replay {
 public:
  Replay(const std::string& name, const Bao& start) : name_(name), at_(start) {}

  void read_line(std::string_view line) {
    ++line_;
    // Comments begin with ; or #, and a line "key: value" without a number belongs to the head.
    line = line.substr(0, line.find_first_of(";#"));
    if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
      if (!is_number(line.substr(0, colon))) return;  // of the head
      check_number(line.substr(0, colon));
      line = line.substr(colon + 1);
    }
    std::istringstream words{std::string(line)};
    for (std::string word; words >> word;) play(word);
  }

  std::vector<BaoPly> take_plies() { return std::move(plies_); }

 private:
  static constexpr std::string_view kSpace = " \t\r";
  static bool is_number(std::string_view text) {
    text = trimmed(text, kSpace);
    return !text.empty() && text.size() <= 6 &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  }

  void check_number(std::string_view text) {
    const int number = std::stoi(std::string(trimmed(text, kSpace)));
    // The first number may be any, as a transcript may begin within a game.
    if (number_ >= 0 && number != number_ + 1) {
      throw InputError(fmt::format("{}:{}: move number {}: {} is allowed after {}", name_, line_,
                                   number, number_ + 1, number_));
    }
    number_ = number;
  }

  void play(const std::string& word) {
    try {
      const BaoSuccessor successor = parse_bao_move(at_, word);
      plies_.push_back({line_, word, successor.move, successor.next});
      at_ = successor.next;
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}:{}: {}", name_, line_, error.what()));
    }
  }

  const std::string& name_;
  Bao at_;
  int line_ = 0;
  int number_ = -1;
  std::vector<BaoPly> plies_;
};

}  // namespace

std::vector<BaoPly> replay_bao(std::string_view transcript, const std::string& name,
                               const Bao& start) {
  Replay replay(name, start);
  std::istringstream lines{std::string(transcript)};
  for (std::string line; std::getline(lines, line);) replay.read_line(line);
  std::vector<BaoPly> plies = replay.take_plies();
  if (plies.empty()) throw InputError(name + ": no transcript, there is no move in it");
  return plies;
}

}  // namespace ntune
