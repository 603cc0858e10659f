#!/bin/sh
# minisat.sh FOLDER NAME SEED [OPTION...]: what minisat needs to solve a problem of sat_instance.py, in
# thousands of propagations. More than 300 are cut off and count as 3,000 (PAR10). Problems are kept in
# FOLDER. Propagations are the same on every machine, seconds are not.
limit=300
file="$1/$2.cnf"
if [ ! -e "$file" ]; then
  mkdir -p "$1" && python3 "$(dirname "$0")/sat_instance.py" "$2" >"$file.$$" && mv "$file.$$" "$file" ||
    { rm -f "$file.$$"; exit 1; }
fi
seed=$3
shift 3
# One second of processor time is many times what the limit takes: it ends hopeless runs alone.
minisat -verb=1 -cpu-lim=1 "-rnd-seed=$seed" "$@" "$file" 2>&1 | awk -v limit="$limit" '
  /^propagations/ { count = $3 / 1000; seen = 1 }
  /^(UN)?SATISFIABLE/ { solved = 1 }
  { last = $0 }
  END {
    if (!seen && !solved) { print last > "/dev/stderr"; exit 1 }
    print solved && count <= limit ? count : 10 * limit
  }'
