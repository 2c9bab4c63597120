#!/bin/bash
# whir_proofs.sh PROGRAM DEVICE VECTORS: golden WHIR proofs from a device, byte for byte. Exit code 77: no such device.
set -eu
program=$1 device=$2 vectors=$3
"$program" devices | grep -q "^$device " || { echo "NOT RUN: $device is not here"; exit 77; }
proofs=0
for case in "$vectors"/[bk]b[45]_*.json; do
  "$program" whir case prove "$case" --backend "$device" --no-fallback
  proofs=$((proofs + 1))
done
echo "$proofs golden proofs on $device"
[ "$proofs" -ge 15 ]
