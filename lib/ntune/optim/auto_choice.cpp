#include "ntune/optim/auto_choice.h"

namespace ntune {

std::string auto_choice(std::int64_t budget) {
  constexpr std::int64_t kMost = 2000;
  return budget <= kMost ? "gaussian_process" : "ntbea";
}

}  // namespace ntune
