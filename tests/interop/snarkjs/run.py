#!/usr/bin/env python3
"""snarkjs judges our proofs, and we judge its: run.py VOUCH

For every golden artifact:
  prove             our proof is accepted by snarkjs, public.json equals its file
  pinned blinders   our proof.json equals the oracle's file, which snarkjs accepts
  verify            we accept snarkjs's golden proof and one it makes now; both sides refuse another circuit's proof
  export            verification_key.json equals snarkjs's file and what snarkjs exports now
"""
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import common  # noqa: E402


def ours(vouch, checks, work, artifact, jobs):
    """Proofs and keys made by us; appends what snarkjs shall judge as (name, job, expected)."""
    name = artifact.name
    proof, public, vkey = (os.path.join(work, f"{name}.{f}.json") for f in ("proof", "public", "vkey"))
    if checks.ran(name + " prove", common.run(vouch, "groth16", "prove", artifact.key, artifact.witness, proof, public)):
        checks.same(name + " public.json", public, artifact.public)
        jobs.append((name + ": snarkjs accepts our proof", {"verify": [artifact.vkey, public, proof]}, True))
        jobs.append((name + ": snarkjs refuses it with other publics", {"verify": [artifact.vkey, OTHER[name].public, proof]}, False))
    checks.ran(name + " export", common.run(vouch, "zkey", "export", "verificationkey", artifact.key, vkey))
    checks.same(name + " verification_key.json", vkey, artifact.vkey)
    for label, r, s, golden in artifact.blinders():
        proof = os.path.join(work, f"{name}.{label}.json")
        checks.ran(f"{name} prove with {label}",
                   common.run(vouch, "groth16", "prove", artifact.key, artifact.witness, proof, public,
                              "--insecure-blinders", f"{r},{s}"))
        checks.same(f"{name} proof.json with {label}", proof, golden)
        jobs.append((f"{name}: snarkjs accepts the proof with {label}", {"verify": [artifact.vkey, artifact.public, golden]}, True))


def theirs(vouch, checks, work, artifact):
    """Proofs and keys made by snarkjs."""
    name = artifact.name
    proof, public, vkey = (os.path.join(work, f"{name}.snarkjs.{f}.json") for f in ("proof", "public", "vkey"))
    checks.ran(name + " verify the golden proof",
               common.run(vouch, "groth16", "verify", artifact.vkey, artifact.public, artifact.proof))
    checks.ran(name + " verify a fresh proof of snarkjs", common.run(vouch, "groth16", "verify", vkey, public, proof))
    checks.ran(name + " refuse the proof of another circuit",
               common.run(vouch, "groth16", "verify", vkey, public, OTHER[name].proof), 1)
    checks.same(name + " verification_key.json exported now", vkey, artifact.vkey)


def uncontributed(vouch, checks, work, jobs):
    """A key nobody contributed to, used on purpose: snarkjs verifies with it without complaint."""
    mul3 = common.TINY[0]
    key, vkey, wanted, proof, public = mul3.path("mul3_uncontributed.zkey"), *(os.path.join(work, f"u.{i}") for i in range(4))
    checks.check("uncontributed: snarkjs exports", common.judge([{"vkey": [key, wanted]}]) == [True])
    checks.ran("uncontributed: export", common.run(vouch, "zkey", "export", "verificationkey", key, vkey, "--allow-insecure-key"))
    checks.same("uncontributed: verification_key.json", vkey, wanted)
    checks.ran("uncontributed: prove", common.run(vouch, "groth16", "prove", key, mul3.witness, proof, public, "--allow-insecure-key"))
    checks.ran("uncontributed: verify", common.run(vouch, "groth16", "verify", vkey, public, proof, "--allow-insecure-key"))
    checks.ran("uncontributed: refuse to verify", common.run(vouch, "groth16", "verify", vkey, public, proof), 1)
    jobs.append(("uncontributed: snarkjs accepts our proof", {"verify": [vkey, public, proof]}, True))


# Publics and proof of another artifact, with as many publics where there is one.
OTHER = {a.name: common.ARTIFACTS[i - 1] for i, a in enumerate(common.ARTIFACTS)}


def main():
    vouch = os.path.abspath(sys.argv[1])
    checks = common.Checks()
    with tempfile.TemporaryDirectory() as work:
        made = []
        for a in common.ARTIFACTS:
            files = [os.path.join(work, f"{a.name}.snarkjs.{f}.json") for f in ("proof", "public", "vkey")]
            made += [{"prove": [a.key, a.witness, *files[:2]]}, {"vkey": [a.key, files[2]]}]
        for job, answer in zip(made, common.judge(made)):
            checks.check(str(job), answer is True, answer)
        jobs = []
        for a in common.ARTIFACTS:
            ours(vouch, checks, work, a, jobs)
            theirs(vouch, checks, work, a)
        uncontributed(vouch, checks, work, jobs)
        for (name, _, expected), answer in zip(jobs, common.judge([job for _, job, _ in jobs])):
            # snarkjs answers false, or throws when the number of publics is wrong.
            checks.check(name, (answer is True) == expected, f"its answer is {answer}")
    checks.finish()


if __name__ == "__main__":
    main()
