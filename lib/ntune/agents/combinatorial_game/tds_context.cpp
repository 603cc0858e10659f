#include "ntune/agents/combinatorial_game/tds_context.h"

#include <ctime>

namespace ntune {

double thread_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace ntune
