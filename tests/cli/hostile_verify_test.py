#!/usr/bin/env python3
"""What verify must refuse, each with its own sentence: hostile_verify_test.py VOUCH"""
import copy
import json
import os
import sys

import iden3
import oracle
from hostile import VECTORS, Tests
from iden3 import P, R
import common

EQUATION = "proof.json: the pairing equation does not hold: the proof is not valid for this key and these public signals"
LARGE = "is not below the field's modulus; every value has one spelling"


class Statement:
    """The good files as values to be changed."""

    def __init__(self, t):
        self.t = t
        self.vkey, self.public, self.proof = (json.loads(common.read(t.path(f))) for f in ("vkey.json", "public.json", "proof.json"))

    def refused(self, name, message, change):
        """`change` gets (vkey, public, proof) and returns them, or changes them in place."""
        parts = [copy.deepcopy(p) for p in (self.vkey, self.public, self.proof)]
        changed = change(*parts)
        for file, value in zip(("bad-vkey.json", "bad-public.json", "bad-proof.json"), changed or parts):
            self.t.write(file, value if isinstance(value, bytes) else json.dumps(value))
        self.t.refused(name, message, *self.t.verify("bad-vkey.json", "bad-public.json", "bad-proof.json"))


def put(part, *path_and_value):
    """A change: put(2, 'pi_a', 0, '7') sets proof['pi_a'][0] to '7'."""
    *path, last, value = path_and_value

    def change(*parts):
        at = parts[part]
        for step in path:
            at = at[step]
        if value is DELETE:
            del at[last]
        else:
            at[last] = value
    return change


def replace(part, value):
    return lambda *parts: [value if i == part else p for i, p in enumerate(parts)]


DELETE = object()
VKEY, PUBLIC, PROOF = range(3)


def publics(s):
    p = "bad-public.json: public signal 0 "
    s.refused("public + r", p + LARGE, put(PUBLIC, 0, str(1155 + R)))
    s.refused("public = r", p + LARGE, put(PUBLIC, 0, str(R)))
    s.refused("public = 2^256 + 1155", p + LARGE, put(PUBLIC, 0, str(2**256 + 1155)))
    s.refused("a public of 100,000 digits", p + LARGE, put(PUBLIC, 0, "9" * 100000))
    s.refused("another public", "bad-" + EQUATION, put(PUBLIC, 0, "1156"))
    s.refused("hexadecimal", p + "is hexadecimal; only decimal strings are read", put(PUBLIC, 0, "0x483"))
    s.refused("a number", p + "is the number 1155 instead of a decimal string", put(PUBLIC, 0, 1155))
    for value, what in ((None, "null"), (True, "true or false"), ([], "an array"), ({}, "an object")):
        s.refused(what, p + f"is {what} instead of a decimal string", put(PUBLIC, 0, value))
    s.refused("a sign", p + "has a sign; only digits are allowed", put(PUBLIC, 0, "-1"))
    s.refused("a plus sign", p + "has a sign; only digits are allowed", put(PUBLIC, 0, "+1155"))
    s.refused("a leading zero", p + "has a leading zero; every value has one spelling", put(PUBLIC, 0, "01155"))
    s.refused("an empty string", p + "is an empty string", put(PUBLIC, 0, ""))
    for text in (" 1155", "1155 ", "1 155", "1155\n", "1.0", "1e3", "\u0661"):
        s.refused(f"{text!r}", p + "is not a decimal number", put(PUBLIC, 0, text))
    for n in (0, 1, 3):
        s.refused(f"{n} publics", f"bad-public.json: has {n} public signals, but bad-vkey.json is for a circuit with 2",
                  replace(PUBLIC, (s.public + ["0"])[:n]))
    s.refused("an object", "bad-public.json: expected an array of public signals, but the file holds an object", replace(PUBLIC, {"0": "1155"}))
    s.refused("text", "bad-public.json: expected public signals in JSON, but this looks like text", replace(PUBLIC, b"1155 3"))
    s.refused("an empty file", "bad-public.json: the file is empty", replace(PUBLIC, b""))
    s.refused("cut off", "bad-public.json: is damaged or not JSON: cannot be read beyond byte 8", replace(PUBLIC, b'["1155"'))
    s.refused("something after the array", "bad-public.json: is damaged or not JSON: cannot be read beyond byte 14", replace(PUBLIC, b'["1155","3"] x'))


