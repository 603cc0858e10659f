#include "apps/amazons/cases.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/csv.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/option_json.h"
#include "ntune/core/options.h"
#include "ntune/core/text.h"
#include "ntune/games/amazons/notation.h"

namespace ntune::amazons {

namespace {

struct Columns {
  std::size_t board;
  std::size_t mean;
  std::size_t temperature;

  explicit Columns(const std::vector<CsvField>& titles)
      : board(place(titles, "board")),
        mean(place(titles, "mean")),
        temperature(place(titles, "temperature")) {}

  [[nodiscard]] Case read(const std::vector<CsvField>& fields) const {
    if (fields.size() <= std::max({board, mean, temperature})) throw InputError("too few fields");
    Case one = {parse_amazons<4>(fields[board].text),
                fields[board].text,
                {parse_dyadic("mean", fields[mean].text),
                 parse_dyadic("temperature", fields[temperature].text)}};
    require_amazons_queens(one.position, true);
    return one;
  }

 private:
  static std::size_t place(const std::vector<CsvField>& titles, const char* title) {
    const std::optional<std::size_t> column = find_column(titles, title);
    if (!column)
      throw InputError("a line with the columns board, mean and temperature is expected");
    return *column;
  }
};

}  // namespace

std::vector<Case> read_cases(const std::string& file) {
  constexpr std::uintmax_t kLimit = 1'000'000'000;
  const std::string text = read_file(file, kLimit);
  CsvReader reader(text, printable(file, 1000), {.comments = CsvStyle::Comments::kBeforeHeader});
  std::optional<Columns> columns;
  std::vector<Case> cases;
  while (reader.next()) {
    try {
      if (columns) {
        cases.push_back(columns->read(reader.fields()));
      } else {
        columns.emplace(reader.fields());
      }
    } catch (const InputError& error) {
      reader.fail(error.what());
    }
  }
  if (cases.empty()) {
    throw InputError(fmt::format("{}: holds no positions", printable(file, 1000)));
  }
  std::ranges::stable_sort(cases, {}, [](const Case& one) { return one.position.empties(); });
  return cases;
}

namespace {

constexpr cli::ResultFileForm kForm = {"key,variant,board,finished,mean,temperature,nodes,seconds",
                                       "amazons", "the search done"};

std::optional<CaseResult> read_result(const std::vector<CsvField>& fields) {
  CaseResult result;
  if (fields.size() != 8 || (fields[3].text != "0" && fields[3].text != "1") ||
      !read_number(fields[6].text, result.nodes) || !read_number(fields[7].text, result.seconds)) {
    return std::nullopt;
  }
  result.is_finished = fields[3].text == "1";
  result.value = {parse_dyadic("mean", fields[4].text),
                  parse_dyadic("temperature", fields[5].text)};
  return result;
}

}  // namespace

ResultFile open_results(const std::string& path) { return {path, kForm, read_result}; }

std::string result_key(const TdsOptions& options, const Case& one) {
  return cli::result_key(options_json(options).dump() + ' ' + one.board);
}

std::string result_line(const TdsOptions& options, const Case& one, const CaseResult& result) {
  return fmt::format("{},{},{},{},{},{},{}", tds_variant_text(options.enhancements), one.board,
                     result.is_finished ? 1 : 0, dyadic_text(result.value.mean),
                     dyadic_text(result.value.temperature), result.nodes,
                     number_text(result.seconds));
}

}  // namespace ntune::amazons
