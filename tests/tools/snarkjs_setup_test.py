"""snarkjs's setup from our powers of tau gives our key, byte for byte, and snarkjs accepts proofs under our keys.

usage: snarkjs_setup_test.py ZKEY_SETUP PTAU_WRITE CIRCUIT_GEN
"""
import os
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "interop"))
import common  # noqa: E402

SETUP, PTAU, GEN = sys.argv[1:4]


def sections(path):
    data, at, found = common.read(path), 12, {}
    for _ in range(struct.unpack_from("<I", data, 8)[0]):
        number, length = struct.unpack_from("<IQ", data, at)
        found[number] = data[at + 12:at + 12 + length]
        at += 12 + length
    assert at == len(data), path
    return found


def run(*command):
    subprocess.run([str(c) for c in command], check=True, stdout=subprocess.DEVNULL)


def main():
    snarkjs = os.path.join(common.node_modules(), "snarkjs", "build", "cli.cjs")
    with tempfile.TemporaryDirectory() as folder:
        def at(name):
            return os.path.join(folder, name)

        def prove_and_verify(key, witness):
            run("node", snarkjs, "groth16", "prove", key, witness, at("proof.json"), at("public.json"))
            run("node", snarkjs, "zkey", "export", "verificationkey", key, at("vk.json"))
            run("node", snarkjs, "groth16", "verify", at("vk.json"), at("public.json"), at("proof.json"))

        run(PTAU, 5, at("5.ptau"))
        for artifact in common.TINY:
            r1cs = artifact.path(artifact.name + ".r1cs")
            run(SETUP, r1cs, at("ours.zkey"), "--uncontributed")
            run("node", snarkjs, "groth16", "setup", r1cs, at("5.ptau"), at("theirs.zkey"))
            ours, theirs = sections(at("ours.zkey")), sections(at("theirs.zkey"))
            for number in range(1, 10):
                assert ours[number] == theirs[number], f"{artifact.name}: section {number} differs"
            run(SETUP, r1cs, at("ours.zkey"))
            prove_and_verify(at("ours.zkey"), artifact.witness)
            print(artifact.name, "equal, and proofs are accepted")

        for kind in ("dense", "sparse", "skewed"):
            run(GEN, kind, 9, "--r1cs", at("c.r1cs"), "--wtns", at("c.wtns"), "--zkey", at("c.zkey"))
            run("node", snarkjs, "wtns", "check", at("c.r1cs"), at("c.wtns"))
            run(SETUP, at("c.r1cs"), at("ours.zkey"))
            assert common.read(at("ours.zkey")) == common.read(at("c.zkey")), kind
            prove_and_verify(at("c.zkey"), at("c.wtns"))
            print(kind, "satisfied, and proofs are accepted")


main()
