#!/usr/bin/env python3
"""The hook in bad surroundings: full and read-only disks, limits, closed files, foreign folders, files that change.

usage: surroundings.py --stk PATH [--rounds N]

Needs Linux and root: it mounts small file systems and plays other users. Prints a table of fault, expected answer and
seen answers; exits with 1 where they differ. What needs neither root nor a limit stands in tests/faults.rs.
"""
import argparse
import collections
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from machine import BIG, SESSION, Machine

FOREIGN = 12_345
CASES = []


def case(fault, expected):
    """Registers a function that yields finished runs, or answers, for a fault. `expected`: the answers that are right."""

    def register(function):
        CASES.append((fault, expected.split("|"), function))
        return function

    return register


def shell(machine, script, request, **options):
    """The hook from a shell that has run `script` before."""
    return machine.run(request, ["bash", "-c", script + '\nexec "$@"', "bash"], **options)


def mounted(machine, name, options, then):
    """`then` with a small file system on a folder of the machine."""
    folder = machine.top / name
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)
    try:
        yield from then(folder)
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def fill(file):
    """Writes until the disk is full."""
    with open(file, "wb", buffering=0) as filler:
        try:
            while filler.write(b"x" * 4096):
                pass
        except OSError:
            pass


@case("the disk of the store is full", "outline")
def full_disk(machine):
    def fill_and_run(folder):
        fill(folder / "filler")
        for _ in range(3):
            yield machine.run(machine.request("clamp"))
        assert not machine.records()[0]

    yield from mounted(machine, "data", "size=64k,mode=700", fill_and_run)


@case("it is full in the middle of a record, and has room again later", "outline|notice")
def nearly_full_disk(machine):
    def run(folder):
        filler = folder / "filler"
        for room in range(0, 4096, 97):
            filler.unlink(missing_ok=True)
            for old in folder.rglob("*.jsonl"):
                old.unlink()
            yield machine.run(machine.request("clamp"))
            kept, _ = machine.records()
            # Fill the rest but for some bytes in the pages that the records begin.
            session = folder / "sessions" / f"{SESSION}.jsonl"
            with open(session, "ab") as file:
                file.write(b"#" * (4096 - file.tell() % 4096 - room) + b"\n")
            fill(filler)
            for _ in range(2):
                yield machine.run(machine.request("clamp"))
            filler.unlink()
            yield machine.run(machine.request("clamp"))
            whole, _ = machine.records()
            assert all(record in whole for record in kept) and len(whole) > len(kept), "a record was lost"

    yield from mounted(machine, "data", "size=64k,mode=700", run)


@case("the home is read-only", "outline")
def read_only_home(machine):
    def run(folder):
        environment = machine.environment(HOME=folder, STK_DATA_DIR=None, STK_CONFIG_DIR=None)
        for _ in range(2):
            yield machine.run(machine.request("clamp"), env=environment)

    yield from mounted(machine, "ro", "ro", run)


@case("HOME is missing, empty, a file, a device or not there", "outline|notice")
def odd_homes(machine):
    (machine.top / "file").write_text("")
    for home in (None, "", machine.top / "file", "/dev/null", machine.top / "none", "relative", "/proc"):
        places = {"STK_DATA_DIR": None, "STK_CONFIG_DIR": None}
        # Without HOME the system's own list of users says where it is: nothing may be left in root's.
        shared = {"XDG_DATA_HOME": machine.top / "xdg"} if home in (None, "") else {}
        yield machine.run(machine.request("clamp"), env=machine.environment(HOME=home, **places, **shared))


@case("only 4 to 9 files may be open", "pass|outline|notice")
def few_files(machine):
    for limit in range(4, 10):
        yield shell(machine, f"ulimit -n {limit}", machine.request("clamp"))


@case("little memory: from what the program starts with, in steps of 250 KB", "pass|outline|notice")
def little_memory(machine):
    started = 0
    for kilobytes in range(4_000, 120_000, 250):
        run = shell(machine, f"ulimit -v {kilobytes}", machine.request("clamp"))
        if run.returncode == 0:
            started += 1
        # The kernel, the loader and Rust's own start give up in ways of their own: the last of these is a list of three
        # arguments.
        if run.returncode in (127, -11) and not started or b"memory allocation of 72 bytes" in run.stderr:
            continue
        yield run
        if started > 120:
            return


