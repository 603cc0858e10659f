#pragma once

#include <cstdint>
#include <optional>

#include "ntune/core/rng.h"

namespace ntune {

// The random streams of a study, by what they are for: whoever asks again gets the same one.

/// The stream of a run, from which those of its evaluations come.
inline Rng run_stream(std::uint64_t seed, std::int64_t repeat, std::int64_t run) {
  return Rng(seed).stream("run", static_cast<std::uint64_t>(repeat),
                          static_cast<std::uint64_t>(run));
}

/// The stream of what a repeat recommends.
inline Rng pick_stream(std::uint64_t seed, std::int64_t repeat) {
  return Rng(seed).stream("pick", static_cast<std::uint64_t>(repeat));
}

/// The stream of an evaluation of a run's search, or of its whole block.
inline Rng search_stream(const Rng& run, std::int64_t index, std::optional<std::int64_t> block) {
  return block ? run.stream("block", static_cast<std::uint64_t>(*block))
               : run.stream("evaluation", static_cast<std::uint64_t>(index));
}

/// The stream of a fresh evaluation of what a run or a pick recommends.
inline Rng hold_out_stream(const Rng& of, std::uint64_t index) {
  return of.stream("hold-out", index);
}

}  // namespace ntune
