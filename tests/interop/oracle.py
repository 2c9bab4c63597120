#!/usr/bin/env python3
"""An independent Groth16 prover over BN254 in plain Python integers: the oracle our proofs are compared with.

It shares no code and no method with the product: no Montgomery form after reading, textbook transforms, Jacobian
buckets. With r and s pinned a proof is unique, so the files it writes must equal ours byte for byte.

  oracle.py KEY WITNESS R S PROOF PUBLIC      one proof
  oracle.py --pinned DIR KEY WITNESS          DIR/<name>.proof.json for every pair of PAIRS, DIR/blinders.json,
                                              DIR/public.json
"""
import argparse
import json
import os
import struct
import sys

P = 21888242871839275222246405745257275088696311157297823662689037894645226208583  # base field
R = 21888242871839275222246405745257275088548364400416034343698204186575808495617  # scalar field
MONT_P = pow(1 << 256, -1, P)  # a coordinate is stored as x * 2^256
MONT_R2 = pow(1 << 512, -1, R)  # a coefficient is stored as v * 2^512
ROOT28 = pow(5, (R - 1) >> 28, R)  # primitive 2^28-th root of unity

# Blinders of the golden proofs: none, one of each, small, large, the edges of the range.
PAIRS = [
    ("r0_s0", 0, 0),
    ("r1_s0", 1, 0),
    ("r0_s1", 0, 1),
    ("r1_s2", 1, 2),
    ("r_max_s_max", R - 1, R - 1),
    ("r_max_s1", R - 1, 1),
    ("r_2_128_s_2_253", 1 << 128, 1 << 253),
    ("large", 0x1F3A94C5D07E62B8A1C9F45E3D7B20861A5CE0F97B384D2160F8A3E5C7D91B42,
     0x2B7D10E3F894A65C0D3E7F2918B6C54A0F1E8D7C6B5A49382716F5E4D3C2B1A0),
]


class FormatError(Exception):
    pass


# Files ---------------------------------------------------------------------------------------------------------


def sections(path, magic):
    """id -> payload of an iden3 binary container."""
    with open(path, "rb") as f:
        data = f.read()
    if data[:4] != magic:
        raise FormatError(f"{path}: magic is {data[:4]!r}, not {magic!r}")
    _, count = struct.unpack_from("<II", data, 4)
    out, at = {}, 12
    for _ in range(count):
        ident, length = struct.unpack_from("<IQ", data, at)
        at += 12
        if at + length > len(data) or ident in out:
            raise FormatError(f"{path}: section {ident} is truncated or repeated")
        out[ident] = data[at : at + length]
        at += length
    return out


def le(data, at=0, size=32):
    return int.from_bytes(data[at : at + size], "little")


def coordinate(data, at):
    return le(data, at) * MONT_P % P


def g1(data, at=0):
    x, y = coordinate(data, at), coordinate(data, at + 32)
    return None if x == 0 and y == 0 else (x, y)


def g2(data, at=0):
    c = [coordinate(data, at + 32 * i) for i in range(4)]
    return None if not any(c) else ((c[0], c[1]), (c[2], c[3]))


class Key:
    def __init__(self, path):
        s = sections(path, b"zkey")
        h = s[2]
        if le(s[1], 0, 4) != 1 or le(h, 4) != P or le(h, 40) != R:
            raise FormatError(f"{path}: not a Groth16 key over BN254")
        self.wires, self.publics, self.domain = struct.unpack_from("<III", h, 72)
        self.alpha1, self.beta1, self.beta2 = g1(h, 84), g1(h, 148), g2(h, 212)
        self.delta1, self.delta2 = g1(h, 468), g2(h, 532)
        self.coefficients = s[4]
        self.a = [g1(s[5], i) for i in range(0, 64 * self.wires, 64)]
        self.b1 = [g1(s[6], i) for i in range(0, 64 * self.wires, 64)]
        self.b2 = [g2(s[7], i) for i in range(0, 128 * self.wires, 128)]
        self.c = [g1(s[8], i) for i in range(0, 64 * (self.wires - self.publics - 1), 64)]
        self.h = [g1(s[9], i) for i in range(0, 64 * self.domain, 64)]


def witness(path):
    s = sections(path, b"wtns")
    count = le(s[1], 36, 4)
    if le(s[1], 4) != R or len(s[2]) != 32 * count:
        raise FormatError(f"{path}: not a witness over BN254, or truncated")
    return [le(s[2], i) for i in range(0, 32 * count, 32)]


# H -------------------------------------------------------------------------------------------------------------


