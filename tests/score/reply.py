#!/usr/bin/env python3
"""How much of the outermost level of a file stands in the hook's reply, how far the reply reaches, and how long it is.

    reply.py --stk STK --oracle ORACLE FOLDER...

ORACLE prints, for each file named on its standard input, a line of JSON with its symbols. Targets: 95 % of the outermost
symbols, 98 % of the way to the last one, never over 8 KB, 2.5 KB in the median.
"""
import argparse
import collections
import json
import os
import re
import statistics
import subprocess
import tempfile

ROW = re.compile(r"^ *(\d+)  ")
ENTRY = re.compile(r" *(\d+) \S")
CLAMPED = 16 * 1024
WRAPPER = 0.8


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--stk", required=True)
    options.add_argument("--oracle", required=True)
    options.add_argument("folders", nargs="+")
    options = options.parse_args()
    files = [os.path.join(place, name) for folder in options.folders for place, _, names in os.walk(folder) for name in names]
    files = sorted(file for file in files if os.path.getsize(file) > CLAMPED)
    truth = {}
    for line in subprocess.run([options.oracle, "-"], input="\n".join(files), capture_output=True, text=True).stdout.splitlines():
        found = json.loads(line)
        truth[found["file"]] = found
    results = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as place:
        for file in files:
            if truth.get(file, {}).get("ok"):
                result = judged(truth[file]["symbols"], reply(options.stk, file, place))
                if result:
                    results[truth[file]["lang"]].append(result)
    print(f"{'language':12} {'files':>5} {'top %':>6} {'reach %':>8} {'median':>7} {'longest':>8}")
    for language, rows in [*sorted(results.items()), ("all", [row for rows in results.values() for row in rows])]:
        top, reach, size = zip(*rows)
        print(f"{language:12} {len(rows):5} {statistics.mean(top) * 100:6.1f} {statistics.mean(reach) * 100:8.1f} "
              f"{statistics.median(size):7.0f} {max(size):8}")


def reply(stk, file, place):
    """The reason that the model reads; empty where the read passes."""
    request = {"session_id": "", "tool_name": "Read", "tool_input": {"file_path": file}}
    environment = dict(os.environ, STK_DATA_DIR=os.path.join(place, "data"), STK_CONFIG_DIR=os.path.join(place, "config"))
    answer = subprocess.run([stk, "hook", "claude"], input=json.dumps(request), capture_output=True, text=True, env=environment).stdout
    return json.loads(answer)["hookSpecificOutput"]["permissionDecisionReason"] if answer else ""


def judged(symbols, text):
    """The share of outermost symbols that are shown, how far it reaches, its bytes; None: there is nothing to show."""
    required = [symbol for symbol in symbols if symbol["required"]]
    top = [symbol for symbol in required if not symbol["parent"]]
    last_line = max((symbol["end"] for symbol in symbols), default=1)
    wrappers = [symbol for symbol in top if symbol["kind"] in ("module", "class") and symbol["end"] - symbol["line"] > WRAPPER * last_line]
    if len(wrappers) == 1:
        top += [symbol for symbol in required if symbol["parent"] == wrappers[0]["name"]]
    if not top:
        return None
    lines = set()
    for line in text.split("\n")[1:]:
        found = ROW.match(line)
        entries = [found] if found else [ENTRY.match(entry) for entry in line.split(" · ")]
        lines.update(int(entry[1]) for entry in entries if entry)
    shown = sum(any(line in lines for line in range(symbol["first"], symbol["line"] + 1)) for symbol in top)
    last = max(symbol["line"] for symbol in required)
    reach = max((line for line in lines if line <= last + 5), default=0) / last
    return shown / len(top), min(reach, 1), len(text.encode())


main()
