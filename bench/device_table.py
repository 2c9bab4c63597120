#!/usr/bin/env python3
"""device_table.py FILE: Markdown tables of what the device benchmarks (Google Benchmark, JSON) measured."""
import json
import re
import sys

COLUMNS = [("real_time", "ms", "{:.3f}"), ("passes", "passes", "{:.0f}"), ("GB_per_second", "GB/s", "{:.1f}"), ("percent_of_copy", "% of copy", "{:.0f}"),
           ("items_per_second", "million/s", "{:.2f}"), ("percent_of_products", "% of products", "{:.0f}")]


def kernel_table(name, size, run):
    """What each kernel of an operation took, moved and multiplied; "% of" against this device's own best."""
    kernels = sorted({key[:-3] for key in run if key.endswith(".ms")}, key=lambda k: -run[k + ".ms"])
    print(f"### {name}, 2^{size}\n\nA copy moves {run['copy_GB_per_second']:.1f} GB/s, chains of products make "
          f"{run['Gproducts_per_second']:.3f} G/s.\n")
    print("| kernel | ms | MB | % of copy | million products | % of products |\n|---|---:|---:|---:|---:|---:|")
    for k in kernels:
        at = lambda what: run[f"{k}.{what}"]
        print(f"| {k} | {at('ms'):.3f} | {at('MB'):.2f} | {at('of_copy'):.0f} | {at('Mproducts'):.2f} | {at('of_products'):.0f} |")
    print()


def main():
    tables = {}
    for run in json.load(open(sys.argv[1]))["benchmarks"]:
        match = re.match(r"device/(\w+)/(\d+)", run["name"])
        tables.setdefault(match[1], []).append((int(match[2]), run))
    failed = 0
    for name, runs in tables.items():
        if name.startswith("kernels_"):
            for size, run in runs:
                if run.get("error_occurred"):
                    failed += 1
                    print(f"### {name}, 2^{size}\n\n{run['error_message']}\n")
                else:
                    kernel_table(name, size, run)
            continue
        columns = [c for c in COLUMNS if any(c[0] in run for _, run in runs)]
        print(f"### {name}\n\n| 2^n | " + " | ".join(title for _, title, _ in columns) + " |\n|---:" * 1 + "|---:" * len(columns) + "|")
        for size, run in runs:
            if run.get("error_occurred"):
                failed += 1
                print(f"| {size} | {run['error_message']} |" + " |" * (len(columns) - 1))
                continue
            cells = [form.format(run[key] * (1e-6 if key == "items_per_second" else 1)) if key in run else "" for key, _, form in columns]
            print(f"| {size} | " + " | ".join(cells) + " |")
        print()
    return failed or not tables


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
