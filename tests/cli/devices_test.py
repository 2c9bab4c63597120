#!/usr/bin/env python3
"""vouch devices, and proofs on what it lists: devices_test.py VOUCH"""
import json
import os
import sys

from hostile import VECTORS, Tests
import common


def check(t, name, ok, detail=""):
    t.checks.check(name, ok, detail)


def listing(t):
    told = json.loads(t.accepted("devices --json", "devices", "--json").out)
    processor, devices = told["processor"], told["devices"]
    check(t, "processor: its forms", "portable" in processor["instructions"]["groth16"]
          and "portable" in processor["instructions"]["whir"] and processor["threads"] > 0, str(processor))
    host = [d for d in devices if d["id"] == "host"]
    check(t, "the host device is listed", len(host) == 1 and not host[0]["gpu"] and "groth16" in host[0]["proof_systems"], str(devices))
    for d in devices:
        check(t, d["id"] + ": described", d["name"] and d["driver"] and d["memory_bytes"] > 0 and d["units"] > 0
              and d["largest_buffer_bytes"] > 0 and "check" not in d, str(d))
    plain = t.accepted("devices, for people", "devices").out
    check(t, "every device is named", all(d["id"] in plain and d["name"] in plain for d in devices), plain)
    check(t, "says when there is no GPU", ("No GPU is here" in plain) == (not any(d["gpu"] for d in devices)), plain)
    return devices


def self_test(t, devices):
    done = t.run("devices", "--check", "--json", timeout=600)
    told = json.loads(done.out)
    check(t, "devices --check: exit code", done.status == 0 and told["ok"], done.out + done.err)
    for d in [told["processor"]] + told["devices"]:
        results = d["check"]
        check(t, d["id"] + ": checked", set(results) == set(d.get("proof_systems", ["groth16", "whir"])), str(results))
        check(t, d["id"] + ": passed", all(r["passed"] for r in results.values()), str(results))


def proofs(t, devices):
    golden = common.read(os.path.join(VECTORS, "mul3/pinned/r1_s2.proof.json"))
    for d in devices:
        t.accepted("prove on " + d["id"], *t.prove(), "--backend", d["id"], "--no-fallback", "--insecure-blinders", "1,2")
        check(t, "the golden proof on " + d["id"], common.read(t.path("new-proof.json")) == golden)


def account(t):
    told = json.loads(t.accepted("prove, auto", *t.prove(), "--json").out)
    check(t, "auto says why", told["backend"] == "cpu" and told["choice"].startswith("the processor: about "), str(told))
    told = json.loads(t.accepted("prove on host, --timings", *t.prove(), "--backend", "host", "--timings", "--json").out)
    use = told["device_use"]
    kernels = {k["kernel"]: k for k in use["kernels"]}
    check(t, "no choice where a device is named", told["backend"] == "host" and "choice" not in told, str(told))
    check(t, "kernels have cost", kernels["fr_gather"]["bytes"] > 0 and kernels["msm_g1_accumulate"]["products"] > 0, str(use))
    check(t, "rates were measured", use["copy_bytes_per_second"] > 0 and use["products_per_second"] > 0, str(use))


def main():
    t = Tests(sys.argv[1])
    devices = listing(t)
    self_test(t, devices)
    proofs(t, devices)
    account(t)
    t.finish()


if __name__ == "__main__":
    main()
