#include "ntune/report/page/play_command.h"

#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/core/text.h"

namespace ntune {

std::string play_command_of(const ReportData& data) {
  if (data.is_comparison() || data.rivals.empty() || !data.rivals[0].recommended) return {};
  const Json& options = data.study.study.objectives[0].options;
  const std::string game = options.is_object() ? options.value("game", "") : "";
  if (game != "planet_wars" && game != "asteroids") return {};
  return fmt::format("arcade play {} --from {} --replay game.html", game,
                     printable(data.study.folder.string(), 200));
}

}  // namespace ntune
