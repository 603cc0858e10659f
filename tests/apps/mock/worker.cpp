// A worker that misbehaves: mock_worker SHARE answers so many of its requests (0 to 1) in one of
// nine wrong ways, chosen by the request's seed, and the others with a value.

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>

#include "ntune/core/json.h"
#include "ntune/core/rng.h"

namespace {

using namespace std::chrono_literals;

void misbehave(const ntune::Json& id, std::uint32_t way) {
  switch (way) {
    case 0:  // late
      std::this_thread::sleep_for(400ms);
      std::cout << ntune::Json{{"id", id}, {"value", 1}}.dump() << std::endl;
      return;
    case 1:  // never
      std::this_thread::sleep_for(1h);
      return;
    case 2:
      std::cout << "Segmentation fault (not really)\n{\"id\": " << std::endl;
      return;
    case 3:  // part of a line, then the end
      std::cout << "{\"id\": " << id << ", \"val" << std::flush;
      std::exit(0);
    case 4:
      std::cout << std::string(3'000'000, 'x') << std::endl;
      return;
    case 5:
      std::cout << "{\"id\": " << id << ", \"value\": NaN}" << std::endl;
      return;
    case 6:
      std::cout << ntune::Json{{"id", -5}, {"value", 1}}.dump() << std::endl;
      return;
    case 7:
      std::abort();
    default:
      std::cout << ntune::Json{{"id", id}, {"error", "no licence"}}.dump() << std::endl;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const double share = argc > 1 ? std::atof(argv[1]) : 0.0;
  for (std::string line; std::getline(std::cin, line);) {
    const ntune::Json request = ntune::Json::parse(line);
    ntune::Rng rng(request["seed"].get<std::uint64_t>());
    if (rng.bernoulli(share)) {
      misbehave(request["id"], rng.below(9));
    } else {
      std::cout << ntune::Json{{"id", request["id"]}, {"value", rng.bernoulli(0.5) ? 1 : 0}}.dump()
                << std::endl;
    }
  }
  return 0;
}