@case("a small stack: 64 KB to 1 MB", "pass|outline|notice")
def small_stack(machine):
    for kilobytes in (64, 96, 128, 192, 256, 512, 1024):
        run = shell(machine, f"ulimit -s {kilobytes}", machine.request("clamp"))
        if run.returncode not in (-9, -11) or kilobytes >= 128:
            yield run


@case("no thread can be made", "outline|notice")
def no_thread(machine):
    os.chmod(machine.top, 0o755)
    os.chmod(machine.top.parent, 0o755)
    environment = machine.environment(STK_DATA_DIR=None, STK_CONFIG_DIR=None, HOME="/nonexistent")
    yield shell(machine, "ulimit -u 1", machine.request("clamp"), env=environment, user=FOREIGN, group=FOREIGN)


@case("files may grow by 0 bytes, or to 100 (SIGXFSZ)", "outline|notice")
def file_size_limit(machine):
    for blocks in (0, 1):
        for _ in range(2):
            yield shell(machine, f"ulimit -f {blocks}", machine.request("clamp"))


@case("standard input is closed, a folder, or empty for ever", "pass")
def odd_stdin(machine):
    yield shell(machine, "exec 0<&-", b"")
    with open("/dev/null") as null:
        yield machine.run(None, stdin=null)
    folder = os.open(machine.top, os.O_RDONLY)
    yield machine.run(None, stdin=folder)
    os.close(folder)
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    yield machine.run(None, stdin=reader)
    os.set_blocking(reader, True)
    began = time.monotonic()
    yield machine.run(None, stdin=reader)
    assert 3.5 < time.monotonic() - began < 5, "the deadline"
    os.close(reader), os.close(writer)


@case("standard output is closed, full, or nobody reads it", "pass")
def odd_stdout(machine):
    for script in ("exec 1>&-", "exec 1>/dev/full", "exec 1> >(exec 0<&-)\nsleep 0.2", "exec 0<&0 1>&- 2>&-"):
        yield shell(machine, script, machine.request("clamp"))
        shutil.rmtree(machine.top / "data/sessions", ignore_errors=True)


@case("standard error is closed or full", "outline|notice")
def odd_stderr(machine):
    for script in ("exec 2>&-", "exec 2>/dev/full"):
        yield shell(machine, script, machine.request("clamp"))


@case("the store, or its folder, belongs to another user", "outline")
def foreign_store(machine):
    sessions = machine.top / "data/sessions"
    sessions.mkdir()
    for path in (machine.top / "data", sessions):
        os.chown(path, FOREIGN, FOREIGN)
        for _ in range(2):
            yield machine.run(machine.request("clamp"))
        assert not list(path.rglob("*.jsonl")), "something was written there"
        os.chown(path, 0, 0)
    file = sessions / f"{SESSION}.jsonl"
    file.touch()
    os.chown(file, FOREIGN, FOREIGN)
    for _ in range(2):
        yield machine.run(machine.request("clamp"))
    assert file.stat().st_size == 0, "something was written there"


@case("the store, or its folder, is another user's symlink", "outline")
def foreign_links(machine):
    elsewhere = machine.top / "elsewhere"
    elsewhere.mkdir()
    (machine.top / "data").rmdir()
    for link in (machine.top / "data", machine.top / "data/sessions"):
        link.symlink_to(elsewhere)
        os.lchown(link, FOREIGN, FOREIGN)
        for _ in range(2):
            yield machine.run(machine.request("clamp"))
        assert not list(elsewhere.rglob("*.jsonl")), "something was written there"
        link.unlink()
        (machine.top / "data").mkdir(exist_ok=True)


@case("the settings belong to another user, or everyone may write to them", "pass")
def foreign_settings(machine):
    config = machine.top / "config/config.toml"
    config.write_text("dedup = true\n")
    for path in (config, config.parent):
        os.chown(path, FOREIGN, FOREIGN)
        yield machine.run(machine.request("clamp"))
        os.chown(path, 0, 0)
        os.chmod(path, 0o777)
        yield machine.run(machine.request("clamp"))
        os.chmod(path, 0o700)


