#!/usr/bin/env bash
# test.sh [ctest options]
# Builds everything as released but benchmarks and MPI, with warnings as errors, and runs the tests but the slow ones.
# Tests of what is not installed (a browser, Java, Optuna …) are skipped with a word: test_slow.sh installs and runs all.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/help.sh"

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/install_dependencies.sh build tests python
scripts/build.sh test
ctest --preset test "$@"
