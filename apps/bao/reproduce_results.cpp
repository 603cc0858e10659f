// Results of matches in a file.

#include <charconv>
#include <cstdint>
#include <filesystem>

#include <fmt/format.h>

#include "apps/bao/reproduce.h"
#include "ntune/core/csv.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"

namespace ntune::bao {

namespace {

constexpr const char* kHeader =
    "key,tournament,south,north,reading,games,south_wins,plies_mean,plies_squares,plies_min,"
    "plies_max,deviations_mean,deviations_squares,deviations_min,deviations_max,south_moves,"
    "south_nodes,south_probes,south_ties,south_deviations,north_moves,north_nodes,north_ties";
constexpr std::size_t kFields = 23;
constexpr std::size_t kFirstNumber = 5;

/// Reads the numbers of a line one by one.
class Numbers {
 public:
  explicit Numbers(const std::vector<CsvField>& fields) : fields_(fields) {}

  double number() {
    double value = 0.0;
    read(value);
    return value;
  }
  std::int64_t count() {
    std::int64_t value = 0;
    read(value);
    if (value < 0) good_ = false;
    return value;
  }
  [[nodiscard]] bool good() const { return good_; }

 private:
  template <class Number>
  void read(Number& value) {
    const std::string& field = fields_[at_++].text;
    const char* const last = field.data() + field.size();
    const auto [end, error] = std::from_chars(field.data(), last, value);
    if (error != std::errc() || end != last) good_ = false;
  }

  const std::vector<CsvField>& fields_;
  std::size_t at_ = kFirstNumber;
  bool good_ = true;
};

RunningStats read_stats(Numbers& numbers, std::int64_t count) {
  RunningStats::State state{.count = count};
  state.mean = numbers.number();
  state.squares = numbers.number();
  state.min = numbers.number();
  state.max = numbers.number();
  return RunningStats(state);
}

/// Nothing for a damaged line.
std::optional<MatchResult> read_result(const std::vector<CsvField>& fields) {
  if (fields.size() != kFields) return std::nullopt;
  Numbers numbers(fields);
  MatchResult result;
  result.games = numbers.count();
  result.south_wins = numbers.count();
  result.plies = read_stats(numbers, result.games);
  result.deviations = read_stats(numbers, result.games);
  result.south.moves = numbers.count();
  result.south.nodes = numbers.count();
  result.south.probes = numbers.count();
  result.south.ties = numbers.count();
  result.south.deviations = numbers.count();
  result.north.moves = numbers.count();
  result.north.nodes = numbers.count();
  result.north.ties = numbers.count();
  const bool good = numbers.good() && result.games > 0 && result.south_wins <= result.games;
  return good ? std::optional(result) : std::nullopt;
}

std::string stats_text(const RunningStats& stats) {
  const RunningStats::State& state = stats.state();
  return fmt::format("{},{},{},{}", number_text(state.mean), number_text(state.squares),
                     number_text(state.min), number_text(state.max));
}

}  // namespace

ResultFile::ResultFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  if (!std::filesystem::exists(path_)) {
    write_file_atomically(path_, std::string(kHeader) + '\n');
    return;
  }
  constexpr std::uintmax_t kLimit = 100'000'000;
  const std::string text = read_file(path_, kLimit);
  CsvReader reader(text, path_);
  if (!reader.next()) throw InputError(path_ + ": no results of bao reproduce");
  if (reader.text() != kHeader) reader.fail("no results of bao reproduce");
  while (reader.next()) {
    const std::optional<MatchResult> result = read_result(reader.fields());
    if (!result) reader.fail("damaged; delete the line to have the match played again");
    results_[reader.fields()[0].text] = *result;
    lines_.emplace_back(reader.text());
  }
}

const MatchResult* ResultFile::find(const std::string& key) const {
  const auto found = results_.find(key);
  return found == results_.end() ? nullptr : &found->second;
}

void ResultFile::add(const std::string& key, const Cell& cell, const std::string& reading,
                     const MatchResult& result) {
  results_[key] = result;
  if (path_.empty()) return;
  std::string words = reading;
  for (char& c : words) c = c == ',' ? ' ' : c;
  const auto& names = published_players();
  const SearchCounts& s = result.south;
  const SearchCounts& n = result.north;
  lines_.push_back(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", key,
                               cell.tournament, names[static_cast<std::size_t>(cell.south)],
                               names[static_cast<std::size_t>(cell.north)], words, result.games,
                               result.south_wins, stats_text(result.plies),
                               stats_text(result.deviations), s.moves, s.nodes, s.probes, s.ties,
                               s.deviations, n.moves, n.nodes, n.ties));
  write_file_atomically(path_, fmt::format("{}\n{}\n", kHeader, fmt::join(lines_, "\n")));
}

}  // namespace ntune::bao
