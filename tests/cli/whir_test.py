#!/usr/bin/env python3
"""The whir commands: whir_test.py VOUCH"""
import array
import json
import os
import struct
import sys

from hostile import RELAXED, Tests
import common

P = 0x78000001
VECTORS = os.path.join(common.ROOT, "vectors/whir")
SMALL = ("--fold", "3", "--security", "40", "--pow-bits", "6")


def words(n, first=1):
    return struct.pack(f"<{n}I", *((first + i * 2654435761) % P for i in range(n)))


def npy(data, shape, dtype="<u4"):
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode() + data


def round_trips(t):
    t.write("poly.bin", words(1024))
    t.write("poly.npy", npy(words(1024), "(1024,)"))
    runs = {"drawn": (), "random": ("--random-points", "3", "--seed", "5"), "suffix": ("--layout", "suffix"),
            "point": ("--point", ",".join(["7"] * 9 + ["1:2:3:4:5"])), "rc": ("--profile", "p3-0.7rc"),
            "koala": ("--field", "koalabear", "--degree", "4", "--arity", "4", "--cap", "1", "--leaf-width", "24")}
    for name, options in runs.items():
        profile = options if name == "rc" else ()
        t.accepted(f"prove {name}", "whir", "prove", "poly.bin", "-o", "p.bin", *SMALL, *options)
        done = t.accepted(f"verify {name}", "whir", "verify", "p.bin", "p.bin.claims.json", *profile)
        t.checks.check(f"verify {name} says so", done.out.startswith("OK! The proof is accepted: "), done.out)
    first = common.read(t.path("p.bin"))
    t.accepted("prove .npy", "whir", "prove", "poly.npy", "-o", "p.bin", *SMALL, *runs["koala"])
    t.checks.check("the file's form does not matter", common.read(t.path("p.bin")) == first)
    t.accepted("prove on a device", "whir", "prove", "poly.npy", "-o", "d.bin", "--backend", "host", *SMALL, *runs["koala"])
    t.checks.check("a device makes the same proof", common.read(t.path("d.bin")) == first)
    t.accepted("prove to JSON", "whir", "prove", "poly.npy", "-o", "p.json", "--claims", "c.json", *SMALL)
    t.accepted("verify JSON", "whir", "verify", "p.json", "c.json")

    claims = json.loads(common.read(t.path("c.json")))
    claims["opened"][0]["current"][0][0] ^= 1
    t.write("lie.json", json.dumps(claims))
    t.refused("another value", "p.json: the values it opens are not the ones that lie.json claims", "whir", "verify", "p.json", "lie.json")
    proof = bytearray(first)
    proof[-1] ^= 1
    t.write("bad.bin", bytes(proof))
    done = t.run("whir", "verify", "bad.bin", "p.bin.claims.json")
    t.checks.check("a flipped bit", done.status == 1 and done.err.startswith("error: bad.bin: "), done.err)
    t.write("cut.bin", first[:-3])
    done = t.run("whir", "verify", "cut.bin", "p.bin.claims.json")
    t.checks.check("a cut proof", done.status == 1 and "a length exceeds the bytes left" in done.err, done.err)


def refusals(t):
    t.write("three.bin", words(3))
    t.refused("three values", "three.bin: 3 values, which is not a power of two; a polynomial has 2^n values (pad with zeros)",
              "whir", "prove", "three.bin", "-o", "out")
    t.write("odd.bin", b"12345")
    t.refused("five bytes", "odd.bin: 5 bytes of values are no multiple of 4", "whir", "prove", "odd.bin", "-o", "out")
    t.write("big.bin", words(16)[:-4] + struct.pack("<I", P))
    t.refused("a value not below p", f"big.bin: value 15 is {P}, not below the modulus {P}", "whir", "prove", "big.bin", "-o", "out")
    t.write("float.npy", npy(words(16), "(16,)", "<f4"))
    t.refused("floats", "float.npy: a NumPy array whose dtype is '<f4'; save it as uint32, for example with numpy.save(file, x.astype('<u4'))",
              "whir", "prove", "float.npy", "-o", "out")
    t.write("matrix.npy", npy(words(16), "(4, 4)"))
    t.refused("a matrix", "matrix.npy: a NumPy array with more than one dimension, or none; a polynomial is one list of values",
              "whir", "prove", "matrix.npy", "-o", "out")
    done = t.run("whir", "params", "-n", "20", "--degree", "4")
    t.checks.check("over the budget", done.status == 2 and "PowBitsExceedBudget" in done.err and "degree 5" in done.err, done.err)
    done = t.run("whir", "prove", "poly.bin", "-o", "out", "--degree", "4", "--security", "110", "--pow-bits", "60")
    t.checks.check("grinding beyond 28 bits", done.status == 1 and "28" in done.err and "degree 5" in done.err, done.err)
    done = t.run("whir", "prove", "poly.bin", "-o", "out", "--point", "1,2,3", *SMALL)
    t.checks.check("a short point", done.status == 2 and "10 coordinates" in done.err, done.err)
    done = t.run("whir", "prove", "poly.bin", "-o", "out", "--memory", "1", *SMALL)
    t.checks.check("a budget that nothing fits", done.status == 2 and "poly.bin: a proof needs " in done.err and
                   "may use 1" in done.err, done.err)
    t.checks.check("nothing was written", not os.path.exists(t.path("out")))


