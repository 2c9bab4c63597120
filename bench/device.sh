#!/usr/bin/env bash
# device.sh [--quick] [--build DIR] [--no-build] [--seconds N] [--result FILE] [DEVICE]   (DEVICE: cuda:0, else metal:0, opencl:0)
#
# For a machine with a GPU: builds, checks that the device computes what the reference does and gives golden proofs,
# then measures it, most wanted first, and writes bench/results/device-NAME-DATE.md (or FILE) step by step, so that a
# run that is cut off leaves what it had. Each step has a time limit, and all together end within N seconds or little more
# (540; the build counts). What failed, was cut off or left out is said on the console and in the file.
# --quick: small sizes, to see that the script works. --build: an existing build folder; --no-build: as it is.
set -uo pipefail
cd "$(dirname "$0")/.."
quick='' build=build/release make=1 device='' result='' seconds=540
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=1 ;;
    --build) build=$2; shift ;;
    --no-build) make='' ;;
    --seconds) seconds=$2; shift ;;
    --result) result=$2; shift ;;
    -*) sed -n '2,8s/^# //p' "$0"; exit 2 ;;
    *) device=$1 ;;
  esac
  shift
done
left() { echo $((seconds - SECONDS)); }

targets=(vouch_program vouch_backend_test vouch_backend_bench circuit_gen)
if [ -n "$make" ]; then
  if [ -f "$build/build.ninja" ]; then timeout "$seconds" cmake --build "$build" --target "${targets[@]}" || exit 1
  else timeout "$seconds" bash tools/build.sh release "${targets[@]}" || exit 1; fi
fi
program() { find "$build" -maxdepth 3 -name "$1" -type f -perm -u+x | head -1; }
vouch=$(program vouch) test_program=$(program vouch_backend_test) bench_program=$(program vouch_backend_bench)
circuit_gen=$(program circuit_gen)
[ -n "$vouch" ] || { echo "NOT RUN: no program vouch in $build"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What `vouch devices` tells of a device, on one line; nothing when it is not there.
described() {
  "$vouch" devices --json | python3 -c 'import json, sys
for d in json.load(sys.stdin)["devices"]:
    if d["id"] == sys.argv[1]:
        print("%s; %s; memory %.1f GiB; %d units" % (d["name"], d["driver"], d["memory_bytes"] / 2**30, d["units"]))' "$1"
}
for one in ${device:-cuda:0 metal:0 opencl:0}; do
  called=$(described "$one")
  [ -n "$called" ] && { device=$one; break; }
done
[ -n "$called" ] || { echo "NOT RUN: no such device is here (${device:-cuda:0, metal:0, opencl:0})"; exit 77; }
name=$(cut -d';' -f1 <<<"$called" | tr -c 'A-Za-z0-9\n' '-' | sed 's/--*/-/g;s/^-//;s/-$//' | cut -c1-40)
result=${result:-bench/results/device-$name${quick:+-quick}-$(date +%F).md}
mkdir -p "$(dirname "$result")"
: >"$result"
failed=() cut=() omitted=()

say() { echo "$*" | tee -a "$result"; }
# within LIMIT COMMAND...: its output in $work/out; at most LIMIT seconds and what is left of all.
within() {
  local limit=$1 all; all=$(left); shift
  timeout -k 5 $((limit < all ? limit : all)) "$@" >"$work/out" 2>&1
}
# ended CODE TITLE COMMAND...: keeps account of a step.
ended() {
  local code=$1 title=$2; shift 2
  case $code in
    0) return ;;
    124 | 137) cut+=("$title"); say "(cut off by its time limit)" ;;
    *) failed+=("$title"); say "NOT PASSED: $title ($*)" ;;
  esac
}
# begins TITLE: writes its heading, if there is time for it.
begins() {
  [ "$(left)" -gt 5 ] || { omitted+=("$1"); return 1; }
  say ""; say "## $1"; say ""
}
# step LIMIT TITLE COMMAND...: the command's output becomes a block of the file.
step() {
  local limit=$1 title=$2 code=0 began=$SECONDS; shift 2
  begins "$title" || return 0
  within "$limit" "$@" || code=$?
  cat "$work/out"
  { echo '```'; tail -60 "$work/out"; echo '```'; } >>"$result"
  say "$((SECONDS - began)) s."
  ended "$code" "$title" "$@"
}
# table LIMIT FILTER LARGEST: tables of the device's benchmarks of that name, up to 2^LARGEST.
table() {
  local limit=$1 filter=$2 largest=$3 code=0
  begins "Timed by the device's events: $filter" || return 0
  within "$limit" env VOUCH_BENCH_DEVICE="$device" VOUCH_BENCH_LARGEST="$largest" "$bench_program" \
    --benchmark_filter="^device/$filter" --benchmark_out="$work/bench.json" --benchmark_out_format=json || code=$?
  if [ "$code" != 0 ]; then tail -20 "$work/out" | tee -a "$result"
  else python3 bench/device_table.py "$work/bench.json" >"$work/out" 2>&1 || code=$?; tee -a "$result" <"$work/out"; fi
  ended "$code" "$filter"
}
# circuit LOG_N: a key and a witness, made once.
circuit() {
  [ -f "$work/$1.zkey" ] && return
  [ "$(left)" -gt 5 ] || return
  within 120 "$circuit_gen" dense "$1" --wtns "$work/$1.wtns" --zkey "$work/$1.zkey" || { rm -f "$work/$1.zkey"; return 1; }
}
# groth16 LOG_N BACKEND RUNS
groth16() {
  circuit "$1" || { omitted+=("Groth16, 2^$1 (no circuit)"); return; }
  step 90 "Groth16, 2^$1 constraints, $2" "$vouch" bench groth16 "$work/$1.zkey" "$work/$1.wtns" --backend "$2" --runs "$3"
}

