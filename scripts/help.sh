# Sourced by the other scripts: --help prints the comment at a script's head, and nothing is done.
unset CDPATH # it may lead `cd scripts/..` to another tree, and makes cd print

case ${1:-} in
  --help | -h)
    sed -n '2,/^[^#]/ { s/^# \{0,1\}//p; }' "$0"
    exit
    ;;
esac
