#include "apps/common/reproduction.h"

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
#include "ntune/plot/picture.h"

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

void ReproduceArguments::visit_experiment(Flags& flags, const std::vector<std::string>& names) {
  flags.value("experiment", experiment, "NAME", list_text(names)).one_of(names);
  flags.flag("--list", list,
             "what the papers claim, what was measured of it, and the command and time that it "
             "takes");
}

void ReproduceArguments::visit_output(Flags& flags) { flags.plot(plot).output(output); }

std::string reproduction_text(const Reproduction& reproduction) {
  return fmt::format("{}\n{}\n{}{}{}{}", reproduction.title, reproduction.setup,
                     reproduction.table.text(), reproduction.more,
                     reproduction.remarks.empty() ? "" : "\n", reproduction.remarks);
}

Reproduced reproduced(const std::string& experiment, const Reproduction& reproduction,
                      const Json& setting) {
  Json json = {{"experiment", experiment}, {"title", reproduction.title}};
  json.update(setting);
  json["rows"] = reproduction.table.rows();
  if (!reproduction.summary.is_null()) json["summary"] = reproduction.summary;
  return {json, reproduction.table.rows(), reproduction_text(reproduction), {}};
}

int reproduce(const char* laboratory, const std::vector<std::string>& names,
              const ReproduceArguments& arguments, const Terminal& terminal,
              const std::function<Reproduced()>& carry_out) {
  if (arguments.list && !arguments.experiment.empty()) {
    throw InputError("--list: does not go with an experiment; it shows the claims of all");
  }
  if (arguments.list) return list_claims(laboratory, arguments.output.format, terminal);
  if (arguments.experiment.empty()) {
    throw InputError(
        fmt::format("an experiment is missing: {}; --list shows what they decide, and the time",
                    list_text(names)));
  }
  if (!arguments.plot.empty()) check_picture(arguments.plot);
  const Reproduced reproduced = carry_out();
  print_result(terminal.out, arguments.output.format, reproduced.json, reproduced.rows,
               reproduced.text);
  if (!arguments.plot.empty()) write_picture(arguments.plot, reproduced.figure(), kPictureWidth);
  return kDone;
}

}  // namespace ntune::cli
