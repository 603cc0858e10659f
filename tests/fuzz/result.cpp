#include <cmath>
#include <cstdlib>

#include "fuzz/fuzz.h"
#include "ntune/objective/command/result_parser.h"

/// What programs print.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using Kind = ntune::ResultFormat::Kind;
  static const std::vector<ntune::ResultParser> kParsers = [] {
    std::vector<ntune::ResultParser> parsers;
    for (const Kind kind : {Kind::kAuto, Kind::kJson, Kind::kSmac, Kind::kNumber, Kind::kLetters,
                            Kind::kCutechess, Kind::kFastchess}) {
      parsers.emplace_back(ntune::ResultFormat{.kind = kind, .pattern = {}});
    }
    parsers.emplace_back(ntune::ResultFormat{.kind = Kind::kRegex, .pattern = "score: *(.*)"});
    return parsers;
  }();
  for (const ntune::ResultParser& parser : kParsers) {
    const ntune::ParsedResult result = parser.parse(ntune::text_of(data, size));
    if (result.problem.empty() == result.values.empty()) std::abort();
    for (const double value : result.values) {
      if (!std::isfinite(value)) std::abort();
    }
  }
  return 0;
}
