// pagmo TABLE TRIALS SEED RUNS REPEATS NAME: pagmo's `sga` or `gaco` on a landscape of
// compare_peers.py, a trial is the mean of REPEATS evaluations. Writes a line a run: the point it
// holds for the best, then every point and its payoff.

#include <cstdint>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/gaco.hpp>
#include <pagmo/algorithms/sga.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Landscape {
  std::vector<double> cardinalities;
  std::string noise;  // 0: win or loss; a standard deviation; recorded
  double sigma = 0.0;
  std::vector<std::vector<double>> values;  // of each point: its true value, or what was recorded
};

struct Run {
  int repeats = 1;
  std::mt19937_64 random;
  std::vector<std::pair<std::size_t, double>> trials;
};

Landscape read(const char* path) {
  Landscape landscape;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::istringstream axes(line);
  std::string axis;
  while (axes >> axis) landscape.cardinalities.push_back(std::stod(axis));
  std::getline(file, landscape.noise);
  if (landscape.noise != "recorded") landscape.sigma = std::stod(landscape.noise);
  while (std::getline(file, line)) {
    std::istringstream row(line);
    landscape.values.emplace_back(std::istream_iterator<double>(row),
                                  std::istream_iterator<double>());
  }
  return landscape;
}

std::size_t index_of(const Landscape& landscape, const std::vector<double>& x) {
  std::size_t index = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    index = index * static_cast<std::size_t>(landscape.cardinalities[i]) +
            static_cast<std::size_t>(x[i]);
  }
  return index;
}

/// What pagmo minimises: the negative payoff. Copied by pagmo, hence the pointers.
struct Problem {
  const Landscape* landscape = nullptr;
  Run* run = nullptr;

  [[nodiscard]] std::vector<double> fitness(const std::vector<double>& x) const {
    const std::size_t index = index_of(*landscape, x);
    const std::vector<double>& values = landscape->values[index];
    double payoff = 0.0;
    for (int i = 0; i < run->repeats; ++i) {
      if (landscape->noise == "recorded") {
        std::uniform_int_distribution<std::size_t> any(0, values.size() - 1);
        payoff += values[any(run->random)];
      } else if (landscape->sigma > 0.0) {
        payoff += values[0] + landscape->sigma * std::normal_distribution<>()(run->random);
      } else {
        payoff += std::uniform_real_distribution<>()(run->random) < values[0] ? 1.0 : -1.0;
      }
    }
    payoff /= run->repeats;
    run->trials.emplace_back(index, payoff);
    return {-payoff};
  }
  [[nodiscard]] std::pair<std::vector<double>, std::vector<double>> get_bounds() const {
    std::vector<double> high = landscape->cardinalities;
    for (double& value : high) value -= 1.0;
    return {std::vector<double>(high.size(), 0.0), high};
  }
  [[nodiscard]] std::vector<double>::size_type get_nix() const {
    return landscape->cardinalities.size();
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) return 2;
  const Landscape landscape = read(argv[1]);
  const auto budget = static_cast<unsigned>(std::stoul(argv[2]));
  const auto seed = static_cast<unsigned>(std::stoul(argv[3]));
  const int runs = std::stoi(argv[4]);
  const int repeats = std::stoi(argv[5]);
  const std::string name = argv[6];
  const unsigned population = 20;
  const unsigned generations = budget / population - 1;
  std::cout << std::setprecision(10);
  for (int r = 0; r < runs; ++r) {
    Run run{repeats, std::mt19937_64(seed * 1000003ULL + static_cast<unsigned>(r)), {}};
    const unsigned own = seed * 7919U + static_cast<unsigned>(r);
    pagmo::problem problem{Problem{&landscape, &run}};
    pagmo::population start{problem, population, own};
    const pagmo::algorithm algorithm =
        name == "gaco"
            ? pagmo::algorithm{pagmo::gaco{generations, 13U, 1.0, 0.0, 0.01, 1U, 7U, 100000U,
                                           100000U, 0.0, false, own}}
            : pagmo::algorithm{pagmo::sga{generations, 0.9, 1.0, 0.02, 1.0, 2U, "exponential",
                                          "polynomial", "tournament", own}};
    const pagmo::population end = algorithm.evolve(start);
    std::cout << index_of(landscape, end.champion_x());
    for (const auto& [index, payoff] : run.trials) std::cout << ' ' << index << ' ' << payoff;
    std::cout << '\n';
  }
}
