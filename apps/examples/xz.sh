#!/bin/sh
# xz.sh FOLDER NAME FILTER: bits that a byte of a file of data_file.py takes when it is compressed by xz with
# that filter, such as lzma2=lc=4,pb=0. Files are kept in FOLDER.
file="$1/$2"
if [ ! -e "$file" ]; then
  mkdir -p "$1" && python3 "$(dirname "$0")/data_file.py" "$2" >"$file.$$" && mv "$file.$$" "$file" ||
    { rm -f "$file.$$"; exit 1; }
fi
bytes=$(xz --stdout --check=none "--$3" "$file" | wc -c)
[ "$bytes" -gt 0 ] || exit 1
echo "$bytes $(wc -c <"$file")" | awk '{ printf "%.5f\n", 8 * $1 / $2 }'
