// Figures 3, 4 and 5 with all rules for stopped searches, and the nodes that E5 saves (Zhang and
// Mueller 2015). Figures 3 and 4 are of running times; here they are of nodes, which repeat.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "apps/amazons/coverage.h"
#include "apps/amazons/reproduce.h"
#include "apps/common/rows.h"
#include "ntune/core/text.h"

namespace ntune::amazons {

namespace {

/// Nodes a search may take at a time scale of 1.
constexpr double kNodes = 1e6;

std::int64_t node_limit(const ReproduceArguments& arguments) {
  return std::max<std::int64_t>(1000, std::llround(kNodes * arguments.time_scale));
}

TdsOptions options_of(const ReproduceArguments& arguments, const char* variant) {
  TdsArguments tds;
  tds.table_mb = arguments.table_mb;
  TdsOptions options = tds_options_of(tds, variant);
  options.nodes = {false, node_limit(arguments)};
  return options;
}

std::string setup_text(const ReproduceArguments& arguments, std::size_t cases) {
  return fmt::format("\n{} positions, at most {} nodes each, table {} MiB", cases,
                     count_text(node_limit(arguments)), arguments.table_mb);
}

bool is_solved(const std::optional<CaseResult>& result) { return result && result->is_finished; }

std::string share_of(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return "-";
  const double share = static_cast<double>(part) / static_cast<double>(whole);
  return cli::interval_text(share,
                            wilson_interval(static_cast<double>(part), static_cast<double>(whole)));
}

double log_ratio(std::int64_t nodes, std::int64_t others) {
  return std::log2(static_cast<double>(nodes) / static_cast<double>(others));
}

/// The geometric mean of ratios, from their logarithms.
std::string ratio_text(const RunningStats& logs) {
  return logs.count() == 0 ? "-" : fmt::format("{:.2f}", std::exp2(logs.mean()));
}

}  // namespace

Reproduction reproduce_figure_3(const ReproduceArguments& arguments, const Terminal& terminal) {
  CaseRunner runner(read_cases(arguments.cases), arguments.out, arguments.output, terminal);
  const CaseResults without =
      runner.run(options_of(arguments, "TDS_1235"), "positions by TDS_1235", !arguments.all_cases);
  const CaseResults with =
      runner.run(options_of(arguments, "TDS+"), "positions by TDS+", !arguments.all_cases);
  struct Group {
    const char* name;
    double least;
    double below;
    std::int64_t both = 0;
    std::int64_t fewer = 0;
    std::int64_t only_with = 0;
    std::int64_t only_without = 0;
    RunningStats ratio = {};  ///< log2 of the nodes with E4 by those without
  };
  std::array<Group, 3> groups = {
      {{"t < 1", -10.0, 1.0}, {"1 <= t < 2", 1.0, 2.0}, {"t >= 2", 2.0, 100.0}}};
  Reproduction result;
  for (std::size_t i = 0; i < runner.cases().size(); ++i) {
    const Case& one = runner.cases()[i];
    const double temperature = one.value.temperature.to_double();
    Group& group = *std::ranges::find_if(groups, [&](const Group& candidate) {
      return candidate.least <= temperature && temperature < candidate.below;
    });
    const bool a = is_solved(with[i]);
    const bool b = is_solved(without[i]);
    group.only_with += a && !b ? 1 : 0;
    group.only_without += b && !a ? 1 : 0;
    if (!a || !b) continue;
    ++group.both;
    group.fewer += with[i]->nodes < without[i]->nodes ? 1 : 0;
    group.ratio.add(log_ratio(with[i]->nodes, without[i]->nodes));
    result.table.entry()
        .data("board", one.board)
        .data("empties", one.position.empties())
        .data("temperature", temperature)
        .data("nodes_TDS_1235", without[i]->nodes)
        .data("nodes_TDS+", with[i]->nodes);
  }
  for (const Group& group : groups) {
    result.table.line()
        .text("<temperature", group.name)
        .text("solved by both", std::to_string(group.both))
        .text("<fewer nodes with E4", share_of(group.fewer, group.both))
        .text("nodes with by without", ratio_text(group.ratio))
        .text("by TDS+ alone", std::to_string(group.only_with))
        .text("by TDS_1235 alone", std::to_string(group.only_without));
  }
  result.title = setup_text(arguments, runner.cases().size());
  result.remarks =
      "The paper: with t >= 2 TDS+ is always faster; among all others TDS_1235 is faster in some.\n"
      "Nodes with by without: the geometric mean.\n";
  return result;
}

Reproduction reproduce_figure_4(const ReproduceArguments& arguments, const Terminal& terminal) {
  constexpr int kMargin = 2;  // of Algorithm 2
  constexpr std::array kPublished = {144, -3, -5, -8, -8};
  CaseRunner runner(read_cases(arguments.cases), arguments.out, arguments.output, terminal);
  std::vector<CaseResults> found;
  for (std::size_t extra = 0; extra < kPublished.size(); ++extra) {
    TdsOptions options = options_of(arguments, "TDS_135");
    options.margin = kMargin + static_cast<int>(extra);
    found.push_back(
        runner.run(options, fmt::format("positions by TDS_135+{}", extra), !arguments.all_cases));
  }
  const auto solved = [&](std::size_t v) {
    return static_cast<std::int64_t>(std::ranges::count_if(found[v], is_solved));
  };
  Reproduction result;
  for (std::size_t v = 0; v < found.size(); ++v) {
    RunningStats ratio;
    std::int64_t more = 0;
    for (std::size_t i = 0; i < runner.cases().size(); ++i) {
      if (!is_solved(found[0][i]) || !is_solved(found[v][i])) continue;
      // Cases that need a fiftieth of the limit, as the paper's of more than a second.
      if (found[0][i]->nodes * 50 < node_limit(arguments)) continue;
      ratio.add(log_ratio(found[v][i]->nodes, found[0][i]->nodes));
      more += found[v][i]->nodes > found[0][i]->nodes ? 1 : 0;
    }
    const std::int64_t less = solved(v) - solved(0);
    result.table.row()
        .data("extra_coupons", v)
        .text("<variant", v == 0 ? "TDS_135" : fmt::format("TDS_135+{}", v))
        .both("solved", "solved", solved(v))
        .data("less", less)
        .text("less TDS_135", v == 0 ? "" : std::to_string(less))
        .both("published", "published", kPublished[v])
        .data("hard_cases", ratio.count())
        .data("nodes_ratio", ratio.count() == 0 ? Json() : Json(std::exp2(ratio.mean())))
        .text("nodes by TDS_135's", ratio_text(ratio))
        .data("more_nodes", more)
        .text("<more nodes than TDS_135", v == 0 ? "" : share_of(more, ratio.count()));
  }
  result.title = setup_text(arguments, runner.cases().size());
  result.remarks =
      "The last columns are of the cases that take TDS_135 at least a fiftieth of the limit. The "
      "paper:\nTDS_135 is the fastest in all that take more than a second.\n";
  return result;
}

Reproduction reproduce_e5(const ReproduceArguments& arguments, const Terminal& terminal) {
  constexpr int kEmpties = 5;
  struct Pair {
    const char* without;
    const char* with;
    const char* published;
  };
  constexpr std::array<Pair, 3> kPairs = {
      {{"TDS_1234", "TDS_12345", "-0.5 %"}, {"TDS_3", "TDS_35", ""}, {"TDS_13", "TDS_135", ""}}};
  std::vector<Case> cases = read_cases(arguments.cases);
  std::erase_if(cases, [](const Case& one) { return one.position.empties() != kEmpties; });
  CaseRunner runner(cases, arguments.out, arguments.output, terminal);
  Reproduction result;
  for (const Pair& pair : kPairs) {
    const CaseResults without = runner.run(options_of(arguments, pair.without), "positions", false);
    const CaseResults with = runner.run(options_of(arguments, pair.with), "positions", false);
    // Nodes count where both came to an end.
    std::int64_t both = 0;
    std::int64_t nodes_without = 0;
    std::int64_t nodes_with = 0;
    for (std::size_t i = 0; i < runner.cases().size(); ++i) {
      if (!is_solved(without[i]) || !is_solved(with[i])) continue;
      ++both;
      nodes_without += without[i]->nodes;
      nodes_with += with[i]->nodes;
    }
    const double change =
        100.0 * (static_cast<double>(nodes_with) / static_cast<double>(nodes_without) - 1.0);
    result.table.row()
        .both("without", "<without E5", pair.without)
        .both("with", "<with", pair.with)
        .data("cases", both)
        .text("solved by both", fmt::format("{} of {}", both, cases.size()))
        .count("nodes_without", "nodes without", nodes_without)
        .count("nodes_with", "nodes with", nodes_with)
        .both("change_percent", "difference", change, "{:+.2f} %")
        .both("published", "published", pair.published);
  }
  result.title = setup_text(arguments, cases.size());
  return result;
}

Reproduction reproduce_stopping_rules(const ReproduceArguments& arguments,
                                      const Terminal& terminal) {
  Limits limits;
  for (const double scale : {0.01, 0.1, 1.0}) {
    limits.nodes.push_back(std::max<std::int64_t>(
        10, std::llround(scale * static_cast<double>(node_limit(arguments)))));
  }
  CaseRunner runner(read_cases(arguments.cases), arguments.out, arguments.output, terminal);
  Reproduction result;
  for (const char* variant : {"TDS", "TDS+"}) {
    for (const auto& [name, rule] : tds_no_board_move_names()) {
      // Each rule goes through all limits; approximations() sets the nodes.
      TdsOptions options = options_of(arguments, variant);
      options.nodes = {};
      options.no_board_move = rule;
      for (const Approximation& one : approximations(runner, {options}, limits)) {
        const double error = one.temperature.mean();
        const Interval interval = student_interval(one.temperature);
        result.table.row()
            .both("variant", "<variant", one.variant)
            .both("rule", "<rule", name)
            .data("nodes", one.limit)
            .text("nodes", count_text(one.limit))
            .data("n", one.temperature.count())
            .both("finished", "finished", one.finished)
            .data("temperature_error", error)
            .ends("temperature_error", interval)
            .text("<error of the temperature", cli::interval_text(error, interval));
      }
      result.table.rule();
    }
  }
  result.title = setup_text(arguments, runner.cases().size());
  result.remarks =
      "The paper tried eight rules and names two: half the smallest coupon is a good choice, -1 a "
      "poor one.\n";
  return result;
}

}  // namespace ntune::amazons
