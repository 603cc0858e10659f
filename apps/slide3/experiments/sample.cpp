#include "apps/slide3/experiments/sample.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

/// slide_index of all that may be drawn.
std::vector<std::uint32_t> candidates(const SlideDatabase<3>& database, std::optional<int> dtw) {
  if (dtw) {
    std::vector<std::uint32_t> indices = database.positions_at(*dtw);
    if (indices.empty()) {
      throw InputError(fmt::format("no position has the distance to win {}; allowed: 0 to {}", *dtw,
                                   database.counts().size() - 1));
    }
    return indices;
  }
  std::vector<std::uint32_t> all(database.distances().size());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

/// The lines of a text, one at a time and without "\n" or "\r\n".
class SampleLines {
 public:
  explicit SampleLines(std::string_view rest) : rest_(rest) {}
  [[nodiscard]] bool done() const { return rest_.empty(); }
  [[nodiscard]] int number() const { return number_; }  ///< of the line read last, from 1
  std::string_view next() {
    ++number_;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

 private:
  std::string_view rest_;
  int number_ = 0;
};

/// The line, which must be a code of so many digits.
std::string_view code(std::string_view line, std::size_t digits, std::string_view name) {
  const bool numeric = line.find_first_not_of("0123456789") == std::string_view::npos;
  if (line.size() != digits || !numeric) {
    throw InputError(fmt::format("'{}': the {} code of {} digits is needed here",
                                 printable(line, 40), name, digits));
  }
  return line;
}

SlidePosition<3> read_position(SampleLines& lines) {
  const std::string_view pattern = code(lines.next(), 3, "pattern");
  if (lines.done()) throw InputError("the order code is missing that belongs below this line");
  const std::string_view order = code(lines.next(), 9, "order");
  return parse_slide_position<3>(fmt::format("{}/{}", pattern, order));
}

}  // namespace

std::vector<SlidePosition<3>> sample_positions(const SlideDatabase<3>& database,
                                               std::optional<int> dtw, std::int64_t count,
                                               Rng rng) {
  std::vector<std::uint32_t> indices = candidates(database, dtw);
  if (count < 0 || count > static_cast<std::int64_t>(indices.size())) {
    throw InputError(fmt::format("a sample of {} positions: allowed are 0 to the {} that there are",
                                 count, indices.size()));
  }
  std::vector<SlidePosition<3>> sample;
  sample.reserve(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const auto left = static_cast<std::uint32_t>(indices.size() - i);
    std::swap(indices[i], indices[i + rng.below(left)]);
    sample.push_back(slide_position_at<3>(indices[i]));
  }
  return sample;
}

std::string positions_text(std::span<const SlidePosition<3>> positions) {
  std::string text;
  for (const SlidePosition<3>& position : positions) {
    text += slide_code_text<3>(position);
    text[text.rfind('/')] = '\n';
    text += '\n';
  }
  return text;
}

void write_positions(const std::filesystem::path& file,
                     std::span<const SlidePosition<3>> positions) {
  write_file_atomically(file, positions_text(positions));
}

std::vector<SlidePosition<3>> read_positions(const std::filesystem::path& file) {
  const std::string name = path_text(file);
  const MappedFile content(file);
  SampleLines lines(content.text());
  std::vector<SlidePosition<3>> positions;
  while (!lines.done()) {
    try {
      positions.push_back(read_position(lines));
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}:{}: {}", name, lines.number(), error.what()));
    }
  }
  if (positions.empty()) throw InputError(fmt::format("{}: holds no positions", name));
  return positions;
}

template <int K>
std::vector<int> shortest_solution(const SlideDatabase<K>& database, SlidePosition<K> position) {
  std::vector<int> lines;
  for (int dtw = database.dtw(position); dtw > 0; --dtw) {
    int nearer = -1;
    for_each_line(position.moves(), [&](int line) {
      if (nearer < 0 && database.dtw(position.after(line)) == dtw - 1) nearer = line;
    });
    if (nearer < 0) throw InputError("the database of distances to win is not one of the game");
    lines.push_back(nearer);
    position.slide(nearer);
  }
  return lines;
}

template std::vector<int> shortest_solution<2>(const SlideDatabase<2>&, SlidePosition<2>);
template std::vector<int> shortest_solution<3>(const SlideDatabase<3>&, SlidePosition<3>);

}  // namespace ntune
