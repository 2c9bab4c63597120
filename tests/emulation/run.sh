#!/usr/bin/env bash
# vouch on processors that are not this machine's, under QEMU's user-mode emulation. Usage: run.sh [x86] [arm]
#   x86  the program built here, on emulated processors without AVX-512 and without AVX2: a Groth16 proof and a WHIR
#        proof must have the bytes that they have here
#   arm  library and unit tests cross-built for aarch64 (NEON) and run; what is left out for its length is said
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

# proofs FOLDER COMMAND...: a small Groth16 proof with pinned blinders, and a WHIR proof, made by COMMAND.
proofs() {
  local to=$1 key=$root/vectors/groth16/pos12/pos12
  shift
  rm -rf "$to" && mkdir -p "$to"
  "$@" groth16 prove "$key.zkey" "$key.wtns" "$to/proof.json" "$to/public.json" --insecure-blinders 1,2 --quiet &&
    "$@" groth16 verify "$root/vectors/groth16/pos12/verification_key.json" "$to/public.json" "$to/proof.json" >/dev/null &&
    "$@" whir prove "$work/polynomial.bin" -o "$to/whir.bin" --random-points 2 --fold 3 --security 40 --pow-bits 6 >/dev/null &&
    "$@" whir verify "$to/whir.bin" "$to/whir.bin.claims.json" >/dev/null
}

part_x86() {
  command -v qemu-x86_64 >/dev/null 2>&1 || { skip "x86: there is no qemu-x86_64 (package qemu-user)"; return; }
  [ -x "$vouch" ] || { fail "x86: $vouch is not built"; return; }
  python3 - "$work/polynomial.bin" <<'PY'
import struct, sys
with open(sys.argv[1], "wb") as f:
    f.write(b"".join(struct.pack("<I", (1 + i * 2654435761) % 0x78000001) for i in range(4096)))
PY
  proofs "$work/native" "$vouch" || { fail "x86: vouch fails on this processor"; return; }
  # The warning that an emulator cannot do what a named processor can would make the run worth nothing.
  local cpu
  # SSE4; AVX2 and BMI2; those and ADX; and FMA, whose form of arithmetic takes a minute here, in emulated floating point.
  for cpu in Nehalem Haswell Broadwell,-fma Broadwell; do
    local cpu_flags=$cpu said start=$SECONDS
    [ "$cpu" = Nehalem ] || cpu_flags=$cpu,-hle,-rtm,-invpcid,-pcid,-tsc-deadline,-x2apic,-spec-ctrl
    said=$(qemu-x86_64 -cpu "$cpu_flags" "$vouch" --version 2>&1)
    if echo "$said" | grep -q "doesn't support requested feature.*\(avx2\|bmi2\|adx\|fma\)"; then
      skip "x86: this QEMU does not emulate the instructions of $cpu"
      continue
    fi
    if proofs "$work/$cpu" qemu-x86_64 -cpu "$cpu_flags" "$vouch" 2>"$work/$cpu.log" && diff -r "$work/native" "$work/$cpu" >/dev/null; then
      echo "x86: $cpu: Groth16 and WHIR proofs have the bytes of this machine's ($((SECONDS - start)) s)"
    else
      grep -v "doesn't support requested feature" "$work/$cpu.log" >&2
      fail "x86: $cpu: another result, or none"
    fi
  done
}

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
  local modules="field curve hash backend groth16 whir formats" module targets=()
  for module in $modules; do targets+=("vouch_${module}_test"); done
  cmake --build "$build" --target "${targets[@]}" >"$work/aarch64.log" 2>&1 ||
    { tail -40 "$work/aarch64.log" >&2; fail "arm: the build"; return; }
  for module in $modules; do
    local start=$SECONDS
    if "${qemu[@]}" "$build/vouch_${module}_test" --gtest_brief=1 --gtest_filter="${arm_filter[$module]:-*}" >"$work/$module.log" 2>&1; then
      [ -z "${arm_filter[$module]:-}" ] || echo "arm: $module: left out under emulation: ${arm_filter[$module]#-}"
      echo "arm: $module: $(grep -c . "$work/$module.log") lines, $(tail -1 "$work/$module.log") ($((SECONDS - start)) s)"
    else
      tail -40 "$work/$module.log" >&2
      fail "arm: the tests of $module"
    fi
  done
}
# Left out under emulation, which is ten and more times slower: tests whose size, not whose code, is the point, and the
# devices, whose kernel text is the same on every processor.
declare -A arm_filter=(
  [backend]="-Devices/*:Device*:FallbackPoly.*:Image*:Kernel*:Choice.*:Ntt.Large*:MsmDigits.*"
)

for part in $parts; do "part_$part"; done
[ $failed = 0 ] || exit 1
[ $skipped = 0 ] || exit 77