def proofs(s):
    b = "bad-proof.json: "
    for path, modulus in ((("pi_a", 0), P), (("pi_a", 1), P), (("pi_b", 0, 0), P), (("pi_b", 0, 1), P), (("pi_b", 1, 0), P),
                          (("pi_b", 1, 1), P), (("pi_c", 0), P), (("pi_c", 1), P)):
        value = s.proof
        for step in path:
            value = value[step]
        name = path[0] + "".join(f"[{i}]" for i in path[1:])
        s.refused(f"{name} + q", b + f"{name} {LARGE}", put(PROOF, *path, str(int(value) + modulus)))
        s.refused(f"{name} + 1", b + f"{path[0]} is not on the curve", put(PROOF, *path, str((int(value) + 1) % P)))
        s.refused(f"{name} as a number", b + f"{name} is the number 5 instead of a decimal string", put(PROOF, *path, 5))
        s.refused(f"{name} in hexadecimal", b + f"{name} is hexadecimal; only decimal strings are read", put(PROOF, *path, hex(int(value))))
    for key in ("pi_a", "pi_b", "pi_c", "protocol"):
        s.refused(f"{key} missing", b + f"{key} is missing", put(PROOF, key, DELETE))
    for key in ("pi_a", "pi_b", "pi_c"):
        s.refused(f"{key} of two elements", b + f"{key} has 2 elements instead of 3", put(PROOF, key, s.proof[key][:2]))
        s.refused(f"{key} a string", b + f"{key} is a string instead of an array", put(PROOF, key, "1"))
        one = ["1", "0"] if key == "pi_b" else "1"
        for third in ("0", "2"):
            third = [third, "0"] if key == "pi_b" else third
            s.refused(f"{key} with third coordinate {third}", b + f"{key} is not normalized: its third coordinate must be 1", put(PROOF, key, 2, third))
        zero = ["0", "0"] if key == "pi_b" else "0"
        s.refused(f"{key} = (0, 0)", b + f"{key} is not on the curve", put(PROOF, key, [zero, zero, one]))
        s.refused(f"{key} = infinity", "bad-" + EQUATION, put(PROOF, key, [zero, one, zero]))
    (x0, x1), (y0, y1) = iden3.g2_outside_subgroup()
    s.refused("pi_b outside the subgroup", b + "pi_b is not in the subgroup of order r",
              put(PROOF, "pi_b", [[str(x0), str(x1)], [str(y0), str(y1)], ["1", "0"]]))
    negated = [s.proof["pi_a"][0], str(P - int(s.proof["pi_a"][1])), "1"]
    s.refused("pi_a negated", "bad-" + EQUATION, put(PROOF, "pi_a", negated))
    s.refused("pi_a and pi_c exchanged", "bad-" + EQUATION, replace(PROOF, {**s.proof, "pi_a": s.proof["pi_c"], "pi_c": s.proof["pi_a"]}))
    for other in ("plonk", "fflonk", "GROTH16", ""):
        s.refused(f"protocol {other}", b + f'protocol is "{other}"; vouch verifies only "groth16"', put(PROOF, "protocol", other))
    for other in ("bls12381", "bn254"):
        s.refused(f"curve {other}", b + f'curve is "{other}"; vouch verifies only "bn128"', put(PROOF, "curve", other))
    s.refused("an array", b + "expected a proof, but the file holds an array", replace(PROOF, []))
    s.refused("an empty file", b + "the file is empty", replace(PROOF, b""))
    s.refused("binary", b + "expected a proof in JSON, but this looks like a witness (.wtns)", replace(PROOF, common.read(s.t.path("w.wtns"))))
    text = common.read(s.t.path("proof.json"))
    s.refused("a member twice", b + 'the member "pi_a" appears twice', replace(PROOF, text.rstrip()[:-1] + b',"pi_a":["1","2","1"]}'))
    s.refused("100,000 open brackets", b + "is nested more deeply than any such file", replace(PROOF, b"[" * 100000))
    with open(os.path.join(VECTORS, "edge_puball/proof.json"), encoding="utf-8") as f:
        s.refused("the proof of another circuit", "bad-" + EQUATION, replace(PROOF, json.load(f)))
    # rapidsnark writes no curve: accepted.
    s.t.write("short.json", json.dumps({k: v for k, v in s.proof.items() if k != "curve"}, separators=(",", ":")))
    s.t.accepted("rapidsnark's form", *s.t.verify("vkey.json", "public.json", "short.json"))


