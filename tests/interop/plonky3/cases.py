"""Random WHIR cases, and changes to finished ones, for run.py. Everything follows from the seed."""
import copy
import random

MODULUS = {"BabyBear": 0x78000001, "KoalaBear": 0x7F000001}
DIRECT = 6  # at so few variables the polynomial is sent as it is


def _schedule(rng, width):
    batches = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        current = [j for j in range(width) if rng.random() < 0.7]
        following = [j for j in range(width) if rng.random() < 0.35]
        rng.shuffle(current)
        batches.append([current, following] if current or following else [[rng.randrange(width)], []])
    return batches


def _folding(rng, n):
    kind = rng.randrange(3)
    k = rng.randint(1, min(6, n))
    if kind == 0:
        return f"Constant({k})", k
    if kind == 1:
        return f"ConstantFromSecondRound({k}, {rng.randint(1, 5)})", k
    factors, left = [], n
    while left > DIRECT or not factors:
        factors.append(rng.randint(1, min(5, left)))
        left -= factors[-1]
    return f"PerRound({factors})", factors[0]


def _numbers(text):
    return [int(x) for x in text[text.index("(") + 1:].strip(")").replace("[", "").replace("]", "").split(",")]


def _steps(folding, n):
    """The folding factors that the rule means for n variables."""
    numbers, out = _numbers(folding), []
    if folding.startswith("PerRound"):
        return numbers
    while n > DIRECT or not out:
        k = min(numbers[0] if not out or len(numbers) == 1 else numbers[1], n)
        out.append(k)
        n -= k
    return out


def stacked_variables(tables, first):
    total = sum(w << max(a, first) for a, w in tables)
    return (total - 1).bit_length()


def random_case(rng, name, low=4, high=13):
    """One case; it need not be feasible (budget, domain): both sides must then refuse it."""
    field = rng.choice(("BabyBear", "KoalaBear"))
    if rng.random() < 0.5:
        tables = [[rng.randint(low, high), 1]]
    else:
        tables = [[rng.randint(1, high - 3), rng.randint(1, 4)] for _ in range(rng.randint(1, 4))]
        tables.append([rng.randint(low, high - 2), rng.randint(1, 2)])
    n = stacked_variables(tables, 1)
    folding, first = _folding(rng, n)
    n = stacked_variables(tables, first)
    if folding.startswith("PerRound") and n != stacked_variables(tables, 1):
        folding = f"Constant({first})"
    rate, rates = rng.randint(1, 4), []
    if rng.random() < 0.35:
        steps, r = _steps(folding, n), rate
        for k in steps[:-1]:
            r = rng.randint(max(1, r + k - 3), r + k)
            rates.append(r)
    arity = rng.choice((2, 2, 4))
    constants = "default"
    if arity == 2 and rng.random() < 0.3:
        constants = f"smallrng seed {rng.randint(0, 2**32)} (p16 then p24)"
    case = {
        "name": name, "field": field, "ext_degree": rng.choice((4, 5)), "round_constants": constants,
        "merkle": f"p2-{rng.choice(('16/8/8', '24/16/8'))} {'c16 n2' if arity == 2 else 'c32 n4'}",
        "layout": rng.choice(("prefix", "suffix")), "cap_height": rng.choice((0, 0, 1, 2, 3, 5)),
        "tables": tables, "schedule": [_schedule(rng, w) for _, w in tables], "folding": folding, "rate": rate,
        "round_log_inv_rates": rates, "security": rng.choice((rng.randint(20, 80), rng.randint(20, 80), rng.randint(80, 128))), "pow_bits": rng.randint(0, 14),
        "soundness": rng.choice(("UniqueDecoding", "JohnsonBound", "CapacityBound")),
        "domain_separator_observed": rng.random() < 0.75,
    }
    p = MODULUS[field]
    number = lambda: rng.choice((0, 1, p - 1, rng.randrange(p), rng.randrange(p)))  # noqa: E731
    if n <= 10 and rng.random() < 0.4:  # values with many zeros and extremes instead of the generated ones
        case["values"] = [[[number() for _ in range(1 << a)] for _ in range(w)] for a, w in tables]
    if rng.random() < 0.3:  # points of the caller's choice, on the cube now and then
        case["points"] = [[[number() for _ in range(case["ext_degree"])] for _ in range(max(a, first))]
                          for (a, _), batches in zip(tables, case["schedule"]) for _ in batches]
    return case


def large_case(field, degree, layout, n, fold, rate, **other):
    case = {
        "name": f"{field}_{degree}_{layout}_n{n}_f{fold}_r{rate}", "field": field, "ext_degree": degree,
        "round_constants": "default", "merkle": "p2-16/8/8 c16 n2", "layout": layout, "cap_height": 0,
        "tables": [[n, 1]], "schedule": [[[[0], []]]], "folding": f"Constant({fold})", "rate": rate,
        "round_log_inv_rates": [], "security": 100, "pow_bits": 16, "soundness": "CapacityBound",
        "domain_separator_observed": True,
    }
    case.update(other)
    return case


