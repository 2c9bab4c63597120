#!/usr/bin/env python3
"""p3-whir 0.7.0 judges our WHIR, and we judge it: run.py VOUCH [--seed S] [--cases N] [--tamper N] [--small] [--judge PROGRAM] [--decide PROGRAM]

Builds the crate in this folder (unmodified p3-* crates, versions and hashes in Cargo.lock), then
  golden     Rust accepts every file of vectors/whir and proves the same bytes again
  random     parameter sets outside the golden ones: Rust proves and we accept; we prove and Rust accepts, transcript
             included; both proofs are the same bytes (the smallest search witness on both sides)
  large      the same up to n = 20
  refused    parameters one side cannot use are refused by the other
  tampered   changed proofs: our strict verifier refuses every one, --compat decides as Rust does
  bytes      proofs changed in every single byte, cut, and with lengths that are huge or written too long: the same
             (with --decide, the test program beside this file)
Exit 77: not run (no cargo, or the crates could not be fetched).
"""
import argparse
import concurrent.futures
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]
import cases  # noqa: E402
import common  # noqa: E402

WORKERS = os.cpu_count() or 1


def build_judge():
    """The path of whir-judge, built when needed."""
    cargo = shutil.which("cargo") or shutil.which("cargo", path=os.path.expanduser("~/.cargo/bin"))
    if not cargo:
        common.not_run("cargo is not installed, so the released p3-whir judges nothing")
    target = os.path.join(common.CACHE, "plonky3")
    manifest = ["--manifest-path", os.path.join(HERE, "Cargo.toml"), "--locked"]
    with common.lock("cargo"):
        done = common.run(cargo, "fetch", *manifest)
        if done.returncode:
            common.not_run("cargo could not fetch the p3-* crates:\n" + done.stderr.strip())
        begin = time.monotonic()
        done = subprocess.run([cargo, "build", "--release", "--offline", "--target-dir", target, *manifest],
                              capture_output=True, text=True)
        if done.returncode:
            sys.exit("FAILED: the judge does not build:\n" + done.stderr)
    print(f"built whir-judge in {time.monotonic() - begin:.0f} s", flush=True)
    return os.path.join(target, "release", "whir-judge")


def operations(trace):
    return [line for line in trace if not line.startswith("#")]


class Pair:
    """Both programs, and a folder for files."""

    def __init__(self, judge, vouch, work, checks):
        self.judge, self.vouch, self.work, self.checks = judge, vouch, work, checks

    def write(self, name, case):
        path = os.path.join(self.work, name + ".json")
        with open(path, "w", encoding="utf-8") as f:
            json.dump(case, f)
        return path

    def rust_verifies(self, path):
        """(accepted, reason)"""
        done = common.run(self.judge, "verify", path)
        if done.returncode not in (0, 1):
            return False, "unusable: " + done.stderr.strip()
        return done.returncode == 0, done.stdout.strip()

    def vouch_verifies(self, path, *options):
        done = common.run(self.vouch, "whir", "case", "verify", path, *options)
        if done.returncode < 0 or done.returncode >= 128:
            self.checks.check("vouch ends properly", False, f"{path}: status {done.returncode} {done.stderr}")
        return done.returncode == 0, (done.stdout + done.stderr).strip()

    def both_directions(self, case):
        """Returns the finished case, or None where the parameters cannot be used. The check that fails says why."""
        name, check = case["name"], self.checks.check
        given = self.write(name, case)
        by_rust, by_us = (os.path.join(self.work, f"{name}.{side}.json") for side in ("rust", "vouch"))
        rust = common.run(self.judge, "prove", given, by_rust)
        ours = common.run(self.vouch, "whir", "case", "prove", given, "-o", by_us)
        if rust.returncode:
            if "config:" in rust.stderr:
                check(f"{name}: refused by both ({rust.stderr.strip()})", ours.returncode not in (0, 139, 134),
                      f"vouch proves it: {ours.stdout}")
            else:
                check(f"{name}: Rust proves", False, rust.stderr)
            return None
        if not check(f"{name}: we prove", ours.returncode == 0, ours.stdout + ours.stderr):
            return None
        accepted, why = self.vouch_verifies(by_rust)
        check(f"{name}: we accept Rust's proof", accepted, why)
        accepted, why = self.rust_verifies(by_us)
        check(f"{name}: Rust accepts our proof and transcript", accepted, why)
        theirs, mine = common.read_json(by_rust), common.read_json(by_us)
        for key in ("config", "stacked_poly", "commitment", "commitment_postcard", "proof_postcard", "proof_json"):
            check(f"{name}: same {key}", theirs[key] == mine.get(key) or theirs[key] == [], "differs")
        for key in ("prover_trace", "verifier_trace"):
            check(f"{name}: same {key}", operations(theirs[key]) == operations(mine[key]), "differs")
        return theirs

    def tampered(self, case, rng, count):
        name = case["name"]
        for number, (what, changed) in enumerate(cases.tampered(rng, case, count)):
            path = self.write(f"{name}.tampered{number}", changed)
            rust, why = self.rust_verifies(path)
            strict, _ = self.vouch_verifies(path)
            compat, message = self.vouch_verifies(path, "--compat")
            # Any witness with its low bits zero is a proof of work: with few bits and every position queried, another
            # one may be right as well. Rust decides then.
            other_witness = "pow_witness" in what and rust
            self.checks.check(f"{name}: {what}: refused", not strict or other_witness, f"vouch accepts; Rust: {why}")
            self.checks.check(f"{name}: {what}: --compat as Rust", compat == rust, f"Rust: {why}; vouch: {message}")
            os.remove(path)


