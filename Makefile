# The commands of vouch. Each installs what is missing (Debian/Ubuntu), builds and runs.
#   make demo     prove and verify a real circuit and a WHIR polynomial, print a timing table
#   make test     every test: unit, golden, outside judges, sanitizers, fuzzers, installed package
#   make bench    benchmarks, side by side with the peers that are present
#   make build    the release build only, in build/release
#   make lint     clang-format, layer check, clang-tidy
#   make install  into PREFIX (default /usr/local)
PREFIX ?= /usr/local

.PHONY: demo test bench build lint install clean
demo:
	@bash tools/demo.sh
test:
	@bash tools/test.sh
bench:
	@bash tools/bench.sh
build:
	@bash tools/build.sh release
lint:
	@bash tools/lint.sh
install: build
	cmake --install build/release --prefix $(PREFIX)
clean:
	rm -rf build
