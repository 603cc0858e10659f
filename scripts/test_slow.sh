#!/usr/bin/env bash
# test_slow.sh [ctest options]
# Builds as test.sh does and runs the tests that it leaves out: labels slow and statistical.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/help.sh"

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/install_dependencies.sh build tests python adapters packaging mpi engines solvers
cmake --preset test
cmake --build --preset test
ctest --preset slow "$@"
