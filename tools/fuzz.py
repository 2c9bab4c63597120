#!/usr/bin/env python3
"""Runs every fuzzer of a build folder for a bounded time, some at once, and fails on the first finding.

Seeds come from vectors/ by file name: x_fuzz reads the golden files its decoder understands."""
import argparse
import concurrent.futures
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# fuzzer name prefix -> globs of golden files to start from
SEEDS = {
    "zkey": ["vectors/groth16/*/*.zkey", "examples/**/*.zkey"],
    "wtns": ["vectors/groth16/*/*.wtns"],
    "r1cs": ["vectors/groth16/*/*.r1cs"],
    "vkey": ["vectors/groth16/*/verification_key.json"],
    "public": ["vectors/groth16/*/public.json"],
    "proof": ["vectors/groth16/*/proof.json"],
}
LARGEST_SEED = 200_000


def seeds(name: str, folder: pathlib.Path) -> int:
    count = 0
    patterns = [globs for prefix, globs in SEEDS.items() if name.startswith(prefix)]
    for pattern in (patterns[0] if patterns else []):
        for path in sorted(ROOT.glob(pattern)):
            if path.stat().st_size <= LARGEST_SEED:
                shutil.copyfile(path, folder / f"seed-{count}")
                count += 1
    return count


def run(fuzzer: pathlib.Path, seconds: int, work: pathlib.Path):
    corpus = work / fuzzer.name
    shutil.rmtree(corpus, ignore_errors=True)
    corpus.mkdir(parents=True)
    count = seeds(fuzzer.name, corpus)
    start = time.time()
    result = subprocess.run([str(fuzzer), f"-max_total_time={seconds}", "-timeout=20", "-rss_limit_mb=2048",
                             "-print_final_stats=1", "-verbosity=1", f"-artifact_prefix={corpus}/finding-", str(corpus)],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    executed = next((line.split()[-1] for line in result.stdout.splitlines()
                     if "number_of_executed_units" in line), "?")
    return fuzzer.name, result.returncode, executed, count, time.time() - start, result.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("only", nargs="*", help="fuzzer names (default: all)")
    args = parser.parse_args()
    fuzzers = sorted(p for p in args.build.iterdir() if p.name.endswith("_fuzz") and p.is_file())
    if args.only:
        fuzzers = [p for p in fuzzers if p.name in args.only]
    if not fuzzers:
        print("fuzz: no fuzzer found in", args.build)
        return 1
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for name, code, executed, count, seconds, output in pool.map(
                lambda f: run(f.resolve(), args.seconds, args.build.resolve() / "corpus"), fuzzers):
            verdict = "ok" if code == 0 else f"FINDING (exit {code})"
            print(f"{name:28} {verdict:18} {executed:>10} runs from {count} seeds in {seconds:.0f} s", flush=True)
            if code != 0:
                bad += 1
                print("\n".join(output.splitlines()[-60:]))
    print(f"fuzz: {len(fuzzers) - bad} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
