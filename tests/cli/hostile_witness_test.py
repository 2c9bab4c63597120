#!/usr/bin/env python3
"""Damaged, foreign and wrong witnesses: hostile_witness_test.py VOUCH"""
import os
import random
import sys

import iden3
import oracle
from hostile import VECTORS, Tests
from iden3 import R
import common

UNSATISFIED = ("bad.wtns: the witness does not satisfy the circuit of key.zkey (a proof made from it does not verify); "
               "no proof was written. To name the constraint: vouch wtns check CIRCUIT.r1cs bad.wtns")


def refuses(t, name, message, data, *flags):
    t.write("bad.wtns", data if isinstance(data, bytes) else data.bytes())
    t.refused(name, message, *t.prove("key.zkey", "bad.wtns", *flags))


def damaged(t):
    def bad(name, message, data):
        refuses(t, name, "bad.wtns: " + message, data)

    good = common.read(t.path("w.wtns"))
    bad("empty witness", "the file is empty", b"")
    bad("a witness of the magic only", "the file is cut off: it ends inside its header", good[:4])
    for cut in (1, 32, 255):
        bad(f"{cut} bytes cut off", f"section 2 (values) claims 256 bytes, but the file ends after {256 - cut}", good[:-cut])
    bad("trailing bytes", "5 bytes follow the last section, section 2 (values)", good + b"extra")
    w = t.good("w.wtns")
    w.version = 3
    bad("version 3", "version 3 of the format is not known; versions up to 2 are", w)
    w = t.good("w.wtns")
    w.count = 0xFFFFFFFF
    bad("2^32 - 1 sections", "the header claims 4294967295 sections, more than any such file has", w)
    for ident, title in ((1, "header"), (2, "values")):
        w = t.good("w.wtns")
        w.remove(ident)
        bad(f"section {ident} missing", f"section {ident} ({title}) is missing", w)
    for count in (7, 9, 0xFFFFFFFF):
        w = t.good("w.wtns")
        w.set_u32(1, 36, count)
        bad(f"{count} values claimed", f"section 2 (values) has 256 bytes, but {count} values of 32 bytes take {count * 32}", w)
    w = t.good("w.wtns")
    w.set_u32(1, 36, 0)
    bad("no values", "section 1 (header): claims no values; wire 0, the constant 1, is always there", w)
    for length, message in ((0, "is cut off"), (39, "is cut off"), (41, "has 1 bytes too many")):
        w = t.good("w.wtns")
        w[1] = (bytes(w[1]) + b"\0")[:length]
        bad(f"header of {length} bytes", "section 1 (header): " + message, w)
    w = t.good("w.wtns")
    w.put(1, 4, iden3.plain(7))
    bad("another prime", "section 1 (header): the prime is that of no field vouch knows", w)
    w = t.good("w.wtns")
    w.set_u32(1, 0, 0xFFFFFFFF)
    bad("a prime of 4 GiB", "section 1 (header): is cut off", w)
    bad("BLS12-381", "this witness is over the field of BLS12-381; vouch makes Groth16 proofs over BN254 only",
        common.read(os.path.join(VECTORS, "bls_mul3/bls_mul3.wtns")))


def values():
    return oracle.witness(os.path.join(VECTORS, "mul3/mul3.wtns"))


def wrong_length(t):
    for n in (1, 7, 9, 300):
        refuses(t, f"{n} values", f"bad.wtns: has {n} values, but key.zkey is for a circuit with 8 wires: the witness is from "
                "another circuit, or from another build of it", iden3.wtns((values() + [0] * 300)[:n]))
    refuses(t, "the witness of another circuit", "bad.wtns: has 5 values, but key.zkey is for a circuit with 8 wires: the witness "
            "is from another circuit, or from another build of it", common.read(os.path.join(VECTORS, "edge_pub0/edge_pub0.wtns")))


def not_canonical(t):
    for wire in range(1, 8):
        w = values()
        w[wire] += R
        public = " (a public signal)" if wire <= 2 else ""
        refuses(t, f"wire {wire} + r", f"bad.wtns: the value of wire {wire}{public} is not below the field's modulus", iden3.wtns(w))
    w = values()
    w[7] = R
    refuses(t, "wire 7 = r", "bad.wtns: the value of wire 7 is not below the field's modulus", iden3.wtns(w))
    w[7] = 2**256 - 1
    refuses(t, "wire 7 = 2^256 - 1", "bad.wtns: the value of wire 7 is not below the field's modulus", iden3.wtns(w))
    for first in (0, 2, R - 1, R + 1):
        w = values()
        w[0] = first
        refuses(t, f"wire 0 = {first}", "bad.wtns: wire 0 must hold the constant 1", iden3.wtns(w))
    refuses(t, "all zero", "bad.wtns: wire 0 must hold the constant 1", iden3.wtns([0] * 8))


def unsatisfied(t):
    for wire in range(1, 8):
        for name, value in (("+ 1", (values()[wire] + 1) % R), ("= 0", 0), ("= r - 1", R - 1)):
            w = values()
            w[wire] = value
            refuses(t, f"wire {wire} {name}", UNSATISFIED, iden3.wtns(w))
    refuses(t, "all zero but wire 0, one public", UNSATISFIED, iden3.wtns([1, 1, 0, 0, 0, 0, 0, 0]))
    rng = random.Random(3)
    for i in range(5):
        refuses(t, f"random values {i}", UNSATISFIED, iden3.wtns([1] + [rng.randrange(R) for _ in range(7)]))


def named_constraint(t):
    """mul3 is t = a b, u = t c, out = u d, in some order of rows; --check and `wtns check` name the first that fails."""
    w = values()
    w[6] = (w[6] + 1) % R  # t: the rows a b = t and t c = u
    t.write("bad.wtns", iden3.wtns(w))
    message = "bad.wtns: constraint 0 of c.r1cs is not satisfied: A * B = C with A = -3, B = 5, C = -16"
    t.refused("prove --check", message, *t.prove("key.zkey", "bad.wtns", "--check", "--r1cs", "c.r1cs"))
    t.refused("wtns check", message, "wtns", "check", "c.r1cs", "bad.wtns")
    t.accepted("wtns check of a good one", "wtns", "check", "c.r1cs", "w.wtns")
    t.refused("prove --check without a .r1cs", "--check needs the circuit's .r1cs, because a .zkey holds no C side of the "
              "constraints and so no row can be judged by it alone: name it with --r1cs FILE, or put it beside the key under the "
              "key's name", *t.prove("key.zkey", "w.wtns", "--check"), status=2)


def main():
    t = Tests(sys.argv[1])
    for group in (damaged, wrong_length, not_canonical, unsatisfied, named_constraint):
        group(t)
    t.finish()


if __name__ == "__main__":
    main()
