"""What the interop tests share: the golden artifacts, the cached npm packages, the vouch program, and counting."""
import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SNARKJS = os.path.join(HERE, "snarkjs")
CACHE = os.environ.get("VOUCH_INTEROP_CACHE", os.path.join(ROOT, "build", "interop"))
NOT_RUN = 77  # ctest reports this exit status as "skipped"


class Artifact:
    def __init__(self, name, folder):
        self.name, self.folder = name, os.path.join(ROOT, folder)
        self.key = self.path(name + ".zkey")
        self.witness = self.path(name + ".wtns")
        self.vkey = self.path("verification_key.json")
        self.proof = self.path("proof.json")
        self.public = self.path("public.json")
        self.pinned = os.path.join(ROOT, "vectors/groth16", name, "pinned")

    def path(self, file):
        return os.path.join(self.folder, file)

    def blinders(self):
        """(name, r, s, golden proof file) for every pinned pair."""
        for pair in read_json(os.path.join(self.pinned, "blinders.json")):
            yield pair["name"], pair["r"], pair["s"], os.path.join(self.pinned, pair["name"] + ".proof.json")


TINY = [Artifact(n, "vectors/groth16/" + n)
        for n in ("mul3", "edge_pub0", "edge_nocons", "edge_dom2", "edge_puball")]
ARTIFACTS = TINY + [Artifact("pos12", "vectors/groth16/pos12"), Artifact("merkle20", "examples/merkle20")]


def read(path):
    with open(path, "rb") as f:
        return f.read()


def read_json(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def not_run(why):
    print("\n" + "*" * 78 + f"\n*** NOT RUN: {why}\n" + "*" * 78, flush=True)
    sys.exit(1 if os.environ.get("VOUCH_INTEROP_REQUIRED") else NOT_RUN)


@contextlib.contextmanager
def lock(name):
    """One process at a time fills the cache; ctest runs several."""
    os.makedirs(CACHE, exist_ok=True)
    with open(os.path.join(CACHE, name + ".lock"), "w") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        yield


def node_modules():
    """The folder of the pinned npm packages, installed on first use (hashes in package-lock.json)."""
    for program in ("node", "npm"):
        if not shutil.which(program):
            not_run(f"{program} is not installed, so snarkjs and circom2 judge nothing")
    with lock("node"):
        wanted = read(os.path.join(SNARKJS, "package-lock.json"))
        stamp = os.path.join(CACHE, "node_modules", ".installed")
        if not os.path.exists(stamp) or read(stamp) != wanted:
            for file in ("package.json", "package-lock.json"):
                shutil.copy(os.path.join(SNARKJS, file), CACHE)
            done = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=CACHE,
                                  capture_output=True, text=True)
            if done.returncode:
                not_run("npm could not install snarkjs:\n" + done.stderr.strip())
            with open(stamp, "wb") as f:
                f.write(wanted)
    return os.path.join(CACHE, "node_modules")


def judge(jobs):
    """snarkjs's answers to a list of jobs (see judge.cjs), from one process."""
    done = subprocess.run(["node", os.path.join(SNARKJS, "judge.cjs"), node_modules()], input=json.dumps(jobs),
                          capture_output=True, text=True)
    if done.returncode or not done.stdout:
        sys.exit(f"snarkjs failed: {done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def run(*command):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True)


class Checks:
    """Counts; finish() ends the process."""

    def __init__(self):
        self.passed, self.failed = 0, 0

    def check(self, name, ok, detail=""):
        if ok:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {name}: {detail}", flush=True)
        return ok

    def ran(self, name, done, status=0):
        return self.check(name, done.returncode == status,
                          f"exit status {done.returncode}, expected {status}: {done.stdout}{done.stderr}")

    def same(self, name, got, golden):
        if not os.path.exists(got):
            return self.check(name, False, f"{got} was not written")
        return self.check(name, read(got) == read(golden), f"{got} differs from {golden}")

    def finish(self):
        print(f"{self.passed} checks passed, {self.failed} failed")
        sys.exit(1 if self.failed or not self.passed else 0)
