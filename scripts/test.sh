#!/usr/bin/env bash
# test.sh [ctest options]
# Builds everything as released, with warnings as errors, and runs the tests but the slow ones.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/help.sh"

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/install_dependencies.sh build tests python mpi
scripts/build.sh test
ctest --preset test "$@"
