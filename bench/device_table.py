#!/usr/bin/env python3
"""device_table.py FILE: Markdown tables of what the device benchmarks (Google Benchmark, JSON) measured."""
import json
import re
import sys

COLUMNS = [("real_time", "ms", "{:.3f}"), ("passes", "passes", "{:.0f}"), ("GB_per_second", "GB/s", "{:.1f}"), ("percent_of_copy", "% of copy", "{:.0f}"),
           ("items_per_second", "million/s", "{:.2f}")]


def main():
    tables = {}
    for run in json.load(open(sys.argv[1]))["benchmarks"]:
        match = re.match(r"device/(\w+)/(\d+)", run["name"])
        tables.setdefault(match[1], []).append((int(match[2]), run))
    failed = 0
    for name, runs in tables.items():
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
