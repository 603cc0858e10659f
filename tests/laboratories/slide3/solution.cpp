#include "apps/slide3/four/solution.h"

#include <string>
#include <vector>

#include "apps/slide3/four/path.h"
#include "catch.h"
#include "ntune/games/slide/codes.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::input_error;

namespace {

std::string error_of(const std::string& text) {
  return input_error([&] { parse_slide_solution(text, "f.txt"); });
}

/// Line of a file that holds a solution of SlideTwo with its third line replaced.
std::string slide_two(const std::string& moves) { return "slide 2\nfrom start\n" + moves + "\n"; }

}  // namespace

TEST_CASE("the committed solution of SlideFour's Start reaches Win") {
  const SlideSolution solution =
      read_slide_solution(NTUNE_SOURCE_DIR "/benchmarks/results/slide4/solution.txt");
  CHECK(solution.k == 4);
  CHECK(solution.start == slide_code_text<4>(SlidePosition<4>::start()));
  CHECK(solution.moves.size() <= 45);
}

TEMPLATE_TEST_CASE_SIG("a solution that is written is read again", "", ((int K), K), 2, 3) {
  const auto start = SlidePosition<K>::start();
  const std::vector<int> lines = find_slides<K>(start, SlidePosition<K>::win());
  CHECK(lines.size() == (K == 2 ? 10 : 24));
  const std::string text = slide_solution_text<K>(start, lines, "A way.\nA short one.");
  CHECK_THAT(text, StartsWith("# A way.\n# A short one.\nslide "));

  const SlideSolution solution = parse_slide_solution(text, "f.txt");
  CHECK(solution.k == K);
  CHECK(solution.start == slide_code_text<K>(start));
  CHECK(solution.moves.size() == lines.size());
}

TEST_CASE("solution files may hold comments, blanks and ends of lines of any system") {
  const std::string text = "# way\r\n\n slide 2 # the game\r\nfrom \t win # where\n  # nothing\n";
  CHECK(parse_slide_solution(text, "f.txt").moves.empty());
  const std::string moves = "slide 2\nfrom 2/1 0 3 2 0 0 4 0 0\n";
  CHECK_THAT(error_of(moves), StartsWith("f.txt:2: position"));
}

TEST_CASE("malformed solution files are refused with their line") {
  CHECK_THAT(error_of(""), StartsWith("f.txt:0: '': 'slide 2', 'slide 3' or 'slide 4'"));
  CHECK_THAT(error_of("# a\nslide 5\n"), StartsWith("f.txt:2: 'slide 5'"));
  CHECK_THAT(error_of("slide 3\nmoves R1>\n"), StartsWith("f.txt:2: 'from'"));
  CHECK_THAT(error_of("slide 3\n"), StartsWith("f.txt:1: 'from'"));
  CHECK_THAT(error_of("slide 3\nfrom nowhere\n"), StartsWith("f.txt:2: position 'nowhere'"));
  CHECK_THAT(error_of("slide 3\nfrom\n"), StartsWith("f.txt:2: position ''"));
}

TEST_CASE("ways that do not lead to Win are refused") {
  CHECK_THAT(error_of(slide_two("R1> R1>")), StartsWith("f.txt:3: move 'R1>': not possible"));
  CHECK_THAT(error_of(slide_two("R1> X")), StartsWith("f.txt:3: move 'X': not possible"));
  CHECK_THAT(error_of(slide_two("R1>\nR1<")), StartsWith("f.txt:4: after the last move"));
  CHECK_THAT(error_of("slide 2\nfrom win\nR1> R1< R1>"), ContainsSubstring("Win is reached"));
}

TEST_CASE("a solution file that is not there is named") {
  const test::TemporaryFolder folder;
  const auto path = folder / "none.txt";
  CHECK_THAT(input_error([&] { read_slide_solution(path); }), StartsWith(path.string()));
}

}  // namespace ntune
