#include "apps/amazons/players.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "apps/common/settings.h"
#include "ntune/core/error.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/text.h"

namespace ntune::amazons {

namespace {

constexpr std::int64_t kUsualNodes = 20'000;

}  // namespace

AmazonsDatabase database_of(const std::string& file, Parallel& parallel) {
  return file.empty() ? AmazonsDatabase::build(parallel) : AmazonsDatabase::load(file);
}

SumPlayer read_sum_player(const std::string& option, const std::string& text,
                          const LimitArguments& limits) {
  const std::size_t colon = text.find(':');
  SumPlayer player = {.name = text.substr(0, colon), .options = {}};
  player.options = cli::with_option(option, [&] { return parse_sum_player(player.name); });
  TdsOptions& tds = player.options.tds;
  if (limits.nodes) tds.nodes = {false, *limits.nodes};
  if (limits.seconds) tds.seconds = {false, *limits.seconds};
  if (!limits.nodes && !limits.seconds) tds.nodes = {false, kUsualNodes};
  if (colon != std::string::npos) {
    player.options = cli::read_settings(option, text.substr(colon + 1), [&](const YamlNode& map) {
      return read_options(map, player.options);
    });
    player.name = printable(text, 100);
  }
  cli::with_option(option, [&] { player.options.tds.check(); });
  return player;
}

std::string player_text(const SumPlayer& player) {
  std::string text = player.name;
  const TdsOptions& tds = player.options.tds;
  if (player.options.strategy == SumStrategy::kRandom) return text;
  if (!tds.nodes.automatic) text += fmt::format(", {} nodes a move", tds.nodes.value);
  if (!tds.seconds.automatic) text += fmt::format(", {} s a move", number_text(tds.seconds.value));
  return text;
}

Json player_json(const SumPlayer& player) {
  return {{"name", player.name}, {"options", options_json(player.options)}};
}

void check_sums(const SumArguments& arguments) {
  const int most = arguments.size * arguments.size - 2;
  if (arguments.burnt <= most) return;
  throw InputError(fmt::format("--burnt: is {}, at most {} squares of a board of {}x{} can be",
                               arguments.burnt, most, arguments.size, arguments.size));
}

std::shared_ptr<const AmazonsDatabase> database_for(const std::vector<SumPlayer>& players, int size,
                                                    const std::string& file, Parallel& parallel) {
  const bool is_needed = std::ranges::any_of(players, [](const SumPlayer& player) {
    const SumStrategy strategy = player.options.strategy;
    return player.options.source == SumSource::kDatabase &&
           (strategy == SumStrategy::kHotstrat || strategy == SumStrategy::kSentestrat);
  });
  if (!is_needed) return nullptr;
  if (size != 4) {
    throw InputError(fmt::format("--size: is {}, the database has boards of 4x4 only", size));
  }
  return std::make_shared<const AmazonsDatabase>(database_of(file, parallel));
}

}  // namespace ntune::amazons
