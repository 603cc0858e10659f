// Feeds a fuzz target every file of a corpus, and mutants of it: replay CORPUS [MUTANTS]

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/fuzz.h"
#include "ntune/core/rng.h"

namespace {

namespace fs = std::filesystem;

std::vector<std::string> read_corpus(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> corpus;
  for (const fs::path& path : paths) {
    std::ifstream stream(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return corpus;
}

/// Bytes changed, cut out, doubled, or taken from another input.
std::string mutate(std::string text, const std::string& other, ntune::Rng& rng) {
  const auto place = [&rng](std::size_t size) {
    return size == 0 ? 0 : rng.below(static_cast<std::uint32_t>(size));
  };
  for (std::uint32_t changes = 1 + rng.below(4); changes > 0; --changes) {
    const std::size_t at = place(text.size() + 1);
    const std::size_t length = place(1 + std::min<std::size_t>(32, text.size() - at));
    switch (rng.below(4)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(rng.below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      default:
        text.insert(at, other.substr(place(other.size() + 1), length));
    }
  }
  return text;
}

void feed(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::vector<std::string> corpus = read_corpus(argv[1]);
  if (corpus.empty()) {
    std::cerr << argv[1] << ": the corpus is empty\n";
    return 1;
  }
  for (const std::string& text : corpus) feed(text);
  ntune::Rng rng(1);
  const int mutants = argc > 2 ? std::stoi(argv[2]) : 0;
  for (int i = 0; i < mutants; ++i) {
    const auto pick = [&] { return corpus[rng.below(static_cast<std::uint32_t>(corpus.size()))]; };
    feed(mutate(pick(), pick(), rng));
  }
  return 0;
}
