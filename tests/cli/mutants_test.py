#!/usr/bin/env python3
"""More than a thousand damaged copies of each kind of file: a clear error or a right answer, never a crash, a hang, much memory
or a file left behind. mutants_test.py VOUCH [SEED]
"""
import os
import random
import struct
import sys

from hostile import Tests  # first: it makes the folder of common known
import common


def cuts(data, count):
    """The file cut off at `count` places and at every one of its first 64 bytes."""
    for at in sorted(set(range(min(64, len(data)))) | {len(data) * i // count for i in range(count)}):
        yield f"cut at {at}", data[:at]


def container_words(data):
    """Every version, count, section id and length replaced by telling values."""
    fields, at = [(4, "<I"), (8, "<I")], 12
    while at < len(data):
        length = struct.unpack_from("<Q", data, at + 4)[0]
        fields += [(at, "<I"), (at + 4, "<Q")]
        at += 12 + length
    for at, form in fields:
        old = struct.unpack_from(form, data, at)[0]
        top = (1 << 8 * struct.calcsize(form)) - 1
        for value in (0, 1, old - 1, old + 1, 2 * old, old + 64, top, top - 11, top >> 1, 1 << 31):
            if 0 <= value <= top and value != old:
                changed = bytearray(data)
                struct.pack_into(form, changed, at, value)
                yield f"word at {at}: {old} -> {value}", bytes(changed)


def every_word(data, limit):
    """Every aligned 32-bit word among the first `limit` bytes replaced."""
    for at in range(0, min(limit, len(data)) - 3, 4):
        for value in (0, 0xFFFFFFFF, 0x80000000):
            changed = bytearray(data)
            struct.pack_into("<I", changed, at, value)
            yield f"word at {at} -> {value}", bytes(changed)


def flips(data, rng, count):
    for _ in range(count):
        changed = bytearray(data)
        places = [rng.randrange(len(data)) for _ in range(rng.choice((1, 1, 1, 2, 8)))]
        for at in places:
            changed[at] ^= 1 << rng.randrange(8) if rng.random() < 0.5 else rng.randrange(1, 256)
        yield f"bytes at {places} changed", bytes(changed)


def moved(data, rng, count):
    """A stretch removed, repeated, zeroed or exchanged with another."""
    for _ in range(count):
        a, b = sorted(rng.randrange(len(data)) for _ in range(2))
        b = min(b, a + rng.choice((1, 4, 32, 64, 1000)))
        kind = rng.choice(("removed", "repeated", "zeroed", "filled"))
        middle = {"removed": b"", "repeated": data[a:b] * 2, "zeroed": bytes(b - a), "filled": b"\xff" * (b - a)}[kind]
        yield f"bytes {a}..{b} {kind}", data[:a] + middle + data[b:]


def digits(data, rng, count):
    """JSON with characters exchanged for others that matter."""
    for _ in range(count):
        changed = bytearray(data)
        at = rng.randrange(len(data))
        changed[at : at + 1] = rng.choice((b"0", b"9", b'"', b"[", b"]", b"{", b"}", b",", b":", b"-", b"\\", b"\x00", b"\xff", b"e", b""))
        yield f"character at {at} changed", bytes(changed)


class Mutants:
    def __init__(self, t):
        self.t, self.count, self.accepted = t, 0, 0

    def answer(self, name, done, written=(), tells=False):
        """True if accepted. `written`: the files that exist then, and only then. `tells`: what is known is printed before an
        error."""
        t, lines = self.t, done.err.splitlines()
        t.checks.check(name, done.status in (0, 1), f"exit status {done.status}: {done.err[-300:]}")
        if done.status:
            t.checks.check(name + ": one line", len(lines) == 1 and lines[0].startswith("error: ") and (tells or done.out == ""), f"{done.out}{done.err}")
        t.small(name, done)
        here = {f for f in os.listdir(t.folder) if f.startswith("new")}
        t.checks.check(name + ": files", here == (set(written) if done.status == 0 else set()), str(here))
        self.count += 1
        return done.status == 0

    def key(self, name, data):
        t = self.t
        t.write("bad.zkey", data)
        if self.answer("key, " + name, t.run(*t.prove("bad.zkey")), ("new-proof.json", "new-public.json")):
            self.accepted += 1
            t.accepted(f"key, {name}: accepted, so its proof is right", *t.verify("vkey.json", "new-public.json", "new-proof.json"))
            for f in ("new-proof.json", "new-public.json"):
                os.unlink(t.path(f))

    def witness(self, name, data):
        t = self.t
        t.write("bad.wtns", data)
        proved = self.answer("witness, " + name, t.run(*t.prove("key.zkey", "bad.wtns")), ("new-proof.json", "new-public.json"))
        if proved:
            self.accepted += 1
            t.accepted(f"witness, {name}: accepted, so its proof is right", *t.verify("vkey.json", "new-public.json", "new-proof.json"))
            for f in ("new-proof.json", "new-public.json"):
                os.unlink(t.path(f))
        checked = self.answer(f"witness, {name}, wtns check", t.run("wtns", "check", "c.r1cs", "bad.wtns"))
        t.checks.check(f"witness, {name}: prove and wtns check agree", proved == checked, f"{proved} and {checked}")

    def r1cs(self, name, data):
        self.t.write("bad.r1cs", data)
        self.answer(f"r1cs, {name}, info", self.t.run("r1cs", "info", "bad.r1cs"), tells=True)
        self.answer(f"r1cs, {name}, check", self.t.run("wtns", "check", "bad.r1cs", "w.wtns"))

    def info(self, name, data):
        self.t.write("bad.file", data)
        self.answer(f"info, {name}", self.t.run("info", "bad.file"), tells=True)

    def json(self, which, name, data):
        t = self.t
        t.write("bad.json", data)
        files = ["vkey.json", "public.json", "proof.json"]
        files[which] = "bad.json"
        if self.answer(f"{files}, {name}", t.run(*t.verify(*files))):
            self.accepted += 1  # only where white space or an unread member changed; the values must be the same
            value = [common.read_json(t.path(f)) for f in ("bad.json", ("vkey.json", "public.json", "proof.json")[which])]
            for v in value:
                if isinstance(v, dict):
                    v.pop("vk_alphabeta_12", None)
            known = [{k: v[k] for k in value[1]} if isinstance(v, dict) else v for v in value]
            t.checks.check(f"{files}, {name}: accepted with the same values", known[0] == known[1])


def main():
    t = Tests(sys.argv[1])
    m = Mutants(t)
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    key, wtns, r1cs = (common.read(t.path(f)) for f in ("key.zkey", "w.wtns", "c.r1cs"))
    for mutants in (cuts(key, 40), container_words(key), flips(key, rng, 250), moved(key, rng, 80)):
        for name, data in mutants:
            m.key(name, data)
    for mutants in (cuts(wtns, 20), container_words(wtns), every_word(wtns, 68), flips(wtns, rng, 60), moved(wtns, rng, 30)):
        for name, data in mutants:
            m.witness(name, data)
    for mutants in (cuts(r1cs, 20), container_words(r1cs), every_word(r1cs, 400), flips(r1cs, rng, 100), moved(r1cs, rng, 40)):
        for name, data in mutants:
            m.r1cs(name, data)
    for which, file in enumerate(("vkey.json", "public.json", "proof.json")):
        text = common.read(t.path(file))
        for mutants in (cuts(text, 10), digits(text, rng, 80), moved(text, rng, 30)):
            for name, data in mutants:
                m.json(which, name, data)
    for name, data in [*flips(key, rng, 60), *flips(wtns, rng, 20), *flips(r1cs, rng, 40), *cuts(key, 20)]:
        m.info(name, data)
    print(f"{m.count} mutants, {m.accepted} accepted with a right answer")
    t.checks.check("enough mutants", m.count >= 500)
    t.finish()


if __name__ == "__main__":
    main()
