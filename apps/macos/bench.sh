#!/usr/bin/env bash
# Builds vouch on a Mac, checks its GPU, measures CPU against Metal, and saves a file to share. Not yet run by anybody.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(uname -s)" = Darwin ] || { echo "bench.sh: this is for macOS" >&2; exit 1; }
command -v brew >/dev/null || { echo "bench.sh: Homebrew is needed (https://brew.sh)" >&2; exit 1; }
brew install --quiet cmake ninja tbb cli11 nlohmann-json
build=build/macos
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DVOUCH_TESTS=OFF -DVOUCH_BENCH=OFF -DCMAKE_PREFIX_PATH="$(brew --prefix)"
cmake --build "$build"
chip=$(sysctl -n machdep.cpu.brand_string | tr ' ' '-')
out=vouch-$chip-macos$(sw_vers -productVersion).txt
swiftc -O apps/shared/Bench.swift apps/macos/main.swift -import-objc-header vouch/capi/vouch.h -L"$build" -lvouch \
  -L"$(brew --prefix)/lib" -ltbb -lc++ -framework Metal -framework Foundation -o "$build/vouch_bench"
{
  "$build/vouch" devices --check || true
  "$build/vouch_bench"
  "$build/vouch" groth16 prove examples/merkle20/merkle20.zkey examples/merkle20/merkle20.wtns "$build/proof.json" "$build/public.json" \
    --backend metal --timings 2>&1 || true
} | tee "$out"
echo "saved $out"
