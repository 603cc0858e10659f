#!/usr/bin/env bash
# same_results.sh keep|compare DIR [--programs BUILD_APPS_DIR] [--only GLOB] [--jobs N]
# Shows that a change of the code changes no result: `keep` runs a fixed list of commands and keeps
# all that they print and write in DIR, `compare` runs them again, from the inputs that are kept
# there, and tells what differs. `same_results.sh --help` says more; the commands are in
# same_results_cases.py. Exits with 0 (the same), 1 (something differs) or 2 (wrong use).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
exec /usr/bin/env python3 -B "$root/scripts/same_results.py" "$@"
