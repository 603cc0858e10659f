// The line of the table of objectives for `table`.

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/hash.h"
#include "ntune/core/mapped_file.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/recorded/observation_values.h"
#include "ntune/objective/recorded/table_objective.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

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

/// 16 hexadecimal digits of the hash FNV-1a of a file.
std::string digest_of(std::string_view content) {
  std::uint64_t hash = kFnvBegin;
  for (const char c : content) hash = fnv_step(hash, static_cast<unsigned char>(c));
  return fmt::format("{:016x}", hash);
}

/// The content of the table that the node names, if it is the one that a study was made with.
ObservationTable table_of(const YamlNode& node, const TableOptions& options) {
  if (is_inline(options.table)) return ObservationTable::parse(options.table + '\n', "(table)");
  const std::filesystem::path file = file_of(node, options);
  const MappedFile content(file);
  // A study that goes on must have the table that it was begun with.
  if (!options.digest.empty() && options.digest != digest_of(content.text())) {
    node.find("digest")->fail(fmt::format(
        "is {}, the file '{}' has {}: it was edited since; bring it back, or take this key away",
        printable(options.digest, 60), path_text(file), digest_of(content.text())));
  }
  return ObservationTable::parse(content.text(), file.string());
}

/// The options with the digest of the table.
Json resolved(const YamlNode& node) {
  TableOptions options = read(node);
  if (options.digest.empty() && !is_inline(options.table)) {
    options.digest = digest_of(MappedFile(file_of(node, options)).text());
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
          .schema =
              [] {
                Json schema = options_schema(TableOptions());
                schema["required"] = Json::array({"table"});
                return schema;
              },
          .resolved = resolved,
          .example = example(),
          .label = [](const Json& options) { return name_of(options["table"]); },
          .files = {"table"}};
}

}  // namespace ntune
