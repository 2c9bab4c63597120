#!/usr/bin/env bash
# Proves and verifies a real circuit (Groth16: membership in a depth-20 Merkle tree) and a real polynomial (WHIR: 2^20
# values), and prints how long each step took. Installs what the build lacks.
set -euo pipefail
cd "$(dirname "$0")/.."
bash tools/setup.sh build
export VOUCH_SETUP_DONE=1
mkdir -p build
echo "building ..."
bash tools/build.sh program vouch_program >build/program-build.log 2>&1 || { tail -50 build/program-build.log; exit 1; }
vouch=$PWD/build/program/vouch
out=build/demo
mkdir -p "$out"
rows=()
timed() { # LABEL COMMAND ...
  local label=$1 start end
  shift
  start=$(date +%s%N)
  "$@"
  end=$(date +%s%N)
  rows+=("$(printf '%-52s %9d ms' "$label" $(((end - start) / 1000000)))")
}

echo
echo "== Groth16: a member of a Merkle tree of depth 20 (examples/merkle20)"
circuit=examples/merkle20
"$vouch" info "$circuit/merkle20.zkey"
timed "Groth16 prove (self-verified), whole process" \
  "$vouch" groth16 prove "$circuit/merkle20.zkey" "$circuit/merkle20.wtns" "$out/proof.json" "$out/public.json" --timings
timed "Groth16 verify, whole process" \
  "$vouch" groth16 verify "$circuit/verification_key.json" "$out/public.json" "$out/proof.json"

echo
echo "== WHIR: a committed polynomial of 2^20 values over BabyBear, opened at two points"
python3 - "$out/polynomial.bin" <<'PY'
import array, sys
x, values = 1, array.array("I")
for _ in range(1 << 20):
    x = (x * 1664525 + 1013904223) % 2**32
    values.append(x % 2013265921)
values.tofile(open(sys.argv[1], "wb"))
PY
timed "WHIR commit and open 2^20 values, whole process" \
  "$vouch" whir prove "$out/polynomial.bin" --fold 4 --rate 1 --random-points 2 --seed 7 -o "$out/polynomial.proof" --timings
timed "WHIR verify, whole process" "$vouch" whir verify "$out/polynomial.proof" "$out/polynomial.proof.claims.json"

echo
echo "== Timing on this machine ($(nproc) cores)"
printf '%s\n' "${rows[@]}"
echo
echo "Proofs are in $out/. Next: $vouch --help"
