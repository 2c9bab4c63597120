#!/bin/bash
# proof.sh PROGRAM DEVICE VECTORS: golden Groth16 proofs from a device, byte for byte. Exit code 77: no such device.
set -eu
program=$1 device=$2 vectors=$3
"$program" devices | grep -q "^$device " || { echo "NOT RUN: $device is not here"; exit 77; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for circuit in mul3 edge_dom2 pos12; do
  golden="$vectors/$circuit/pinned/r1_s2.proof.json"
  [ -f "$golden" ] || continue
  "$program" groth16 prove --backend "$device" --no-fallback "$vectors/$circuit/$circuit.zkey" "$vectors/$circuit/$circuit.wtns" \
    "$out/proof.json" "$out/public.json" --insecure-blinders 1,2 -q 2> "$out/err" || { cat "$out/err"; exit 1; }
  cmp "$out/proof.json" "$golden"
  cmp "$out/public.json" "$vectors/$circuit/public.json"
  echo "$circuit on $device: the golden proof"
  proofs=$((${proofs:-0} + 1))
done
[ "${proofs:-0}" -ge 2 ]
