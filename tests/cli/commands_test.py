#!/usr/bin/env python3
"""What each command prints and writes when all is well, and on a command line with a mistake: commands_test.py VOUCH"""
import json
import os
import subprocess
import sys

from hostile import VECTORS, Tests
import common


def check(t, name, ok, detail=""):
    t.checks.check(name, ok, detail)


def export(t):
    for name in ("mul3", "edge_pub0", "edge_nocons", "edge_dom2", "edge_puball", "pos12"):
        key = os.path.join(VECTORS, name, name + ".zkey")
        done = t.accepted(f"export of {name}", "zkey", "export", "verificationkey", key, "vk.json")
        golden = common.read(os.path.join(VECTORS, name, "verification_key.json"))
        check(t, f"export of {name}: as snarkjs writes it", common.read(t.path("vk.json")) == golden, done.err)
    done = t.run("zkey", "export", "verificationkey", "key.zkey")
    check(t, "export: default name", os.path.exists(t.path("verification_key.json")), done.err)


def aliases(t):
    t.accepted("g16p", "g16p", "key.zkey", "w.wtns", "p.json", "u.json")
    done = t.accepted("g16v", "g16v", "vkey.json", "u.json", "p.json")
    check(t, "g16v: OK!", done.out == "OK!\n" and done.err == "", done.out + done.err)
    check(t, "public.json as snarkjs writes it", common.read(t.path("u.json")) == common.read(t.path("public.json")))


def information(t):
    cases = {
        "key.zkey": {"what": "a Groth16 proving key (.zkey)", "curve": "BN254", "wires": 8, "public_signals": 2,
                     "constraints": 3, "domain": "2^3", "coefficients": 9, "contributions": 1, "insecure": False},
        "uncontributed.zkey": {"contributions": 0, "insecure": True},
        "w.wtns": {"what": "a witness (.wtns)", "values": 8, "ones": 1},
        "c.r1cs": {"what": "a constraint system (.r1cs)", "constraints": 3, "terms_a": 3, "groth16_domain": "2^3"},
        "proof.json": {"what": "a proof in JSON", "proof_system": "Groth16"},
        "vkey.json": {"what": "a verification key in JSON", "public_signals": 2},
        "public.json": {"public_signals": 2},
        os.path.join(VECTORS, "bls_mul3/bls_mul3.r1cs"): {"curve": "BLS12-381", "constraints": 3},
    }
    for name, facts in cases.items():
        done = t.accepted(f"info {name}", "info", name, "--json")
        told = json.loads(done.out)
        check(t, f"info {name}: facts", told["ok"] and all(told.get(k) == v for k, v in facts.items()), done.out)
        plain = t.accepted(f"info {name}, for people", "info", name)
        check(t, f"info {name}: names the file", plain.out.startswith("File:"), plain.out)
    for name, words in (("bls_mul3/bls_mul3.zkey", "BLS12-381"), ("bls_mul3/bls_mul3.wtns", "BLS12-381")):
        done = t.accepted(f"info {name}", "info", os.path.join(VECTORS, name))
        check(t, f"info {name}: names the curve", words in done.out, done.out)
    done = t.accepted("r1cs info", "r1cs", "info", "c.r1cs")
    for line in ("Curve: BN254", "Wires: 8", "Constraints: 3", "Private inputs: 3", "Public inputs: 1", "Outputs: 1"):
        check(t, f"r1cs info: {line}", line in [" ".join(shown.split()) for shown in done.out.splitlines()], done.out)
    done = t.accepted("wtns check", "wtns", "check", "c.r1cs", "w.wtns")
    check(t, "wtns check: OK!", done.out == "OK! All 3 constraints hold.\n", done.out)


