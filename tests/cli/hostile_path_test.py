#!/usr/bin/env python3
"""Swapped arguments, strange inputs, outputs that cannot be written: hostile_path_test.py VOUCH"""
import os
import sys

from hostile import Tests, limit_file_size
import common


def swapped(t):
    key = "expected a proving key (.zkey), but this looks like "
    witness = "expected a witness (.wtns), but this looks like "
    t.refused("key and witness exchanged", "w.wtns: " + key + "a witness (.wtns)", *t.prove("w.wtns", "key.zkey"))
    t.refused("a .r1cs as key", "c.r1cs: " + key + "a constraint system (.r1cs)", *t.prove("c.r1cs"))
    t.refused("JSON as key", "vkey.json: " + key + "a verification key in JSON", *t.prove("vkey.json"))
    t.refused("a key as witness", "key.zkey: " + witness + "a Groth16 proving key (.zkey)", *t.prove("key.zkey", "key.zkey"))
    t.refused("JSON as witness", "public.json: " + witness + "a JSON array (public signals, perhaps)", *t.prove("key.zkey", "public.json"))
    t.refused("a proof as witness", "proof.json: " + witness + "a proof in JSON", *t.prove("key.zkey", "proof.json"))
    t.refused("public and proof exchanged", "proof.json: expected an array of public signals, but the file holds an object",
              *t.verify("vkey.json", "proof.json", "public.json"))
    t.refused("proof and key exchanged", "proof.json: vk_alpha_1 is missing", *t.verify("proof.json", "public.json", "vkey.json"))
    t.refused("a .zkey as verification key", "key.zkey: expected a verification key in JSON, but this looks like a Groth16 proving key (.zkey)",
              *t.verify("key.zkey"))
    for name, data, what in (("page", b"<html>not found</html>", "HTML or XML"), ("lfs", b"version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer, not the file itself"),
                             ("zeros", bytes(4096), "zero bytes (a download that was cut off, perhaps)"), ("gz", b"\x1f\x8b\x08\0abc", "a gzip archive"),
                             ("circom", b"pragma circom 2.0.0;\n", "circom source"), ("noise", b"\x80\x01\xff\x00abc", "none of the formats vouch knows")):
        t.write(name, data)
        t.refused(f"{what} as key", f"{name}: " + key + what, *t.prove(name))
        os.unlink(t.path(name))


def inputs(t):
    os.mkdir(t.path("folder"))
    t.refused("a folder as key", "folder: is a directory, not a file", *t.prove("folder"))
    t.refused("a folder as witness", "folder: is a directory, not a file", *t.prove("key.zkey", "folder"))
    t.refused("no such key", "absent.zkey: cannot open: No such file or directory", *t.prove("absent.zkey"))
    t.refused("no such witness", "absent: cannot open: No such file or directory", *t.prove("key.zkey", "absent"))
    for position in range(3):
        files = ["vkey.json", "public.json", "proof.json"]
        files[position] = "absent"
        t.refused(f"verify without file {position}", "absent: cannot open: No such file or directory", *t.verify(*files))
    os.mkfifo(t.path("pipe"))
    t.refused("a pipe nobody writes to", "pipe: is not a regular file", *t.prove("pipe"))
    t.refused("/dev/null", "/dev/null: is not a regular file", *t.prove("/dev/null"))
    t.refused("/dev/zero", "/dev/zero: is not a regular file", *t.prove("/dev/zero"))
    t.write("secret.zkey", b"zkey")
    os.chmod(t.path("secret.zkey"), 0)
    if os.geteuid() != 0:
        t.refused("an unreadable key", "secret.zkey: cannot open: Permission denied", *t.prove("secret.zkey"))
    else:  # root reads everything; as nobody, the file and its folder are out of reach
        os.chmod(t.folder, 0o755)
        t.refused("an unreadable key", "secret.zkey: cannot open: Permission denied", *t.prove("secret.zkey"), prepare=lambda: os.setuid(65534))
    os.unlink(t.path("secret.zkey"))
    os.unlink(t.path("pipe"))


