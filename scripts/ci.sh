#!/usr/bin/env bash
# ci.sh [JOB...]
# What a change has to pass, on a machine that has nothing; without jobs all of them, in this order:
#   test        builds everything with GCC, warnings as errors, and runs the default tests; none may be skipped
#   clang       compiles everything with Clang, warnings as errors
#   sanitizers  the tests of core, optim and study with the address and undefined behaviour sanitizers
# Says at the end how many tests passed, failed and were skipped, and which jobs went wrong. Ends with 1 if any did, or
# if a test was skipped, with 2 for an unknown job.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/help.sh"

cd "$(dirname "${BASH_SOURCE[0]}")/.."
all=(test clang sanitizers)
jobs=("$@")
((${#jobs[@]})) || jobs=("${all[@]}")
for job in "${jobs[@]}"; do
  [[ " ${all[*]} " == *" $job "* && $job != *" "* ]] || { echo "ci.sh: no job '$job'; there are: ${all[*]}" >&2; exit 2; }
done
logs=$PWD/build/ci
mkdir -p "$logs"
passed=0 failed=0 skipped=0 wrong=()

# build PRESET TARGET... -- OPTION...: configures and builds in build/ci/PRESET; says what the compiler says, if it fails.
build() {
  local preset=$1 targets=()
  shift
  while (($#)) && [[ $1 != -- ]]; do targets+=("$1") && shift; done
  { cmake --preset "$preset" -B "$logs/$preset" "${@:2}" &&
    cmake --build "$logs/$preset" ${targets[0]+--target "${targets[@]}"}; } >"$logs/$preset.log" 2>&1 ||
    { tail -n 60 "$logs/$preset.log" >&2 && return 1; }
}

run_test() {
  scripts/build.sh everything && ctest --preset test --output-log "$logs/test.tests"
}

# Unoptimised: Clang is asked for its opinion here, not for a program.
run_clang() { build clang -- -D NTUNE_FAST_BUILD=ON -D CMAKE_CXX_FLAGS_RELEASE=-O0; }

run_sanitizers() {
  build asan test_core test_optim test_study -- &&
    UBSAN_OPTIONS=print_stacktrace=1 ctest --test-dir "$logs/asan" -j 2 --output-on-failure --no-tests=error \
      -L '^(core|optim|study)$' -LE 'slow|statistical' --output-log "$logs/sanitizers.tests"
}

# count_tests LOG: adds what ctest has said there.
count_tests() {
  local all bad left
  all=$(sed -n 's/.* tests passed, .* out of \([0-9]*\)$/\1/p' "$1")
  bad=$(sed -n 's/.* tests passed, \([0-9]*\) tests failed out of .*/\1/p' "$1")
  left=$(grep -c '[*][*][*]Skipped' "$1" || true)
  passed=$((passed + ${all:-0} - ${bad:-0} - left)) failed=$((failed + ${bad:-0})) skipped=$((skipped + left))
}

scripts/install_dependencies.sh build tests python mpi partners dev
for job in "${jobs[@]}"; do
  start=$SECONDS
  rm -f "$logs/$job.tests"
  "run_$job" || wrong+=("$job")
  [[ ! -e $logs/$job.tests ]] || count_tests "$logs/$job.tests"
  echo "ci.sh: $job took $((SECONDS - start)) s"
done
((skipped == 0)) || wrong+=("tests were skipped")
wrong_text=nothing
((${#wrong[@]} == 0)) || { printf -v wrong_text '%s, ' "${wrong[@]}" && wrong_text=${wrong_text%, }; }
echo "$passed passed, $failed failed, $skipped skipped in $SECONDS s; wrong: $wrong_text"
((${#wrong[@]} == 0))
