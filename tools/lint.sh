#!/usr/bin/env bash
# Style: `lint.sh format` checks clang-format only; without an argument also the layers and clang-tidy.
set -uo pipefail
cd "$(dirname "$0")/.."
find_tool() {
  for v in 20 19 18 17 16 15 14; do command -v "$1-$v" 2>/dev/null && return 0; done
  command -v "$1" 2>/dev/null
}
files() { git ls-files 'vouch/*.h' 'vouch/*.cc' 'vouch/*.inc' 'tests/*.cc' 'tests/*.h' 'tests/*.c' 'examples/*.cc' 'examples/*.c' | grep -v '^vouch/kernels/.*\.h$'; }

format=$(find_tool clang-format) || { echo "NOT RUN: no clang-format"; exit 77; }
files | xargs -r "$format" --dry-run --Werror 2>/tmp/vouch-format.$$ 
code=$?
grep -E 'error|warning' /tmp/vouch-format.$$ | cut -d: -f1 | sort | uniq -c
rm -f /tmp/vouch-format.$$
[ $code = 0 ] && echo "format: $(files | wc -l) files are clean"
[ "${1:-}" = format ] && exit $code

python3 tools/check_layers.py || code=1
tidy=$(find_tool clang-tidy) || { echo "NOT RUN: no clang-tidy"; exit $code; }
bash tools/build.sh release vouch >/dev/null || exit 1
git ls-files 'vouch/*.cc' | grep -vE '_(test|bench|fuzz)\.cc$' |
  xargs -P "$(nproc)" -n 1 "$tidy" --quiet -p build/release || code=1
exit $code
