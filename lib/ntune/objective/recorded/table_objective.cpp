#include "ntune/objective/recorded/table_objective.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/recorded/observation_values.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

namespace {

/// Most points of a grid, each of which has a row of its own in memory.
constexpr double kMostGridPoints = 0x1p22;

/// The first allowed point that the table has no row for.
std::optional<Point> first_missing(const TableIndex& index, const SearchSpace& space) {
  std::optional<Point> missing;
  space.for_each_point([&](const Point& point) {
    if (index.find(point) == nullptr) missing = point;
    return !missing;
  });
  return missing;
}

/// Whether an observation is that of a won or a lost game.
bool is_win_or_loss(double value) { return value == 1.0 || value == -1.0; }

}  // namespace

TableObjective::TableObjective(const ObservationTable& table, const TableOptions& options,
                               const std::string& name, std::optional<SearchSpace> space)
    : name_(name),
      space_(space ? *std::move(space) : SearchSpace(table.parameters())),
      unit_(options.direction == TableOptions::Direction::kMinimise ? Unit::cost() : Unit{}),
      best_(-std::numeric_limits<double>::infinity()) {
  fill(table);
  // Observations of wins and losses alone are recognised by their values.
  const bool wins = std::ranges::all_of(cells_, [](const Cell& cell) {
    return is_win_or_loss(cell.value) && is_win_or_loss(cell.other);
  });
  if (options.win_loss == TableOptions::WinLoss::kTrue && !wins) {
    throw InputError("not all observations are +1 or -1, which win_loss: true needs");
  }
  // Costs are never wins, though their values may be 1 and -1.
  if (wins && !unit_.is_cost() && options.win_loss != TableOptions::WinLoss::kFalse) {
    unit_ = Unit::win_probability();
    payoffs_.low = -1.0;
    payoffs_.high = 1.0;
  }
  // Two values at most, the bounds themselves, make a proportion describe the sample.
  payoffs_.two_valued =
      payoffs_.low < payoffs_.high && std::ranges::all_of(cells_, [&](const Cell& cell) {
        return cell.value == payoffs_.low || cell.value == payoffs_.high;
      });
}

/// Throws InputError for the first point without a row.
void TableObjective::fill(const ObservationTable& table) {
  for (const Parameter& parameter : space_.parameters()) {
    if (!parameter.off_grid) continue;
    throw InputError(
        fmt::format("{}: its default {} is none of its values, so the table has no row for it",
                    printable(parameter.name, 60), value_text(*parameter.off_grid)));
  }
  // The first missing point is named, before the size of the grid is looked at.
  const TableIndex index(table, space_);
  if (const auto missing = first_missing(index, space_)) {
    throw InputError(fmt::format("has no row for {}", printable(space_.text(*missing), 1000)));
  }
  if (space_.grid_size() > kMostGridPoints) {
    throw InputError(fmt::format("makes a grid of {} points, at most {} are allowed",
                                 count_text(space_.grid_size()), count_text(kMostGridPoints)));
  }
  // The place of a point is its index in mixed radix, the last parameter fastest.
  std::size_t size = 1;
  strides_.resize(static_cast<std::size_t>(space_.dimensions()));
  for (std::size_t i = strides_.size(); i-- > 0;) {
    strides_[i] = size;
    size *= space_[static_cast<int>(i)].values.size();
  }
  rows_.resize(size);
  // The bounds begin inverted, so that the first observation sets both.
  payoffs_ = {.low = std::numeric_limits<double>::infinity(),
              .high = -std::numeric_limits<double>::infinity(),
              .noisy = false};
  space_.for_each_point([&](const Point& point) {
    add_row(place(point), *index.find(point));
    return true;
  });
}

std::size_t TableObjective::place(const Point& point) const {
  std::size_t place = 0;
  const auto indices = point.indices();
  for (std::size_t i = 0; i < indices.size(); ++i) place += indices[i] * strides_[i];
  return place;
}

void TableObjective::add_row(std::size_t place, const Observed& observed) {
  Row& row = rows_[place];
  // Costs are turned round, so that higher is better in all payoffs.
  row = {.first = cells_.size(),
         .cells = static_cast<std::uint32_t>(observed.size()),
         .total = static_cast<std::uint32_t>(count_of(observed)),
         .mean = unit_.direction() * mean_of(observed)};
  best_ = std::max(best_, row.mean);
  observations_ += row.total;
  add_cells(observed, row.total);
  for (std::size_t i = row.first; i < cells_.size(); ++i) {
    payoffs_.low = std::min(*payoffs_.low, cells_[i].value);
    payoffs_.high = std::max(*payoffs_.high, cells_[i].value);
  }
  payoffs_.noisy = payoffs_.noisy || row.cells > 1;
}

/// Vose 1991. Every cell stands for `total` of cells * total equally likely cases. An observation
/// has count * cells of these, as `value` in its cell and as `other` in cells with room to spare.
void TableObjective::add_cells(const Observed& observed, std::uint32_t total) {
  const std::size_t first = cells_.size();
  std::vector<std::uint64_t> cases;
  std::vector<std::size_t> small;
  std::vector<std::size_t> large;
  // An observation with fewer cases than a cell holds is small, else it is large.
  for (std::size_t i = 0; i < observed.size(); ++i) {
    cases.push_back(std::uint64_t{observed[i].count} * observed.size());
    (cases[i] < total ? small : large).push_back(i);
    const double payoff = unit_.direction() * observed[i].value;
    cells_.push_back({.value = payoff, .other = payoff, .threshold = total});
  }
  // Each small one fills the rest of its cell with cases of a large one, which may become small
  // itself. The sums are equal, so large ones last as long as small ones do.
  while (!small.empty()) {
    const std::size_t from = large.back();
    const std::size_t to = small.back();
    small.pop_back();
    cells_[first + to].threshold = static_cast<std::uint32_t>(cases[to]);
    cells_[first + to].other = cells_[first + from].value;
    cases[from] -= total - cases[to];
    if (cases[from] >= total) continue;
    large.pop_back();
    small.push_back(from);
  }
}

