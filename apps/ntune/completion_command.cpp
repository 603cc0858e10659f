#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/ntune/commands.h"

namespace ntune::cli {

namespace {

constexpr const char* kBash = R"bash(# Completion of ntune for bash: source <(ntune completion bash)
_ntune() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "@commands@" -- "$word"))
    return
  fi
  case $previous in
    --format)
      local formats="text json csv"
      [[ $command == import-space ]] && formats="configspace irace optuna tag openbench"
      COMPREPLY=($(compgen -W "$formats" -- "$word")); return ;;
    --to) COMPREPLY=($(compgen -W "csv optuna-journal optuna-sqlite openbench irace pcs" -- "$word")); return ;;
    --per) COMPREPLY=($(compgen -W "evaluation point" -- "$word")); return ;;
    --optuna-schema) COMPREPLY=($(compgen -W "3.1 3.2" -- "$word")); return ;;
    --test) COMPREPLY=($(compgen -W "auto normalised logistic t" -- "$word")); return ;;
    --model) COMPREPLY=($(compgen -W "$(ntune list optimisers --names 2>/dev/null)" -- "$word")); return ;;
    --figure) COMPREPLY=($(compgen -W "$(ntune list figures --names 2>/dev/null)" -- "$word")); return ;;
    --executor) COMPREPLY=($(compgen -W "tbb mpi dask" -- "$word")); return ;;
    --out)
      if [[ $command == tabulate || $command == verify || $command == deviations ]]; then compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word"))
      else COMPREPLY=($(compgen -d -- "$word")); fi
      return ;;
    --space|--against|--default|--token) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word")); return ;;
    -o|--output) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --study)
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -d -- "$word") $(compgen -f -X '!*.@(yaml|yml)' -- "$word")); return ;;
    --seed|--threads|--times|--id|--params|--value|--fail|--cost|--at-least|--evaluate|--points|--set|--instance|--alpha|--beta|--elo0|--elo1|--effect0|--effect1|--evaluations|--payoff|--optuna-study|--top|--patience|--lease|--listen|--at-once|--jobs|--name|--width|--objective|--interval) return ;;
  esac
  local options=
  case $command in
@options@  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    return
  fi
  case $command in
    run|check|eval|tabulate|serve)
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -d -- "$word") $(compgen -f -X '!*.@(yaml|yml)' -- "$word")) ;;
    recommend)
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -f -- "$word")) ;;
    ask|tell|status|export|merge|verify|deviations|report|plot|watch|top)
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -d -- "$word")) ;;
    import-space)
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -f -- "$word")) ;;
    list)
      COMPREPLY=($(compgen -W "objectives optimisers weightings explorations recommendations figures" -- "$word")) ;;
    describe)
      COMPREPLY=($(compgen -W "$(ntune list objectives --names 2>/dev/null) $(ntune list optimisers --names 2>/dev/null)" -- "$word")) ;;
    completion) COMPREPLY=($(compgen -W "bash" -- "$word")) ;;
  esac
}
shopt -s extglob
complete -F _ntune ntune
)bash";

}  // namespace

std::string completion_script(const std::vector<CommandOptions>& commands) {
  std::string names;
  std::string options;
  for (const CommandOptions& command : commands) {
    names += command.name + ' ';
    options +=
        fmt::format("    {}) options=\"{}\" ;;\n", command.name, fmt::join(command.options, " "));
  }
  std::string script = kBash;
  for (const auto& [mark, text] :
       {std::pair(std::string_view("@commands@"), names + "--help --version"),
        {"@options@", options}}) {
    script.replace(script.find(mark), mark.size(), text);
  }
  return script;
}

}  // namespace ntune::cli
