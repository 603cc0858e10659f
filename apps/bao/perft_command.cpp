#include <fmt/format.h>

#include "apps/bao/commands.h"
#include "apps/common/rows.h"
#include "ntune/agents/turn_game/turn_game.h"
#include "ntune/core/parallel.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/games/bao/notation.h"

namespace ntune::bao {

int perft_command(const PerftArguments& arguments, const Terminal& terminal) {
  const Bao position = parse_bao_position(arguments.position);
  cli::end_at_signals();
  Parallel parallel(arguments.threads);
  BaoSuccessors successors;
  position.successors(successors);
  std::vector<std::uint64_t> lines(successors.size());
  parallel.for_each(lines.size(), [&](std::size_t i) {
    lines[i] = perft(successors[i].next, arguments.depth - 1);
  });
  std::uint64_t nodes = 0;
  std::vector<Json> rows;
  TextTable table({"<move", "nodes"});
  for (std::size_t i = 0; i < lines.size(); ++i) {
    nodes += lines[i];
    const std::string move = bao_move_text(successors[i].move, position.to_move());
    rows.push_back({{"move", move}, {"nodes", lines[i]}});
    table.add_row({move, count_text(lines[i])});
  }
  Json json = {{"nodes", nodes}};
  std::string text = fmt::format("{}\n", count_text(nodes));
  if (arguments.divide) {
    json["moves"] = rows;
    text = table.text() + '\n' + text;
  } else {
    rows = {json};
  }
  cli::print_result(terminal.out, arguments.format, json, rows, text);
  return cli::kDone;
}

}  // namespace ntune::bao