@case("the file, its folder or the session's folder may not be read", "pass")
def unreadable(machine):
    os.chmod(machine.top, 0o755)
    os.chmod(machine.top.parent, 0o755)
    environment = machine.environment(STK_DATA_DIR=None, STK_CONFIG_DIR=None, HOME="/nonexistent")
    for path in (machine.top / "project/big.py", machine.top / "project"):
        mode = path.stat().st_mode
        os.chmod(path, 0)
        yield subprocess.run(
            [machine.stk, "hook", "claude"], input=machine.request("clamp"), env=environment, capture_output=True, user=FOREIGN
        )
        os.chmod(path, mode)


@case("the working folder has been removed", "outline|notice")
def removed_folder(machine):
    gone = machine.top / "gone"
    gone.mkdir()
    yield shell(machine, f"cd {gone}; rmdir {gone}", machine.request("clamp"))


def while_it(changes, rounds):
    """Runs on a file that a thread changes without pause."""

    def runs(machine):
        file = machine.top / "project/moving.py"
        file.write_text(BIG)
        stop = threading.Event()

        def change():
            while not stop.is_set():
                changes(file)

        thread = threading.Thread(target=change)
        thread.start()
        try:
            for _ in range(rounds):
                began = time.monotonic()
                yield machine.run(machine.payload("moving.py", session_id=None))
                assert time.monotonic() - began < 3, "it took too long"
        finally:
            stop.set()
            thread.join()

    return runs


def rewrite(file):
    for text in (BIG[::-1], BIG):
        with open(file, "r+") as same:
            same.write(text)


def shrink(file):
    file.write_text(BIG)
    os.truncate(file, 20_000)
    os.truncate(file, 0)


def vanish(file):
    file.unlink(missing_ok=True)
    file.write_text(BIG)


def grow(file):
    if file.stat().st_size > 64 << 20:
        os.truncate(file, len(BIG))
    with open(file, "a") as growing:
        growing.write(BIG)


def become_a_fifo(file):
    other = file.with_suffix(".new")
    os.mkfifo(other)
    os.rename(other, file)
    other.write_text(BIG)
    os.rename(other, file)


def become_a_folder(file):
    file.unlink(missing_ok=True)
    file.mkdir()
    file.rmdir()
    file.write_text(BIG)


def become_a_link(file):
    other = file.with_suffix(".new")
    other.symlink_to("/dev/zero")
    os.rename(other, file)
    other.write_text(BIG)
    os.rename(other, file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stk", required=True)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    for what, change in (
        ("is rewritten", rewrite), ("shrinks and grows", shrink), ("vanishes and comes back", vanish), ("grows for ever", grow),
        ("turns into a FIFO and back", become_a_fifo), ("turns into a folder and back", become_a_folder),
        ("turns into a link to /dev/zero and back", become_a_link),
    ):  # fmt: skip
        CASES.append((f"the file {what} while it is read", ["pass", "outline"], while_it(change, arguments.rounds)))

    wrong = 0
    print("| fault | right | seen |\n|---|---|---|")
    for fault, expected, runs in CASES:
        if arguments.only not in fault:
            continue
        with tempfile.TemporaryDirectory(prefix="stk-faults-") as top:
            machine = Machine(pathlib.Path(top) / "m", arguments.stk)
            seen, faults = collections.Counter(), []
            try:
                for run in runs(machine):
                    answer = machine.answer(run)
                    seen[str(answer)] += 1
                    if answer not in expected:
                        faults.append(f"exit {run.returncode}, {run.stdout[:80]!r} {run.stderr[:200]!r}")
            except (AssertionError, subprocess.TimeoutExpired) as fault_of_run:
                faults.append(f"{fault_of_run}")
        shown = ", ".join(f"{count} {answer}" for answer, count in sorted(seen.items()))
        print(f"| {fault} | {' or '.join(expected)} | {shown}{' WRONG' if faults else ''} |", flush=True)
        for line in faults[:3]:
            print(f"PROBLEM {fault}: {line}")
        wrong += bool(faults)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