def as_json(t):
    done = t.accepted("prove --json", "g16p", "key.zkey", "w.wtns", "p.json", "u.json", "--json", "--timings")
    told = json.loads(done.out)
    stages = [s["stage"] for s in told["timings"]]
    check(t, "prove --json: stages", {"open key", "quotient", "multi-scalar products", "assemble", "verify"} <= set(stages), str(stages))
    check(t, "prove --json: memory", told["peak_memory_bytes"] > 0 and told["verified"] is True and done.err == "", done.out + done.err)
    done = t.run("g16v", "vkey.json", "public.json", "vkey.json", "--json")
    told = json.loads(done.out)
    check(t, "a failure as JSON", done.status == 1 and told["ok"] is False and told["code"] == "malformed"
          and done.err == f"error: {told['error']}\n", done.out + done.err)
    done = t.accepted("prove --quiet", "g16p", "key.zkey", "w.wtns", "p.json", "u.json", "-q")
    check(t, "prove --quiet: silent", done.out == "" and done.err == "", done.out + done.err)
    done = t.accepted("proof on stdout", "g16p", "key.zkey", "w.wtns", "/dev/stdout", "u.json")
    check(t, "proof on stdout: nothing else there", json.loads(done.out)["protocol"] == "groth16", done.out)
    done = t.accepted("pinned blinders", "g16p", "key.zkey", "w.wtns", "p.json", "u.json", "--insecure-blinders", "1,2")
    check(t, "pinned blinders: a warning", done.err.startswith("warning: --insecure-blinders: "), done.err)
    golden = os.path.join(VECTORS, "mul3/pinned/r1_s2.proof.json")
    check(t, "pinned blinders: the golden proof", common.read(t.path("p.json")) == common.read(golden))


def innermost_time(events):
    """Microseconds in which the events of one thread, outer ones first, compute: their innermost is no wait."""
    busy, stack, at = 0.0, [], 0.0
    for e in events + [{"ts": float("inf"), "dur": 0, "cat": ""}]:
        while stack and stack[-1][0] <= e["ts"]:
            end, kind = stack.pop()
            busy += max(0, end - at) if kind != "wait" else 0
            at = max(at, end)
        if stack and e["ts"] != float("inf"):
            busy += max(0, e["ts"] - at) if stack[-1][1] != "wait" else 0
        at = e["ts"]
        stack.append((e["ts"] + e["dur"], e["cat"]))
    return busy


def judge_trace(t, name, least):
    events = json.loads(common.read(t.path("trace.json")))
    rows = {}
    for e in events:
        if e["ph"] == "X":
            rows.setdefault(e["tid"], []).append(e)
    nested = True
    for row in rows.values():
        stack = []
        for e in row:
            while stack and stack[-1] <= e["ts"]:
                stack.pop()
            nested &= not stack or e["ts"] + e["dur"] <= stack[-1] + 1e-6
            stack.append(e["ts"] + e["dur"])
    check(t, f"{name}: spans nest", nested)
    whole = max(e["dur"] for row in rows.values() for e in row)
    busy = sum(map(innermost_time, rows.values()))
    # Near all of it on an idle machine; where others compute, a thread may be off its processor between two spans.
    check(t, f"{name}: the spans cover most of the time", busy > 0.5 * whole, f"{busy} of {whole} us")
    names = {e["name"] for row in rows.values() for e in row}
    check(t, f"{name}: stages", least <= names, str(sorted(names)))
    check(t, f"{name}: two threads at most", len(rows) <= 2, str(len(rows)))


