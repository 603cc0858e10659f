#include <ostream>

#include "apps/ntune/commands.h"

namespace ntune::cli {

namespace {

constexpr const char* kBash = R"bash(# Completion of ntune for bash: source <(ntune completion bash)
_ntune() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "run check list describe eval schema completion --help --version" -- "$word"))
    return
  fi
  case $previous in
    --format) COMPREPLY=($(compgen -W "text json csv" -- "$word")); return ;;
    --out) COMPREPLY=($(compgen -d -- "$word")); return ;;
    --seed|--threads|--times) return ;;
  esac
  local options=
  case $command in
    run) options="--out --seed --threads --format --quiet --help" ;;
    check) options="--help" ;;
    eval) options="--set --times --seed --threads --format --help" ;;
    list) options="--names --format --help" ;;
    describe|schema|completion) options="--help" ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    return
  fi
  case $command in
    run|check|eval)
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -d -- "$word") $(compgen -f -X '!*.@(yaml|yml)' -- "$word")) ;;
    list)
      COMPREPLY=($(compgen -W "objectives optimisers weightings explorations recommendations" -- "$word")) ;;
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