def golden(pair):
    folder = os.path.join(common.ROOT, "vectors", "whir")
    files = sorted(os.path.join(folder, f) for f in os.listdir(folder) if f.endswith(".json") and f[1:2] == "b")
    for command in ("verify", "compare"):
        done = common.run(pair.judge, command, *files)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        pair.checks.check(f"golden {command}: all files", len(lines) == len(files) > 0, done.stderr)
        for line in lines:
            pair.checks.check(f"golden {command} {os.path.basename(line['file'])}", line["ok"], json.dumps(line))


def hostile_bytes(pair, decide, name):
    """One process per side decides about every changed proof of a golden case."""
    path = os.path.join(common.ROOT, "vectors", "whir", name + ".json")
    proof = bytes.fromhex(common.read_json(path)["proof_postcard"])
    changed = list(cases.changed_bytes(random.Random(name), proof))
    lines = "\n".join(p.hex() for _, p in changed) + "\n"
    answers = []
    for program in ([pair.judge, "decide", path], [decide, path]):
        done = subprocess.run(program, input=lines, capture_output=True, text=True)
        answers.append(done.stdout.splitlines())
        if not pair.checks.check(f"bytes of {name}: {os.path.basename(program[0])} decides",
                                 done.returncode == 0 and len(answers[-1]) == len(changed),
                                 f"status {done.returncode} after {len(answers[-1])} of {len(changed)}: {done.stderr}"):
            return
    strict, disagree = [], []
    for (what, p), rust, ours in zip(changed, *answers):
        by_us = ours.split(" ", 2)
        if (by_us[0] == "accept") != (p == proof):
            strict.append(what)
        if by_us[1] != rust.split(" ", 1)[0]:
            disagree.append(f"{what}: Rust {rust}; vouch {ours}")
    pair.checks.check(f"bytes of {name}: strict accepts the proof and no change", not strict, str(strict[:5]))
    pair.checks.check(f"bytes of {name}: --compat as Rust", not disagree, f"{len(disagree)}: {disagree[:5]}")
    print(f"bytes: {len(changed)} changes of {name}", flush=True)


def parallel(work, items):
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(work, items))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("vouch")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--cases", type=int, default=60, help="feasible random parameter sets")
    parser.add_argument("--tamper", type=int, default=6, help="changes per case")
    parser.add_argument("--judge", help="whir-judge, if it is built already")
    parser.add_argument("--decide", help="whir_decide; without it no changed bytes")
    parser.add_argument("--small", action="store_true", help="leave out the large cases")
    a = parser.parse_args()
    checks = common.Checks()
    judge = a.judge or build_judge()
    rng = random.Random(a.seed)
    with tempfile.TemporaryDirectory() as work:
        pair = Pair(judge, os.path.abspath(a.vouch), work, checks)
        golden(pair)
        done, refused, drawn = [], 0, 0
        while len(done) < a.cases and drawn < 20 * a.cases:
            batch = [cases.random_case(rng, f"random{a.seed}_{drawn + i}") for i in range(2 * WORKERS)]
            drawn += len(batch)
            found = [c for c in parallel(pair.both_directions, batch) if c]
            refused += len(batch) - len(found)
            done += found
            if checks.failed > 50:
                break
        checks.check("enough random cases", len(done) >= a.cases, f"only {len(done)} of {drawn} could be proved")
        print(f"random: {len(done)} proved on both sides, {refused} refused", flush=True)
        parallel(lambda c: pair.tampered(c, random.Random(c["name"]), a.tamper), done)
        print("tampered: done", flush=True)
        if a.decide:
            parallel(lambda name: hostile_bytes(pair, a.decide, name),
                     ("bb4_prefix_n6_f6_r1_norounds", "bb4_suffix_n8_f2_r1", "kb4_prefix_n10_f4_r1"))
        if not a.small:
            large = parallel(pair.both_directions, cases.large_cases())
            checks.check("large cases", all(large), "one could not be proved")
    checks.finish()


if __name__ == "__main__":
    main()
