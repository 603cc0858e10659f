#include "apps/bao/players.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "apps/common/arguments.h"
#include "apps/common/settings.h"
#include "ntune/core/error.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/text.h"
#include "ntune/games/bao/start_positions.h"

namespace ntune::bao {

namespace {

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

/// The models of "material*0.7+default*0.3".
std::vector<BaoModel> models_of(const std::string& option, const std::string& text,
                                const std::string& folder) {
  std::vector<BaoModel> models;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const std::size_t star = part.find('*');
    BaoModel model = {evaluation_of(option + " models", part.substr(0, star), folder).evaluation};
    if (star != std::string::npos) {
      const std::string weight = part.substr(star + 1);
      if (!read_number(weight, model.weight) || !(model.weight > 0.0 && model.weight <= 1e6)) {
        throw InputError(fmt::format("{} models: weight '{}', a number above 0 is allowed", option,
                                     printable(weight, 40)));
      }
    }
    models.push_back(std::move(model));
    begin = end + 1;
  }
  return models;
}

std::string rows_text(const std::vector<BaoStartPosition>& rows, const std::string& status) {
  std::vector<std::string> numbers;
  for (const BaoStartPosition& row : rows) {
    if (row.status == status) numbers.push_back(std::to_string(row.row));
  }
  return numbers.empty() ? "" : fmt::format("{} ({})", fmt::join(numbers, ", "), status);
}

}  // namespace

const std::vector<std::string>& learned_names() {
  static const std::vector<std::string> kNames = {"ga3", "tdl2b", "ngnd6a", "ntbea27"};
  return kNames;
}

std::string weights_path(const std::string& name, const std::string& folder) {
  return (std::filesystem::path(folder) / (name + ".yaml")).string();
}

NamedBaoEvaluation evaluation_of(const std::string& option, const std::string& text,
                                 const std::string& folder) {
  const std::string name = lower_case(text);
  std::vector<std::string> names;
  for (const NamedBaoEvaluation& named : bao_evaluations()) {
    if (named.name == name) return named;
    names.push_back(named.name);
  }
  names.insert(names.end(), learned_names().begin(), learned_names().end());
  std::filesystem::path file = text;
  if (contains(learned_names(), name)) {
    file = weights_path(name, folder);
    if (!std::filesystem::exists(file)) {
      throw InputError(
          fmt::format("{}: {}: no such weights file; bao train makes it, --folder "
                      "names another folder",
                      option, file.string()));
    }
  } else if (!std::filesystem::is_regular_file(file)) {
    throw InputError(fmt::format("{}: '{}' is no evaluation{}, and no weights file; names: {}",
                                 option, printable(text, 80), suggestion(name, names),
                                 list_text(names)));
  }
  return {file.stem().string(), read_bao_weights(file).evaluation};
}

void SearchSettings::visit(Options& options) {
  search.visit(options);
  options.text("models", models,
               "the opponent's evaluation as opponent_model assumes it, NAME or "
               "NAME*WEIGHT+NAME*WEIGHT; empty: the true one");
}

SearchSettings read_search(const std::string& option, const std::string& text) {
  if (text.empty()) return {};
  return cli::read_settings(
      option, text, [](const YamlNode& map) { return read_options(map, SearchSettings()); });
}

Player make_player(const std::string& option, const NamedBaoEvaluation& evaluation,
                   const SearchSettings& settings, const std::string& folder) {
  return {.name = evaluation.name,
          .evaluation = evaluation.evaluation,
          .settings = settings,
          .models = models_of(option, settings.models, folder)};
}

Player read_player(const std::string& option, const std::string& text, const std::string& folder) {
  const std::size_t colon = text.find(':');
  const NamedBaoEvaluation evaluation = evaluation_of(option, text.substr(0, colon), folder);
  const std::string settings = colon == std::string::npos ? "" : text.substr(colon + 1);
  return make_player(option, evaluation, read_search(option, settings), folder);
}

BaoPlayer against(const Player& player, const BaoEvaluation& opponent) {
  BaoPlayer playing = bao_player(player.evaluation, player.settings.search, opponent);
  if (!playing.models.empty() && !player.models.empty()) playing.models = player.models;
  return playing;
}

std::string player_text(const Player& player) {
  const BaoSearchOptions& search = player.settings.search;
  if (search.search == BaoSearchOptions::Kind::kAlphaBeta) {
    return fmt::format("{}, alpha-beta, depth {}", player.name, search.agent.depth);
  }
  return fmt::format("{}, opponent model, depth {}, probes {}", player.name, search.agent.depth,
                     search.opponent_model.probe_depth);
}

Json player_json(const Player& player) {
  return {{"evaluation", player.name}, {"options", options_json(player.settings)}};
}

Starts read_starts(const StartArguments& arguments, const std::string& folder, std::int64_t seed) {
  Starts starts;
  if (arguments.random > 0) {
    const Rng rng = cli::rng_of(seed);
    for (std::int64_t i = 0; i < arguments.random; ++i) {
      starts.positions.push_back(random_bao_start(rng.stream("start", i)));
    }
    starts.text = fmt::format("{} random start positions", count_text(arguments.random));
    starts.json = {{"random", arguments.random}};
    return starts;
  }
  const std::filesystem::path file = arguments.file.empty()
                                         ? std::filesystem::path(folder) / "start_positions.csv"
                                         : std::filesystem::path(arguments.file);
  const BaoStartPositions read = read_bao_start_positions(file);
  for (const BaoStartPosition& start : read.usable) starts.positions.push_back(start.position);
  if (starts.positions.empty()) throw InputError(file.string() + ": has no usable position");
  std::vector<std::string> left_out;
  for (const char* status : {"damaged", "missing"}) {
    const std::string rows = rows_text(read.left_out, status);
    if (!rows.empty()) left_out.push_back(rows);
  }
  starts.text =
      fmt::format("{} start positions of {}", read.usable.size(), printable(file.string(), 200));
  if (!left_out.empty()) starts.text += fmt::format("; left out: {}", fmt::join(left_out, ", "));
  Json rows = Json::array();
  for (const BaoStartPosition& row : read.left_out) rows.push_back(row.row);
  starts.json = {{"file", file.string()}, {"usable", read.usable.size()}, {"left_out", rows}};
  return starts;
}

}  // namespace ntune::bao
