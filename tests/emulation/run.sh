#!/usr/bin/env bash
# vouch on processors that are not this machine's, under QEMU's user-mode emulation. Usage: run.sh [quick] [x86] [arm]
#   quick  the program built here, on emulated processors without AVX-512, without FMA, without ADX and without AVX2:
#          Groth16 and WHIR proofs must have the bytes that they have here. Seconds: part of every test run
#   x86    the same with the larger circuit everywhere, also where floating point is emulated: a minute more
#   arm    library, unit tests, C interface and program cross-built for aarch64 (NEON) and run
# Exit status 77 and a line NOT RUN where the emulator or a cross compiler is not to be had. Nothing is installed for
# another architecture: the few arm64 packages are unpacked below build/emulation.
set -uo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
work=$root/build/emulation
vouch=${VOUCH:-$root/build/release/vouch}
parts=${*:-x86 arm}
mkdir -p "$work"
failed=0 skipped=0

skip() { echo "*** NOT RUN: $*" >&2; skipped=1; }
fail() { echo "*** FAILED: $*" >&2; failed=1; }

# proofs FOLDER CIRCUITS COMMAND...: a Groth16 proof of each circuit with pinned blinders, and a WHIR proof, made by COMMAND.
proofs() {
  local to=$1 circuits=$2 circuit
  shift 2
  rm -rf "$to" && mkdir -p "$to" || return 1
  for circuit in $circuits; do
    local from=$root/vectors/groth16/$circuit name=$to/$circuit
    "$@" groth16 prove "$from/$circuit.zkey" "$from/$circuit.wtns" "$name.proof.json" "$name.public.json" \
      --insecure-blinders 1,2 --quiet &&
      "$@" groth16 verify "$from/verification_key.json" "$name.public.json" "$name.proof.json" >/dev/null || return 1
  done
  "$@" whir prove "$work/polynomial.bin" -o "$to/whir.bin" --random-points 2 --fold 3 --security 40 --pow-bits 6 >/dev/null &&
    "$@" whir verify "$to/whir.bin" "$to/whir.bin.claims.json" >/dev/null
}

# same_bytes NAME CIRCUITS COMMAND...: COMMAND's proofs are those of the program on this machine.
same_bytes() {
  local name=$1 circuits=$2 start=$SECONDS
  shift 2
  python3 - "$work/polynomial.bin" <<'PY'
import struct, sys
with open(sys.argv[1], "wb") as f:
    f.write(b"".join(struct.pack("<I", (1 + i * 2654435761) % 0x78000001) for i in range(4096)))
PY
  [ -x "$vouch" ] || { fail "$name: $vouch is not built"; return; }
  proofs "$work/proofs/native" "$circuits" "$vouch" 2>"$work/native.log" || { cat "$work/native.log" >&2; fail "$name: vouch fails on this processor"; return; }
  if proofs "$work/proofs/$name" "$circuits" "$@" 2>"$work/$name.log" && diff -r "$work/proofs/native" "$work/proofs/$name" >/dev/null; then
    echo "$name: Groth16 ($circuits) and WHIR proofs have the bytes of this machine's ($((SECONDS - start)) s)"
  else
    grep -v "doesn't support requested feature" "$work/$name.log" >&2
    fail "$name: another result, or none"
  fi
}

# x86_processor NAME CIRCUITS
x86_processor() {
  local cpu=$1 said
  [ "$cpu" = Nehalem ] || cpu=$cpu,-hle,-rtm,-invpcid,-pcid,-tsc-deadline,-x2apic,-spec-ctrl
  # The warning that an emulator cannot do what a named processor can would make the run worth nothing.
  said=$(qemu-x86_64 -cpu "$cpu" "$vouch" --version 2>&1)
  if echo "$said" | grep -q "doesn't support requested feature.*\(avx2\|bmi2\|adx\|fma\)"; then
    skip "x86: this QEMU does not emulate the instructions of $1"
  else
    same_bytes "$1" "$2" qemu-x86_64 -cpu "$cpu" "$vouch"
  fi
}
# SSE4; AVX2 and BMI2; those and ADX; and FMA, whose form of arithmetic is slow here, in emulated floating point.
part_quick() {
  [ "$(uname -m)" = x86_64 ] || { skip "x86: the program built here is not x86's"; return; }
  command -v qemu-x86_64 >/dev/null 2>&1 || { skip "x86: there is no qemu-x86_64 (package qemu-user)"; return; }
  local cpu
  for cpu in Nehalem Haswell Broadwell,-fma; do x86_processor "$cpu" "mul3 pos12"; done
  x86_processor Broadwell "${1:-mul3 edge_puball}"
}
part_x86() { part_quick "mul3 pos12"; }

