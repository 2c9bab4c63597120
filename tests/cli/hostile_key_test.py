#!/usr/bin/env python3
"""Damaged and foreign proving keys: hostile_key_test.py VOUCH"""
import os
import struct
import sys

import iden3
from hostile import VECTORS, Tests
import common

SAFE = "(snarkjs zkey contribute makes it safe; --allow-insecure-key uses it all the same)"


def container(t):
    """Magic, version, section table."""
    good = common.read(t.path("key.zkey"))
    t.refuses_key("empty key", "the file is empty", b"")
    t.refuses_key("a key of three bytes", "expected a proving key (.zkey), but this looks like text", good[:3])
    t.refuses_key("a key of the magic only", "the file is cut off: it ends inside its header", good[:4])
    t.refuses_key("a header cut off", "the file is cut off: it ends inside its header", good[:11])
    for version in (0, 3, 0xFFFFFFFF):
        key = t.good()
        key.version = version
        t.refuses_key(f"version {version}", f"version {version} of the format is not known; versions up to 2 are", key)
    key = t.good()
    key.version = 2
    t.accepts_key("version 2", key)
    for count in (0xFFFFFFFF, 257):
        key = t.good()
        key.count = count
        t.refuses_key(f"{count} sections", f"the header claims {count} sections, more than any such file has", key)
    key = t.good()
    key.count = 11
    t.refuses_key("one section too many claimed", "the file is cut off: it has 10 of the 11 sections its header claims", key)
    key = t.good()
    key.count = 9
    last = len(t.good()[10]) + 12
    t.refuses_key("one section too few claimed", f"{last} bytes follow the last section, section 9 (H points)", key)
    key = t.good()
    key.sections.append([5, key[5]])
    t.refuses_key("a section twice", "section 5 (A points) appears twice", key)
    for length in (2**64 - 1, 2**63, 2**32 + 512):
        key = t.good()
        key.lengths[5] = length
        rest = sum(12 + len(p) for i, p in key.sections if i in (6, 7, 8, 9, 10)) + len(key[5])
        t.refuses_key(f"a section of {length} bytes", f"section 5 (A points) claims {length} bytes, but the file ends after {rest}", key)
    t.refuses_key("trailing bytes", "3 bytes follow the last section, section 10 (contributions)", good + b"abc")
    t.accepts_key("trailing bytes allowed", good + b"abc", "--allow-damaged-tail")
    key = t.good()
    key.sections.reverse()
    t.accepts_key("sections in another order", key)
    key = t.good()
    key.sections.insert(3, [77, b"an unknown section"])
    t.accepts_key("an unknown section", key)


TITLES = {1: "protocol", 2: "header", 3: "IC points", 4: "coefficients", 5: "A points", 6: "B1 points", 7: "B2 points",
          8: "C points", 9: "H points", 10: "contributions"}


