#!/usr/bin/env python3
"""Damaged and foreign .r1cs files, as `wtns check` and `r1cs info` meet them: hostile_r1cs_test.py VOUCH"""
import os
import struct
import sys

import iden3
from hostile import VECTORS, Tests
import common

# Offsets in section 1: u32 field size, prime, then these.
WIRES, OUTPUTS, PUBLIC_INPUTS, CONSTRAINTS = 36, 40, 44, 60


def refuses(t, name, message, data):
    t.write("bad.r1cs", data if isinstance(data, bytes) else data.bytes())
    t.refused(name, "bad.r1cs: " + message, "wtns", "check", "bad.r1cs", "w.wtns")


def changed(t, ident, at, value):
    file = t.good("c.r1cs")
    file.set_u32(ident, at, value)
    return file


def files(t):
    good = common.read(t.path("c.r1cs"))
    refuses(t, "empty", "the file is empty", b"")
    refuses(t, "a witness instead", "expected a constraint system (.r1cs), but this looks like a witness (.wtns)", common.read(t.path("w.wtns")))
    refuses(t, "a key instead", "expected a constraint system (.r1cs), but this looks like a Groth16 proving key (.zkey)", common.read(t.path("key.zkey")))
    refuses(t, "cut off", "section 3 (wire labels) claims 64 bytes, but the file ends after 63", good[:-1])
    refuses(t, "trailing byte", "1 bytes follow the last section, section 3 (wire labels)", good + b"\0")
    for ident, title in ((1, "header"), (2, "constraints")):
        file = t.good("c.r1cs")
        file.remove(ident)
        refuses(t, f"section {ident} missing", f"section {ident} ({title}) is missing", file)
    file = t.good("c.r1cs")
    file.version = 2
    refuses(t, "version 2", "version 2 of the format is not known; versions up to 1 are", file)
    file = t.good("c.r1cs")
    file.count = 0xFFFFFFFF
    refuses(t, "2^32 - 1 sections", "the header claims 4294967295 sections, more than any such file has", file)
    t.write("bad.r1cs", common.read(os.path.join(VECTORS, "bls_mul3/bls_mul3.r1cs")))
    t.refused("BLS12-381", "bad.r1cs: the circuit is over the field of BLS12-381; vouch checks witnesses over BN254 only",
              "wtns", "check", "bad.r1cs", "w.wtns")


def header(t):
    h = "section 1 (header): "
    refuses(t, "no wires", h + "claims 2 public signals but only 0 wires", changed(t, 1, WIRES, 0))
    refuses(t, "2^32 - 1 outputs", h + "claims 4294967296 public signals but only 8 wires", changed(t, 1, OUTPUTS, 0xFFFFFFFF))
    refuses(t, "2^32 - 1 public inputs", h + "claims 4294967296 public signals but only 8 wires", changed(t, 1, PUBLIC_INPUTS, 0xFFFFFFFF))
    refuses(t, "2^32 - 1 wires", "section 3 (wire labels) has 64 bytes, but 4294967295 labels of 8 bytes take 34359738360", changed(t, 1, WIRES, 0xFFFFFFFF))
    size = len(t.good("c.r1cs")[2])
    refuses(t, "2^32 - 1 constraints", f"section 2 (constraints): has {size} bytes, too few for the 4294967295 constraints the header claims",
            changed(t, 1, CONSTRAINTS, 0xFFFFFFFF))
    refuses(t, "a prime of 4 GiB", h + "is cut off", changed(t, 1, 0, 0xFFFFFFFF))
    file = t.good("c.r1cs")
    file.put(1, 4, iden3.plain(99))
    refuses(t, "another prime", h + "the prime is that of no field vouch knows", file)
    for length, message in ((0, "is cut off"), (63, "is cut off"), (65, "has 1 bytes too many")):
        file = t.good("c.r1cs")
        file[1] = (bytes(file[1]) + b"\0")[:length]
        refuses(t, f"header of {length} bytes", h + message, file)


def constraints(t):
    c = "section 2 (constraints): "
    file = t.good("c.r1cs")
    terms = struct.unpack_from("<I", file[2], 0)[0]
    t.checks.check("A of constraint 0 has one term", terms == 1, str(terms))
    refuses(t, "2^32 - 1 terms", c + "ends inside A of constraint 0", changed(t, 2, 0, 0xFFFFFFFF))
    refuses(t, "wire 8 of 8", c + "A of constraint 0 names wire 8, but the circuit has 8", changed(t, 2, 4, 8))
    refuses(t, "wire 2^32 - 1", c + "A of constraint 0 names wire 4294967295, but the circuit has 8", changed(t, 2, 4, 0xFFFFFFFF))
    file.put(2, 8, iden3.plain(iden3.R))
    refuses(t, "a value = r", c + "A of constraint 0 has a value that is not below the field's modulus", file)
    file = t.good("c.r1cs")
    file[2] = bytes(file[2]) + b"\0\0\0"
    refuses(t, "bytes after the last constraint", c + "3 bytes follow the last constraint", file)
    file = t.good("c.r1cs")
    file[2] = bytes(file[2])[:-1]
    refuses(t, "the last constraint cut off", c + "ends inside C of constraint 2", file)


def main():
    t = Tests(sys.argv[1])
    for group in (files, header, constraints):
        group(t)
    for golden in ("mul3", "edge_pub0", "edge_nocons", "edge_dom2", "edge_puball", "pos12"):
        folder = os.path.join(VECTORS, golden, golden)
        t.accepted(f"{golden}: wtns check", "wtns", "check", folder + ".r1cs", folder + ".wtns")
        t.accepted(f"{golden}: r1cs info", "r1cs", "info", folder + ".r1cs")
    t.finish()


if __name__ == "__main__":
    main()
