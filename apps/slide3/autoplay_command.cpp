#include <cmath>
#include <functional>
#include <memory>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "apps/common/rows.h"
#include "apps/common/watched.h"
#include "apps/slide3/commands.h"
#include "apps/slide3/experiments/autoplay.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune::slide3 {

namespace {

Json row_of(const Autoplay& result, bool fat) {
  const Interval quota = result.quota_interval();
  Json row = {{"games", result.games},
              {"won", result.won},
              {"winning_quota", result.winning_quota()},
              {"quota_low", quota.low},
              {"quota_high", quota.high}};
  const bool tied = fat && result.ties > 0;
  const Interval ends = tied ? result.fat_interval() : Interval();
  row["ties"] = fat ? Json(result.ties) : Json();
  row["fat_moves"] = fat ? Json(result.fat_moves) : Json();
  row["fat_quota"] = tied ? Json(result.fat_quota()) : Json();
  row["fat_low"] = tied ? Json(ends.low) : Json();
  row["fat_high"] = tied ? Json(ends.high) : Json();
  const bool won = result.won > 0;
  row["least_moves"] = won ? Json(static_cast<int>(result.moves.min())) : Json();
  row["mean_moves"] = won ? Json(result.moves.mean()) : Json();
  row["most_moves"] = won ? Json(static_cast<int>(result.moves.max())) : Json();
  row["evaluations"] = result.evaluations;
  return row;
}

std::string text_of(const Autoplay& result, bool fat) {
  std::string text = fmt::format("games          {}\nwon            {}\n", count_text(result.games),
                                 count_text(result.won));
  text += fmt::format("winning quota  {}\n",
                      cli::interval_text(result.winning_quota(), result.quota_interval()));
  if (fat) {
    text += fmt::format("ties           {}\n", count_text(result.ties));
    text += fmt::format(
        "fat quota      {}\n",
        result.ties > 0 ? cli::interval_text(result.fat_quota(), result.fat_interval()) : "-");
  }
  if (result.won > 0) {
    text += fmt::format("moves to win   {} to {}, mean {:.1f}\n", result.moves.min(),
                        result.moves.max(), result.moves.mean());
  }
  return text + fmt::format("evaluations    {}\n", count_text(result.evaluations));
}

/// How the command line wants moves to be chosen.
struct Player {
  std::string text;
  std::function<std::unique_ptr<SlideAgent>()> make_agent;
  bool counts_fat = false;
};

Player depth_player(const AutoplayArguments& arguments) {
  if (arguments.evaluations || arguments.weight || arguments.target) {
    throw InputError("--evaluations, --h-weight and --target go with --search astar or idastar");
  }
  const DepthPlayer player = {.evaluation = evaluation_of(arguments.player),
                              .depth = arguments.depth.value_or(5),
                              .search = arguments.player.search};
  const bool count = !arguments.no_fat;
  return {fmt::format("{}, depth {}", player_text(player), player.depth),
          [player, count] { return std::make_unique<DepthAgent>(player, count); }, count};
}

Player best_first_player(const AutoplayArguments& arguments, BestFirstKind kind) {
  if (arguments.depth) throw InputError("--depth: goes with --search depth");
  BestFirstPlayer player = {.evaluation = evaluation_of(arguments.player), .kind = kind};
  player.evaluations = arguments.evaluations.value_or(player.evaluations);
  player.weight = arguments.weight.value_or(player.weight);
  player.target = arguments.target.value_or(player.target);
  std::string text =
      fmt::format("{}, {}, {} evaluations a move, target {}", player.evaluation.text(),
                  kind == BestFirstKind::kAStar ? "A*" : "IDA*", count_text(player.evaluations),
                  player.target == BestFirstTarget::kTotal ? "total" : "value");
  if (player.weight != 1.0) text += fmt::format(", weight {}", number_text(player.weight));
  return {std::move(text), [player] { return make_best_first_agent(player); }};
}

Player player_of(const AutoplayArguments& arguments) {
  for (const auto& [name, kind] : best_first_names()) {
    if (name == arguments.search) return best_first_player(arguments, kind);
  }
  return depth_player(arguments);
}

void print(const Autoplay& result, const Player& player, std::size_t positions,
           const AutoplayArguments& arguments, std::ostream& out) {
  const Json row = row_of(result, player.counts_fat);
  const std::string from = sample_text(arguments.sample, positions);
  const Json json = {{"player", player.text},
                     {"moves", arguments.moves},
                     {"sample", from},
                     {"seed", arguments.sample.seed},
                     {"result", row}};
  cli::print_result(out, arguments.output.format, json, {row},
                    fmt::format("{}, up to {} moves\n{}\n\n{}", player.text, arguments.moves, from,
                                text_of(result, player.counts_fat)));
}

}  // namespace

int autoplay_command(const AutoplayArguments& arguments, const Terminal& terminal) {
  const Player player = player_of(arguments);
  Parallel parallel(arguments.output.threads);
  const std::vector<SlidePosition<3>> sample = sample_of(arguments.sample, parallel);
  const AutoplayTask task = {.make_agent = player.make_agent,
                             .rng = rng_of(arguments.sample.seed).stream("autoplay")};
  double seconds = 0.0;
  const auto play = [&](Progress& progress) {
    return autoplay({&task, 1}, sample, arguments.moves, parallel, progress).front();
  };
  const Autoplay result = cli::watched(static_cast<std::int64_t>(sample.size()), "games",
                                       arguments.output, terminal, play, &seconds);
  print(result, player, sample.size(), arguments, terminal.out);
  if (!arguments.output.quiet) {
    const double rate = std::floor(static_cast<double>(result.evaluations) / seconds);
    terminal.err << fmt::format("{:.1f} s, {} evaluations a second\n", seconds, count_text(rate));
  }
  return cli::kDone;
}

}  // namespace ntune::slide3
