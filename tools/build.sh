#!/usr/bin/env bash
# Configures and builds one preset with the best compiler present. Usage: build.sh PRESET [target ...]
# PRESET is one of CMakePresets.json; "program" is the release build without tests and benchmarks.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift
mkdir -p build
[ -n "${VOUCH_SETUP_DONE:-}" ] || bash tools/setup.sh build
cxx=${CXX:-$(bash tools/compiler.sh)}
cc=${CC:-${cxx/clang++/clang}}
cc=${cc/g++/gcc}
# Clones of the tree in different folders share what they compiled.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
options=(-DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_C_COMPILER="$cc")
command -v ccache >/dev/null 2>&1 && options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
if [ "$preset" = program ]; then
  cmake --preset release -B build/program "${options[@]}" -DVOUCH_TESTS=OFF -DVOUCH_BENCH=OFF >build/program.log 2>&1 ||
    { cat build/program.log; exit 1; }
else
  cmake --preset "$preset" "${options[@]}" >"build/$preset.log" 2>&1 || { cat "build/$preset.log"; exit 1; }
fi
if [ $# -gt 0 ]; then cmake --build "build/$preset" --target "$@"; else cmake --build "build/$preset"; fi
