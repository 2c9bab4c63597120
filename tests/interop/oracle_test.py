#!/usr/bin/env python3
"""The product against the independent prover, byte for byte: oracle_test.py VOUCH

 1. The oracle makes the golden proofs of the tiny circuits again.
 2. The product makes the same files as the oracle from witnesses chosen here: all zero, all minus one, small, random.
"""
import os
import random
import struct
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import common  # noqa: E402
import oracle  # noqa: E402


def golden(checks, artifact):
    prover = oracle.Prover(oracle.Key(artifact.key), oracle.witness(artifact.witness))
    for name, r, s, path in artifact.blinders():
        text = oracle.text(prover.prove(int(r), int(s))).encode()
        checks.check(f"{artifact.name} {name}", text == common.read(path), f"the oracle's proof differs from {path}")
    checks.check(artifact.name + " public.json", oracle.text(prover.public()).encode() == common.read(artifact.public))


def write_wtns(path, values):
    head = struct.pack("<I", 32) + oracle.R.to_bytes(32, "little") + struct.pack("<I", len(values))
    body = b"".join(v.to_bytes(32, "little") for v in values)
    with open(path, "wb") as f:
        f.write(b"wtns" + struct.pack("<II", 2, 2))
        for ident, payload in ((1, head), (2, body)):
            f.write(struct.pack("<IQ", ident, len(payload)) + payload)


def mul3_witness(a, b, c, d):
    """The wires of mul3: 1, out, a, b, c, d, t = ab, u = tc; out = ud."""
    t = a * b % oracle.R
    u = t * c % oracle.R
    return [1, u * d % oracle.R, a, b, c, d, t, u]


def chosen_witnesses():
    minus_one = oracle.R - 1
    yield "zeros", mul3_witness(0, 0, 0, 0)
    yield "ones", mul3_witness(1, 1, 1, 1)
    yield "minus ones", mul3_witness(*[minus_one] * 4)
    yield "one zero", mul3_witness(0, minus_one, 1, 2)
    yield "half", mul3_witness(*[(oracle.R + 1) // 2] * 4)
    yield "powers of two", mul3_witness(1 << 64, 1 << 128, 1 << 192, 1 << 253)
    rng = random.Random(1)  # the same in every run
    for i in range(12):
        yield f"random {i}", mul3_witness(*[rng.randrange(oracle.R) for _ in range(4)])


def differential(checks, vouch, work):
    key_path = os.path.join(common.ROOT, "vectors/groth16/mul3/mul3.zkey")
    key = oracle.Key(key_path)
    checks.check("the wire order of mul3", mul3_witness(3, 5, 7, 11) ==
                 oracle.witness(os.path.join(common.ROOT, "vectors/groth16/mul3/mul3.wtns")))
    rng = random.Random(2)
    for name, values in chosen_witnesses():
        r, s = rng.randrange(oracle.R), rng.randrange(oracle.R)
        wtns, proof, public, wanted, wanted_public = (os.path.join(work, f) for f in ("w", "p", "q", "wp", "wq"))
        write_wtns(wtns, values)
        prover = oracle.Prover(key, values)
        oracle.write(wanted, prover.prove(r, s))
        oracle.write(wanted_public, prover.public())
        done = common.run(vouch, "groth16", "prove", key_path, wtns, proof, public, "--insecure-blinders", f"{r},{s}")
        if checks.ran(f"prove with {name}", done):
            checks.same(f"proof with {name}", proof, wanted)
            checks.same(f"public with {name}", public, wanted_public)


def main():
    checks = common.Checks()
    for artifact in common.TINY:
        golden(checks, artifact)
    with tempfile.TemporaryDirectory() as work:
        differential(checks, os.path.abspath(sys.argv[1]), work)
    checks.finish()


if __name__ == "__main__":
    main()
