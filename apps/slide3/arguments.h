#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "apps/common/arguments.h"
#include "ntune/core/json.h"
#include "ntune/core/parallel.h"
#include "ntune/games/slide/depth_agent.h"
#include "ntune/games/slide/exact/database.h"

namespace ntune::slide3 {

using cli::Format;
using cli::OutputArguments;
using cli::rng_of;

/// Which positions an experiment begins with.
struct SampleArguments {
  std::string file;  ///< empty: drawn
  std::string dtw;   ///< a number or "all"; empty: 14
  std::optional<std::int64_t> count;
  std::int64_t seed = 1;
  std::string database;  ///< file; empty: built
};
inline constexpr int kUsualDtw = 14;
inline constexpr int kUsualDepth = 5;
inline constexpr std::int64_t kUsualCount = 1068;  ///< Heuser 2003, Section 5.2.2

/// The database in the file, or built.
template <int K>
SlideDatabase<K> database_of(const std::string& file, Parallel& parallel) {
  return file.empty() ? SlideDatabase<K>::build(parallel) : SlideDatabase<K>::load(file);
}
std::vector<SlidePosition<3>> draw_sample(const SampleArguments& arguments,
                                          const SlideDatabase<3>& database);
/// Read or drawn; the database is loaded or built only for the latter.
std::vector<SlidePosition<3>> sample_of(const SampleArguments& arguments, Parallel& parallel);
/// "1,068 positions of DTW 14, seed 1".
std::string sample_text(const SampleArguments& arguments, std::size_t size);

/// An evaluation and the search that uses it, as the command line says them.
struct PlayerArguments {
  std::string name;                  ///< of --eval; empty: Eu
  std::vector<std::string> weights;  ///< "Eu=1"
  Randomisation randomisation = Randomisation::kNone;
  std::optional<double> intensity;
  std::optional<bool> both_sides;
  bool rounded = false;
  DepthSearchOptions search = {};
};
/// The largest weight of an evaluation, and the largest intensity of a randomisation.
inline constexpr double kLargestWeight = 1e6;
/// What --eval may name.
std::vector<std::string> evaluation_names();
/// What --randomisation may name: all but those that are evaluations by themselves.
std::map<std::string, Randomisation> additive_randomisations();
/// The evaluation of --eval or --weight with its randomisation. Throws InputError.
SlideEvaluation evaluation_of(const PlayerArguments& arguments);

/// "Eu-Add [-0.1, 0.1], table expanded, Win -1000".
std::string player_text(const DepthPlayer& player);
/// "all", "expanded", "off".
std::string table_name(TableMode mode);

}  // namespace ntune::slide3
