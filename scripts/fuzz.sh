#!/usr/bin/env bash
# fuzz.sh [SECONDS]
# Runs every fuzz target for so long (default 600), two at a time, with the address and undefined
# behaviour sanitizers. What crashes a target is left in build/fuzz/crashes; new inputs are added to
# build/fuzz/corpus, from where `fuzz_<target> -merge=1` takes the worthwhile ones to tests/fuzz/corpus.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/help.sh"

cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:-600}
scripts/install_dependencies.sh build tests dev
cmake --preset fuzz
cmake --build --preset fuzz --target fuzz_study fuzz_result fuzz_journal fuzz_space fuzz_request fuzz_table
mkdir -p build/fuzz/crashes

fuzz() {
  mkdir -p "build/fuzz/corpus/$1"
  "build/fuzz/tests/fuzz/fuzz_$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4096 \
    -max_len=8192 -artifact_prefix="build/fuzz/crashes/$1-" -print_final_stats=1 \
    "build/fuzz/corpus/$1" "tests/fuzz/corpus/$1" >"build/fuzz/$1.log" 2>&1 || {
    echo "fuzz_$1 failed; see build/fuzz/$1.log" >&2
    return 1
  }
  echo "fuzz_$1: $(grep -m1 number_of_executed_units "build/fuzz/$1.log")"
}

status=0
for pair in "study result" "journal space" "request table"; do
  running=()
  for target in $pair; do
    fuzz "$target" &
    running+=($!)
  done
  for process in "${running[@]}"; do wait "$process" || status=1; done
done
exit "$status"
