"""Running vouch on hostile input: exact message, exit status, nothing written, little time and memory.

A test script makes Tests(vouch), calls refused()/accepted(), then finish(). Commands run in a scratch folder that holds the
artifacts of mul3 under short names, so that messages are exact.
"""
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "interop"))
import common  # noqa: E402
from iden3 import Iden3  # noqa: E402

# A refusal is within a second of CPU time and the memory of the program itself; sanitizers need more.
RELAXED = bool(os.environ.get("VOUCH_SANITIZED"))
CPU_SECONDS = 20 if RELAXED else 1
RESIDENT_MIB = 2048 if RELAXED else 64
GOOD = {"key.zkey": "mul3.zkey", "w.wtns": "mul3.wtns", "c.r1cs": "mul3.r1cs", "vkey.json": "verification_key.json",
        "proof.json": "proof.json", "public.json": "public.json", "uncontributed.zkey": "mul3_uncontributed.zkey"}
MUL3 = os.path.join(common.ROOT, "vectors/groth16/mul3")
VECTORS = os.path.join(common.ROOT, "vectors/groth16")


class Outcome:
    def __init__(self, status, out, err, cpu, resident):
        self.status, self.out, self.err, self.cpu, self.resident = status, out, err, cpu, resident


class Tests:
    def __init__(self, vouch):
        self.vouch = os.path.abspath(vouch)
        self.checks = common.Checks()
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = self.scratch.name
        for name, golden in GOOD.items():
            shutil.copy(os.path.join(MUL3, golden), os.path.join(self.folder, name))
            os.chmod(os.path.join(self.folder, name), 0o644)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as f:
            f.write(data if isinstance(data, bytes) else data.encode())
        return name

    def good(self, name="key.zkey"):
        return Iden3(common.read(self.path(name)))

    def run(self, *arguments, prepare=None, timeout=60):
        child = subprocess.Popen([self.vouch, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, preexec_fn=prepare)
        signal.signal(signal.SIGALRM, lambda *_: child.kill())
        signal.alarm(timeout)
        with child.stdout, child.stderr:  # pipes: a limit of file size must not reach them
            texts = [pipe.read().decode("utf-8", "replace") for pipe in (child.stdout, child.stderr)]
        _, status, usage = os.wait4(child.pid, 0)
        signal.alarm(0)
        child.returncode = os.waitstatus_to_exitcode(status)
        return Outcome(child.returncode, *texts, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)

    def small(self, name, done):
        self.checks.check(name + ": CPU time", done.cpu <= CPU_SECONDS, f"{done.cpu:.2f} s")
        self.checks.check(name + ": memory", done.resident <= RESIDENT_MIB, f"{done.resident:.0f} MiB")

    def refused(self, name, message, *arguments, status=1, prepare=None):
        """The command fails with exactly this sentence, prints nothing else and leaves no file behind."""
        before = sorted(os.listdir(self.folder))
        done = self.run(*arguments, prepare=prepare)
        self.checks.check(name, done.status == status and done.err == f"error: {message}\n" and done.out == "",
                          f"exit status {done.status}, stdout {done.out!r}, stderr\n  {done.err!r}, expected {status} and\n"
                          f"  {f'error: {message}' + chr(10)!r}")
        after = sorted(os.listdir(self.folder))
        self.checks.check(name + ": leaves nothing", before == after, f"{set(after) ^ set(before)}")
        self.small(name, done)
        return done

    def accepted(self, name, *arguments, prepare=None):
        done = self.run(*arguments, prepare=prepare)
        self.checks.check(name, done.status == 0, f"exit status {done.status}: {done.out}{done.err}")
        return done

    # Shorthands. `key` and `w` are file names in the scratch folder.

    def prove(self, key="key.zkey", w="w.wtns", *flags):
        return "groth16", "prove", key, w, "new-proof.json", "new-public.json", *flags

    def verify(self, vkey="vkey.json", public="public.json", proof="proof.json", *flags):
        return "groth16", "verify", vkey, public, proof, *flags

    def refuses_key(self, name, message, key, *flags):
        """`key` is an Iden3 or bytes, written as bad.zkey."""
        self.write("bad.zkey", key if isinstance(key, bytes) else key.bytes())
        return self.refused(name, "bad.zkey: " + message, *self.prove("bad.zkey", "w.wtns", *flags))

    def accepts_key(self, name, key, *flags):
        self.write("odd.zkey", key if isinstance(key, bytes) else key.bytes())
        self.accepted(name, *self.prove("odd.zkey", "w.wtns", *flags))
        self.accepted(name + ": the proof", *self.verify("vkey.json", "new-public.json", "new-proof.json"))
        for f in ("new-proof.json", "new-public.json"):
            if os.path.exists(self.path(f)):
                os.unlink(self.path(f))

    def finish(self):
        self.scratch.cleanup()
        self.checks.finish()


def limit_file_size(size):
    """A full disk, as a process sees it: writes beyond `size` fail."""
    def prepare():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return prepare