# The arm64 packages that tests link, unpacked into a folder of their own.
arm_packages() {
  local sysroot=$work/sysroot apt=$work/apt package
  [ -e "$sysroot/complete" ] && return
  rm -rf "$sysroot" "$apt" && mkdir -p "$sysroot" "$apt/lists/partial" "$apt/archives/partial"
  local options=(-o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::lists="$apt/lists"
                 -o Dir::Cache::archives="$apt/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
                 -o Dir::State::status=/dev/null -o APT::Sandbox::User=root)
  apt-get "${options[@]}" update -qq >"$apt/log" 2>&1
  for package in libtbb12 libtbbmalloc2 libtbbbind-2-5 libtbb-dev libgtest-dev libcli11-dev nlohmann-json3-dev opencl-c-headers; do
    (cd "$apt/archives" && apt-get "${options[@]}" download -qq "$package" >>"$apt/log" 2>&1) || { tail -3 "$apt/log" >&2; return 1; }
  done
  for package in "$apt"/archives/*.deb; do dpkg-deb -x "$package" "$sysroot" || return 1; done
  rm -rf "$apt"
  touch "$sysroot/complete"
}

part_arm() {
  command -v qemu-aarch64 >/dev/null 2>&1 || { skip "arm: there is no qemu-aarch64 (package qemu-user)"; return; }
  [ -d /usr/aarch64-linux-gnu/lib ] || { skip "arm: there is no cross compiler (package g++-aarch64-linux-gnu)"; return; }
  arm_packages || { skip "arm: the arm64 packages are not to be had"; return; }
  local sysroot=$work/sysroot build=$work/aarch64 cxx cc target=()
  if cxx=$(bash tools/compiler.sh clang); then
    cc=${cxx/clang++/clang}
    target=(-DCMAKE_CXX_COMPILER_TARGET=aarch64-linux-gnu -DCMAKE_C_COMPILER_TARGET=aarch64-linux-gnu)
  else
    cxx=aarch64-linux-gnu-g++ cc=aarch64-linux-gnu-gcc
  fi
  command -v ccache >/dev/null 2>&1 && target+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  local qemu=(qemu-aarch64 -L /usr/aarch64-linux-gnu -E "LD_LIBRARY_PATH=$sysroot/usr/lib/aarch64-linux-gnu")
  export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DVOUCH_BENCH=OFF -DCMAKE_SYSTEM_NAME=Linux \
    -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_C_COMPILER="$cc" "${target[@]}" \
    -DCMAKE_FIND_ROOT_PATH="$sysroot;/usr/aarch64-linux-gnu" -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY \
    -DCMAKE_LIBRARY_ARCHITECTURE=aarch64-linux-gnu -DCMAKE_EXE_LINKER_FLAGS="-Wl,--allow-shlib-undefined" \
    >"$work/aarch64.log" 2>&1 || { cat "$work/aarch64.log" >&2; fail "arm: the build cannot be configured"; return; }
  local modules="core field curve hash kernels backend groth16 whir formats" module targets=(vouch_capi_test vouch_program)
  for module in $modules; do targets+=("vouch_${module}_test"); done
  cmake --build "$build" --target "${targets[@]}" >"$work/aarch64.log" 2>&1 ||
    { tail -40 "$work/aarch64.log" >&2; fail "arm: the build"; return; }
  for module in $modules; do
    local start=$SECONDS log=$work/$module.log # a test skips itself where its device (OpenCL, CUDA) is not there
    if "${qemu[@]}" "$build/vouch_${module}_test" --gtest_brief=1 >"$log" 2>&1; then
      echo "arm: $module: $(grep -oE '[0-9]+ tests? from .* ran|SKIPPED \] [0-9]+ tests?' "$log" | sed 's/SKIPPED ] /of them skipped: /' | tr '\n' ' ')($((SECONDS - start)) s)"
    else
      tail -40 "$log" >&2
      fail "arm: the tests of $module"
    fi
  done
  "${qemu[@]}" "$build/tests/capi/vouch_capi_test" examples/merkle20 >"$work/capi.log" 2>&1 && echo "arm: capi: the C program passes" ||
    { tail -5 "$work/capi.log" >&2; fail "arm: the C interface"; }
  same_bytes aarch64_program "mul3 pos12" "${qemu[@]}" "$build/vouch"
}
for part in $parts; do "part_$part"; done
[ $failed = 0 ] || exit 1
[ $skipped = 0 ] || exit 77
