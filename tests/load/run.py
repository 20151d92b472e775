#!/usr/bin/env python3
"""Many hooks at once, and a long day of them.

usage: run.py --stk PATH [--calls 10000] [--at-once 64] [--day 50000]

1. So many hooks at once on one session, on files of their own and on one file from agents of their own: every answer is
   known beforehand, every record has to be there, whole, once.
2. Sessions side by side on one file do not see each other.
3. A day's work in one session: how large the files get, and what a call costs before and after, in time of the processor.
Prints what it found; exits with 1 where something was wrong. Any Unix; ten minutes.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "faults"))
from machine import BIG, SMALL, Machine  # noqa: E402

PROBLEMS = []


def expect(holds, what):
    if not holds:
        PROBLEMS.append(what)
        print(f"PROBLEM {what}")


class Reader:
    """Somebody who reads, one call after another, and knows what has to come."""

    def __init__(self, machine, session, file, agent=None):
        self.machine, self.session, self.file, self.agent = machine, session, file, agent
        self.seen = False
        self.counts = collections.Counter()

    def call(self, number):
        kind = ("big", "big", "small", "range", "big")[number % 5]
        path = str(self.machine.top / "project" / ("small.py" if kind == "small" else self.file))
        tool_input = {"file_path": path, **({"offset": 5, "limit": 10} if kind == "range" else {})}
        request = self.machine.payload(path, session_id=self.session, tool_input=tool_input, **({"agent_id": self.agent} if self.agent else {}))
        answer = self.machine.answer(self.machine.run(request))
        expected = "pass"
        if kind == "big":
            expected = "notice" if self.seen else "outline"
            self.seen = not self.seen
        self.counts[{"outline": "clamp", "notice": "dup", "pass": kind}[expected]] += 1
        expect(answer == expected, f"{self.session} {self.agent} {self.file} call {number}: {answer}, not {expected}")


def check_records(machine, readers):
    """Every record that the readers' calls must have left is there, and no other."""
    sessions, stats, torn = collections.Counter(), collections.Counter(), []
    for file in (machine.top / "data").rglob("*.jsonl"):
        for line in file.read_bytes().split(b"\n")[:-1]:
            if not line:
                # Whoever saw another's record half-written began on a fresh line, which was not needed after all.
                continue
            try:
                record = json.loads(line)
            except ValueError:
                torn.append(line)
                continue
            if file.name == "stats.jsonl":
                stats[record["kind"]] += 1
            else:
                sessions[file.stem, record.get("agent"), record["action"]] += 1
    wanted, wanted_stats = collections.Counter(), collections.Counter()
    for reader in readers:
        for kind, count in reader.counts.items():
            if kind != "range":
                wanted[reader.session, reader.agent, "allow" if kind == "small" else kind] += count
            if kind != "small":
                wanted_stats[kind] += count
    expect(not torn, f"{len(torn)} torn records, such as {torn[:1]}")
    expect(sessions == wanted, f"records lost or made up: {(wanted - sessions) or (sessions - wanted)}")
    expect(stats == wanted_stats, f"statistics lost or made up: {wanted_stats - stats} {stats - wanted_stats}")
    return sum(sessions.values()), sum(stats.values())


def at_once(machine, readers, calls):
    def work(reader):
        for number in range(calls // len(readers)):
            reader.call(number)

    machine.prepare("clamp")
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(len(readers)) as pool:
        list(pool.map(work, readers))
    records, stats = check_records(machine, readers)
    total = sum(sum(reader.counts.values()) for reader in readers)
    print(f"{total} calls by {len(readers)} at once in {time.monotonic() - began:.0f} s: {records} records, {stats} statistics, all whole")


def cost(machine, request, rounds):
    """The median time of the processor that a call takes, in milliseconds. `request`: a function of the round."""
    times = []
    for number in range(rounds):
        reader, writer = os.pipe()
        os.write(writer, request(number))
        os.close(writer)
        null = os.open(os.devnull, os.O_WRONLY)
        files = [(os.POSIX_SPAWN_DUP2, reader, 0), (os.POSIX_SPAWN_DUP2, null, 1)]
        child = os.posix_spawn(machine.stk, [machine.stk, "hook", "claude"], machine.environment(), file_actions=files)
        _, status, usage = os.wait4(child, 0)
        expect(status == 0, f"exit {status}")
        os.close(reader), os.close(null)
        times.append(usage.ru_utime + usage.ru_stime)
    return statistics.median(times) * 1000


def costs(machine, session, day, rounds=200):
    """What calls of each kind cost now; the first reads are of files that this session has never read."""
    project = machine.top / "project"
    for number in range(rounds):
        new = project / f"new_{day}_{number}.py"
        if not new.exists():
            os.link(project / "big.py", new)
    at = lambda name, **more: machine.payload(name, session_id=session, tool_input={"file_path": str(project / name), **more})  # noqa: E731
    return {
        "first read": cost(machine, lambda number: at(f"new_{day}_{number}.py"), rounds),
        "second read": cost(machine, lambda number: at(f"new_{day}_{number}.py"), rounds),
        "small file": cost(machine, lambda number: at("small.py"), rounds),
        "ranged read": cost(machine, lambda number: at("big.py", offset=5, limit=10), rounds),
    }


def a_day(machine, calls, workers):
    machine.prepare("clamp")
    before = costs(machine, "day", "before")
    project = machine.top / "project"
    names = [f"day_{n}.py" for n in range(500)]
    for name in names:
        os.link(project / "big.py", project / name)

    def work(worker):
        for number in range(worker, calls, workers):
            kind = number % 10
            name = "small.py" if kind in (0, 1, 2) else names[number // 10 % len(names)]
            more = {"offset": number, "limit": 50} if kind >= 6 else {}
            tool_input = {"file_path": str(project / name), **more}
            run = machine.run(machine.payload(name, session_id="day", tool_input=tool_input))
            expect(machine.answer(run) is not None, f"call {number}: exit {run.returncode}")

    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        list(pool.map(work, range(workers)))
    took = time.monotonic() - began
    sizes = {file.name: file.stat().st_size for file in (machine.top / "data").rglob("*.jsonl")}
    after = costs(machine, "day", "after")
    print(f"{calls} calls in one session in {took:.0f} s: " + ", ".join(f"{name} {size / 1e6:.1f} MB" for name, size in sorted(sizes.items())))
    for kind, was in before.items():
        print(f"  {kind}: {was:.2f} ms before, {after[kind]:.2f} ms after: {after[kind] / was:.2f} times")
        expect(after[kind] < was * 1.5, f"{kind} has become slower")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stk", required=True)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--at-once", type=int, default=64)
    parser.add_argument("--day", type=int, default=50_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="stk-load-") as top:
        machine = Machine(pathlib.Path(top) / "m", arguments.stk)
        for number in range(arguments.at_once):
            (machine.top / f"project/own_{number}.py").write_text(BIG)
        assert len(SMALL) < 16 * 1024 < len(BIG)
        half = arguments.at_once // 2
        at_once(machine, [
            *(Reader(machine, "one", f"own_{number}.py") for number in range(half)),
            *(Reader(machine, "one", "big.py", f"agent-{number}") for number in range(arguments.at_once - half)),
        ], arguments.calls)  # fmt: skip
        sessions = [Reader(machine, f"session-{number}", "big.py") for number in range(arguments.at_once)]
        at_once(machine, sessions, arguments.calls // 5)
        a_day(machine, arguments.day, 8)
    return bool(PROBLEMS)


if __name__ == "__main__":
    sys.exit(main())
