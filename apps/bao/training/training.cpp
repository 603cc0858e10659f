#include "apps/bao/training/training.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/options.h"
#include "ntune/games/bao/start_positions.h"
#include "ntune/games/bao/weights.h"

namespace ntune {
namespace {

/// Games per task: agents are made once for all of them.
constexpr int kBlock = 10;
constexpr std::uintmax_t kMostCheckpointBytes = 64'000'000;

}  // namespace

void BaoGamesOptions::visit(Options& options) {
  options.integer("depth", depth, between(1, 100), "plies that both sides search");
  options.text("opponent", opponent, "name of an evaluation, or a weights file");
  options.text("starts", starts, "random, or a CSV file of start positions");
}

void BaoGamesOptions::move_to(const std::filesystem::path& folder) {
  move_bao_file(opponent, folder);
  if (starts != "random") move_bao_file(starts, folder);
}

void move_bao_file(std::string& name, const std::filesystem::path& folder) {
  for (const NamedBaoEvaluation& named : bao_evaluations()) {
    if (named.name == name) return;
  }
  name = (folder / name).string();
}

BaoSparring::BaoSparring(const BaoGamesOptions& options, BaoEvaluation opponent)
    : depth_(options.depth), opponent_(std::move(opponent)) {
  if (options.starts == "random") return;
  for (const BaoStartPosition& start : read_bao_start_positions(options.starts).usable) {
    starts_.push_back(start.position);
  }
  if (starts_.empty()) throw InputError(options.starts + ": no usable start position");
}

Bao BaoSparring::start(std::int64_t game, const Rng& rng) const {
  const auto pair = static_cast<std::size_t>(game / 2);
  return starts_.empty() ? random_bao_start(rng.stream("start", pair))
                         : starts_[pair % starts_.size()];
}

BaoPlayer BaoSparring::player(const BaoEvaluation& evaluation) const {
  BaoPlayer player;
  player.evaluation = evaluation;
  player.agent.depth = depth_;
  player.alpha_beta.table_bits = 16;
  player.alpha_beta = player.alpha_beta.for_depth(depth_);
  return player;
}

std::vector<int> BaoSparring::wins(std::span<const BaoEvaluation> contenders, int games,
                                   const Rng& rng, Parallel& parallel, Progress& progress) const {
  const auto blocks = static_cast<std::size_t>((games + kBlock - 1) / kBlock);
  std::vector<int> won(contenders.size() * blocks);
  parallel.for_each(won.size(), [&](std::size_t task) {
    const auto contender = make_bao_agent(player(contenders[task / blocks]));
    const auto opponent = make_bao_agent(player(opponent_));
    const int first = static_cast<int>(task % blocks) * kBlock;
    for (int i = first; i < std::min(games, first + kBlock) && !progress.stop; ++i) {
      std::array<BaoAgent*, 2> agents = {contender.get(), opponent.get()};
      if (side(i) == 1) std::swap(agents[0], agents[1]);
      const TurnGameResult result = play_turn_game(start(i, rng), agents, rng.stream("game", i));
      won[task] += result.is_won_by(side(i)) ? 1 : 0;
      ++progress.done;
    }
  });
  std::vector<int> sums(contenders.size());
  for (std::size_t task = 0; task < won.size(); ++task) sums[task / blocks] += won[task];
  return sums;
}

BaoCheckpoint::BaoCheckpoint(const BaoTrainingRun& run, std::string_view method,
                             const Json& options)
    : file_(run.checkpoint), header_({{"training", method}, {"options", options}}) {
  if (!file_.empty() && !run.resume && std::filesystem::exists(file_)) {
    throw InputError(
        fmt::format("{}: the checkpoint of a training; resume it, name another file or delete it",
                    file_.string()));
  }
}

void BaoCheckpoint::load(const std::function<void(const Json&)>& read) const {
  if (file_.empty() || !std::filesystem::exists(file_)) return;
  try {
    const Json stored = parse_json(read_file(file_, kMostCheckpointBytes));
    if (stored.at("training") != header_["training"] ||
        stored.at("options") != header_["options"]) {
      throw InputError(
          fmt::format("{}: the checkpoint of a training with other options", file_.string()));
    }
    read(stored.at("state"));
  } catch (const Json::exception&) {
    throw InputError(fmt::format("{}: damaged, not a checkpoint of a training", file_.string()));
  }
}

void BaoCheckpoint::save(const Json& state) const {
  if (file_.empty()) return;
  Json stored = header_;
  stored["state"] = state;
  write_file_atomically(file_, stored.dump() + "\n");
}

}  // namespace ntune