def trace(t):
    pos12 = [os.path.join(VECTORS, "pos12/pos12." + x) for x in ("zkey", "wtns")]
    t.accepted("prove --trace", "g16p", *pos12, "p.json", "u.json", "-t", "2", "--trace", "trace.json")
    judge_trace(t, "prove --trace", {"vouch", "open key", "rows", "first sweep", "middle sweep", "last sweep", "multi-scalar products",
                                     "assemble", "verify"})
    t.write("poly.bin", bytes(4 << 12))
    t.accepted("whir prove --trace", "whir", "prove", "poly.bin", "-o", "w.proof", "-t", "2", "--trace", "trace.json")
    judge_trace(t, "whir prove --trace", {"commit", "encode", "tree", "sumcheck", "round", "open rows", "final round"})
    t.accepted("bench --trace", "bench", "groth16", "key.zkey", "w.wtns", "--runs", "1", "-t", "2", "--trace", "trace.json")
    judge_trace(t, "bench --trace", {"multi-scalar products", "verify"})
    t.write("trace.json", "old")
    done = t.run(*t.prove("absent"), "--trace", "trace.json")
    check(t, "a failure leaves a trace", done.status == 1 and json.loads(common.read(t.path("trace.json"))), done.err)
    t.refused("a trace over the proof", "--trace ./new-proof.json: PROOF names that file, too", *t.prove(), "--trace", "./new-proof.json", status=2)
    t.refused("a trace over the key", "--trace key.zkey: KEY names that file, too", *t.prove(), "--trace", "key.zkey", status=2)
    t.refused("a trace in no folder", f"no/t.json: cannot write: there is no folder {t.path('no')}", *t.prove(), "--trace", "no/t.json")


def memory(t):
    done = t.accepted("prove --memory", "g16p", "key.zkey", "w.wtns", "p.json", "u.json", "-t", "1", "--memory", "1G", "--json")
    told = json.loads(done.out)
    check(t, "prove --memory: both counts", 0 < told["peak_memory_bytes"] <= told["peak_resident_bytes"], done.out)
    done = t.run(*t.prove(), "-t", "1", "--memory", "1M")
    words = done.err.split()
    check(t, "a budget too small", done.status == 2 and done.err.startswith("error: key.zkey: a proof on 1 threads needs at least "), done.err)
    t.accepted("the least that works", *t.prove(), "-t", "1", "--memory", words[words.index("least") + 1])
    t.refused("no memory", "--memory 0: nothing fits in no memory", *t.prove(), "--memory", "0", status=2)
    t.refused("a budget that is no number", '"4Q" is not a number of bytes such as 512M, 4G or 1073741824', *t.prove(), "--memory", "4Q", status=2)


def precompute(t):
    pinned = ["--insecure-blinders", "7,8"]
    t.accepted("a proof without tables", *t.prove(), *pinned)
    plain = common.read(t.path("new-proof.json"))
    done = t.accepted("tables made", *t.prove(), *pinned, "--precompute", "64M")
    check(t, "tables: told before they are made", "tables of multiples: " in done.err and "key.zkey.tables" in done.err and "made them" in done.err, done.err)
    check(t, "tables: the same proof", common.read(t.path("new-proof.json")) == plain)
    done = t.accepted("tables read", *t.prove(), *pinned, "--precompute", "64M", "--no-verify", "--json")
    told = json.loads(done.out)
    check(t, "tables: from the file", told["tables"]["made"] is False and told["verified"] is True, done.out)
    check(t, "tables: the same proof again", common.read(t.path("new-proof.json")) == plain)
    good = common.read(t.path("key.zkey.tables"))
    t.write("key.zkey.tables", good[:5000] + bytes([good[5000] ^ 1]) + good[5001:])
    done = t.accepted("damaged tables", *t.prove(), *pinned, "--precompute", "64M")
    check(t, "damaged tables: told and made anew", "warning: key.zkey.tables: the tables are damaged; the tables were made anew" in done.err
          and common.read(t.path("key.zkey.tables")) == good, done.err)
    check(t, "damaged tables: the same proof", common.read(t.path("new-proof.json")) == plain)
    t.refused("tables over the key", "key.zkey: is both an input and an output", *t.prove(), "--tables", "key.zkey", "-q", status=2)
    t.write("other", bytes(200))
    t.refused("tables over another file", "other: is not a file of tables of multiples", *t.prove(), "--tables", "other", "-q")
    t.refused("too little for tables", "key.zkey: tables of multiples need at least 1M, and may take 1024 bytes", *t.prove(),
              "--precompute", "1K", status=2)
    t.refused("tables within no room", "--memory 10M leaves no room for tables of multiples beside a proof with the whole key", *t.prove(),
              "--precompute", "64M", "--memory", "10M", status=2)
    t.refused("tables on a backend without", "the backend reference computes without tables of multiples; --backend cpu uses them, but not for constant work",
              *t.prove(), "--precompute", "64M", "--backend", "reference")
    done = t.accepted("bench with tables", "bench", "groth16", "key.zkey", "w.wtns", "--runs", "1", "--json", "--precompute", "64M")
    check(t, "bench: a row with tables", [r["name"] for r in json.loads(done.out)["rows"]][2:] == ["vouch, key and tables"], done.out)


