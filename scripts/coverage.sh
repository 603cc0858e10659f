#!/usr/bin/env bash
# coverage.sh [gcovr options]
# Prints the line coverage of lib/ by the default tests; fails below 90 %.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/help.sh"

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/install_dependencies.sh build tests mpi dev
cmake --preset coverage
cmake --build --preset coverage
find build/coverage -name '*.gcda' -delete
ctest --preset coverage
gcovr --root . --filter lib/ --object-directory build/coverage --fail-under-line 90 "$@"
