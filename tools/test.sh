#!/usr/bin/env bash
# Every test of vouch, in stages; each prints its time, and the end says what passed, failed or was not run.
#   release   unit, golden, command line, outside judges (snarkjs, Plonky3), installed package     ctest
#   asan      all C++ tests again under AddressSanitizer and UndefinedBehaviorSanitizer            ctest
#   tsan      the tests that prove from several threads at once, under ThreadSanitizer             ctest
#   fuzz      each decoder's fuzzer for VOUCH_FUZZ_SECONDS (60)
#   older     the program on emulated processors without AVX-512, FMA, ADX and AVX2: proofs of the same bytes
#   emulation (only when named) the same with larger proofs, and the aarch64 build with its tests, under QEMU
#   style     clang-format, layer check
# VOUCH_STAGES="release style" runs only those.
set -uo pipefail
cd "$(dirname "$0")/.."
bash tools/setup.sh test || exit 1
export VOUCH_SETUP_DONE=1
stages=${VOUCH_STAGES:-style release older asan tsan fuzz}
jobs=$(nproc)
passed=0 failed=0 skipped=0
summary=()

finish() { # NAME EXIT_CODE SECONDS
  case $2 in
    0) passed=$((passed + 1)); summary+=("$(printf '%-9s passed  %4d s' "$1" "$3")") ;;
    77) skipped=$((skipped + 1)); summary+=("$(printf '%-9s NOT RUN %4d s' "$1" "$3")") ;;
    *) failed=$((failed + 1)); summary+=("$(printf '%-9s FAILED  %4d s' "$1" "$3")") ;;
  esac
}

stage_style() {
  python3 tools/check_layers.py || return 1
  bash tools/lint.sh format
}
stage_release() {
  bash tools/build.sh release || return 1
  ctest --test-dir build/release -j "$jobs" --output-on-failure --no-tests=error
}
# alloc_dealloc_mismatch=0: the compiler inside PoCL frees with another allocator than it took from.
# The program on 3,000 damaged files is left to the release build: the decoders meet as many in formats.Mutants here.
stage_asan() {
  bash tools/build.sh asan || return 1
  ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:alloc_dealloc_mismatch=0 UBSAN_OPTIONS=print_stacktrace=1 \
    ctest --test-dir build/asan -j "$jobs" --output-on-failure --no-tests=error -LE interop -E "^cli.mutants$"
}
stage_tsan() {
  bash tools/build.sh tsan vouch_core_test vouch_curve_test vouch_backend_test vouch_formats_test || return 1
  TSAN_OPTIONS="suppressions=$PWD/tools/tsan.supp halt_on_error=1" \
    ctest --test-dir build/tsan -j "$jobs" --output-on-failure --no-tests=error -R "Concurren|Parallel|AtOnce|Shared|Subgroup" -LE interop
}
stage_older() {
  bash tools/build.sh release vouch_program || return 1
  bash tests/emulation/run.sh quick
}
stage_emulation() {
  bash tools/build.sh release vouch_program || return 1
  bash tests/emulation/run.sh x86 arm
}
stage_fuzz() {
  bash tools/compiler.sh clang >/dev/null || { echo "NOT RUN: no Clang, so no fuzzer"; return 77; }
  bash tools/build.sh fuzz fuzzers || return 1
  python3 tools/fuzz.py --build build/fuzz --seconds "${VOUCH_FUZZ_SECONDS:-60}" --jobs "$jobs"
}

for stage in $stages; do
  echo "==== $stage"
  start=$SECONDS
  "stage_$stage"
  finish "$stage" $? $((SECONDS - start))
done

echo "==== summary"
printf '%s\n' "${summary[@]}"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
