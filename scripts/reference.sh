#!/usr/bin/env bash
# reference.sh [--all] [FOLDER]
# Makes the reference of the library's headers with Doxygen: FOLDER/html/index.html (default build/reference).
# Without --all of those that lib/README.md names for users, else of every header. Any warning fails.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/help.sh"

cd "$(dirname "${BASH_SOURCE[0]}")/.."
all=no
if [[ ${1:-} == --all ]]; then
  all=yes
  shift
fi
if (($# > 1)) || [[ ${1:-} == -* ]]; then
  echo "usage: scripts/reference.sh [--all] [FOLDER]" >&2
  exit 2
fi
folder=${1:-build/reference}
command -v doxygen >/dev/null || scripts/install_dependencies.sh dev

if [[ $all == yes ]]; then
  mapfile -t headers < <(git ls-files 'lib/ntune/*.h')
else
  # Rows of the table in lib/README.md: | `objective/objective.h` | … |
  mapfile -t headers < <(sed -n '/^| header | for |/,/^$/p' lib/README.md | cut -d'|' -f2 |
    grep -oE '[a-z_/]+\.h' | sed 's|^|lib/ntune/|')
fi
for header in "${headers[@]}"; do
  if [[ ! -f $header ]]; then
    echo "reference.sh: lib/README.md names $header, which is not there" >&2
    exit 1
  fi
done
((${#headers[@]})) || { echo "reference.sh: lib/README.md names no headers" >&2; exit 1; }

mkdir -p "$folder"
# Our comments are plain text: neither commands of Doxygen nor HTML. It cannot place std::hash.
filter=$folder/filter.sed
cat >"$filter" <<'END'
/^ *\/\/\/[^<]/ { s/\\/\\\\/g; s/</\&lt;/g }
/^struct std::hash</,/^};/d
END
# Names that say everything have no comment, so that only wrong comments are warned of.
doxygen - <<END
PROJECT_NAME = ntune
INPUT = ${headers[*]}
INPUT_FILTER = "sed -f $filter"
OUTPUT_DIRECTORY = $folder
STRIP_FROM_PATH = lib
STRIP_FROM_INC_PATH = lib
EXTRACT_ALL = YES
JAVADOC_AUTOBRIEF = YES
GENERATE_LATEX = NO
HAVE_DOT = NO
QUIET = YES
WARN_AS_ERROR = FAIL_ON_WARNINGS
END
echo "${#headers[@]} headers: $folder/html/index.html"
