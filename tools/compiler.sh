#!/usr/bin/env bash
# Prints the C++ compiler to use: the newest Clang from 15 on, else g++. `compiler.sh clang` fails without a Clang.
for v in 20 19 18 17 16 15; do
  if command -v "clang++-$v" >/dev/null 2>&1; then echo "clang++-$v"; exit 0; fi
done
if command -v clang++ >/dev/null 2>&1; then
  major=$(clang++ -dumpversion | cut -d. -f1)
  if [ "$major" -ge 15 ]; then echo clang++; exit 0; fi
fi
[ "${1:-}" = clang ] && exit 1
echo g++
