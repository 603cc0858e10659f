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

# As ntune does, a study that is not in this folder is sought in the tree; it may stand after options.
files=()
for word in "$@"; do
  if [[ -z $word || $word == -* ]]; then continue; fi
  if [[ ! -e $word && $word != /* ]]; then word=$root/$word; fi
  if [[ -f $word ]]; then files+=("$word"); fi
done
if [[ -z ${files[*]} && $1 != -* ]]; then
  echo "run.sh: '$1' is no study file, here or in $root" >&2
  exit 2
fi
if grep -Eqs '^[^#]*\bgame["'\'']? *:' -- "${files[@]}" /dev/null; then preset=games; fi

"$root/scripts/install_dependencies.sh" build

# True if no file that the program is made of has changed since the last build, and the build is this tree's.
is_up_to_date() {
  [[ -e "$stamp" && "$build/share/ntune/configs" -ef "$root/configs" ]] && "$build/apps/ntune" --version &>/dev/null &&
    { [[ $preset == release ]] || grep -q '^NTUNE_GAMES:BOOL=ON$' "$build/CMakeCache.txt"; } &&
    [[ -z $(find "$root/lib" "$root/apps" "$root/CMakeLists.txt" "$root/CMakePresets.json" \
      -newer "$stamp" -print -quit) ]]
}

if ! is_up_to_date; then
  mkdir -p "$build"
  touch "$stamp.$$" # what changes from now on is not in this build
  "$root/scripts/build.sh" "$preset" ntune || { code=$? && rm -f "$stamp.$$" && exit "$code"; }
  mv "$stamp.$$" "$stamp"
fi

exec "$build/apps/ntune" run "$@"
