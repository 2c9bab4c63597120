#!/usr/bin/env python3
"""Sums that break careless addition: hard_sums_test.py VOUCH

Keys whose tables hold one point over and over, a point and its negative, runs of multiples, infinity; witnesses of equal,
extreme and sparse values. No proof made from them verifies (hence --no-verify), but with pinned blinders its three points
are still determined, and must equal the oracle's under every form of arithmetic the processor has.
"""
import os
import random
import struct
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "cli")]
import common  # noqa: E402
import oracle  # noqa: E402
from iden3 import DOMAIN, WIRES, Iden3, encode_g1, encode_g2, wtns  # noqa: E402

SIZE = 700  # wires: enough for the batched path
LOG_DOMAIN = 9
TABLES = {5: (64, SIZE), 6: (64, SIZE), 7: (128, SIZE), 8: (64, SIZE - 3), 9: (64, 1 << LOG_DOMAIN)}


def small_key():
    """The key of pos12 cut down to SIZE wires and 2^LOG_DOMAIN rows."""
    key = Iden3(common.read(os.path.join(common.ROOT, "vectors/groth16/pos12/pos12.zkey")))
    key.set_u32(2, WIRES, SIZE)
    key.set_u32(2, DOMAIN, 1 << LOG_DOMAIN)
    for ident, (size, count) in TABLES.items():
        key[ident] = key[ident][: size * count]
    records = [key[4][i : i + 44] for i in range(4, len(key[4]), 44)]
    kept = [r for r in records if struct.unpack_from("<I", r, 4)[0] < 1 << LOG_DOMAIN and struct.unpack_from("<I", r, 8)[0] < SIZE]
    key[4] = struct.pack("<I", len(kept)) + b"".join(kept)
    return key


def fill(key, g1, g2):
    """Every table from functions index -> affine point or None."""
    for ident, (size, count) in TABLES.items():
        encode, point = (encode_g2, g2) if size == 128 else (encode_g1, g1)
        key[ident] = b"".join(bytes(size) if point(i) is None else encode(point(i)) for i in range(count))
    return key


def negative(p):
    zero = oracle.Base.zero if isinstance(p[1], int) else (0, 0)
    return p[0], (oracle.Base if isinstance(p[1], int) else oracle.Quadratic).sub(zero, p[1])


def multiples(group, p, count):
    out, at = [], None
    for _ in range(count):
        at = group.add_affine(at, p)
        out.append(group.affine(at))
    return out


def keys():
    plain = small_key()
    first = next(i for i in range(SIZE) if any(plain[7][i * 128 : (i + 1) * 128]))
    p, q = oracle.g1(plain[9], 0), oracle.g2(plain[7], first * 128)
    yield "as it is", plain
    yield "one point", fill(small_key(), lambda i: p, lambda i: q)
    yield "a point and its negative", fill(small_key(), lambda i: negative(p) if i % 2 else p, lambda i: negative(q) if i % 2 else q)
    yield "infinity", fill(small_key(), lambda i: None, lambda i: None)
    yield "mostly infinity", fill(small_key(), lambda i: p if i % 97 == 5 else None, lambda i: q if i % 97 == 5 else None)
    g1s, g2s = multiples(oracle.G1, p, 40), multiples(oracle.G2, q, 40)
    yield "small multiples, both signs", fill(small_key(), lambda i: negative(g1s[i % 40]) if i // 40 % 2 else g1s[i % 40],
                                              lambda i: negative(g2s[i % 40]) if i // 40 % 2 else g2s[i % 40])


def witnesses():
    r, rng = oracle.R, random.Random(4)
    yield "random", lambda i: rng.randrange(r)
    yield "ones", lambda i: 1
    yield "minus ones", lambda i: r - 1
    yield "one value", lambda i: 0x123456789ABCDEF0FEDCBA98765432100112233445566778899AABBCCDDEEFF
    yield "every window at its edge", lambda i: (0x8000800080008000800080008000800080008000800080008000800080008000 >> i % 17) % r
    yield "all bits", lambda i: ((1 << 253) - 1) >> (i % 3)
    yield "sparse", lambda i: rng.randrange(r) if i % 50 == 7 else rng.choice((0, 0, 1))


def main():
    vouch = os.path.abspath(sys.argv[1])
    checks = common.Checks()
    with tempfile.TemporaryDirectory() as work:
        zkey, w, proof, public, wanted = (os.path.join(work, f) for f in ("k.zkey", "w.wtns", "p", "q", "wanted"))
        mul3 = common.TINY[0]
        forms = [f for f in ("portable", "adx", "avx2", "avx512-ifma", "auto") if "error: instructions: " not in
                 common.run(vouch, "groth16", "prove", mul3.key, mul3.witness, proof, public, "--instructions", f).stderr]
        every_key, every_witness = list(keys()), list(witnesses())
        # Each key with two witnesses, each witness with two keys.
        for i in range(2 * len(every_witness)):
            (key_name, key), (name, value) = every_key[i % len(every_key)], every_witness[(i + i // len(every_key)) % len(every_witness)]
            values = [1] + [value(j) for j in range(1, SIZE)]
            for path, data in ((zkey, key.bytes()), (w, wtns(values))):
                with open(path, "wb") as f:
                    f.write(data)
            prover = oracle.Prover(oracle.Key(zkey), values)
            oracle.write(wanted, prover.prove(3, 5))
            for form in forms:
                case = f"key: {key_name}; witness: {name}; {form}"
                for f in (proof, public):
                    if os.path.exists(f):
                        os.unlink(f)
                done = common.run(vouch, "groth16", "prove", zkey, w, proof, public, "--no-verify", "--insecure-blinders", "3,5", "--instructions", form)
                if checks.ran(case, done):
                    checks.same(case, proof, wanted)
    print("forms of arithmetic: " + ", ".join(forms))
    checks.finish()


if __name__ == "__main__":
    main()
