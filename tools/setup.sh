#!/usr/bin/env bash
# Installs what a build or a test run lacks, from the system's packages. Usage: setup.sh build|test
# Says what it installs; without root or sudo it names the packages instead.
set -euo pipefail
mode=${1:-build}

need=()
have() { command -v "$1" >/dev/null 2>&1; }
package_present() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'; }
want() { package_present "$1" || need+=("$1"); }
want_command() { have "$1" || need+=("$2"); }

if ! have apt-get; then
  echo "setup: no apt-get here; install by hand: a C++20 compiler, cmake, ninja, oneTBB, CLI11, nlohmann-json, GoogleTest" >&2
  exit 0
fi

want_command cmake cmake
want_command ninja ninja-build
want_command g++ g++
want_command ccache ccache
want_command pkg-config pkg-config
want_command python3 python3
for package in libtbb-dev libcli11-dev nlohmann-json3-dev opencl-c-headers; do want "$package"; done

# Clang is a fifth faster than GCC 12 on the packed arithmetic, and brings the fuzzer.
if ! "$(dirname "$0")/compiler.sh" clang >/dev/null 2>&1; then
  [ -n "$(apt-cache search --names-only '^clang$' 2>/dev/null)" ] || apt_updated=needed
  need+=(clang)
fi
if [ "$mode" = test ]; then
  for package in libgtest-dev libbenchmark-dev ocl-icd-libopencl1 pocl-opencl-icd; do want "$package"; done
  want_command node nodejs
  want_command npm npm
fi

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}
install_packages() {
  if [ "$(id -u)" != 0 ] && ! have sudo; then
    echo "setup: please install: $*" >&2
    exit 1
  fi
  echo "setup: installing $*"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >/dev/null
}

if [ ${#need[@]} -gt 0 ]; then
  [ "$(id -u)" != 0 ] && ! have sudo || as_root apt-get update -qq
  packages=()
  for package in "${need[@]}"; do
    if [ "$package" = clang ]; then
      # The newest Clang the distribution has, with the sanitizers' and the fuzzer's runtime.
      for v in 20 19 18 17 16 15 14; do
        if apt-cache show "clang-$v" >/dev/null 2>&1; then
          packages+=("clang-$v" "clang-format-$v" "clang-tidy-$v" "llvm-$v")
          apt-cache show "libclang-rt-$v-dev" >/dev/null 2>&1 && packages+=("libclang-rt-$v-dev")
          break
        fi
      done
    else
      packages+=("$package")
    fi
  done
  install_packages "${packages[@]}"
fi
if [ "$mode" = test ]; then
  # The fuzzer's runtime is a package of its own beside an already present Clang.
  clang=$("$(dirname "$0")/compiler.sh" clang 2>/dev/null || true)
  v=$(echo "${clang##*-}" | grep -E '^[0-9]+$' || true)
  extra=()
  if [ -n "$v" ]; then
    for package in "libclang-rt-$v-dev" "clang-format-$v" "llvm-$v"; do
      package_present "$package" || { apt-cache show "$package" >/dev/null 2>&1 && extra+=("$package"); } || true
    done
  fi
  [ ${#extra[@]} -eq 0 ] || install_packages "${extra[@]}"
  # Other processors under emulation (tests/emulation), where the distribution has what it takes: without it those tests
  # say that they were not run.
  emulators=(qemu-user)
  [[ " ${VOUCH_STAGES:-} " = *" emulation "* ]] && emulators+=(g++-aarch64-linux-gnu)
  if [ "$(uname -m)" = x86_64 ] && [[ " ${VOUCH_STAGES:-older} " = *" older "* || ${#emulators[@]} = 2 ]]; then
    for package in "${emulators[@]}"; do
      package_present "$package" && continue
      (apt-cache show "$package" >/dev/null 2>&1 || as_root apt-get update -qq; install_packages "$package") ||
        echo "setup: $package cannot be installed" >&2
    done
  fi
fi