def prove_to(proof, public):
    return "groth16", "prove", "key.zkey", "w.wtns", proof, public


def outputs(t):
    absent = os.path.join(os.path.realpath(t.folder), "absent")
    t.refused("proof into no folder", f"absent/p.json: cannot write: there is no folder {absent}", *prove_to("absent/p.json", "q.json"))
    t.refused("public into no folder", f"absent/q.json: cannot write: there is no folder {absent}", *prove_to("p.json", "absent/q.json"))
    t.refused("proof onto a folder", "folder: cannot write: it is a directory", *prove_to("folder", "q.json"))
    t.refused("public onto a folder", "folder: cannot write: it is a directory", *prove_to("p.json", "folder"))
    t.refused("both outputs the same", "p.json: is named for two outputs", *prove_to("p.json", "p.json"), status=2)
    t.refused("both outputs the same, by another name", "./p.json: is named for two outputs", *prove_to("p.json", "./p.json"), status=2)
    t.refused("the tables are the proof", "./p.json: is named for two outputs", *prove_to("p.json", "q.json"), "--tables", "./p.json", status=2)
    t.refused("proof over the key", "key.zkey: is both an input and an output", *prove_to("key.zkey", "q.json"), status=2)
    t.refused("public over the witness", "./w.wtns: is both an input and an output", *prove_to("p.json", "./w.wtns"), status=2)
    t.refused("/dev/full", "/dev/full: cannot write: No space left on device", *prove_to("p.json", "/dev/full"))
    t.refused("disk full", "p.json: cannot write: File too large", *prove_to("p.json", "q.json"), prepare=limit_file_size(100))
    t.refused("disk full at the second file", "q.json: cannot write: File too large", *prove_to("/dev/null", "q.json"), prepare=limit_file_size(5))
    t.refused("export onto a full disk", "v.json: cannot write: File too large", "zkey", "export", "verificationkey", "key.zkey", "v.json", prepare=limit_file_size(100))
    t.refused("export into no folder", f"absent/v.json: cannot write: there is no folder {absent}", "zkey", "export", "verificationkey", "key.zkey", "absent/v.json")
    # What was there before survives a failure.
    t.write("p.json", "old")
    t.refused("disk full over an old proof", "p.json: cannot write: File too large", *prove_to("p.json", "q.json"), prepare=limit_file_size(100))
    t.checks.check("the old proof is still there", common.read(t.path("p.json")) == b"old")
    bad = bytearray(common.read(t.path("w.wtns")))
    bad[-32] ^= 1
    t.write("bad.wtns", bytes(bad))
    t.refused("wrong witness over an old proof", "bad.wtns: the witness does not satisfy the circuit of key.zkey (a proof made from it does not verify); "
              "no proof was written. To name the constraint: vouch wtns check CIRCUIT.r1cs bad.wtns", "groth16", "prove", "key.zkey", "bad.wtns", "p.json", "q.json")
    t.checks.check("the old proof is still there", common.read(t.path("p.json")) == b"old")
    os.unlink(t.path("bad.wtns"))
    os.chmod(t.folder, 0o555)
    t.refused("a folder without write permission", "new.json: cannot write: Permission denied", *prove_to("new.json", "q.json"), prepare=drop_privileges)
    os.chmod(t.folder, 0o755)
    t.accepted("over an old proof", *prove_to("p.json", "q.json"))
    t.accepted("over an old proof: it verifies", *t.verify("vkey.json", "q.json", "p.json"))


def drop_privileges():
    if os.geteuid() == 0:
        os.setuid(65534)


def main():
    t = Tests(sys.argv[1])
    for group in (swapped, inputs, outputs):
        group(t)
    t.finish()


if __name__ == "__main__":
    main()
