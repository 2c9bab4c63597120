#!/usr/bin/env bash
# Builds oneTBB and vouch as static libraries for iPhone into build/ios/install, then makes the Xcode project. Run on a Mac.
# Not yet run by anybody.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(uname -s)" = Darwin ] || { echo "build.sh: this is for macOS" >&2; exit 1; }
for tool in cmake ninja xcodegen xcrun; do
  command -v "$tool" >/dev/null || { echo "build.sh: $tool is needed (brew install cmake ninja xcodegen; Xcode)" >&2; exit 1; }
done
brew install --quiet cli11 nlohmann-json
prefix=$PWD/build/ios/install
ios=(-G Ninja -DCMAKE_SYSTEM_NAME=iOS -DCMAKE_OSX_ARCHITECTURES=arm64 -DCMAKE_OSX_DEPLOYMENT_TARGET=16.0 -DCMAKE_BUILD_TYPE=Release
     -DCMAKE_INSTALL_PREFIX="$prefix" -DBUILD_SHARED_LIBS=OFF)
if [ ! -d build/ios/tbb-source ]; then
  git clone --quiet --depth 1 --branch v2022.0.0 https://github.com/uxlfoundation/oneTBB.git build/ios/tbb-source
fi
cmake -S build/ios/tbb-source -B build/ios/tbb "${ios[@]}" -DTBB_TEST=OFF -DTBB_STRICT=OFF
cmake --build build/ios/tbb --target install
# The headers of the two header-only libraries come from Homebrew.
cmake -S . -B build/ios/vouch "${ios[@]}" -DVOUCH_TESTS=OFF -DVOUCH_BENCH=OFF -DCMAKE_PREFIX_PATH="$prefix;$(brew --prefix)" \
  -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=BOTH -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=BOTH
cmake --build build/ios/vouch --target vouch
cp build/ios/vouch/libvouch.a "$prefix/lib/"
(cd apps/ios && xcodegen generate)
echo "open apps/ios/VouchBench.xcodeproj"
