#!/usr/bin/env python3
"""WHIR side by side: vouch and the released p3-whir 0.7.0 (target-cpu=native, feature parallel).

  bench/compare_whir.py [--vouch PROGRAM] [--judge PROGRAM] [--fields BabyBear] [--degrees 4,5] [--n 18,20,22]
                        [--folds 1,2,4] [--rates 1,2] [--layout prefix] [--threads 1,0] [--runs 5] [--turns 3]
                        [--only-p3] [--write] [--out FILE]

One polynomial, one opening, the same values, parameters and transcript on both sides; every proof is verified. The
programs take turns (--turns), each turn is one process with --runs proofs, and
the number in a cell is the median of the turns' medians. One thread means one CPU (affinity) for both; 0 means all.
Degree 4 cannot reach 100 bits with 16 bits of grinding in every cell, so it is measured at 90 bits, degree 5 at 100.
vouch's verify decodes the proof as well; p3's gets it decoded. Ratio: p3's time over ours.

The column "CPU" is the processor time of one proof with its verification: that of a process with --runs + 1 proofs less
that of a process with one, divided by --runs. On a machine that others use, wall times say little and this column is
the one to read.
"""
import argparse
import csv
import datetime
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "interop"))
import common  # noqa: E402

CRATE = os.path.join(ROOT, "tests", "interop", "plonky3")
ALL = sorted(os.sched_getaffinity(0))
SECURITY = {4: 90, 5: 100}


def build_judge():
    """whir-judge bench, as a user of the crates would build it for this machine."""
    cargo = shutil.which("cargo")
    if not cargo:
        sys.exit("NOT RUN: cargo is not installed, so there is nothing to compare with")
    target = os.path.join(common.CACHE, "plonky3-native")
    done = subprocess.run([cargo, "build", "--profile", "bench", "--features", "bench,parallel", "--locked",
                           "--target-dir", target, "--manifest-path", os.path.join(CRATE, "Cargo.toml")],
                          env=dict(os.environ, RUSTFLAGS="-C target-cpu=native"))
    if done.returncode:
        sys.exit("the judge does not build")
    return os.path.join(target, "release", "whir-judge")


