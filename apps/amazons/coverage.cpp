#include "apps/amazons/coverage.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "apps/common/rows.h"
#include "apps/common/watched.h"
#include "ntune/agents/combinatorial_game/tds_coverage.h"
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

std::string result_key(const TdsOptions& options, const Case& one) {
  return cli::result_key(options_json(options).dump() + ' ' + one.board);
}

std::string result_line(const TdsOptions& options, const Case& one, const CaseResult& result) {
  return fmt::format("{},{},{},{},{},{},{}", tds_variant_text(options.enhancements), one.board,
                     result.is_finished ? 1 : 0, dyadic_text(result.value.mean),
                     dyadic_text(result.value.temperature), result.nodes,
                     number_text(result.seconds));
}

template <class Number>
void sort_out(std::vector<Number>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

Limits limits_of(std::vector<double> seconds, std::vector<std::int64_t> nodes) {
  if (seconds.empty() == nodes.empty()) {
    throw InputError("either --seconds or --nodes is needed, not both");
  }
  sort_out(seconds);
  sort_out(nodes);
  return {std::move(seconds), std::move(nodes)};
}

std::string Limits::text(std::size_t i) const {
  return seconds.empty() ? count_text(nodes[i]) + " nodes" : number_text(seconds[i]) + " s";
}

double Limits::number(std::size_t i) const {
  return seconds.empty() ? static_cast<double>(nodes[i]) : seconds[i];
}

void Limits::set(TdsOptions& options, std::size_t i) const {
  if (seconds.empty()) {
    options.nodes = {false, nodes[i]};
  } else {
    options.seconds = {false, seconds[i]};
  }
}

bool Limits::allow(const CaseResult& result, std::size_t i) const {
  return seconds.empty() ? result.nodes <= nodes[i] : result.seconds <= seconds[i];
}

CaseRunner::CaseRunner(std::vector<Case> cases, const std::string& results,
                       const cli::OutputArguments& output, const cli::Terminal& terminal)
    : cases_(std::move(cases)),
      results_(results, kForm, read_result),
      output_(output),
      terminal_(terminal) {}

CaseResults CaseRunner::run(const TdsOptions& options, const std::string& unit, bool until_none,
                            CaseResults known) {
  CaseResults& results = known;
  results.resize(cases_.size());
  Parallel parallel(output_.threads);
  Progress progress;
  progress.total = static_cast<std::int64_t>(cases_.size());
  const cli::ProgressDisplay display(progress, unit.c_str(), terminal_, output_.quiet);
  for (std::size_t end = 0, begin = 0; begin < cases_.size() && !progress.stop; begin = end) {
    // 1. The cases with as many empty squares.
    std::vector<std::size_t> missing;
    std::vector<AmazonsDatabase::Position> positions;
    const int empties = cases_[begin].position.empties();
    for (; end < cases_.size() && cases_[end].position.empties() == empties; ++end) {
      if (!results[end]) {
        const CaseResult* const found = results_.find(result_key(options, cases_[end]));
        if (found != nullptr) results[end] = *found;
      }
      if (results[end]) {
        ++progress.done;
        continue;
      }
      missing.push_back(end);
      positions.push_back(cases_[end].position);
    }
    // 2. Those that are not known.
    tds_coverage<AmazonsDatabase::Position>(
        positions, options, parallel, progress, [&](std::size_t i, const auto& result) {
          const Case& one = cases_[missing[i]];
          const CaseResult kept = {result.is_finished, result.value, result.nodes, result.seconds};
          results_.add(result_key(options, one), kept, result_line(options, one, kept));
          results[missing[i]] = kept;
        });
    const bool any = std::any_of(results.begin() + static_cast<std::ptrdiff_t>(begin),
                                 results.begin() + static_cast<std::ptrdiff_t>(end),
                                 [](const auto& one) { return one && one->is_finished; });
    if (until_none && !any) break;
  }
  if (progress.stop) throw cli::Interrupted();
  return results;
}

std::vector<Approximation> approximations(CaseRunner& runner,
                                          const std::vector<TdsOptions>& variants,
                                          const Limits& limits) {
  std::vector<Approximation> found;
  for (const TdsOptions& variant : variants) {
    std::vector<Approximation> of_variant;
    CaseResults results;
    for (std::size_t limit = limits.size(); limit-- > 0;) {
      // What finished within a larger limit, and soon enough, need not be searched again.
      for (auto& result : results) {
        if (result && !(result->is_finished && limits.allow(*result, limit))) result.reset();
      }
      TdsOptions options = variant;
      limits.set(options, limit);
      Approximation one;
      one.variant = tds_variant_text(variant.enhancements);
      one.limit = limits.number(limit);
      one.limit_text = limits.text(limit);
      results =
          runner.run(options, fmt::format("positions by {} in {}", one.variant, one.limit_text),
                     false, std::move(results));
      for (std::size_t i = 0; i < results.size(); ++i) {
        const ThermographValue& truth = runner.cases()[i].value;
        const ThermographValue& value = results[i]->value;
        one.finished += results[i]->is_finished ? 1 : 0;
        one.temperature.add((value.temperature - truth.temperature).abs().to_double());
        one.mean.add((value.mean - truth.mean).abs().to_double());
      }
      of_variant.insert(of_variant.begin(), one);
    }
    found.insert(found.end(), of_variant.begin(), of_variant.end());
  }
  return found;
}

cli::ResultTable table_of(const std::vector<Approximation>& approximations, const Limits& limits) {
  cli::ResultTable table;
  for (const Approximation& one : approximations) {
    const Interval t = student_interval(one.temperature);
    const Interval m = student_interval(one.mean);
    table.rule_between("variant", one.variant);
    table.row()
        .both("variant", "<variant", one.variant)
        .data(limits.seconds.empty() ? "nodes" : "seconds", one.limit)
        .text("limit", one.limit_text)
        .both("n", "n", one.mean.count())
        .both("finished", "finished", one.finished)
        .data("temperature_error", one.temperature.mean())
        .ends("temperature_error", t)
        .text("error of the temperature", cli::interval_text(one.temperature.mean(), t))
        .data("mean_error", one.mean.mean())
        .ends("mean_error", m)
        .text("error of the mean", cli::interval_text(one.mean.mean(), m));
  }
  return table;
}

}  // namespace ntune::amazons
