#include "ntune/games/bao/rules.h"

#include "ntune/core/options.h"

namespace ntune {

void BaoRules::visit(Options& options) {
  options.integer("infinite_limit", infinite_limit, between(16, 10'000),
                  "a move that sows more stones than this is infinite and illegal");
  options.flag("house_counts_entry", house_counts_entry,
               "the six stones that keep an owned house from starting a takasa include the stone "
               "just entered");
  options.choice("house_loss", house_loss,
                 {{"both", HouseLoss::both},
                  {"capturer", HouseLoss::capturer},
                  {"victim", HouseLoss::victim},
                  {"nobody", HouseLoss::nobody}},
                 "who loses an owned house at the first capture of the mtaji stage");
  options.flag("mtaji_house_stop", mtaji_house_stop,
               "a move may stop in an owned house in the mtaji stage too");
  options.flag("infinite_captures_lose", infinite_captures_lose,
               "a player all of whose captures are infinite has lost; otherwise he may takasa");
  options.flag("front_row_at_end", front_row_at_end,
               "an empty front row ends the game after the move only, not within it");
}

}  // namespace ntune
