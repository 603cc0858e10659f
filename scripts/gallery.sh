#!/usr/bin/env bash
# gallery.sh [WORD...]
# Makes the pictures and pages of configs/gallery: carries out the commands of its README, or of the sections whose
# headings hold one of the words (pig, replay). Studies go to a folder that is removed in the end. Two pages are
# photographed where Chromium is installed.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/help.sh"

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/build.sh games ntune arcade
PATH="$PWD/build/release/apps:$PATH"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch "$work/begun"
gallery=configs/gallery

# section<TAB>command of every command of the README.
commands() {
  awk '/^## / { section = $0 } /^    (ntune|arcade|scripts\/|benchmarks\/)/ { sub(/^ +/, ""); print section "\t" $0 }' "$gallery/README.md"
}

# photograph PAGE WIDTH HEIGHT SECONDS: PAGE.html as PAGE.png, that long after it was opened.
photograph() {
  local page=$gallery/$1
  command -v chromium >/dev/null || return 0
  [[ $page.html -nt $work/begun ]] || return 0
  chromium --headless=new --no-sandbox --hide-scrollbars --force-device-scale-factor=1 --window-size="$2,$3" \
    --virtual-time-budget="$(($4 * 1000))" --screenshot="$page.png" "$page.html" 2>/dev/null
}

while IFS=$'\t' read -r section command; do
  if (($#)); then
    wanted=no
    for word in "$@"; do [[ $section != *"$word"* ]] || wanted=yes; done
    [[ $wanted == yes ]] || continue
  fi
  echo "\$ $command"
  eval "${command//results\//$work/}" >"$work/output" || { cat "$work/output" >&2; exit 1; }
done < <(commands)
photograph pig_page 1280 900 1
photograph planet_wars_replay 1000 940 3