double TableObjective::evaluate(const Point& point, Rng& rng) const {
  const Row& from = row(point);
  // One random number chooses the cell, another one the value within it.
  const Cell& cell = cells_[from.first + rng.below(from.cells)];
  return rng.below(from.total) < cell.threshold ? cell.value : cell.other;
}

std::string TableObjective::description() const {
  return fmt::format("table {} ({}, {})", name_, counted(space_.size().points, "point"),
                     counted(observations_, "observation"));
}

// The line of the table of objectives for `table`.

namespace {

/// The options of the node, with their rules checked.
TableOptions read(const YamlNode& node) {
  auto options = read_options<TableOptions>(node);
  if (options.table.empty()) node.fail_at("table", "is empty, the name of a CSV file is needed");
  if (options.win_loss == TableOptions::WinLoss::kTrue &&
      options.direction == TableOptions::Direction::kMinimise) {
    node.fail_at("direction", "is 'minimise', which does not go with 'win_loss: true'");
  }
  return options;
}

/// Whether the option holds the table itself and not the name of a file.
bool is_inline(const std::string& table) { return table.find('\n') != std::string::npos; }

/// "planet_wars_1" for tables/planet_wars_1.csv.
std::string name_of(const std::string& table) {
  if (is_inline(table)) return "table";
  return printable(std::filesystem::path(table).stem().string(), 200);
}

/// The file of the table that the node names.
std::filesystem::path file_of(const YamlNode& node, const TableOptions& options) {
  const std::filesystem::path file =
      std::filesystem::path(node.file()).parent_path() / options.table;
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    node.find("table")->fail(fmt::format("the file '{}' does not exist", path_text(file)));
  }
  return file;
}

/// The content of the table that the node names, if it is the one that a study was made with.
ObservationTable table_of(const YamlNode& node, const TableOptions& options) {
  if (is_inline(options.table)) return ObservationTable::parse(options.table + '\n', "(table)");
  const std::filesystem::path file = file_of(node, options);
  const MappedFile content(file);
  // A study that goes on must have the table that it was begun with.
  if (!options.digest.empty() && options.digest != content.digest()) {
    node.find("digest")->fail(fmt::format(
        "is {}, the file '{}' has {}: it was edited since; bring it back, or take this key away",
        printable(options.digest, 60), path_text(file), content.digest()));
  }
  return ObservationTable::parse(content.text(), file.string());
}

/// The options with the digest of the table.
Json resolved(const YamlNode& node) {
  TableOptions options = read(node);
  if (options.digest.empty() && !is_inline(options.table)) {
    options.digest = MappedFile(file_of(node, options)).digest();
  }
  return options_json(options);
}

/// A part of the table's grid.
SearchSpace part_of(const ObservationTable& table, const YamlNode& node) {
  const SearchSpace whole(table.parameters());
  SearchSpace space = read_space(node, &whole);
  for (const Parameter& parameter : space.parameters()) {
    const std::vector<Value>& column = whole[whole.find(parameter.name)].values;
    for (const Value& value : parameter.values) {
      if (whole[whole.find(parameter.name)].find(value) >= 0) continue;
      node.fail_at(parameter.name, fmt::format("has the value '{}', the table has {}",
                                               printable(value_text(value)), values_text(column)));
    }
  }
  return space;
}

/// The objective of the node, on the table's grid or a part of it.
std::unique_ptr<Objective> make(const YamlNode& node, const YamlNode* space) {
  const TableOptions options = read(node);
  const ObservationTable table = table_of(node, options);
  std::optional<SearchSpace> part;
  if (space != nullptr && !space->is_null()) part = part_of(table, *space);
  try {
    return std::make_unique<TableObjective>(table, options, name_of(options.table),
                                            std::move(part));
  } catch (const InputError& error) {
    node.find("table")->fail(error.what());
  }
}

/// Ten games at each of four points.
Json example() {
  return {{"objective",
           {{"table",
             "depth,book,observations\n1,false,1*3 -1*7\n1,true,1*4 -1*6\n"
             "2,false,1*6 -1*4\n2,true,1*8 -1*2\n"}}},
          {"runs", 2},
          {"iterations", 50},
          {"hold_out", 50},
          {"seed", 1}};
}

}  // namespace

void TableOptions::visit(Options& options) {
  options.text("table", table,
               "CSV file with a column per parameter and the column 'observations', seen from the "
               "study file's folder; or its content, in several lines");
  options.text("digest", digest,
               "hash of the file, as the study's own copy has it: a table that was edited since is "
               "refused; empty: any");
  options.choice("win_loss", win_loss,
                 {{"auto", WinLoss::kAuto}, {"true", WinLoss::kTrue}, {"false", WinLoss::kFalse}},
                 "values are the probability of a win; auto: if all observations are +1 or -1");
  options.choice("direction", direction,
                 {{"maximise", Direction::kMaximise}, {"minimise", Direction::kMinimise}},
                 "minimise: the observations are costs");
}

ObjectiveEntry table_entry() {
  return {.kind = "table",
          .name = {},
          .summary = "draws from results that were recorded at every point",
          .make = make,
          .schema = [] { return options_schema(TableOptions(), "table"); },
          .resolved = resolved,
          .example = example(),
          .label = [](const Json& options) { return name_of(options["table"]); },
          .files = {"table"}};
}

}  // namespace ntune