def sections(t):
    """Each section missing, one byte short, one byte long, empty."""
    points = {3: (3, 64), 5: (8, 64), 6: (8, 64), 7: (8, 128), 8: (5, 64), 9: (8, 64)}
    for ident, title in TITLES.items():
        key = t.good()
        key.remove(ident)
        t.refuses_key(f"section {ident} missing", f"section {ident} ({title}) is missing", key)
    for ident, (count, size) in points.items():
        whole = count * size
        for length in (0, whole - 1, whole + 1, whole - size, whole + size):
            key = t.good()
            key[ident] = (bytes(key[ident]) + bytes(size))[:length]
            t.refuses_key(f"section {ident} of {length} bytes",
                          f"section {ident} ({TITLES[ident]}) has {length} bytes, but {count} points of {size} bytes take {whole}", key)
    for length in (0, 3, 5):
        key = t.good()
        key[1] = (bytes(key[1]) + b"\0")[:length]
        t.refuses_key(f"protocol of {length} bytes", f"section 1 (protocol): has {length} bytes instead of 4", key)
    for length, message in ((0, "is cut off inside its primes"), (39, "is cut off inside its primes"), (80, "is cut off"),
                            (84, "is cut off"), (659, "is cut off"), (661, "has 1 bytes too many")):
        key = t.good()
        key[2] = (bytes(key[2]) + b"\0")[:length]
        t.refuses_key(f"header of {length} bytes", f"section 2 (header): {message}", key)
    key = t.good()
    for length in (0, 63, 67):
        key[10] = bytes(t.good()[10])[:length]
        t.refuses_key(f"contributions of {length} bytes", "section 10 (contributions): is cut off", key)
    key[10] = bytes(t.good()[10])[:100]
    t.refuses_key("contributions cut off", "section 10 (contributions): is cut off inside contribution 1 of the 1 it claims", key)
    t.accepts_key("contributions cut off, allowed", key, "--allow-damaged-tail")
    key = t.good()
    key.set_u32(10, 64, 0xFFFFFFFF)
    t.refuses_key("contributions by the billion",
                  "section 10 (contributions): is cut off inside contribution 2 of the 4294967295 it claims", key)
    key = t.good()
    key[10] = bytes(key[10]) + b"x"
    t.refuses_key("bytes after the contributions", "section 10 (contributions): 1 bytes follow the last contribution", key)


def header(t):
    """Counts and primes."""
    h = "section 2 (header): "
    for at, value, message in (
            (iden3.WIRES, 0, "claims 2 public signals but only 0 wires"),
            (iden3.WIRES, 2, "claims 2 public signals but only 2 wires"),
            (iden3.PUBLICS, 8, "claims 8 public signals but only 8 wires"),
            (iden3.PUBLICS, 0xFFFFFFFF, "claims 4294967295 public signals but only 8 wires"),
            (iden3.DOMAIN, 0, "the domain size 0 is not a power of two"),
            (iden3.DOMAIN, 1, "the domain size 2^0 is outside 2^1 .. 2^28"),
            (iden3.DOMAIN, 7, "the domain size 7 is not a power of two"),
            (iden3.DOMAIN, 0xFFFFFFFF, "the domain size 4294967295 is not a power of two"),
            (iden3.DOMAIN, 2, "a domain of 2 rows is too small for 2 public signals"),
            (iden3.DOMAIN, 1 << 29, "the domain size 2^29 is outside 2^1 .. 2^28"),
            (iden3.DOMAIN, 1 << 31, "the domain size 2^31 is outside 2^1 .. 2^28")):
        key = t.good()
        key.set_u32(2, at, value)
        t.refuses_key(f"header word {at} = {value}", h + message, key)
    for at, value, message in (
            (iden3.WIRES, 0xFFFFFFFF, "section 5 (A points) has 512 bytes, but 4294967295 points of 64 bytes take 274877906880"),
            (iden3.PUBLICS, 3, "section 3 (IC points) has 192 bytes, but 4 points of 64 bytes take 256"),
            (iden3.DOMAIN, 1 << 28, "section 9 (H points) has 512 bytes, but 268435456 points of 64 bytes take 17179869184"),
            (iden3.DOMAIN, 4, "section 9 (H points) has 512 bytes, but 4 points of 64 bytes take 256")):
        key = t.good()
        key.set_u32(2, at, value)
        t.refuses_key(f"header word {at} = {value}", message, key)
    for at in (iden3.Q, iden3.PRIME_R):
        key = t.good()
        key.put(2, at, iden3.plain(12345))
        t.refuses_key(f"prime at {at}", h + "the primes are those of no curve vouch knows", key)
    for at in (0, 36):
        key = t.good()
        key.set_u32(2, at, 0xFFFFFFFF)
        t.refuses_key(f"prime size at {at}", h + "is cut off inside its primes", key)


