#!/usr/bin/env python3
"""Builds the larger circuits with circom2 and circomlib: NAME.circom + input -> NAME.r1cs, NAME.wtns.

  build.py [NAME ...]     (default: those up to 2^14)

Results are cached in build/interop/circuits/NAME and made again when a source or a package version changes. The
compiler runs as WebAssembly: minutes for the large ones, so build/ is worth keeping.
"""
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

SMALL = ["pos14"]
# Name -> message bits of a SHA-256 circuit; the others carry their input.
SHA_BITS = {"sha512b": 512, "sha2048b": 2048, "sha18": 4024, "sha20": 17336}
LARGE = ["sha512b", "pos16", "sha2048b", "sha18", "pos18", "sha20"]
FLAGS = ["--r1cs", "--wasm", "--O2"]  # --O2: all linear constraints are substituted away


def message(bits):
    """Any message will do; this one is SHA-256 in counter mode."""
    out = ""
    for i in range((bits + 255) // 256):
        out += f"{int.from_bytes(hashlib.sha256(b'vouch %d' % i).digest(), 'big'):0256b}"
    return list(out[:bits])


def stamp(name):
    source = common.read(os.path.join(HERE, name, name + ".circom"))
    lock = common.read(os.path.join(common.SNARKJS, "package-lock.json"))
    return hashlib.sha256(source + lock + json.dumps([FLAGS, inputs(name)]).encode()).hexdigest()


def inputs(name):
    if name in SHA_BITS:
        return {"in": message(SHA_BITS[name])}
    return common.read_json(os.path.join(HERE, name, "input.json"))


def tool(what, command, cwd):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{what} failed: {done.stdout}{done.stderr}")


def build(name):
    """The folder with NAME.r1cs and NAME.wtns."""
    modules = common.node_modules()
    out = os.path.join(common.CACHE, "circuits", name)
    with common.lock("circuit-" + name):
        done = os.path.join(out, "stamp")
        if os.path.exists(done) and common.read(done).decode() == stamp(name):
            return out
        shutil.rmtree(out, ignore_errors=True)
        os.makedirs(out)
        start = time.time()
        shutil.copy(os.path.join(HERE, name, name + ".circom"), out)
        with open(os.path.join(out, "input.json"), "w") as f:
            json.dump(inputs(name), f)
        # circom2 sees only the folders above its working directory, by relative names.
        relative = os.path.join("circuits", name)
        tool("circom2", ["node", os.path.join(modules, "circom2/cli.js"), os.path.join(relative, name + ".circom"),
                         *FLAGS, "-o", relative, "-l", "node_modules"], common.CACHE)
        generated = os.path.join(out, name + "_js")
        tool("the witness generator", ["node", os.path.join(generated, "generate_witness.js"),
                                       os.path.join(generated, name + ".wasm"), os.path.join(out, "input.json"),
                                       os.path.join(out, name + ".wtns")], out)
        shutil.rmtree(generated)
        with open(done, "w") as f:
            f.write(stamp(name))
        print(f"{name}: built in {time.time() - start:.0f} s", flush=True)
    return out


def key(name, setup):
    """The folder with NAME.zkey too, made by the test-only setup tool (a fixed secret, known to all)."""
    out = build(name)
    path = os.path.join(out, name + ".zkey")
    with common.lock("circuit-" + name):
        if not os.path.exists(path):
            tool("the setup tool", [setup, os.path.join(out, name + ".r1cs"), path + ".part"], out)
            os.rename(path + ".part", path)
    return out


if __name__ == "__main__":
    for name in sys.argv[1:] or SMALL:
        print(build(name))