def usage(t):
    hint = "\nTry --help after the command."
    t.refused("no arguments to prove", "KEY is required" + hint, "groth16", "prove", status=2)
    t.refused("an unknown option", "The following argument was not expected: --frob" + hint, *t.verify(), "--frob", status=2)
    t.refused("an unknown command", "'frob' is not a command of vouch groth16; these are: prove, verify" + hint, "groth16", "frob", status=2)
    t.refused("blinders without a comma", "--insecure-blinders: expected two decimal numbers R,S", *t.prove(), "--insecure-blinders", "7", status=2)
    t.refused("blinders too large", "--insecure-blinders: S is not below the field's modulus; every value has one spelling",
              *t.prove(), "--insecure-blinders", "7," + "9" * 77, status=2)
    done = t.run("groth16", "prove", "--backend", "frob", "key.zkey", "w.wtns", "p", "u")
    check(t, "an unknown backend", done.status == 2 and "'frob' is not one of auto, cpu, reference" in done.err, done.err)
    for command in (["groth16", "prove"], ["groth16", "verify"], ["g16p"], ["g16v"], ["zkey", "export", "verificationkey"],
                    ["r1cs", "info"], ["wtns", "check"], ["info"], ["bench", "groth16"]):
        done = t.accepted(" ".join(command) + " --help", *command, "--help")
        check(t, " ".join(command) + " --help: an example", f"\nExample:\n  vouch {' '.join(command)} " in done.out, done.out)
    done = t.accepted("--version", "--version")
    check(t, "--version: a number", done.out.startswith("vouch ") and done.out.strip()[-1].isdigit(), done.out)
    check(t, "--help tells the exit codes", "Exit codes:" in t.run("--help").out)


def completion(t):
    script = t.accepted("completion bash", "completion", "bash").out
    t.write("completion.sh", script)
    for line, expected in (("vouch gro", "groth16"), ("vouch groth16 ver", "verify"), ("vouch g16p --no-v", "--no-verify"),
                           ("vouch zkey export ver", "verificationkey")):
        words = line.split(" ")
        probe = (f"source completion.sh; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _vouch; echo \"${{COMPREPLY[*]}}\"")
        done = subprocess.run(["bash", "-c", probe], cwd=t.folder, capture_output=True, text=True, check=False)
        check(t, f"completion of '{line}'", done.stdout.strip() == expected, done.stdout + done.stderr)


def bench(t):
    done = t.accepted("bench", "bench", "groth16", "key.zkey", "w.wtns", "--runs", "2", "--json", "--vs",
                      f"cp {t.path('proof.json')} {{proof}}")
    told = json.loads(done.out)
    check(t, "bench: rows", [len(r["seconds"]) for r in told["rows"]] == [2, 2, 2] and told["times_as_fast"] > 0, done.out)
    t.refused("bench against a command that fails", "the other command exits with 3", "bench", "groth16", "key.zkey", "w.wtns", "--vs", "exit 3")


def main():
    t = Tests(sys.argv[1])
    for group in (export, aliases, information, as_json, trace, memory, precompute, usage, completion, bench):
        group(t)
    t.finish()


if __name__ == "__main__":
    main()