def run(argv, cpus):
    """What it prints (JSON), and the seconds it had a processor."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(argv, stdout=out, stderr=err, preexec_fn=lambda: os.sched_setaffinity(0, cpus))
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        text = out.read().decode()
        if child.returncode:
            raise RuntimeError(f"{' '.join(argv)}: status {child.returncode}: {(text + err.read().decode()).strip()[-300:]}")
    return json.loads(text), usage.ru_utime + usage.ru_stime


def p3(args, cell, cpus, runs):
    """((commit, open, verify) in ms, bytes, CPU seconds)"""
    field, degree, n, fold, rate = cell
    got, cpu = run([args.judge, "bench", "-n", str(n), "--field", field, "--degree", str(degree), "--fold", str(fold),
                    "--rate", str(rate), "--layout", args.layout, "--security", str(SECURITY[degree]), "--pow-bits", "16",
                    "--threads", str(len(cpus)), "--runs", str(runs)], cpus)
    return tuple(got[k]["median"] for k in ("commit_ms", "open_ms", "verify_ms")), got["proof_bytes"], cpu


def vouch(args, cell, cpus, runs):
    field, degree, n, fold, rate = cell
    got, cpu = run([args.vouch, "whir", "sweep", "--grid", f"{n},{fold},{rate}", "--field", field, "--degree", str(degree),
                    "--layout", args.layout, "--security", str(SECURITY[degree]), "--pow-bits", "16",
                    "--threads", str(len(cpus)), "--runs", str(runs), "--json"], cpus)
    row = got["results"][0]
    if "error" in row:
        raise RuntimeError(row["error"])
    return tuple(1e3 * row[k] for k in ("commit_seconds", "open_seconds", "verify_seconds")), row["proof_bytes"], cpu


def measure(args, cell, threads):
    """{program: (commit, open, verify, CPU of a whole proof, bytes)}, ms."""
    cpus = ALL[:threads] if threads else ALL
    programs = [("p3", p3)] + ([] if args.only_p3 else [("vouch", vouch)])
    times = {name: [] for name, _ in programs}
    sizes = {}
    for turn in range(args.turns):
        for name, program in programs[::-1] if turn % 2 else programs:
            _, _, once = program(args, cell, cpus, 1)
            ms, sizes[name], cpu = program(args, cell, cpus, args.runs + 1)
            times[name].append((*ms, 1e3 * (cpu - once) / args.runs))
    return {name: tuple(statistics.median(t[i] for t in times[name]) for i in range(4)) + (sizes[name],)
            for name in times}


def describe(args):
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        info = dict(line.split(":", 1) for line in f if ":" in line)
    info = {k.strip(): v.strip() for k, v in info.items()}
    flags = info.get("flags", info.get("Features", "")).split()
    notable = [f for f in ("avx2", "avx512f", "avx512ifma", "asimd", "sve") if f in flags]
    commit = common.run("git", "-C", ROOT, "describe", "--always", "--dirty").stdout.strip()
    rustc = common.run("rustc", "--version").stdout.strip() if shutil.which("rustc") else "rustc unknown"
    return (f"# {'p3-whir 0.7.0 alone' if args.only_p3 else 'WHIR: vouch and p3-whir 0.7.0'}, {datetime.date.today()}\n\n"
            f"Machine: {info.get('model name', 'unknown')}, {len(ALL)} CPUs ({', '.join(notable)}); load average at the "
            f"start {os.getloadavg()[0]:.1f}. {rustc}, `-C target-cpu=native`, feature `parallel`. "
            f"{'Repository' if args.only_p3 else 'vouch'} at {commit}. {args.note}\n\n"
            f"{args.layout} layout, leaf width 16, binary tree, capacity bound, 16 bits of grinding at most, degree 4 at "
            f"{SECURITY[4]} bits, degree 5 at {SECURITY[5]}. Milliseconds; median of {args.turns} turns of {args.runs} "
            f"proofs each, programs alternating. Every proof was verified."
            f"{'' if args.only_p3 else ' Ratio: p3 over vouch, so above 1 is faster than p3.'}\n")


def table(title, rows, only_p3):
    lines = [f"## {title}", ""]
    if only_p3:
        lines += ["| n | fold | rate | commit | open | commit + open | verify | CPU | bytes |", "|---|---|---|---|---|---|---|---|---|"]
    else:
        lines += ["| n | fold | rate | p3 commit | open | verify | CPU | vouch commit | open | verify | CPU | commit | open | "
                  "commit + open | verify | CPU | bytes |", "|---" * 17 + "|"]
    prove, check, processor = [], [], []
    for (_, _, n, fold, rate), got in rows:
        a = got["p3"]
        head = f"| {n} | {fold} | {rate} | {a[0]:.1f} | {a[1]:.1f} |"
        if only_p3:
            lines.append(head + f" {a[0] + a[1]:.1f} | {a[2]:.2f} | {a[3]:.1f} | {a[4]} |")
            continue
        b = got["vouch"]
        prove.append((a[0] + a[1]) / (b[0] + b[1]))
        check.append(a[2] / b[2])
        processor.append(a[3] / b[3])
        lines.append(head + f" {a[2]:.2f} | {a[3]:.1f} | {b[0]:.1f} | {b[1]:.1f} | {b[2]:.2f} | {b[3]:.1f} "
                     f"| {a[0] / b[0]:.2f}x | {a[1] / b[1]:.2f}x | **{prove[-1]:.2f}x** | {check[-1]:.2f}x "
                     f"| {processor[-1]:.2f}x | {b[4]} |")
    if prove:
        lines += ["", "Median and least ratio: " + "; ".join(
            f"{name} {statistics.median(x):.2f}x, {min(x):.2f}x"
            for name, x in (("commit + open", prove), ("verify", check), ("CPU", processor))) + "."]
    return "\n".join(lines) + "\n", prove


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbers = lambda text: [int(x) for x in text.split(",")]  # noqa: E731
    p.add_argument("--vouch", default=os.environ.get("VOUCH", os.path.join(ROOT, "build/release/vouch")))
    p.add_argument("--judge", help="whir-judge built for benchmarking; built on demand otherwise")
    p.add_argument("--fields", default="BabyBear")
    p.add_argument("--degrees", type=numbers, default=[4, 5])
    p.add_argument("--n", type=numbers, default=[18, 20, 22])
    p.add_argument("--folds", type=numbers, default=[1, 2, 4])
    p.add_argument("--rates", type=numbers, default=[1, 2])
    p.add_argument("--layout", default="prefix")
    p.add_argument("--threads", type=numbers, default=[1, 0])
    p.add_argument("--runs", type=int, default=3)
    p.add_argument("--turns", type=int, default=3)
    p.add_argument("--nice", type=int, default=0, help="added to this process's niceness")
    p.add_argument("--only-p3", action="store_true", help="the baseline alone")
    p.add_argument("--note", default="")
    p.add_argument("--write", action="store_true", help="bench/results/whir-vs-p3-<date>.md and .csv")
    p.add_argument("--out", help="write the tables here (.md; the CSV beside it) instead")
    return p.parse_args()


def main():
    args = parse()
    os.nice(args.nice)
    args.judge = os.path.abspath(args.judge or build_judge())
    text = describe(args)
    print(text, flush=True)
    name = "p3-whir-baseline" if args.only_p3 else f"whir-vs-p3-{datetime.date.today()}"
    out = args.out or (args.write and os.path.join(ROOT, "bench", "results", name + ".md"))
    records, everything = [], []
    for threads in args.threads:
        for field in args.fields.split(","):
            for degree in args.degrees:
                rows = []
                for cell in [(field, degree, n, k, r) for n in args.n for k in args.folds for r in args.rates]:
                    got = measure(args, cell, threads)
                    rows.append((cell, got))
                    for program, t in got.items():
                        records.append((threads or len(ALL), *cell, program, *(f"{x:.3f}" for x in t[:4]), t[4]))
                    print(cell, {k: [round(x, 2) for x in v] for k, v in got.items()}, flush=True)
                count = threads or len(ALL)
                part, ratios = table(f"{field}, degree {degree}, {count} thread{'s' * (count > 1)}", rows, args.only_p3)
                everything += ratios
                text += "\n" + part
                print(part, flush=True)
                if out:  # after every table, so that an interrupted run leaves what it has
                    with open(out, "w", encoding="utf-8") as f:
                        f.write(text)
                    with open(os.path.splitext(out)[0] + ".csv", "w", newline="", encoding="utf-8") as f:
                        writer = csv.writer(f)
                        writer.writerow("threads field degree n fold rate program commit_ms open_ms verify_ms cpu_ms bytes".split())
                        writer.writerows(records)
    if everything:
        last = (f"\nAll {len(everything)} cells: commit + open median {statistics.median(everything):.2f}x, "
                f"least {min(everything):.2f}x.\n")
        print(last)
        if out:
            with open(out, "a", encoding="utf-8") as f:
                f.write(last)


if __name__ == "__main__":
    main()