def cases(t):
    golden = os.path.join(VECTORS, "bb4_suffix_multi_next.json")
    t.accepted("case prove", "whir", "case", "prove", golden, "-o", "done.json")
    t.accepted("case verify", "whir", "case", "verify", "done.json")
    theirs, ours = json.loads(common.read(golden)), json.loads(common.read(t.path("done.json")))
    for key in theirs:
        if key.endswith("_trace"):
            theirs[key] = [x for x in theirs[key] if not x.startswith("#")]
        t.checks.check(f"case prove writes {key}", theirs[key] == ours.get(key), "differs")
    ours["prover_trace"][80] = "O 5"
    t.write("other.json", json.dumps(ours))
    done = t.run("whir", "case", "prove", "other.json", "--diff")
    t.checks.check("--diff names the operation", done.status == 1 and "operation 80 of " in done.out and '"O 5"' in done.out, done.out)
    for seed in range(6):
        t.accepted(f"case new {seed}", "whir", "case", "new", "--random", str(seed), "-o", "new.json")
        t.accepted(f"case prove {seed}", "whir", "case", "prove", "new.json", "-o", "new-done.json")
        t.accepted(f"case verify {seed}", "whir", "case", "verify", "new-done.json")
    t.accepted("case new", "whir", "case", "new", "--table", "6x2", "--table", "9", *SMALL, "-o", "new.json")
    t.checks.check("tables", json.loads(common.read(t.path("new.json")))["tables"] == [[6, 2], [9, 1]])


def params_and_sweep(t):
    done = t.accepted("params", "whir", "params", "-n", "20", "--fold", "4", "--rate", "1", "--json")
    report = json.loads(done.out)
    t.checks.check("params: queries", [r["queries"] for r in report["rounds"]] == [91, 22, 13, 9], done.out)
    t.accepted("sweep", "whir", "sweep", "--grid", "8-9,2,1", "--grid", "10,6,1", "--runs", "1", "--csv", "s.csv", "--svg", "s.svg",
               "--backends", "reference,auto", "--security", "40", "--pow-bits", "6")
    rows = common.read(t.path("s.csv")).decode().splitlines()
    t.checks.check("sweep: rows", len(rows) == 7 and rows[1].startswith("8,2,1,reference,"), rows)
    t.checks.check("sweep: chart", common.read(t.path("s.svg")).startswith(b"<svg ") and b"Speed-up" in common.read(t.path("s.svg")))


