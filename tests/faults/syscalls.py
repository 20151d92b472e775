#!/usr/bin/env python3
"""Every system call of the hook fails once, and the hook is killed at every one.

usage: syscalls.py --stk PATH [--every N]     (N: only each Nth point, for a quick look)

For each scenario of machine.py strace lists the calls; then, for each call and each error that it can give, a run in
which just this call fails. The answer has to be the right one or none, with exit 0. Then a run for each call in which the
process is killed there, and some thousand killed at any moment: the next call has to be answered, and no record that was
whole may be lost. Needs strace. Prints a table; exits with 1 where an answer was wrong.
"""
import argparse
import collections
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

from machine import SCENARIOS, Machine

ERRORS = {
    "access": ["EACCES"], "brk": ["ENOMEM"], "clone": ["EAGAIN", "ENOMEM"], "clone3": ["EAGAIN", "ENOMEM"],
    "close": ["EIO", "EINTR"], "fcntl": ["EINVAL"], "fstat": ["EIO"], "futex": ["EINTR", "EAGAIN"], "getcwd": ["ENOENT"],
    "getdents64": ["EIO", "EACCES"], "getrandom": ["EAGAIN"], "ioctl": ["ENOTTY"], "lseek": ["EIO"], "lstat": ["EACCES", "EIO"],
    "madvise": ["ENOMEM"], "mkdir": ["EACCES", "ENOSPC", "EROFS", "EDQUOT"], "mmap": ["ENOMEM"], "mprotect": ["ENOMEM"],
    "munmap": ["ENOMEM"], "newfstatat": ["EACCES", "EIO", "ENOENT"],
    "openat": ["EACCES", "EIO", "EINTR", "EMFILE", "ENFILE", "ENOENT", "ENOMEM", "EROFS"], "poll": ["EINTR", "ENOMEM"],
    "pread64": ["EIO"], "read": ["EIO", "EINTR", "EISDIR"], "readlink": ["EACCES", "ELOOP", "EIO"],
    "readlinkat": ["EACCES", "ELOOP", "EIO"], "sigaltstack": ["ENOMEM"], "statx": ["EACCES", "EIO", "ENOENT", "ENOMEM"],
    "unlink": ["EACCES", "EROFS"], "utimensat": ["EACCES", "EROFS"], "write": ["EBADF", "EIO", "EINTR", "ENOSPC", "EPIPE"],
}  # fmt: skip
# What a crash, a limit or a deadline sends.
FATAL = ["ABRT", "ALRM", "BUS", "FPE", "ILL", "SEGV", "XCPU", "XFSZ"]
# The process begins or ends with these; there is no life in which they fail.
NEVER = {"execve", "exit", "exit_group"}


def calls(machine, scenario):
    """For each system call, how often a thread makes it at most, and how often the first thread does so before it reads
    its standard input: that is the start of the program, which is the loader's and the runtime's, and not yet stk's."""
    machine.prepare(scenario)
    log = machine.top / "strace.log"
    machine.run(machine.request(scenario), ["strace", "-f", "-qq", "-o", str(log)])
    counts = collections.defaultdict(collections.Counter)
    start, started = collections.Counter(), False
    for line in log.read_text(errors="replace").splitlines():
        if not (match := re.match(r"(\d+) +(\w+)\(", line)):
            continue
        thread, name = match.groups()
        started = started or name == "read" and "(0," in line
        counts[thread][name] += 1
        if not started:
            start[name] += 1
    names = {name for counter in counts.values() for name in counter} - NEVER
    return {name: (max(counter[name] for counter in counts.values()), start[name]) for name in sorted(names)}


def points(count, start):
    """Which of so many calls: all of the first after the start, and some of a long run of the same."""
    wanted = set(range(1, min(count, start + 20) + 1)) | {count}
    step = start + 20
    while step < count:
        wanted.add(step)
        step = step * 5 // 4 + 1
    return sorted(wanted)


def inject(machine, scenario, fault):
    machine.prepare(scenario)
    before = machine.records()
    began = time.monotonic()
    run = machine.run(machine.request(scenario), ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"inject={fault}"])
    return run, time.monotonic() - began, before