def keys(s):
    v = "bad-vkey.json: "
    for key in ("protocol", "curve", "nPublic", "vk_alpha_1", "vk_beta_2", "vk_gamma_2", "vk_delta_2", "IC"):
        s.refused(f"{key} missing", v + f"{key} is missing", put(VKEY, key, DELETE))
    for other in ("plonk", "fflonk"):
        s.refused(f"protocol {other}", v + f'protocol is "{other}"; vouch verifies only "groth16"', put(VKEY, "protocol", other))
    with open(os.path.join(VECTORS, "bls_mul3/verification_key.json"), encoding="utf-8") as f:
        s.refused("a key over BLS12-381", v + 'curve is "bls12381"; vouch verifies only "bn128"', replace(VKEY, json.load(f)))
    s.refused("nPublic too large", v + "nPublic is 3, but IC has 3 points, one more than there are public signals", put(VKEY, "nPublic", 3))
    s.refused("nPublic a string", v + "nPublic is a string instead of a number", put(VKEY, "nPublic", "2"))
    s.refused("IC empty", v + "IC is empty", put(VKEY, "IC", []))
    s.refused("IC[1] off the curve", v + "IC[1] is not on the curve", put(VKEY, "IC", 1, 0, "5"))
    s.refused("IC[2] + q", v + f"IC[2][0] {LARGE}", put(VKEY, "IC", 2, 0, str(int(s.vkey["IC"][2][0]) + P)))
    for key, zero, one in (("vk_alpha_1", "0", "1"), ("vk_beta_2", ["0", "0"], ["1", "0"]), ("vk_gamma_2", ["0", "0"], ["1", "0"]),
                           ("vk_delta_2", ["0", "0"], ["1", "0"])):
        s.refused(f"{key} = infinity", v + KEY_INFINITY.format(key.replace("vk_", "").replace("_", "")), put(VKEY, key, [zero, one, zero]))
    (x0, x1), (y0, y1) = iden3.g2_outside_subgroup()
    for key in ("vk_beta_2", "vk_gamma_2", "vk_delta_2"):
        s.refused(f"{key} outside the subgroup", v + f"{key} is not in the subgroup of order r", put(VKEY, key, [[str(x0), str(x1)], [str(y0), str(y1)], ["1", "0"]]))
    s.refused("gamma = delta", v + GAMMA_DELTA, put(VKEY, "vk_delta_2", s.vkey["vk_gamma_2"]))
    with open(os.path.join(VECTORS, "edge_nocons/verification_key.json"), encoding="utf-8") as f:
        other = json.load(f)
    s.refused("the key of another circuit", "bad-public.json: has 2 public signals, but bad-vkey.json is for a circuit with 1", replace(VKEY, other))
    s.refused("the proof in place of the key", v + 'vk_alpha_1 is missing', replace(VKEY, {**s.proof}))
    s.refused("an empty file", v + "the file is empty", replace(VKEY, b""))
    s.refused("a .zkey", v + "expected a verification key in JSON, but this looks like a Groth16 proving key (.zkey)", replace(VKEY, common.read(s.t.path("key.zkey"))))


KEY_INFINITY = "verifying key: {} is the point at infinity"
GAMMA_DELTA = ("vk_gamma_2 equals vk_delta_2: nobody has contributed to the second phase of this key, so anyone can forge proofs "
               "(--allow-insecure-key verifies all the same)")


def no_publics(t):
    folder = os.path.join(VECTORS, "edge_pub0")
    for text in ("[\n]", "[]", "[ ]\n"):
        t.write("none.json", text)
        t.accepted(f"no publics as {text!r}", *t.verify(os.path.join(folder, "verification_key.json"), "none.json", os.path.join(folder, "proof.json")))
    for text, what in (("null", None), ("{}", "an object")):
        t.write("none.json", text)
        message = ("none.json: expected public signals in JSON, but this looks like text" if what is None else
                   f"none.json: expected an array of public signals, but the file holds {what}")
        t.refused(f"no publics as {text}", message, *t.verify(os.path.join(folder, "verification_key.json"), "none.json", os.path.join(folder, "proof.json")))


def large(s):
    """Much JSON takes little memory: it is refused before it is stored."""
    s.refused("two million numbers", "bad-public.json: public signal 0 is the number 1 instead of a decimal string", replace(PUBLIC, b"[" + b"1," * 1_999_999 + b"1]"))
    s.refused("two million strings", "bad-public.json: has 2000000 public signals, but bad-vkey.json is for a circuit with 2", replace(PUBLIC, b"[" + b'"1",' * 1_999_999 + b'"1"]'))


def main():
    t = Tests(sys.argv[1])
    s = Statement(t)
    for group in (publics, proofs, keys):
        group(s)
    no_publics(t)
    done = t.accepted("the good proof", *t.verify())
    t.checks.check("OK! is printed", done.out == "OK!\n", done.out)
    large(s)  # last: what this process holds counts as its children's memory
    t.finish()


if __name__ == "__main__":
    main()
