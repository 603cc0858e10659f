#!/usr/bin/env bash
# test_slow.sh [ctest options]
# Installs and builds everything, benchmarks and MPI too, and runs the tests that test.sh leaves out: labels slow
# and statistical.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/help.sh"

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/install_dependencies.sh build tests python mpi partners packaging engines solvers machines
scripts/build.sh everything
ctest --preset slow "$@"
