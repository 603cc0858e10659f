#include <ostream>

#include "apps/ntune/commands.h"

namespace ntune::cli {

namespace {

constexpr const char* kBash = R"bash(# Completion of ntune for bash: source <(ntune completion bash)
_ntune() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "run check list describe eval tabulate serve ask tell recommend status export merge verify deviations report plot watch top import-space schema completion --help --version" -- "$word"))
    return
  fi
  case $previous in
    --format)
      local formats="text json csv"
      [[ $command == import-space ]] && formats="configspace irace optuna tag openbench"
      COMPREPLY=($(compgen -W "$formats" -- "$word")); return ;;
    --to) COMPREPLY=($(compgen -W "csv optuna-journal optuna-sqlite openbench" -- "$word")); return ;;
    --per) COMPREPLY=($(compgen -W "evaluation point" -- "$word")); return ;;
    --optuna-schema) COMPREPLY=($(compgen -W "3.1 3.2" -- "$word")); return ;;
    --test) COMPREPLY=($(compgen -W "auto normalised logistic t" -- "$word")); return ;;
    --model) COMPREPLY=($(compgen -W "$(ntune list optimisers --names 2>/dev/null)" -- "$word")); return ;;
    --figure) COMPREPLY=($(compgen -W "$(ntune list figures --names 2>/dev/null)" -- "$word")); return ;;
    --executor) COMPREPLY=($(compgen -W "tbb mpi" -- "$word")); return ;;
    --out)
      if [[ $command == tabulate || $command == verify || $command == deviations ]]; then compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word"))
      else COMPREPLY=($(compgen -d -- "$word")); fi
      return ;;
    --space|--against|--default) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word")); return ;;
    -o|--output) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --study)
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -d -- "$word") $(compgen -f -X '!*.@(yaml|yml)' -- "$word")); return ;;
    --seed|--threads|--times|--id|--params|--value|--fail|--cost|--at-least|--evaluate|--points|--set|--instance|--alpha|--beta|--elo0|--elo1|--effect0|--effect1|--evaluations|--payoff|--optuna-study|--top|--patience|--lease|--width|--objective|--interval) return ;;
  esac
  local options=
  case $command in
    run) options="--out --seed --threads --resume --retry-failed --executor --format --quiet --verbose --help" ;;
    check) options="--dry-run --help" ;;
    eval) options="--set --instance --times --seed --threads --format --help" ;;
    tabulate) options="--out --times --seed --threads --quiet --help" ;;
    list) options="--names --format --help" ;;
    serve) options="--out --resume --help" ;;
    ask) options="--study --again --lease --help" ;;
    tell) options="--id --params --instance --value --fail --cost --help" ;;
    export) options="--to --per --at-least --output --follow --optuna-schema --help" ;;
    merge) options="--out --partial --evaluate --study --threads --format --quiet --help" ;;
    import-space) options="--format --points --help" ;;
    recommend) options="--space --model --payoff --minimise --optuna-study --points --top --format --quiet --help" ;;
    verify) options="--against --alpha --beta --elo0 --elo1 --effect0 --effect1 --test --match --evaluations --study --out --seed --threads --format --resume --quiet --help" ;;
    deviations) options="--evaluations --default --study --out --seed --threads --format --resume --quiet --help" ;;
    report) options="--output --default --patience --threads --quiet --help" ;;
    plot) options="--figure --output --width --font-size --dpi --title --parameters --objective --patience --threads --help" ;;
    watch) options="--interval --once --serve --help" ;;
    top) options="--interval --once --help" ;;
    describe|status|schema|completion) options="--help" ;;
  esac
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

int completion_command(const std::string&, const Terminal& terminal) {
  terminal.out << kBash;
  return kDone;
}

}  // namespace ntune::cli
