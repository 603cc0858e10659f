#include "apps/slide3/four/solution.h"

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/games/slide/codes.h"

namespace ntune {

namespace {

constexpr std::uintmax_t kMostBytes = 5'000'000;
constexpr std::size_t kMovesPerLine = 10;
constexpr std::string_view kBlanks = " \t\r";

/// The lines of a file that say something, without comments, and where an error is.
class SolutionLines {
 public:
  SolutionLines(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

  /// Empty after the last line.
  std::string_view next() {
    while (!rest_.empty()) {
      ++number_;
      std::string_view line = cut(rest_, "\n");
      line = trimmed(cut(line, "#"));
      if (!line.empty()) return line;
    }
    return {};
  }
  /// Does what may throw InputError, and puts the place before its text.
  template <class Act>
  auto at_place(Act act) const {
    try {
      return act();
    } catch (const InputError& error) {
      fail(error.what());
    }
  }
  [[noreturn]] void fail(std::string_view reason) const {
    throw InputError(fmt::format("{}:{}: {}", name_, number_, reason));
  }

 private:
  std::string_view rest_;
  std::string_view name_;
  int number_ = 0;
};

template <int K>
SlideSolution parse_moves(SolutionLines& lines) {
  using Position = SlidePosition<K>;
  std::string_view line = lines.next();
  const std::string_view key = cut(line, kBlanks);
  if (key != "from") lines.fail("'from' and a position must follow");
  Position position = lines.at_place([&] { return parse_slide_position<K>(trimmed(line)); });

  SlideSolution solution = {K, slide_code_text<K>(position), {}};
  for (line = lines.next(); !line.empty(); line = lines.next()) {
    while (!line.empty()) {
      const std::string_view move = cut(line, kBlanks);
      if (move.empty()) continue;
      if (position == Position::win()) {
        lines.fail(fmt::format("move '{}': Win is reached before it", printable(move, 20)));
      }
      position.slide(lines.at_place([&] { return parse_slide_move<K>(position, move); }));
      solution.moves.emplace_back(move);
    }
  }
  if (position != Position::win()) {
    lines.fail(fmt::format("after the last move the position is {}, not Win",
                           slide_code_text<K>(position)));
  }
  return solution;
}

}  // namespace

SlideSolution parse_slide_solution(std::string_view text, std::string_view name) {
  SolutionLines lines(text, name);
  const std::string_view game = lines.next();
  if (game == "slide 2") return parse_moves<2>(lines);
  if (game == "slide 3") return parse_moves<3>(lines);
  if (game == "slide 4") return parse_moves<4>(lines);
  lines.fail(
      fmt::format("'{}': 'slide 2', 'slide 3' or 'slide 4' must come first", printable(game, 40)));
}

SlideSolution read_slide_solution(const std::filesystem::path& path) {
  return parse_slide_solution(read_file(path, kMostBytes), path.string());
}

template <int K>
std::string slide_solution_text(const SlidePosition<K>& start, std::span<const int> lines,
                                std::string_view comment) {
  std::string text;
  while (!comment.empty()) text += fmt::format("# {}\n", cut(comment, "\n"));
  text += fmt::format("slide {}\nfrom {}\n", K, slide_code_text<K>(start));
  SlidePosition<K> position = start;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) text += i % kMovesPerLine == 0 ? '\n' : ' ';
    text += slide_move_text<K>(position, lines[i]);
    position.slide(lines[i]);
  }
  return text + '\n';
}

#define NTUNE_SLIDE_SOLUTION(K)                                                              \
  template std::string slide_solution_text<K>(const SlidePosition<K>&, std::span<const int>, \
                                              std::string_view);
NTUNE_SLIDE_SOLUTION(2)
NTUNE_SLIDE_SOLUTION(3)
NTUNE_SLIDE_SOLUTION(4)
#undef NTUNE_SLIDE_SOLUTION

}  // namespace ntune