def large_cases():
    return [
        large_case("BabyBear", 5, "prefix", 20, 4, 1),
        large_case("KoalaBear", 5, "suffix", 18, 2, 2),
        large_case("KoalaBear", 4, "prefix", 17, 1, 1, security=80),
        large_case("BabyBear", 4, "suffix", 19, 6, 1, security=60, merkle="p2-24/16/8 c32 n4", cap_height=3,
                   tables=[[17, 2], [16, 3], [12, 5]],
                   schedule=[[[[0, 1], [0]]], [[[0, 2], []], [[1], [2]]], [[[4, 0], [3]]]]),
    ]


def _leaves(value, path=()):
    if isinstance(value, dict):
        for k, v in value.items():
            yield from _leaves(v, path + (k,))
    elif isinstance(value, list):
        for i, v in enumerate(value):
            yield from _leaves(v, path + (i,))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield path


def _lists(value, path=()):
    if isinstance(value, dict):
        for k, v in value.items():
            yield from _lists(v, path + (k,))
    elif isinstance(value, list):
        yield path
        for i, v in enumerate(value):
            yield from _lists(v, path + (i,))


def _class(path):
    """Which field of the proof a path is in, indices aside."""
    return ".".join(str(p) for p in path if isinstance(p, str))


def _at(value, path):
    for p in path:
        value = value[p]
    return value


def tampered(rng, case, count):
    """(what, changed case) pairs: single numbers of every class of field, list lengths, and the commitment. The changed
    proof is JSON only, so a change cannot hide in the encoding that was not changed."""
    p = MODULUS[case["field"]]
    base = {k: v for k, v in case.items()
            if k not in ("proof_postcard", "commitment_postcard", "verifier_trace", "prover_trace", "opened", "stacked_poly")}
    classes = {}
    for path in _leaves(base["proof_json"]):
        classes.setdefault(_class(path), []).append(path)
    jobs = [("number", rng.choice(paths)) for paths in classes.values()]
    lists = [path for path in _lists(base["proof_json"]) if _at(base["proof_json"], path)]
    by_class = {}
    for path in lists:
        by_class.setdefault(_class(path), []).append(path)
    jobs += [(kind, rng.choice(paths)) for paths in by_class.values() for kind in ("drop", "repeat")]
    jobs += [("commitment", None), ("truncate_commitment", None), ("larger_commitment", None)]
    rng.shuffle(jobs)
    for kind, path in jobs[:count]:
        changed = dict(base)
        if kind == "commitment":
            changed["commitment"] = copy.deepcopy(base["commitment"])
            digest = rng.choice(changed["commitment"])
            i = rng.randrange(8)
            digest[i] = (digest[i] + rng.randrange(1, p)) % p
        elif kind == "truncate_commitment":
            changed["commitment"] = base["commitment"][:-1]
        elif kind == "larger_commitment":
            changed["commitment"] = base["commitment"] * 2
        else:
            changed["proof_json"] = copy.deepcopy(base["proof_json"])
            parent = _at(changed["proof_json"], path[:-1])
            if kind == "number":
                parent[path[-1]] = (parent[path[-1]] + rng.randrange(1, p)) % p
            elif kind == "drop":
                parent[path[-1]].pop(rng.randrange(len(parent[path[-1]])))
            else:
                parent[path[-1]].append(copy.deepcopy(parent[path[-1]][-1]))
        yield f"{kind} {'.'.join(map(str, path or ()))}", changed


HUGE = (b"\xff\xff\xff\xff\x0f", b"\xff" * 9 + b"\x01", b"\x80" * 9 + b"\x01")


def changed_bytes(rng, proof):
    """(what, bytes): the proof itself, then changes of one place each, every place at least once."""
    yield "unchanged", proof
    n = len(proof)
    for i in range(n):
        yield f"bit in byte {i}", proof[:i] + bytes([proof[i] ^ 1 << rng.randrange(8)]) + proof[i + 1:]
        if proof[i] < 128 and (i == 0 or proof[i - 1] < 128):  # every length is such a byte
            yield f"two bytes for {i}", proof[:i] + bytes([proof[i] | 128, 0]) + proof[i + 1:]
    for i in range(0, n, 5):
        yield f"huge at {i}", proof[:i] + rng.choice(HUGE) + proof[i + 1:]
    for i in range(0, n, 11):
        yield f"cut at {i}", proof[:i]
        yield f"without byte {i}", proof[:i] + proof[i + 1:]
    for _ in range(100):
        a, b, c = sorted(rng.sample(range(n + 1), 3))
        swapped = proof[:a] + proof[b:c] + proof[a:b] + proof[c:]
        if swapped != proof:
            yield f"sections {a}..{b} and {b}..{c} exchanged", swapped
    yield "trailing byte", proof + b"\0"
    yield "twice", proof + proof