def foreign(t):
    """Other curves and other proof systems."""
    bls = os.path.join(VECTORS, "bls_mul3")
    t.refuses_key("BLS12-381", "this key is for the curve BLS12-381; vouch makes Groth16 proofs over BN254 only",
                  common.read(os.path.join(bls, "bls_mul3.zkey")))
    for number, name in ((2, "PLONK"), (10, "FFLONK")):
        key = t.good()
        key.set_u32(1, 0, number)
        t.refuses_key(name, f"this is a {name} proving key; vouch makes Groth16 proofs only", key)
    for number in (0, 3, 0xFFFFFFFF):
        key = t.good()
        key.set_u32(1, 0, number)
        t.refuses_key(f"protocol {number}", f"section 1 (protocol): proof system number {number} is not known", key)


def insecure(t):
    """No phase 2, and infinity in the header."""
    gamma = f"section 2 (header): gamma2 equals delta2: nobody has contributed to the second phase of this key, so anyone can forge proofs under it {SAFE}"
    uncontributed = common.read(t.path("uncontributed.zkey"))
    t.refuses_key("no phase 2", gamma, uncontributed)
    t.accepted("no phase 2, allowed", *t.prove("uncontributed.zkey", "w.wtns", "--allow-insecure-key"))
    for f in ("new-proof.json", "new-public.json"):
        os.unlink(t.path(f))
    t.refused("export of a key without phase 2", gamma and "uncontributed.zkey: " + gamma,
              "zkey", "export", "verificationkey", "uncontributed.zkey", "new.json")
    for name, at, size in (("alpha1", iden3.ALPHA1, 64), ("beta1", iden3.BETA1, 64), ("beta2", iden3.BETA2, 128),
                           ("gamma2", iden3.GAMMA2, 128), ("delta1", iden3.DELTA1, 64), ("delta2", iden3.DELTA2, 128)):
        key = t.good()
        key.put(2, at, bytes(size))
        t.refuses_key(f"{name} = infinity", f"section 2 (header): {name} is the point at infinity, so anyone can forge proofs under this key (--allow-insecure-key uses it all the same)", key)


def coefficients(t):
    s4 = "section 4 (coefficients): "
    count = struct.unpack_from("<I", t.good()[4])[0]
    for claimed in (0, count + 1, count - 1, 0xFFFFFFFF):
        key = t.good()
        key.set_u32(4, 0, claimed)
        t.refuses_key(f"{claimed} coefficients claimed", s4 + f"claims {claimed} records of 44 bytes, but has {count * 44} bytes for them", key)
    for length in (0, 3):
        key = t.good()
        key[4] = bytes(key[4])[:length]
        t.refuses_key(f"coefficients of {length} bytes", s4 + "is cut off before its count", key)
    for record in (0, count - 1):
        at = 4 + iden3.RECORD * record
        for offset, value, message in ((0, 2, "names matrix 2; only 0 (A) and 1 (B) exist"),
                                       (0, 0xFFFFFFFF, "names matrix 4294967295; only 0 (A) and 1 (B) exist"),
                                       (4, 8, "names row 8, but the domain has 8"),
                                       (4, 0xFFFFFFFF, "names row 4294967295, but the domain has 8"),
                                       (8, 8, "names signal 8, but the circuit has 8"),
                                       (8, 0xFFFFFFFF, "names signal 4294967295, but the circuit has 8")):
            key = t.good()
            key.set_u32(4, at + offset, value)
            t.refuses_key(f"coefficient {record}, word {offset} = {value}", s4 + f"record {record} {message}", key)
        key = t.good()
        key.put(4, at + 12, iden3.plain(iden3.R))
        t.refuses_key(f"coefficient {record} not canonical", s4 + f"record {record} has a value that is not below the field's modulus", key)


