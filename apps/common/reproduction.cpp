#include "apps/common/reproduction.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <ostream>
#include <string_view>

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

/// The last one is of a question that the paper leaves open.
const std::vector<std::string> kVerdicts = {"confirmed", "refuted", "open", "answered"};

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
  if (std::ranges::find(kVerdicts, verdict) == kVerdicts.end()) {
    reader.fail(
        fmt::format("verdict is '{}'; allowed: {}", printable(verdict, 40), list_text(kVerdicts)));
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

std::vector<std::string> names_of(const std::vector<Experiment>& experiments) {
  std::vector<std::string> names;
  for (const Experiment& one : experiments) names.emplace_back(one.name);
  return names;
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
  for (const std::string& verdict : kVerdicts) {
    if (counts[verdict] > 0) parts.push_back(fmt::format("{} {}", counts[verdict], verdict));
  }
  return text + fmt::format(
                    "\n{}: {}. All commands together take {} of one core.\n"
                    "Times are of processor on a core of 2.5 GHz.\n",
                    counted(claims.size(), "claim"), list_text(parts, "and"), duration_text(all));
}

}  // namespace

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

void ReproduceArguments::visit_experiment(Flags& flags,
                                          const std::vector<Experiment>& experiments) {
  std::string help = "which:";
  for (const Experiment& one : experiments) {
    help += fmt::format("\n{}: {}", one.name, one.repeats);
  }
  flags.value("experiment", experiment, "NAME", help).one_of(names_of(experiments));
  flags.flag("--list", list,
             "what the papers claim, what was measured of it, and the command and time that it "
             "takes");
}

void ReproduceArguments::visit_output(Flags& flags) { flags.plot(plot).output(output); }

namespace {

/// Refuses an option that does not go with the chosen experiment.
template <class GoesWith>
void check_option(const char* option, const std::vector<Experiment>& experiments,
                  const Experiment& chosen, const GoesWith& goes_with) {
  if (goes_with(chosen)) return;
  std::vector<Experiment> others;
  std::ranges::copy_if(experiments, std::back_inserter(others), goes_with);
  throw InputError(fmt::format("{}: does not go with {}; it goes with {}", option, chosen.name,
                               list_text(names_of(others), "and")));
}

void check_options(const Reproduce& reproduce, const Experiment& chosen, bool draws) {
  for (const auto& [option, is_given] : reproduce.given) {
    if (!is_given) continue;
    check_option(option, reproduce.experiments, chosen, [name = option](const Experiment& one) {
      return std::string_view(one.options).find(name) != std::string_view::npos;
    });
  }
  if (!draws) return;
  check_option("--plot", reproduce.experiments, chosen,
               [](const Experiment& one) { return one.draw != nullptr; });
}

Json json_of(const Experiment& experiment, const std::string& title, const Reproduction& part) {
  Json json = {{"experiment", experiment.name}, {"title", title}};
  if (!part.setting.is_null()) json.update(part.setting);
  json["rows"] = part.table.rows();
  if (!part.summary.is_null()) json["summary"] = part.summary;
  return json;
}

}  // namespace

int Reproduce::operator()(const ReproduceArguments& arguments, const Terminal& terminal) const {
  // 1. The experiment, with the options that go with it.
  const std::string& name = arguments.experiment;
  if (arguments.list && !name.empty()) {
    throw InputError("--list: does not go with an experiment; it shows the claims of all");
  }
  if (arguments.list) return list_claims(laboratory, arguments.output.format, terminal);
  if (name.empty()) {
    throw InputError(
        fmt::format("an experiment is missing: {}; --list shows what they decide, and the time",
                    list_text(names_of(experiments))));
  }
  const auto chosen = std::ranges::find(experiments, name, &Experiment::name);
  check_options(*this, *chosen, !arguments.plot.empty());
  if (!arguments.plot.empty()) check_picture(arguments.plot);
  // 2. Its parts, printed one below the other.
  Json json = Json::array();
  std::vector<Json> rows;
  std::string text;
  std::string title;
  for (const Reproduction& part : run(static_cast<std::size_t>(chosen - experiments.begin()))) {
    title = chosen->repeats + part.title;
    json.push_back(json_of(*chosen, title, part));
    rows.insert(rows.end(), part.table.rows().begin(), part.table.rows().end());
    text +=
        fmt::format("{}{}\n{}\n{}{}{}{}", text.empty() ? "" : "\n", title, part.setup,
                    part.table.text(), part.more, part.remarks.empty() ? "" : "\n", part.remarks);
  }
  print_result(terminal.out, arguments.output.format, lists_parts ? json : json.front(), rows,
               text);
  if (!arguments.plot.empty()) {
    write_picture(arguments.plot, chosen->draw(title, rows), kPictureWidth);
  }
  return kDone;
}

}  // namespace ntune::cli
