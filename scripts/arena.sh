#!/usr/bin/env bash
# arena.sh [options of arena.py]
# Runs the arena of all optimisers (configs/papers/arena.yaml), or a part of it, with this tree's ntune,
# and writes tables and a rank plot into the folder of --out. `arena.sh --help` shows the options.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
case " $* " in *" --help "* | *" -h "*) exec python3 -B "$root/scripts/arena.py" --help ;; esac
"$root/scripts/install_dependencies.sh" build arena
"$root/scripts/build.sh" release ntune
exec python3 -B "$root/scripts/arena.py" "$@"
