"""Making and damaging .zkey, .wtns and .r1cs files, for tests."""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "interop"))
import oracle  # noqa: E402

P, R = oracle.P, oracle.R


class Iden3:
    """A container as a list of [id, payload]; bytes() writes it as it stands, however wrong."""

    def __init__(self, data):
        self.magic, self.version, count = data[:4], *struct.unpack_from("<II", data, 4)
        self.sections, at = [], 12
        for _ in range(count):
            ident, length = struct.unpack_from("<IQ", data, at)
            self.sections.append([ident, bytearray(data[at + 12 : at + 12 + length])])
            at += 12 + length
        self.count = None  # claim another number of sections
        self.lengths = {}  # id -> claimed length

    def __getitem__(self, ident):
        return next(payload for i, payload in self.sections if i == ident)

    def __setitem__(self, ident, payload):
        next(s for s in self.sections if s[0] == ident)[1] = bytearray(payload)

    def remove(self, ident):
        self.sections = [s for s in self.sections if s[0] != ident]

    def set_u32(self, ident, at, value):
        struct.pack_into("<I", self[ident], at, value)

    def put(self, ident, at, data):
        self[ident][at : at + len(data)] = data

    def bytes(self):
        count = len(self.sections) if self.count is None else self.count
        out = self.magic + struct.pack("<II", self.version, count)
        for ident, payload in self.sections:
            out += struct.pack("<IQ", ident, self.lengths.get(ident, len(payload))) + bytes(payload)
        return out


# Offsets in the header of a BN254 key.
Q, PRIME_R, WIRES, PUBLICS, DOMAIN = 4, 40, 72, 76, 80
ALPHA1, BETA1, BETA2, GAMMA2, DELTA1, DELTA2 = 84, 148, 212, 340, 468, 532
RECORD = 44  # bytes of a coefficient


def plain(value):
    return value.to_bytes(32, "little")


def coordinate(value):
    return plain(value * (1 << 256) % P)


def encode_g1(point):
    return b"".join(coordinate(c) for c in point)


def encode_g2(point):
    return b"".join(coordinate(c) for pair in point for c in pair)


def square_root(a):
    """Of a in Fq2, or None; P is 3 mod 4."""
    mul, one = oracle.Quadratic.mul, (1, 0)

    def power(x, k):
        out = one
        for bit in bin(k)[2:]:
            out = mul(out, out)
            if bit == "1":
                out = mul(out, x)
        return out

    a1 = power(a, (P - 3) // 4)
    x0 = mul(a1, a)
    alpha = mul(a1, x0)
    x = mul((0, 1), x0) if alpha == (P - 1, 0) else mul(power(((1 + alpha[0]) % P, alpha[1]), (P - 1) // 2), x0)
    return x if mul(x, x) == a else None


def g2_outside_subgroup():
    """A point of the twist y^2 = x^3 + 3 / (9 + u) that is not of order R."""
    mul, add = oracle.Quadratic.mul, oracle.Quadratic.add
    b = mul((3, 0), oracle.Quadratic.inverse((9, 1)))
    for x in range(1, 100):
        y = square_root(add(mul((x, 0), mul((x, 0), (x, 0))), b))
        if y is not None and oracle.G2.times(R, ((x, 0), y)) is not None:
            return (x, 0), y
    raise AssertionError("no such point found")


def wtns(values):
    """A .wtns; values may be out of range."""
    head = struct.pack("<I", 32) + plain(R) + struct.pack("<I", len(values))
    body = b"".join(plain(v) for v in values)
    out = b"wtns" + struct.pack("<II", 2, 2)
    for ident, payload in ((1, head), (2, body)):
        out += struct.pack("<IQ", ident, len(payload)) + payload
    return out
