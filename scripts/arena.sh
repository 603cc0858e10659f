#!/usr/bin/env bash
# arena.sh [options of arena.py]
# Runs the arena of all optimisers (configs/papers/arena.yaml), or a part of it, with this tree's ntune,
# and writes tables and a rank plot into the folder of --out. `arena.sh --help` shows the options.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/scripts/install_dependencies.sh" build arena
{
  cmake -S "$root" --preset release
  cmake --build "$root/build/release" --target ntune
} >"$root/build/arena.log" 2>&1 || {
  cat "$root/build/arena.log" >&2
  exit 1
}
exec python3 -B "$root/scripts/arena.py" "$@"