def check_next(machine, scenario, before, what):
    """After a fault: the whole records are still there, and the next call is answered."""
    whole, torn = machine.records()
    problems = []
    if lost := [record for record in before[0] if record not in whole]:
        problems.append(f"{what}: lost {lost[:1]}")
    if torn > 1:
        problems.append(f"{what}: {torn} torn lines")
    expected = {"small": ["pass"], "ranged": ["pass"], "reset": ["pass"]}.get(scenario, ["outline", "notice"])
    after = [machine.answer(machine.run(machine.request(scenario))) for _ in range(2)]
    if any(answer not in expected for answer in after):
        problems.append(f"{what}: the next calls gave {after}")
    again, _ = machine.records()
    if lost := [record for record in whole if record not in again]:
        problems.append(f"{what}: the next calls lost {lost[:1]}")
    if scenario != "ranged" and len(again) < len(whole) + 2:
        problems.append(f"{what}: the next calls left no records")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stk", required=True)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--kills", type=int, default=2000)
    arguments = parser.parse_args()
    random.seed(5)
    rows = collections.defaultdict(collections.Counter)
    problems, at_start, kills, slowest = [], [], collections.Counter(), 0.0
    with tempfile.TemporaryDirectory(prefix="stk-faults-") as top:
        machine = Machine(pathlib.Path(top) / "m", arguments.stk)
        number = 0
        for scenario, right in SCENARIOS.items():
            for name, (count, start) in calls(machine, scenario).items():
                for point in points(count, start):
                    for error in ERRORS.get(name, ["EINVAL"]):
                        number += 1
                        if number % arguments.every:
                            continue
                        fault = f"{name}:error={error}:when={point}"
                        run, took, before = inject(machine, scenario, fault)
                        slowest = max(slowest, took)
                        answer = machine.answer(run)
                        row = rows[name, error]
                        row["calls"] += 1
                        if answer in (right, "pass") or answer == "outline" and right == "notice":
                            row["right" if answer == right else answer] += 1
                            if answer == "outline":
                                problems += check_next(machine, scenario, before, f"{scenario} {fault}")
                        elif point <= start and not run.stdout:
                            row["start"] += 1
                            at_start.append(f"{fault}: exit {run.returncode}")
                        else:
                            problems.append(f"{scenario} {fault}: exit {run.returncode}, {run.stdout[:60]!r} {run.stderr[:200]!r}")
                    if number % arguments.every == 0 and point > start:
                        fatal = FATAL[number // arguments.every % len(FATAL)]
                        run, _, before = inject(machine, scenario, f"{name}:signal={fatal}:when={point}")
                        rows["any of them", f"SIG{fatal}"]["calls"] += 1
                        if (answer := machine.answer(run)) in (right, "pass"):
                            rows["any of them", f"SIG{fatal}"]["right" if answer == right else "pass"] += 1
                        else:
                            problems.append(f"{scenario} {name} {point} SIG{fatal}: exit {run.returncode}, {run.stdout[:60]!r}")
                    if number % arguments.every == 0:
                        fault = f"{name}:signal=KILL:when={point}"
                        run, _, before = inject(machine, scenario, fault)
                        kills["at a call"] += 1
                        problems += check_next(machine, scenario, before, f"{scenario} {fault}")
        for _ in range(arguments.kills):
            scenario = random.choice(["clamp", "dup", "again", "small", "reset"])
            machine.prepare(scenario)
            before = machine.records()
            process = subprocess.Popen(
                [machine.stk, "hook", "claude"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=machine.environment(),
                cwd=machine.top / "project",
            )  # fmt: skip
            process.stdin.write(machine.request(scenario))
            process.stdin.close()
            time.sleep(random.uniform(0, 0.012))
            process.send_signal(signal.SIGKILL)
            process.stdout.read()
            kills["too late" if process.wait() == 0 else "at any moment"] += 1
            problems += check_next(machine, scenario, before, f"{scenario} killed")

    print("| system call | error | failed once | right answer | passed in silence | not started |\n|---|---|---|---|---|---|")
    total = collections.Counter()
    for (name, error), row in sorted(rows.items()):
        total += row
        print(f"| {name} | {error} | {row['calls']} | {row['right'] + row['outline']} | {row['pass']} | {row['start']} |")
    print(f"| in all | | {total['calls']} | {total['right'] + total['outline']} | {total['pass']} | {total['start']} |")
    print(f"\nkilled: {dict(kills)}; slowest answer under strace {slowest:.2f} s; problems: {len(problems)}")
    for line in sorted(set(at_start)):
        print(f"not started: {line}")
    for problem in problems[:40]:
        print(f"PROBLEM {problem}")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
