#!/usr/bin/env python3
"""apps.py ROOT: what apps/ uses exists: calls, their numbers of arguments and options in the C header, files that scripts name."""
import os
import re
import sys

root = sys.argv[1]


def read(path):
    with open(os.path.join(root, path)) as file:
        return file.read()


wrong = []
header = re.sub(r"/\*.*?\*/", "", read("vouch/capi/vouch.h"), flags=re.S)
swift = re.sub(r"//.*", "", read("apps/shared/Bench.swift") + read("apps/macos/main.swift") + read("apps/ios/App.swift"))
calls = {name: args.count(",") + (args.strip() not in ("void", "")) for name, args in
         re.findall(r"VOUCH_API\s+[\w\s*]+?\b(vouch_\w+)\(([^)]*)\)", header)}
types = set(re.findall(r"\b(vouch_\w+)\s*;", header))
fields = re.findall(r"(\w+);", re.search(r"typedef struct vouch_whir_options \{(.*?)\}", header, re.S)[1])
used = 0
for name, args in re.findall(r"\b(vouch_\w+)\(([^()]*)\)", swift):
    used += 1
    if name in calls and (args.count(",") + (args.strip() != "")) != calls[name]:
        wrong.append(f"{name} takes {calls[name]} arguments, not ({args})")
for name in set(re.findall(r"\bvouch_\w+", swift)) - set(calls) - types:
    wrong.append(f"{name} is not in vouch.h")
for name in set(re.findall(r"\boptions\.(\w+)", swift)) - set(fields):
    wrong.append(f"vouch_whir_options has no {name}")
for script in ("apps/macos/bench.sh", "apps/ios/build.sh", "apps/README.md"):
    for path in re.findall(r"\b((?:apps|vouch|examples)/[\w./]+\.(?:swift|h|sh|zkey|wtns))", read(script)):
        if not os.path.exists(os.path.join(root, path)):
            wrong.append(f"{script}: {path} does not exist")
for path in re.findall(r"[\w./]+\.(?:swift|h)\b", read("apps/ios/project.yml")):
    if not os.path.exists(os.path.join(root, "apps/ios", path)):
        wrong.append(f"apps/ios/project.yml: {path} does not exist")
print("\n".join(wrong) or f"{used} calls and {len(calls)} functions compared")
sys.exit(1 if wrong or used < 6 or len(calls) < 12 else 0)