def transform(values, root):
    """Values of the polynomial with these coefficients at 1, root, root^2, ..."""
    n = len(values)
    bits = n.bit_length() - 1
    v = [values[int(f"{i:0{bits}b}"[::-1], 2)] for i in range(n)] if bits else list(values)
    half = 1
    while half < n:
        step = pow(root, n // (2 * half), R)
        twiddles = [1]
        for _ in range(half - 1):
            twiddles.append(twiddles[-1] * step % R)
        for start in range(0, n, 2 * half):
            for k in range(half):
                low, high = v[start + k], v[start + k + half] * twiddles[k] % R
                v[start + k] = (low + high) % R
                v[start + k + half] = (low - high) % R
        half *= 2
    return v


def to_coset(values, power):
    """From values on the 2^power-th roots to values on the same roots times inc."""
    n = 1 << power
    root = pow(ROOT28, 1 << (28 - power), R)
    inc = 25 if power == 28 else pow(ROOT28, 1 << (27 - power), R)
    coefficients = transform(values, pow(root, -1, R))
    scale = pow(n, -1, R)
    for i in range(n):
        coefficients[i] = coefficients[i] * scale % R
        scale = scale * inc % R
    return transform(coefficients, root)


def h_scalars(key, w):
    rows = [[0] * key.domain, [0] * key.domain]
    data = key.coefficients
    for i in range(le(data, 0, 4)):
        matrix, row, wire = struct.unpack_from("<III", data, 4 + 44 * i)
        value = le(data, 16 + 44 * i) * MONT_R2 % R
        rows[matrix][row] = (rows[matrix][row] + value * w[wire]) % R
    a, b = rows
    c = [x * y % R for x, y in zip(a, b)]
    power = key.domain.bit_length() - 1
    a, b, c = (to_coset(v, power) for v in (a, b, c))
    return [(x * y - z) % R for x, y, z in zip(a, b, c)]


# Curves --------------------------------------------------------------------------------------------------------


class Base:
    """The integers mod P."""

    zero, one = 0, 1
    mul = staticmethod(lambda a, b: a * b % P)
    add = staticmethod(lambda a, b: (a + b) % P)
    sub = staticmethod(lambda a, b: (a - b) % P)
    inverse = staticmethod(lambda a: pow(a, -1, P))


class Quadratic:
    """Base[u] / (u^2 + 1)."""

    zero, one = (0, 0), (1, 0)

    @staticmethod
    def mul(a, b):
        x, y = a[0] * b[0], a[1] * b[1]
        return (x - y) % P, ((a[0] + a[1]) * (b[0] + b[1]) - x - y) % P

    add = staticmethod(lambda a, b: ((a[0] + b[0]) % P, (a[1] + b[1]) % P))
    sub = staticmethod(lambda a, b: ((a[0] - b[0]) % P, (a[1] - b[1]) % P))

    @staticmethod
    def inverse(a):
        n = pow(a[0] * a[0] + a[1] * a[1], -1, P)
        return a[0] * n % P, -a[1] * n % P


class Group:
    """y^2 = x^3 + b in Jacobian coordinates (X/Z^2, Y/Z^3). Infinity is None, in affine form too."""

    def __init__(self, field):
        self.f = field

    def double(self, p):
        if p is None:
            return None
        mul, add, sub = self.f.mul, self.f.add, self.f.sub
        x, y, z = p
        if y == self.f.zero:
            return None
        a, b = mul(x, x), mul(y, y)
        c = mul(b, b)
        d = mul(x, b)
        d = add(add(d, d), add(d, d))  # 4 x y^2
        e = add(add(a, a), a)  # 3 x^2
        x3 = sub(mul(e, e), add(d, d))
        c = add(c, c)
        c = add(c, c)
        y3 = sub(mul(e, sub(d, x3)), add(c, c))
        yz = mul(y, z)
        return x3, y3, add(yz, yz)

    def add(self, p, q):
        if p is None or q is None:
            return p or q
        mul, sub = self.f.mul, self.f.sub
        zz1, zz2 = mul(p[2], p[2]), mul(q[2], q[2])
        u1, u2 = mul(p[0], zz2), mul(q[0], zz1)
        s1, s2 = mul(p[1], mul(q[2], zz2)), mul(q[1], mul(p[2], zz1))
        return self._finish(p, u1, s1, sub(u2, u1), sub(s2, s1), mul(p[2], q[2]))

    def add_affine(self, p, q):
        if q is None:
            return p
        if p is None:
            return q[0], q[1], self.f.one
        mul, sub = self.f.mul, self.f.sub
        x, y, z = p
        zz = mul(z, z)
        return self._finish(p, x, y, sub(mul(q[0], zz), x), sub(mul(q[1], mul(z, zz)), y), z)

    def _finish(self, p, u1, s1, h, r, z):
        mul, sub = self.f.mul, self.f.sub
        if h == self.f.zero:
            return self.double(p) if r == self.f.zero else None
        hh = mul(h, h)
        hhh = mul(h, hh)
        v = mul(u1, hh)
        x3 = sub(sub(sub(mul(r, r), hhh), v), v)
        return x3, sub(mul(r, sub(v, x3)), mul(s1, hhh)), mul(z, h)

    def affine(self, p):
        if p is None:
            return None
        i = self.f.inverse(p[2])
        ii = self.f.mul(i, i)
        return self.f.mul(p[0], ii), self.f.mul(p[1], self.f.mul(i, ii))

    def times(self, k, p):
        """k times an affine point."""
        out = None
        for bit in bin(k)[2:]:
            out = self.double(out)
            if bit == "1":
                out = self.add_affine(out, p)
        return out

    def msm(self, scalars, points):
        """Buckets per window of c bits, most significant window first."""
        terms = [(k, p) for k, p in zip(scalars, points) if k and p is not None]
        c = max(2, len(terms).bit_length() - 3)
        top = max((k.bit_length() for k, _ in terms), default=0)
        total = None
        for shift in range((top + c - 1) // c * c - c, -1, -c):
            for _ in range(c):
                total = self.double(total)
            buckets = [None] * (1 << c)
            for k, p in terms:
                digit = k >> shift & (1 << c) - 1
                if digit:
                    buckets[digit] = self.add_affine(buckets[digit], p)
            running = weighted = None
            for bucket in reversed(buckets[1:]):
                running = self.add(running, bucket)
                weighted = self.add(weighted, running)
            total = self.add(total, weighted)
        return total

    def sum(self, *points):
        out = None
        for p in points:
            out = self.add(out, p)
        return out


G1, G2 = Group(Base), Group(Quadratic)


# Proof ---------------------------------------------------------------------------------------------------------


class Prover:
    """The part that does not depend on the blinders is computed once."""

    def __init__(self, key, w):
        if len(w) != key.wires:
            raise FormatError(f"the witness has {len(w)} values, the key {key.wires} wires")
        self.key, self.w = key, w
        self.a = G1.add_affine(G1.msm(w, key.a), key.alpha1)
        self.b1 = G1.add_affine(G1.msm(w, key.b1), key.beta1)
        self.b2 = G2.add_affine(G2.msm(w, key.b2), key.beta2)
        self.c = G1.add(G1.msm(w[key.publics + 1 :], key.c), G1.msm(h_scalars(key, w), key.h))

    def prove(self, r, s):
        key = self.key
        a = G1.affine(G1.add(self.a, G1.times(r, key.delta1)))
        b1 = G1.affine(G1.add(self.b1, G1.times(s, key.delta1)))
        b2 = G2.affine(G2.add(self.b2, G2.times(s, key.delta2)))
        c = G1.affine(G1.sum(self.c, G1.times(s, a), G1.times(r, b1), G1.times(-r * s % R, key.delta1)))
        return {"pi_a": decimal_g1(a), "pi_b": decimal_g2(b2), "pi_c": decimal_g1(c),
                "protocol": "groth16", "curve": "bn128"}

    def public(self):
        return [str(v) for v in self.w[1 : self.key.publics + 1]]


def decimal_g1(p):
    return ["0", "1", "0"] if p is None else [str(p[0]), str(p[1]), "1"]


def decimal_g2(p):
    if p is None:
        return [["0", "0"], ["1", "0"], ["0", "0"]]
    return [[str(v) for v in p[0]], [str(v) for v in p[1]], ["1", "0"]]


def text(value):
    """The bytes snarkjs writes: one space of indent, no final newline, an empty array over two lines."""
    return "[\n]" if value == [] else json.dumps(value, indent=1)


def write(path, value):
    with open(path, "w", newline="") as f:
        f.write(text(value))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pinned", metavar="DIR")
    parser.add_argument("key")
    parser.add_argument("witness")
    parser.add_argument("rest", nargs="*", metavar="R S PROOF PUBLIC")
    args = parser.parse_args()
    if len(args.rest) != (0 if args.pinned else 4):
        parser.error("expected KEY WITNESS R S PROOF PUBLIC, or --pinned DIR KEY WITNESS")
    try:
        prover = Prover(Key(args.key), witness(args.witness))
    except (OSError, FormatError) as e:
        sys.exit(f"oracle: {e}")
    if args.pinned:
        os.makedirs(args.pinned, exist_ok=True)
        write(os.path.join(args.pinned, "blinders.json"),
              [{"name": name, "r": str(r), "s": str(s)} for name, r, s in PAIRS])
        for name, r, s in PAIRS:
            write(os.path.join(args.pinned, name + ".proof.json"), prover.prove(r, s))
    else:
        r, s, proof, public = args.rest
        write(proof, prover.prove(int(r, 0) % R, int(s, 0) % R))
        write(public, prover.public())


if __name__ == "__main__":
    main()
