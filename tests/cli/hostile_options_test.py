#!/usr/bin/env python3
"""Mistakes on the command line, --json on failure, and standard output that cannot be written: hostile_options_test.py VOUCH"""
import json
import os
import sys

import iden3
from hostile import Tests
from iden3 import R

SPELLING = "is not below the field's modulus; every value has one spelling"


def blinders(t):
    for text, message in (("1", "expected two decimal numbers R,S"), ("", "expected two decimal numbers R,S"), ("a,2", "R is not a decimal number"),
                          ("1,2,3", "S is not a decimal number"), ("-1,2", "R has a sign; only digits are allowed"), (",", "R is an empty string"),
                          ("0x1,2", "R is hexadecimal; only decimal strings are read"), (f"{R},0", f"R {SPELLING}"), (f"0,{R}", f"S {SPELLING}"),
                          ("01,2", "R has a leading zero; every value has one spelling")):
        if text:
            t.refused(f"blinders {text!r}", f"--insecure-blinders: {message}", *t.prove("key.zkey", "w.wtns", "--insecure-blinders", text), status=2)
    done = t.accepted("blinders 0,0", *t.prove("key.zkey", "w.wtns", "--insecure-blinders", "0,0"))
    t.checks.check("blinders are warned of", done.err.startswith("warning: --insecure-blinders: this proof reveals the witness"), done.err)
    clean(t)


def clean(t):
    for f in ("new-proof.json", "new-public.json"):
        if os.path.exists(t.path(f)):
            os.unlink(t.path(f))


def usage(t):
    """A wrong line is exit status 2, a message, and nothing done."""
    good = t.prove()
    for name, arguments, words in (
            ("no command", (), "Usage:"), ("an unknown command", ("frob",), "error: "), ("half a command", ("groth16",), "error: vouch groth16 needs a command; these are: prove, verify\n"),
            ("an option before a command", ("-v",), "error: '-v' is not a command of vouch; these are: groth16, "),
            ("no memory named", (*good, "--memory", ""), "error: --memory: is empty\n"), ("no file named", t.prove(""), "error: KEY: is empty\n"),
            ("too few arguments", good[:4], "error: PROOF is required"), ("too many arguments", (*good, "x"), "error: "),
            ("an unknown flag", (*good, "--frob"), "error: "), ("threads -1", (*good, "--threads", "-1"), "error: --threads: Value -1 not in range 0 to 4096"),
            ("threads x", (*good, "--threads", "x"), "error: "), ("an unknown backend", (*good, "--backend", "abacus"), "error: backend: 'abacus' is not one of "),
            ("unknown instructions", (*good, "--instructions", "sse"), "error: instructions: 'sse' is not one of ")):
        before = sorted(os.listdir(t.folder))
        done = t.run(*arguments)
        t.checks.check(name, done.status == 2 and words in done.err and not done.out, f"{done.status}: {done.out}{done.err}")
        t.checks.check(name + ": leaves nothing", sorted(os.listdir(t.folder)) == before)


def more_threads_than_cores(t):
    done = t.run(*t.prove(), "--threads", "4096", "-q")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    expected = f"warning: --threads 4096: this process may use {cores} core{'s' if cores > 1 else ''}, and takes no more threads\n"
    t.checks.check("more threads than cores", done.status == 0 and done.err == expected, f"{done.status}: {done.err}")
    clean(t)


def as_json(t):
    """One JSON object on standard output, whatever happened."""
    t.write("bad.wtns", iden3.wtns([1, 2, 3, 4, 5, 6, 7, 8]))
    for name, arguments, code, error in (
            ("an unsatisfied witness", t.prove("key.zkey", "bad.wtns"), "unsatisfied", "bad.wtns: the witness does not satisfy the circuit of key.zkey"),
            ("a witness as key", t.prove("w.wtns"), "malformed", "w.wtns: expected a proving key"),
            ("a missing file", t.prove("absent"), "io", "absent: cannot open"),
            ("a name that is no UTF-8", t.prove(b"\xff\xfe.zkey"), "io", "cannot open"),
            ("swapped files", t.verify("vkey.json", "proof.json", "public.json"), "malformed", "proof.json: expected an array")):
        done = t.run(*arguments, "--json")
        try:
            report = json.loads(done.out)
        except ValueError:
            report = {}
        t.checks.check(f"--json, {name}", done.status == 1 and report.get("ok") is False and report.get("code") == code and error in report.get("error", ""),
                       f"{done.status}: {done.out}{done.err}")
    done = t.run(*t.verify(), "--json")
    t.checks.check("--json, a good proof", done.status == 0 and json.loads(done.out).get("ok") is True, done.out)
    done = t.run(*t.prove(), "--json")
    t.checks.check("--json, a proof", done.status == 0 and json.loads(done.out).get("verified") is True, done.out)
    clean(t)


def standard_output(t):
    def full():
        os.dup2(os.open("/dev/full", os.O_WRONLY), 1)
    done = t.run(*t.verify(), prepare=full)
    t.checks.check("OK! onto a full disk", done.status == 1 and done.err == "error: standard output: cannot write\n", f"{done.status}: {done.err}")
    done = t.run("groth16", "prove", "key.zkey", "w.wtns", "/dev/stdout", "new-public.json", "--quiet")
    t.checks.check("a proof to standard output", done.status == 0 and json.loads(done.out)["protocol"] == "groth16", done.out + done.err)
    clean(t)


def main():
    t = Tests(sys.argv[1])
    for group in (blinders, usage, more_threads_than_cores, as_json, standard_output):
        group(t)
    t.finish()


if __name__ == "__main__":
    main()
