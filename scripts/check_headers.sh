#!/usr/bin/env bash
# check_headers.sh [HEADER...]
# Compiles every header of the library and the programs by itself, so that each includes what it needs.
# Needs a configured build folder (build/release, or the one that NTUNE_BUILD names).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/help.sh"

cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${NTUNE_BUILD:-build/release}
if [[ ! -d "$build/lib/include" ]]; then
  echo "check_headers.sh: $build is not configured; run 'cmake --preset test' first" >&2
  exit 2
fi
headers=("$@")
((${#headers[@]})) || mapfile -t headers < <(git ls-files 'lib/*.h' 'apps/*.h')

export NTUNE_HEADER_FLAGS="-std=c++20 -fsyntax-only -Wall -Wextra -Werror -DFMT_SHARED -DNDEBUG
  -Ilib -I. -I$build/lib/include -isystem /usr/include/eigen3"
# The file that includes it is the standard input, so that no header is the main file.
check='printf "#include \"%s\"\n" "$0" | ${CXX:-g++} $NTUNE_HEADER_FLAGS -x c++ - || { echo "$0 does not compile by itself"; exit 1; }'
if printf '%s\0' "${headers[@]}" | xargs -0 -P "$(nproc)" -n 1 bash -c "$check"; then
  echo "headers: each of ${#headers[@]} compiles by itself"
else
  exit 1
fi
