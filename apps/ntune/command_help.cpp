#include <array>

#include "apps/ntune/command_line.h"

namespace ntune::cli {

namespace {

constexpr const char* kMake = "Make a study";
constexpr const char* kRun = "Run it";
constexpr const char* kLook = "Look at it";
constexpr const char* kFollow = "Follow it up";
constexpr const char* kOthers = "Other programs";

constexpr std::array kHelp = {
    CommandHelp{"init", kMake, "ntune init -- ./play --depth {depth:1..8=4} --c {c:0.1..10=1:log}"},
    CommandHelp{"describe", kMake, "ntune describe hartmann6 > study.yaml"},
    CommandHelp{"list", kMake, "ntune list optimisers"},
    CommandHelp{"check", kMake, "ntune check --dry-run study.yaml"},
    CommandHelp{"import-space", kMake, "ntune import-space scenario.txt > study.yaml"},
    CommandHelp{"schema", kMake, "ntune schema > study.schema.json"},
    CommandHelp{"tune", kRun, "ntune tune --budget 300 -- ./play --depth {depth:1..8=4}"},
    CommandHelp{"run", kRun, "ntune run study.yaml --out results/study --resume"},
    CommandHelp{"eval", kRun, "ntune eval study.yaml --set depth=4 --times 200"},
    CommandHelp{"tabulate", kRun, "ntune tabulate study.yaml --times 1000 --out table.csv"},
    CommandHelp{"serve", kRun, "ntune serve study.yaml --out results/study"},
    CommandHelp{"work", kRun, "ntune work https://192.0.2.7:8765 --token token --study study.yaml"},
    CommandHelp{"ask", kRun, "ntune ask results/study --study study.yaml"},
    CommandHelp{"tell", kRun, "ntune tell results/study --id 12 --value 0.5"},
    CommandHelp{"status", kLook, "ntune status results/study"},
    CommandHelp{"watch", kLook, "ntune watch results/study"},
    CommandHelp{"top", kLook, "ntune top results/*"},
    CommandHelp{"report", kLook, "ntune report results/study -o study.html"},
    CommandHelp{"plot", kLook, "ntune plot results/study --figure convergence -o study.pdf"},
    CommandHelp{"recommend", kFollow, "ntune recommend results/study"},
    CommandHelp{"verify", kFollow, "ntune verify results/study --evaluations 50000"},
    CommandHelp{"deviations", kFollow, "ntune deviations results/study --evaluations 2000"},
    CommandHelp{"merge", kFollow, "ntune merge results/seed-* --out results/merged"},
    CommandHelp{"export", kOthers, "ntune export results/study --to csv -o study.csv"},
    CommandHelp{"completion", kOthers, "source <(ntune completion bash)"},
};

}  // namespace

std::span<const CommandHelp> command_help() { return kHelp; }

}  // namespace ntune::cli
