#!/usr/bin/env bash
# build.sh PRESET [TARGET...]
# Builds targets, or everything, of the preset `release`, `games`, `test` or `everything` in build/release. Says how far
# it is on standard error: on a terminal in one line that is redrawn, elsewhere in about ten lines. What the compilers say
# is shown in full.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/help.sh"

cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [[ ! ${1-} =~ ^(release|games|test|everything)$ ]]; then
  echo "build.sh: needs a preset, which is release, games, test or everything" >&2
  exit 2
fi
preset=$1
shift
build=build/release
what="building ${*:-everything}"
line_shown= # not empty: a line is to be redrawn or taken away

say() {
  if [[ -t 2 ]]; then
    printf '\r\e[K%s' "$1" >&2
    line_shown=1
  else
    printf '%s\n' "$1" >&2
  fi
}

clear_line() {
  [[ -z $line_shown ]] || printf '\r\e[K' >&2
  line_shown=
}

# Turns Ninja's lines "[n/m] Building …" on standard input into progress, and passes all others on.
show_steps() {
  local line step steps tenth last_tenth=-1
  while IFS= read -r line; do
    case $line in
      *"] Re-checking globbed directories"* | *"] Re-running CMake"*) ;;
      "-- "* | "ninja: Entering directory"* | "ninja: no work to do.") ;;
      *)
        if [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\  ]]; then
          step=${BASH_REMATCH[1]} steps=${BASH_REMATCH[2]}
          tenth=$((10 * step / steps))
          if [[ -t 2 ]] || ((tenth != last_tenth || step == 1)); then
            say "$what: step $step of $steps, $SECONDS s"
          fi
          last_tenth=$tenth
        else
          clear_line
          printf '%s\n' "$line" >&2
        fi
        ;;
    esac
  done
  clear_line
}

# CMake and Ninja take such a path apart, and say so in a hundred lines.
if [[ $PWD == *[]\;\"\|\\[]* || $PWD == *[$]\{* || $PWD == *$'\n'* ]]; then
  echo "build.sh: CMake cannot build below '$PWD': give the folder a name without any of \" ; | \\ [ ] \${ and line ends" >&2
  exit 1
fi
# Ninja would configure again and again until its clock has passed that of CMakeLists.txt.
ahead=$(find lib apps CMakeLists.txt CMakePresets.json -newermt '1 minute' -print -quit)
if [[ -n $ahead ]]; then
  echo "build.sh: $ahead is dated later than now, $(date '+%F %T'): set the clock, or run: find . -type f -exec touch {} +" >&2
  exit 1
fi

mkdir -p "$build"
exec {lock}>"$build/build.lock" # one build at a time, of however many that start together
if ! flock -n "$lock"; then
  say "$what: waiting for another build in $PWD/$build"
  flock "$lock"
fi

# A folder that was made for another place of the sources, with another CMake or by a compiler that has gone, as in a
# copy of a tree or after an upgrade of the system, is made anew: Ninja would compile the sources of the other place.
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt" 2>/dev/null || true; }
fresh=()
if [[ -e $build/CMakeCache.txt ]]; then
  version=$(cmake --version | sed -n 's/^cmake version //p') || true
  if [[ ! $(cached CMAKE_HOME_DIRECTORY) -ef . || ! -d $build/CMakeFiles/$version ||
    $(cached CMAKE_GENERATOR) != Ninja || ! -x $(cached CMAKE_CXX_COMPILER) ]]; then
    say "$what: $build was made for other sources or another system, and is made anew"
    fresh=(--fresh)
    rm -f "$build"/{build.ninja,.ninja_log,.ninja_deps}
  fi
fi

# For `release` and `games`, a folder that is there may hold the tests too, which use the same objects.
case $preset in
  release) configured=$(find "$build" -maxdepth 1 -name build.ninja) ;;
  games) configured=$(grep -s '^NTUNE_GAMES:BOOL=ON$' "$build/CMakeCache.txt") || configured= ;;
  *) configured= ;;
esac
((${#fresh[@]} == 0)) || configured=
if [[ -z $configured ]]; then
  say "$what: configuring"
  cmake --preset "$preset" "${fresh[@]}" >"$build/configure.log" 2>&1 || {
    clear_line
    cat "$build/configure.log" >&2
    exit 1
  }
  # CMake ends well where it could not write.
  if [[ ! -s $build/build.ninja ]]; then
    clear_line
    echo "build.sh: CMake wrote no $PWD/$build/build.ninja: is the disk full?" >&2
    exit 1
  fi
fi
export NINJA_STATUS='[%f/%t] '
cmake --build "$build" ${1:+--target "$@"} 2>&1 | show_steps
