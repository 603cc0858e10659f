// Distances to win of SlideThree: retrograde analysis against a plain breadth-first search from Win
// with a queue. Then loading from a file, which maps it and computes its checksum.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "ntune/core/parallel.h"
#include "ntune/core/rng.h"
#include "ntune/games/slide/exact/database.h"

namespace ntune {
namespace {

std::vector<std::uint8_t> breadth_first_search() {
  constexpr std::uint8_t kUnknown = 255;
  std::vector<std::uint8_t> distances(slide_position_count<3>(), kUnknown);
  std::vector<std::uint32_t> queue;
  queue.reserve(distances.size());
  const auto reach = [&](const SlidePosition<3>& position, int distance) {
    const std::uint64_t index = slide_index(position);
    if (distances[index] != kUnknown) return;
    distances[index] = static_cast<std::uint8_t>(distance);
    queue.push_back(static_cast<std::uint32_t>(index));
  };
  reach(SlidePosition<3>::win(), 0);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto position = slide_position_at<3>(queue[i]);
    const int next = distances[queue[i]] + 1;
    for_each_line(position.moves(), [&](int line) { reach(position.after(line), next); });
  }
  return distances;
}

/// Start and the farthest positions as in Heuser 2003, Section 3.3.1.
bool has_known_answers(const SlideDatabase<3>& database) {
  return database.dtw(SlidePosition<3>::start()) == 24 && database.counts().size() == 27 &&
         database.positions_at(26).size() == 184;
}

void slide_three_reference(benchmark::State& state) {
  Parallel parallel;
  const auto database = SlideDatabase<3>::build(parallel);
  std::vector<std::uint8_t> distances;
  for (auto _ : state) distances = breadth_first_search();
  if (!std::equal(distances.begin(), distances.end(), database.distances().begin())) {
    state.SkipWithError("the analysis differs from a breadth-first search");
  }
}
BENCHMARK(slide_three_reference)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);

void slide_three_build(benchmark::State& state) {
  Parallel parallel(static_cast<int>(state.range(0)));
  if (!has_known_answers(SlideDatabase<3>::build(parallel))) {
    state.SkipWithError("not the known distances");
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(SlideDatabase<3>::build(parallel));
}
BENCHMARK(slide_three_build)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void slide_three_load(benchmark::State& state) {
  std::string folder = (std::filesystem::temp_directory_path() / "slide-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) {
    state.SkipWithError("no temporary folder");
    return;
  }
  const std::filesystem::path file = std::filesystem::path(folder) / "slide3.dtw";
  Parallel parallel;
  SlideDatabase<3>::build(parallel).save(file);
  if (!has_known_answers(SlideDatabase<3>::load(file))) {
    state.SkipWithError("not the known distances");
  } else {
    for (auto _ : state) benchmark::DoNotOptimize(SlideDatabase<3>::load(file));
  }
  std::filesystem::remove_all(folder);
}
BENCHMARK(slide_three_load)->Unit(benchmark::kMillisecond)->UseRealTime();

/// One look-up of a position drawn from all.
void slide_three_look_up(benchmark::State& state) {
  Parallel parallel;
  const auto database = SlideDatabase<3>::build(parallel);
  if (!has_known_answers(database)) {
    state.SkipWithError("not the known distances");
    return;
  }
  constexpr std::size_t kPositions = 1 << 16;
  Rng rng(1);
  std::vector<SlidePosition<3>> positions(kPositions);
  for (auto& position : positions) {
    position = slide_position_at<3>(rng.below(slide_position_count<3>()));
  }
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(database.dtw(positions[i++ % kPositions]));
}
BENCHMARK(slide_three_look_up);

}  // namespace
}  // namespace ntune