say "# $device on $(uname -m), $(date +%F)${quick:+ (quick: sizes that only show that the script works)}"
say ""
say "$called; vouch $(git describe --always --dirty 2>/dev/null); $(nproc) cores; at most $seconds s, $SECONDS of them until here."

# Does it compute rightly?
step 120 "Self-test" "$vouch" devices --check
step 150 "Parity with the reference" "$test_program" "--gtest_filter=*/${device%%:*}" --gtest_brief=1
step 60 "Golden Groth16 proofs" bash tests/kernels/proof.sh "$vouch" "$device" vectors/groth16
step 120 "Golden WHIR proofs" bash tests/kernels/whir_proofs.sh "$vouch" "$device" vectors/whir

# What the targets are about. Cold is a new process, warm a key that is open.
whir_targets=(--grid 24,1,1 --grid 24,4,1) grid=(--grid article) whir_runs=3 small=10 sizes="16 18 20" runs=5 n=24 most=26
[ -n "$quick" ] && { whir_targets=(--grid 10,1,1 --grid 10,4,1) grid=(--grid "10,4,1-2") whir_runs=1 small=8 sizes=10 runs=2 n=12 most=12; }
modes=gpu,fused,fused+grind
step 60 "WHIR, the targets' configurations, commit + open, $device" "$vouch" whir sweep "${whir_targets[@]}" --metal --runs "$whir_runs" \
  --modes "$modes" --device "$device"
for log_n in $small $sizes; do groth16 "$log_n" "$device" "$runs"; done
python3 -c "import sys; sys.stdout.buffer.write(bytes(4 << $n))" >"$work/poly.bin"
step 60 "WHIR (n = $n, fold 4, rate 1): kernels against the device's rates" "$vouch" whir prove "$work/poly.bin" -o "$work/poly.proof" \
  --backend "$device" --timings
table 60 ntt_babybear "$most"
table 60 poseidon2_babybear "$most"
table 30 copy_bytes "$((most < 30 ? most + 4 : 30))"
table 90 kernels_msm "$((most < 24 ? most : 24))"
table 90 kernels_quotient "$((most < 24 ? most : 24))"
table 90 ntt_bn254 "$most"
table 90 msm_g1 "$((most < 24 ? most : 24))"

# The whole table of the article, and the processor beside the device.
step 240 "WHIR in every mode, commit + open, $device" "$vouch" whir sweep "${grid[@]}" --runs "$whir_runs" --limit 30 \
  --modes "cpu,$modes" --device "$device"
for log_n in $sizes; do groth16 "$log_n" cpu "$runs"; done

list() { local IFS=';'; echo "$*"; }
say ""
say "In $SECONDS s: ${#failed[@]} steps did not pass${failed:+ ($(list "${failed[@]}"))}, ${#cut[@]} were cut off${cut:+ ($(list "${cut[@]}"))}, \
${#omitted[@]} left out for time${omitted:+ ($(list "${omitted[@]}"))}."
echo "$result"
[ $((${#failed[@]} + ${#cut[@]} + ${#omitted[@]})) = 0 ]
