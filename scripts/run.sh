#!/usr/bin/env bash
# run.sh STUDY.yaml [options of `ntune run`]
# Runs a study with this tree's ntune, which is built first if need be: with the games if the study's text has a key
# `game`. Works from any folder.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/help.sh"

(($#)) || { echo "run.sh: needs a study, as in scripts/run.sh configs/hartmann6.yaml" >&2; exit 2; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build="$root/build/release"
stamp="$build/run.stamp"
preset=release
if grep -Eqs '^[^#]*\bgame"?:' -- "$1"; then preset=games; fi

"$root/scripts/install_dependencies.sh" build

# True if no file that the program is made of has changed since the last build.
is_up_to_date() {
  [[ -x "$build/apps/ntune" && -e "$stamp" ]] &&
    { [[ $preset == release ]] || grep -q '^NTUNE_GAMES:BOOL=ON$' "$build/CMakeCache.txt"; } &&
    [[ -z $(find "$root/lib" "$root/apps" "$root/CMakeLists.txt" "$root/CMakePresets.json" \
      -newer "$stamp" -print -quit) ]]
}

if ! is_up_to_date; then
  mkdir -p "$build"
  exec {lock}>"$build/run.lock"
  flock "$lock" # one build at a time, of however many runs that start together
  if ! is_up_to_date; then
    touch "$stamp.new" # what changes from now on is not in this build
    "$root/scripts/build.sh" "$preset" ntune
    mv "$stamp.new" "$stamp"
  fi
  exec {lock}>&-
fi

exec "$build/apps/ntune" run "$@"