def modes(t):
    """All modes make one proof; the device is named, or it is said that there is none."""
    small = ("--runs", "1", "--security", "40", "--pow-bits", "6")
    done = t.accepted("sweep --modes", "whir", "sweep", "--grid", "8-9,2,1", "--modes", "cpu,gpu,fused,fused+grind", "--device", "host",
                      "--csv", "m.csv", "--svg", "m.svg", "--json", *small)
    results = json.loads(done.out)["results"]
    t.checks.check("modes in JSON", [r.get("mode", r["backend"]) for r in results] == 2 * ["cpu", "gpu", "fused", "fused+grind"], done.out)
    rows = common.read(t.path("m.csv")).decode().splitlines()
    t.checks.check("modes in CSV", [r.split(",")[3] for r in rows[1:5]] == ["cpu", "gpu", "fused", "fused+grind"], rows)
    chart = common.read(t.path("m.svg"))
    t.checks.check("modes in the chart", b"Speed-up over cpu" in chart and b"fused+grind" in chart)
    done = t.accepted("the table", "whir", "sweep", "--grid", "8,2,1", "--modes", "cpu,fused", "--backend", "host", *small)
    lines = done.out.splitlines()
    t.checks.check("its heading", lines[0].split() == ["n", "fold", "rate", "cpu", "fused", "fused/cpu"], done.out)
    t.checks.check("a row of it", len(lines[1].split()) == 8 and lines[1].endswith("x"), done.out)
    done = t.accepted("--limit", "whir", "sweep", "--grid", "8-9,2,1", "--modes", "cpu,fused", "--device", "host", "--limit", "1e-9",
                      "--csv", "m.csv", "--svg", "m.svg", *small)
    lines = done.out.splitlines()
    t.checks.check("it leaves out a larger one", lines[1].endswith("x") and "-  left out: cpu would take about" in lines[2], done.out)
    rows = common.read(t.path("m.csv")).decode().splitlines()
    t.checks.check("and says so in CSV", [",left out: " in r for r in rows] == [False, False, False, True, True], rows)
    chart = common.read(t.path("m.svg"))
    t.checks.check("the chart has what was measured", b"8/2/1" in chart and b"9/2/1" not in chart, chart)
    t.accepted("all left out", "whir", "sweep", "--grid", "27,1,1", "--modes", "cpu,fused", "--device", "host", "--rates", "1", "--svg", "m.svg")
    t.checks.check("a chart of nothing", b"Nothing was measured" in common.read(t.path("m.svg")))
    for what, message, options in (
            ("an unknown mode", "--modes fast is not cpu, gpu, fused or fused+grind", ("--modes", "cpu,fast", "--device", "host")),
            ("no device", "--modes fused needs a device, and --backend cpu is none", ("--modes", "fused", "--device", "cpu")),
            ("both", "--modes and --backends exclude each other", ("--modes", "cpu", "--backends", "cpu"))):
        done = t.run("whir", "sweep", "--grid", "8,2,1", *options)
        t.checks.check(what, done.status == 2 and message in done.err, done.err)

    t.write("poly.bin", words(1024))
    done = t.accepted("--timings on a device", "whir", "prove", "poly.bin", "-o", "p.bin", "--backend", "host", "--timings", "--json", *SMALL)
    use = json.loads(done.out)["device_use"]
    by_name = {k["kernel"]: k for k in use["kernels"]}
    t.checks.check("kernels have cost", by_name["bb_ntt_tail"]["bytes"] > 0 and by_name["bb5_fold_round"]["products"] > 0, done.out)
    t.checks.check("rates were measured", use["copy_bytes_per_second"] > 0 and use["products_per_second"] > 0, done.out)
    done = t.accepted("params --device", "whir", "params", "-n", "20", "--device", "host", "--json")
    device = json.loads(done.out)["device"]
    t.checks.check("it fits", device["id"] == "host" and device["fits"] and device["memory_bytes"] > 1 << 25, done.out)
    done = t.accepted("params of a large one", "whir", "params", "-n", "27", "--rate", "4", "--fold", "6", "--device", "host")
    t.checks.check("it does not fit", "does not fit" in done.out, done.out)


def memory(t):
    """Predicted and measured within a tenth; a budget is kept and changes nothing else."""
    if RELAXED:
        print("NOT RUN: memory is not measured under a sanitizer")
        return
    values = array.array("I", (i * 2654435761 % P for i in range(1 << 20)))
    t.write("large.bin", values.tobytes())
    proofs = set()
    for options in ((), ("--memory", "42M")):
        done = t.accepted("prove 2^20", "whir", "prove", "large.bin", "-o", "p.bin", "--json", *options)
        report = json.loads(done.out)
        ratio = report["memory_bytes"] / report["memory_predicted"]
        t.checks.check(f"memory {options}", 0.9 <= ratio <= 1.1, report)
        proofs.add(common.read(t.path("p.bin")))
    t.checks.check("the same proof under a budget", len(proofs) == 1)


if __name__ == "__main__":
    tests = Tests(sys.argv[1])
    for part in (round_trips, refusals, cases, params_and_sweep, modes, memory):
        part(tests)
    tests.finish()
