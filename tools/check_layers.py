#!/usr/bin/env python3
"""The layer rule: a folder of vouch/ includes only itself and folders below it in this list; siblings on one
line never include each other. Prints each violation and exits 1 if there is any."""
import pathlib
import re
import sys

LAYERS = [["core"], ["field"], ["curve"], ["hash"], ["kernels"], ["backend"], ["groth16", "whir"], ["formats"],
          ["capi"], ["cli", "server"]]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]vouch/([a-z0-9_]+)/')


def main() -> int:
    root = pathlib.Path(__file__).resolve().parent.parent / "vouch"
    bad = checked = 0
    for path in sorted(root.rglob("*")):
        if path.suffix not in (".h", ".cc", ".inc", ".mm"):
            continue
        module = path.relative_to(root).parts[0]
        if module not in LEVEL:
            print(f"{path.relative_to(root.parent)}: the folder '{module}' is in no layer")
            bad += 1
            continue
        checked += 1
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match or match[1] == module:
                continue
            target = match[1]
            if target not in LEVEL or LEVEL[target] >= LEVEL[module]:
                print(f"{path.relative_to(root.parent)}:{number}: {module} may not include {target}")
                bad += 1
    print(f"layers: {checked} files checked, {bad} violations")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
