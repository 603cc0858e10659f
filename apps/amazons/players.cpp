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
constexpr double kMostSeconds = 86'400;

}  // namespace

void add_limit_options(CLI::App& command, LimitArguments& limits, const std::string& what) {
  const std::string nodes = "nodes " + what;
  cli::add_number<std::int64_t>(command, "--nodes", limits.nodes, nodes.c_str(), 1,
                                std::int64_t{1} << 50);
  const std::string seconds = "processor time " + what;
  cli::add_real(command, "--seconds", limits.seconds, seconds.c_str(), 1e-6, kMostSeconds);
}

SumPlayer read_sum_player(const std::string& option, const std::string& text,
                          const LimitArguments& limits) {
  const std::size_t colon = text.find(':');
  SumPlayer player = {.name = text.substr(0, colon), .options = {}};
  try {
    player.options = parse_sum_player(player.name);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", option, error.what()));
  }
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
  try {
    player.options.tds.check();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", option, error.what()));
  }
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

void add_sum_options(CLI::App& command, SumArguments& arguments) {
  cli::add_number<int>(command, "--boards", arguments.boards, "boards of a sum (default 2)", 1,
                       static_cast<int>(AmazonsSum<4>::kMostBoards));
  cli::add_number<int>(command, "--size", arguments.size, "side of a board, 4, 5 or 6 (default 4)",
                       4, 6);
  cli::add_number<int>(command, "--burnt", arguments.burnt,
                       "burnt squares of a board at random places (default 3)", 0, 34);
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
