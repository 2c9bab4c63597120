#!/usr/bin/env bash
# device.sh [--quick] [--build DIR] [--no-build] [DEVICE]   (default DEVICE: cuda:0, else opencl:0)
#
# For a machine with a GPU: builds, checks that the device computes what the reference does and gives golden proofs,
# then measures it and writes bench/results/device-NAME-DATE.md. A step that cannot run is said on the console and in
# the file. --quick: small sizes, to see that the script works. --build: an existing build folder; --no-build: as it is.
set -uo pipefail
cd "$(dirname "$0")/.."
quick='' build=build/release make=1 device=''
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=1 ;;
    --build) build=$2; shift ;;
    --no-build) make='' ;;
    -*) sed -n '2,6s/^# //p' "$0"; exit 2 ;;
    *) device=$1 ;;
  esac
  shift
done

targets=(vouch_program vouch_backend_test vouch_backend_bench circuit_gen)
if [ -n "$make" ]; then
  if [ -f "$build/build.ninja" ]; then cmake --build "$build" --target "${targets[@]}" || exit 1
  else bash tools/build.sh release "${targets[@]}" || exit 1; fi
fi
vouch=$(find "$build" -maxdepth 2 -name vouch -type f -perm -u+x | head -1)
test_program=$(find "$build" -maxdepth 2 -name vouch_backend_test -type f | head -1)
bench_program=$(find "$build" -maxdepth 2 -name vouch_backend_bench -type f | head -1)
circuit_gen=$(find "$build" -maxdepth 3 -name circuit_gen -type f | head -1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What a device calls itself; nothing when it cannot be opened.
label() {
  VOUCH_BENCH_DEVICE=$1 VOUCH_BENCH_LARGEST=10 "$bench_program" --benchmark_filter='^device/copy' --benchmark_format=json 2>/dev/null |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["benchmarks"][0].get("label", ""))' 2>/dev/null
}
if [ -z "$device" ]; then
  for one in cuda:0 metal:0 opencl:0; do [ -n "$(label $one)" ] && { device=$one; break; }; done
fi
called=$([ -n "$device" ] && label "$device")
[ -n "$called" ] || { echo "NOT RUN: no GPU device opens (${device:-cuda:0, metal:0, opencl:0})"; exit 77; }
name=$(cut -d';' -f1 <<<"$called" | tr -c 'A-Za-z0-9\n' '-' | sed 's/--*/-/g;s/^-//;s/-$//' | cut -c1-40)
result=bench/results/device-$name${quick:+-quick}-$(date +%F).md
failures=0

say() { echo "$*"; echo "$*" >>"$work/result.md"; }
# step TITLE COMMAND...: runs it, its output becomes a block of the file.
step() {
  local title=$1; shift
  say ""; say "## $title"; say ""
  echo '```' >>"$work/result.md"
  if "$@" >"$work/out" 2>&1; then cat "$work/out"; else
    cat "$work/out"; echo "NOT PASSED: $title ($*)"; failures=$((failures + 1)); echo "(failed)" >>"$work/out"; fi
  tail -60 "$work/out" >>"$work/result.md"
  echo '```' >>"$work/result.md"
}

say "# $device on $(uname -m), $(date +%F)${quick:+ (quick: sizes that only show that the script works)}"
say ""
say "$called; vouch $(git describe --always --dirty 2>/dev/null); $(nproc) cores."

step "Parity with the reference" "$test_program" "--gtest_filter=*/${device%%:*}" --gtest_brief=1
step "Golden Groth16 proofs" bash tests/kernels/proof.sh "$vouch" "$device" vectors/groth16

tables() {
  VOUCH_BENCH_DEVICE=$device VOUCH_BENCH_LARGEST=$1 "$bench_program" --benchmark_filter='^device/' \
    --benchmark_out="$work/bench.json" --benchmark_out_format=json >/dev/null 2>"$work/err" || { cat "$work/err"; return 1; }
  python3 bench/device_table.py "$work/bench.json"
}
say ""; say "## Operations, timed by the device's events"; say ""
largest=30
[ -n "$quick" ] && largest=12
if tables "$largest" >"$work/out" 2>&1; then cat "$work/out"; cat "$work/out" >>"$work/result.md"; else
  cat "$work/out"; say "NOT PASSED: the tables"; failures=$((failures + 1)); fi

sizes="16 18 20"; runs=5
[ -n "$quick" ] && { sizes="8 10"; runs=2; }
for log_n in $sizes; do
  "$circuit_gen" dense "$log_n" --wtns "$work/c.wtns" --zkey "$work/c.zkey" >/dev/null || { say "NOT RUN: no circuit of 2^$log_n"; continue; }
  step "Groth16, 2^$log_n constraints, $device" "$vouch" bench groth16 "$work/c.zkey" "$work/c.wtns" --backend "$device" --runs "$runs"
  step "Groth16, 2^$log_n constraints, cpu" "$vouch" bench groth16 "$work/c.zkey" "$work/c.wtns" --backend cpu --runs "$runs"
done

grid=(--grid article); runs=3
[ -n "$quick" ] && { grid=(--grid 10,4,1); runs=1; }
step "WHIR in every mode, commit + open, $device" "$vouch" whir sweep "${grid[@]}" --runs "$runs" \
  --modes cpu,gpu,fused,fused+grind --device "$device"
n=24; [ -n "$quick" ] && n=12
python3 -c "import sys; sys.stdout.buffer.write(bytes(4 << $n))" >"$work/poly.bin"
step "WHIR (n = $n, fold 4, rate 1): kernels against the device's rates" "$vouch" whir prove "$work/poly.bin" -o "$work/poly.proof" \
  --backend "$device" --timings

mkdir -p bench/results
cp "$work/result.md" "$result"
echo
echo "$result; $failures steps did not pass"
[ "$failures" = 0 ]
