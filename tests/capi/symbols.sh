#!/usr/bin/env bash
# The C symbols that the library exports are those in vouch/capi/symbols.txt and those vouch.h declares. symbols.sh LIBRARY
set -euo pipefail
capi=$(cd "$(dirname "$0")/../../vouch/capi" && pwd)
exported=$(nm -g --defined-only "$1" 2>/dev/null | awk '$2 == "T" && $3 ~ /^vouch_/ {print $3}' | sort -u)
declared=$(grep -oE '\bvouch_[a-z0-9_]+\(' "$capi/vouch.h" | tr -d '(' | sort -u)
diff <(sort "$capi/symbols.txt") <(echo "$exported") || { echo "exported symbols differ from symbols.txt"; exit 1; }
diff <(sort "$capi/symbols.txt") <(echo "$declared") || { echo "declared functions differ from symbols.txt"; exit 1; }
echo "$(echo "$exported" | wc -l) symbols"
