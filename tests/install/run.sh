#!/usr/bin/env bash
# Installs the build into a fresh prefix and builds a consumer against it twice: find_package and pkg-config.
# Usage: run.sh BUILD_DIR CXX
set -euo pipefail
build=$1 cxx=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >/dev/null

mkdir "$work/src"
example=$here/../../examples
cp "$here/consumer.cc" "$example/cpp/prove.cc" "$work/src/"
cp "$here/consumer.cmake.txt" "$work/src/CMakeLists.txt"
cmake -S "$work/src" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="$cxx" >/dev/null
cmake --build "$work/build" >/dev/null
"$work/build/consumer"
"$work/build/prove" "$example/merkle20/merkle20.zkey" "$example/merkle20/merkle20.wtns" | grep -q '"protocol": "groth16"'

export PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name vouch.pc)")
"$cxx" -std=c++20 "$work/src/consumer.cc" $(pkg-config --cflags --libs --static vouch) -o "$work/consumer"
LD_LIBRARY_PATH=$(dirname "$(find "$work/prefix" -name 'libvouch.*' | head -1)") "$work/consumer"

# The C interface, by a C compiler.
cc -std=c99 -c $(pkg-config --cflags vouch) "$example/c/prove.c" -o "$work/prove_c.o"
"$cxx" "$work/prove_c.o" $(pkg-config --libs --static vouch) -o "$work/prove_c"
LD_LIBRARY_PATH=$(dirname "$(find "$work/prefix" -name 'libvouch.*' | head -1)") \
  "$work/prove_c" "$example/merkle20/merkle20.zkey" "$example/merkle20/merkle20.wtns" | grep -q '"protocol": "groth16"'

"$work/prefix/bin/vouch" --version
