#!/usr/bin/env python3
"""The larger circuits end to end: run.py VOUCH ZKEY_SETUP [NAME ...]

circom2 compiles and makes the witness, the test-only setup tool makes a key, vouch proves, snarkjs verifies. Without names:
those up to 2^14.
"""
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import build
import common
import oracle


def case(checks, vouch, setup, name, work, jobs):
    folder = build.build(name)
    r1cs, wtns = (os.path.join(folder, name + e) for e in (".r1cs", ".wtns"))
    key, proof, public, vkey = (os.path.join(work, f"{name}.{f}") for f in ("zkey", "proof.json", "public.json", "vkey.json"))
    # The key is made anew: the tool under test may have changed since the cached one.
    if not checks.ran(name + " setup", common.run(setup, r1cs, key)):
        return
    checks.ran(name + " wtns check", common.run(vouch, "wtns", "check", r1cs, wtns))
    checks.ran(name + " export", common.run(vouch, "zkey", "export", "verificationkey", key, vkey))
    if checks.ran(name + " prove", common.run(vouch, "groth16", "prove", key, wtns, proof, public, "--check", "--r1cs", r1cs)):
        publics = common.read_json(public)
        expected = [str(v) for v in oracle.witness(wtns)[1 : len(publics) + 1]]
        checks.check(name + " public.json", publics == expected and publics)
        checks.ran(name + " verify", common.run(vouch, "groth16", "verify", vkey, public, proof))
        jobs.append((name + ": snarkjs accepts our proof", {"verify": [vkey, public, proof]}))
    os.unlink(key)


def main():
    vouch, setup = map(os.path.abspath, sys.argv[1:3])
    common.node_modules()
    checks, jobs = common.Checks(), []
    with tempfile.TemporaryDirectory() as work:
        for name in sys.argv[3:] or build.SMALL:
            case(checks, vouch, setup, name, work, jobs)
        for (name, _), answer in zip(jobs, common.judge([job for _, job in jobs])):
            checks.check(name, answer is True, f"its answer is {answer}")
    checks.finish()


if __name__ == "__main__":
    main()
