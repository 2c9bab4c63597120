#!/usr/bin/env python3
"""A trace of vouch (--trace FILE) as numbers and a picture.

  bench/trace_picture.py TRACE.json [--svg PICTURE.svg] [--title TEXT] [--cores N]

At every instant a thread does what its innermost span says; it idles where that span is a wait, and where it has none.
Prints, for each thread, the part of the whole time in which it works, and the longest times in which some core idles,
with what the others do meanwhile.
"""
import argparse
import collections
import html
import json

COLOURS = ["#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#edc948", "#b07aa1", "#9c755f", "#ff9da7", "#8cd17d",
           "#499894", "#d37295", "#b6992d", "#79706e", "#a0cbe8"]


def innermost(events):
    """Disjoint (begin, end, name) of the time in which a thread works, in order; events of one thread, outer first."""
    pieces, stack = [], []

    def emit(begin, end):
        if stack and begin < end and stack[-1]["cat"] != "wait":
            name = stack[-1]["name"]
            if pieces and pieces[-1][2] == name and pieces[-1][1] >= begin - 1e-3:
                pieces[-1] = (pieces[-1][0], end, name)
            else:
                pieces.append((begin, end, name))

    at = 0.0
    for e in events:
        begin = e["ts"]
        while stack and stack[-1]["end"] <= begin:
            emit(at, stack[-1]["end"])
            at = max(at, stack[-1]["end"])
            stack.pop()
        emit(at, begin)
        at = begin
        e["end"] = e["ts"] + e["dur"]
        stack.append(e)
    while stack:
        emit(at, stack[-1]["end"])
        at = max(at, stack[-1]["end"])
        stack.pop()
    return pieces


def idle_times(rows, begin, end, cores):
    """(begin, end, what the threads that work do) where fewer than `cores` threads work."""
    changes = collections.defaultdict(list)
    for thread, pieces in rows.items():
        for b, e, name in pieces:
            changes[b].append((thread, name))
            changes[e].append((thread, None))
    doing, found, last = {}, [], begin
    for t in sorted(changes) + [end]:
        names = sorted(n for n in doing.values() if n)
        if t > last and len(names) < cores:
            text = ", ".join(names) or "nothing"
            if found and found[-1][1] >= last - 1e-3 and found[-1][2] == text:
                found[-1] = (found[-1][0], t, text)
            else:
                found.append((last, t, text))
        for thread, name in sorted(changes.get(t, []), key=lambda c: c[1] is not None):
            doing[thread] = name
        last = t
    return found


def svg(rows, begin, end, title):
    names = collections.Counter()
    for pieces in rows.values():
        for b, e, name in pieces:
            names[name] += e - b
    colour = {n: COLOURS[i % len(COLOURS)] for i, (n, _) in enumerate(names.most_common())}
    width, left, height, top = 1000, 70, 46, 46
    scale = width / (end - begin)
    legend = [n for n, t in names.most_common(15) if t > (end - begin) * 0.002]
    total = top + len(rows) * height + 40 + 18 * ((len(legend) + 3) // 4)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 20}" height="{total}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="100%" height="100%" fill="white"/><text x="{left}" y="22" font-size="14">{html.escape(title)}</text>']
    for i, (thread, pieces) in enumerate(sorted(rows.items())):
        y = top + i * height
        out.append(f'<text x="6" y="{y + 22}">thread {thread}</text>'
                   f'<rect x="{left}" y="{y}" width="{width}" height="{height - 10}" fill="#eeeeee"/>')
        for b, e, name in pieces:
            if (e - b) * scale >= 0.15:
                out.append(f'<rect x="{left + (b - begin) * scale:.2f}" y="{y}" width="{(e - b) * scale:.2f}" '
                           f'height="{height - 10}" fill="{colour[name]}"/>')
    y = top + len(rows) * height + 4
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 10**6) if (end - begin) / 1000 / s <= 12)
    for ms in range(0, int((end - begin) / 1000) + 1, step):
        out.append(f'<text x="{left + ms * 1000 * scale:.1f}" y="{y + 8}" text-anchor="middle" fill="#555">{ms} ms</text>')
    for i, name in enumerate(legend):
        x, row = left + (i % 4) * 240, y + 26 + 18 * (i // 4)
        out.append(f'<rect x="{x}" y="{row - 10}" width="11" height="11" fill="{colour[name]}"/>'
                   f'<text x="{x + 16}" y="{row}">{html.escape(name)} ({names[name] / 1000:.1f} ms)</text>')
    return "\n".join(out) + "\n</svg>\n"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("trace")
    p.add_argument("--svg")
    p.add_argument("--title", default="")
    p.add_argument("--cores", type=int, default=0, help="[as many as there are threads]")
    args = p.parse_args()
    with open(args.trace) as f:
        events = [e for e in json.load(f) if e["ph"] == "X"]
    begin, end = min(e["ts"] for e in events), max(e["ts"] + e["dur"] for e in events)
    by_thread = collections.defaultdict(list)
    for e in events:
        by_thread[e["tid"]].append(e)
    rows = {t: innermost(list_) for t, list_ in by_thread.items()}
    cores = args.cores or len(rows)
    busy = {t: sum(e - b for b, e, _ in pieces) for t, pieces in rows.items()}
    wall = end - begin
    summary = f"{wall / 1000:.1f} ms; busy " + ", ".join(f"{100 * busy[t] / wall:.1f} %" for t in sorted(busy))
    print(summary + f"; of {cores} cores together {100 * sum(busy.values()) / wall / cores:.1f} %")
    merged = collections.Counter()
    for b, e, text in idle_times(rows, begin, end, cores):
        merged[text] += e - b
    for text, t in merged.most_common(12):
        print(f"  {t / 1000:8.2f} ms with a core idle, the others in: {text}")
    if args.svg:
        with open(args.svg, "w") as f:
            f.write(svg(rows, begin, end, f"{args.title or args.trace}: {summary}"))


if __name__ == "__main__":
    main()
