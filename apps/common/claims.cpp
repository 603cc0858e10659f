#include "apps/common/claims.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <ostream>

#include <fmt/format.h>

#include "apps/common/rows.h"
#include "ntune/core/csv.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/core/time_text.h"

namespace ntune::cli {

namespace {

constexpr std::uintmax_t kLargestFile = 1 << 20;

const std::vector<std::string> kHeader = {"paper", "place",   "claim",   "measured",
                                          "n",     "verdict", "command", "time"};

Claim claim_of(const CsvReader& reader) {
  const std::vector<CsvField>& fields = reader.fields();
  if (fields.size() != kHeader.size()) {
    reader.fail(fmt::format("has {} fields, {} are needed: {}", fields.size(), kHeader.size(),
                            list_text(kHeader, "and")));
  }
  for (const std::size_t i : std::array<std::size_t, 5>{0, 1, 2, 3, 6}) {
    if (fields[i].text.empty()) reader.fail(fmt::format("{} is empty", kHeader[i]));
  }
  const std::string& verdict = fields[5].text;
  if (std::ranges::find(claim_verdicts(), verdict) == claim_verdicts().end()) {
    reader.fail(fmt::format("verdict is '{}'; allowed: {}", printable(verdict, 40),
                            list_text(claim_verdicts())));
  }
  const std::optional<double> seconds = read_duration(fields[7].text);
  if (!seconds || !(*seconds > 0.0)) {
    reader.fail(fmt::format("time is '{}', a duration such as '3 min' is allowed",
                            printable(fields[7].text, 40)));
  }
  return {.paper = fields[0].text,
          .place = fields[1].text,
          .claim = fields[2].text,
          .measured = fields[3].text,
          .n = fields[4].text,
          .verdict = verdict,
          .command = fields[6].text,
          .seconds = *seconds};
}

std::string text_of(const std::vector<Claim>& claims) {
  std::string text;
  std::string paper;
  std::map<std::string, int> counts;
  std::map<std::string, double> times;  // a command that decides several claims counts once
  for (const Claim& claim : claims) {
    if (claim.paper != paper) text += fmt::format("{}{}\n", text.empty() ? "" : "\n", claim.paper);
    paper = claim.paper;
    text += fmt::format("\n  {}: {}\n    {}: {}{}\n    {}    # {}\n", claim.place, claim.claim,
                        claim.verdict, claim.measured, claim.n.empty() ? "" : "; n = " + claim.n,
                        claim.command, duration_text(claim.seconds));
    ++counts[claim.verdict];
    times[claim.command] = claim.seconds;
  }
  double all = 0.0;
  for (const auto& [command, seconds] : times) all += seconds;
  std::vector<std::string> parts;
  for (const std::string& verdict : claim_verdicts()) {
    if (counts[verdict] > 0) parts.push_back(fmt::format("{} {}", counts[verdict], verdict));
  }
  return text + fmt::format(
                    "\n{}: {}. All commands together take {} of one core.\n"
                    "Times are of processor on a core of 2.5 GHz.\n",
                    counted(claims.size(), "claim"), list_text(parts, "and"), duration_text(all));
}

}  // namespace

const std::vector<std::string>& claim_verdicts() {
  static const std::vector<std::string> kVerdicts = {"confirmed", "refuted", "open", "answered"};
  return kVerdicts;
}

std::vector<Claim> read_claims(const std::filesystem::path& file) {
  const std::string text = read_file(file, kLargestFile);
  CsvReader reader(text, path_text(file));
  std::vector<std::string> header;
  if (reader.next()) {
    for (const CsvField& field : reader.fields()) header.push_back(field.text);
  }
  if (header != kHeader) {
    throw InputError(
        fmt::format("{}: the first line is not {}", path_text(file), fmt::join(kHeader, ",")));
  }
  std::vector<Claim> claims;
  while (reader.next()) claims.push_back(claim_of(reader));
  return claims;
}

int list_claims(const std::string& laboratory, Format format, const Terminal& terminal,
                const std::string& folder) {
  const std::vector<Claim> claims =
      read_claims(std::filesystem::path(folder) / "claims" / (laboratory + ".csv"));
  std::vector<Json> rows;
  for (const Claim& claim : claims) {
    rows.push_back({{"paper", claim.paper},
                    {"place", claim.place},
                    {"claim", claim.claim},
                    {"measured", claim.measured},
                    {"n", claim.n},
                    {"verdict", claim.verdict},
                    {"command", claim.command},
                    {"seconds", claim.seconds}});
  }
  print_result(terminal.out, format, {{"claims", rows}}, rows, text_of(claims));
  return kDone;
}

}  // namespace ntune::cli
