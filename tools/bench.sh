#!/usr/bin/env bash
# Benchmarks: every module's own, then side by side with the peers that are present (bench/README.md says how to have them).
# VOUCH_BENCH_FILTER=regex chooses among the modules' benchmarks.
set -euo pipefail
cd "$(dirname "$0")/.."
bash tools/setup.sh test
export VOUCH_SETUP_DONE=1
bash tools/build.sh release
for program in build/release/vouch_*_bench; do
  [ -x "$program" ] || continue
  echo "== $(basename "$program")"
  "$program" --benchmark_filter="${VOUCH_BENCH_FILTER:-.}" --benchmark_counters_tabular=true
done
python3 bench/compare "$@" || echo "bench/compare did not run whole (see above)"
python3 bench/compare_whir.py || echo "bench/compare_whir.py did not run whole (see above)"