def points(t):
    """Non-canonical, off the curve, outside the subgroup: in the header and IC always, elsewhere with --check-key, and
    without it when the proof does not verify."""
    stray = iden3.encode_g2(iden3.g2_outside_subgroup())
    faults = {1: [("not canonical", lambda b: (int.from_bytes(b[:32], "little") + iden3.P).to_bytes(32, "little") + b[32:]),
                  ("off the curve", lambda b: b[:32] + iden3.coordinate(1))],
              2: [("not canonical", lambda b: (int.from_bytes(b[:32], "little") + iden3.P).to_bytes(32, "little") + b[32:]),
                  ("off the curve", lambda b: b[:96] + iden3.coordinate(1)),
                  ("outside the subgroup", lambda b: stray)]}
    words = {"not canonical": "has a coordinate that is not below the field modulus", "off the curve": "is not on the curve",
             "outside the subgroup": "is on the curve but outside the subgroup of order r"}
    for name, at, size in (("alpha1", iden3.ALPHA1, 64), ("beta1", iden3.BETA1, 64), ("beta2", iden3.BETA2, 128),
                           ("gamma2", iden3.GAMMA2, 128), ("delta1", iden3.DELTA1, 64), ("delta2", iden3.DELTA2, 128)):
        for fault, damage in faults[size // 64]:
            key = t.good()
            key.put(2, at, damage(bytes(key[2][at : at + size])))
            t.refuses_key(f"{name} {fault}", f"section 2 (header): {name} {words[fault]}", key)
    for ident, size in ((3, 64), (5, 64), (6, 64), (7, 128), (8, 64), (9, 64)):
        count = len(t.good()[ident]) // size
        point = next(i for i in range(count - 1, -1, -1) if any(t.good()[ident][i * size : (i + 1) * size]))
        for fault, damage in faults[size // 64]:
            key = t.good()
            key.put(ident, point * size, damage(bytes(key[ident][point * size : (point + 1) * size])))
            message = f"section {ident} ({TITLES[ident]}): point {point} {words[fault]}"
            if ident == 3:
                t.refuses_key(f"section {ident} {fault}", message, key)
                continue
            t.refuses_key(f"section {ident} {fault}, --check-key", message, key, "--check-key")
            if fault != "not canonical":  # x + q may well mean x to the arithmetic: the proof then verifies
                t.refuses_key(f"section {ident} {fault}, found when the proof fails", message, key)
    t.accepts_key("a good key, --check-key", t.good(), "--check-key")


def disagreeing(t):
    """Halves of one secret that differ: --check-key tells, and so does a proof that does not verify."""
    for one, two, at in (("beta1", "beta2", iden3.BETA1), ("delta1", "delta2", iden3.DELTA1)):
        key = t.good()
        key.put(2, at, bytes(key[2][iden3.ALPHA1 : iden3.ALPHA1 + 64]))
        message = f"section 2 (header): {one} and {two} are different multiples"
        t.refuses_key(f"{one} is another point, --check-key", message, key, "--check-key")
        t.refuses_key(f"{one} is another point, found when the proof fails", message, key)


def large(t):
    """A section of 5 GiB (a hole in the file) before all others: 64-bit offsets, nothing read or allocated."""
    good = common.read(t.path("key.zkey"))
    hole = 5 << 30
    with open(t.path("odd.zkey"), "wb") as f:
        f.write(good[:8] + struct.pack("<I", 11) + struct.pack("<IQ", 99, hole))
        f.seek(hole, 1)
        f.write(good[12:])
    done = t.accepted("a file of 5 GiB", *t.prove("odd.zkey"))
    t.small("a file of 5 GiB", done)
    t.accepted("a file of 5 GiB: the proof", *t.verify("vkey.json", "new-public.json", "new-proof.json"))
    with open(t.path("odd.zkey"), "r+b") as f:
        f.truncate(hole)
    for f in ("new-proof.json", "new-public.json"):
        os.unlink(t.path(f))
    t.refused("a file of 5 GiB cut off", f"odd.zkey: section 99 claims {hole} bytes, but the file ends after {hole - 24}", *t.prove("odd.zkey"))
    os.unlink(t.path("odd.zkey"))


def main():
    t = Tests(sys.argv[1])
    for group in (container, sections, header, foreign, insecure, coefficients, points, disagreeing, large):
        group(t)
    t.finish()


if __name__ == "__main__":
    main()
