#include <ostream>
#include <utility>

#include "apps/ntune/commands.h"
#include "ntune/catalogue/objectives.h"
#include "ntune/core/csv.h"
#include "ntune/core/json.h"
#include "ntune/optim/models/explorations.h"
#include "ntune/optim/models/weightings.h"
#include "ntune/optim/ntbea/recommendations.h"
#include "ntune/optim/optimisers.h"
#include "ntune/report/figures/figures.h"

namespace ntune::cli {

namespace {

struct Row {
  std::string name;
  std::string summary;
  bool is_rival = false;  ///< an optimiser that is there to be compared with
};

struct Table {
  std::string name;
  std::vector<Row> rows;
};

/// A table of the library whose entries have a name and a help text.
template <class Entries>
Table table_of(const char* name, const Entries& entries) {
  Table table = {.name = name, .rows = {}};
  for (const auto& entry : entries) {
    table.rows.push_back({std::string(entry.name), std::string(entry.help)});
  }
  return table;
}

std::vector<Table> all_tables() {
  std::vector<Table> tables(2);
  tables[0].name = "objectives";
  for (const ObjectiveEntry& entry : objective_table()) {
    tables[0].rows.push_back({entry.title(), entry.summary});
  }
  tables[1].name = "optimisers";
  for (const OptimiserEntry& entry : optimiser_table()) {
    tables[1].rows.push_back({entry.name, entry.summary, entry.is_rival});
  }
  tables.push_back(table_of("weightings", kWeightings));
  tables.push_back(table_of("explorations", kExplorations));
  tables.push_back(table_of("recommendations", kRecommendationRules));
  Table& figures = tables.emplace_back(Table{.name = "figures", .rows = {}});
  for (const FigureEntry& entry : figure_table()) figures.rows.push_back({entry.name, entry.what});
  return tables;
}

}  // namespace

std::vector<std::string> list_tables() {
  std::vector<std::string> names;
  for (const Table& table : all_tables()) names.push_back(table.name);
  return names;
}

int list_command(const ListArguments& arguments, const Terminal& terminal) {
  Json json = Json::object();
  bool first = true;
  for (const Table& table : all_tables()) {
    if (!arguments.what.empty() && arguments.what != table.name) continue;
    std::size_t longest = 0;
    for (const Row& row : table.rows) longest = std::max(longest, row.name.size());
    if (arguments.format == Format::kText && !arguments.names) {
      terminal.out << (first ? "" : "\n") << table.name << '\n';
    } else if (arguments.format == Format::kCsv && first) {
      terminal.out << "table,name,summary\n";
    }
    first = false;
    bool rivals_begun = false;
    for (const Row& row : table.rows) {
      if (arguments.names) {
        terminal.out << row.name << '\n';
      } else if (arguments.format == Format::kText) {
        if (row.is_rival && !std::exchange(rivals_begun, true)) {
          terminal.out << "optimisers to compare them with\n";
        }
        const std::string padding(longest - row.name.size() + 2, ' ');
        terminal.out << "  " << row.name << padding << row.summary << '\n';
      } else if (arguments.format == Format::kCsv) {
        terminal.out << table.name << ',' << row.name << ',' << csv_field(row.summary) << '\n';
      } else {
        json[table.name].push_back({{"name", row.name}, {"summary", row.summary}});
        if (row.is_rival) json[table.name].back()["rival"] = true;
      }
    }
  }
  if (arguments.format == Format::kJson && !arguments.names) terminal.out << json.dump(2) << '\n';
  return kDone;
}

}  // namespace ntune::cli
