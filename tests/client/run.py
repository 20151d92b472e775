#!/usr/bin/env python3
"""End-to-end test: stk as a hook inside the real Claude Code client, which talks to a scripted model on loopback.

usage: run.py --stk PATH [--keep] [SCENARIO.toml ...]        (default: all of scenarios/)

The client comes from the npm registry once, into a cache folder. It runs as the only program of a network namespace that
has nothing but loopback, with a HOME of its own: nothing leaves the machine, nothing of the user's is read or written.
Needs Linux, root (for `unshare -n`), npm and Python 3.11.

A scenario is a TOML file:
  what = "..."                      one sentence: what is promised
  hook = "user"                     where the hook is installed: user | project | twice | plugin | missing (its binary is not there)
  config = "..."                    stk's config.toml
  [files]  "big.py" = 1000          so many small functions; or the file's text
  [links]  "link.py" = "target"     symlinks
  [[turn]] prompt = "..."           what the user says; turns go on in one session
  [[turn.message]]                  what the model says then, in order: calls of tools, all in one message
    calls = [{ tool = "Read", input = { file_path = "$DIR/big.py" }, denied = true, has = ["..."], lacks = ["..."], at_most = 4000 }]
  [[agent.message]]                 what a subagent says (one that is started with "SUBAGENT" in its prompt)
$DIR is the project, $TOP the folder above it. A call's expectations are about what reaches the model as its result; with
beside = ["..."] about what reaches it together with the result, outside of it.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib

import model

HERE = pathlib.Path(__file__).resolve().parent
VERSION = os.environ.get("STK_CLIENT_VERSION", "2.1.332")
MINUTES = 3


def client():
    """The client's program, fetched where it is not in the cache yet."""
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "stk-client" / VERSION
    program = cache / "package" / "claude"
    if not program.exists():
        cache.mkdir(parents=True, exist_ok=True)
        package = f"@anthropic-ai/claude-code-linux-x64@{VERSION}"
        packed = subprocess.run(["npm", "pack", "--silent", package], cwd=cache, check=True, capture_output=True, text=True)
        archive = cache / packed.stdout.split()[-1]
        shutil.unpack_archive(archive, cache, "gztar")
        archive.unlink()
        program.chmod(0o755)
    return program


def place(value, top):
    """Every string of a value with $DIR and $TOP filled in."""
    if isinstance(value, str):
        return value.replace("$DIR", str(top / "project")).replace("$TOP", str(top))
    if isinstance(value, list):
        return [place(item, top) for item in value]
    if isinstance(value, dict):
        return {place(key, top): place(item, top) for key, item in value.items()}
    return value


def python_source(functions):
    return "".join(f"def f{n}(x):\n    return x + {n}\n\n" for n in range(functions))


def set_up(scenario, top, stk):
    """Lays out the project, stk's config and the client's settings."""
    project, home = top / "project", top / "home"
    for folder in (project / ".claude", home / ".claude", home / ".config" / "stk"):
        folder.mkdir(parents=True)
    for name, content in scenario.get("files", {}).items():
        path = pathlib.Path(name) if name.startswith("/") else project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(python_source(content) if isinstance(content, int) else content)
    for name, target in scenario.get("links", {}).items():
        (project / name).symlink_to(target)
    (home / ".config" / "stk" / "config.toml").write_text(scenario.get("config", ""))
    printed = subprocess.run([stk, "init", "--format", "json"], check=True, capture_output=True, text=True).stdout
    how = scenario.get("hook", "user")
    if how == "missing":
        printed = printed.replace(stk, str(top / "no-such-program"))
    if how in ("user", "twice", "missing"):
        (home / ".claude" / "settings.json").write_text(printed)
    if how in ("project", "twice"):
        (project / ".claude" / "settings.json").write_text(printed)


def converse(scenario, top, port, stk):
    """Runs the client once for each turn, in one session."""
    environment = {
        "PATH": f"{pathlib.Path(stk).parent}:{os.environ['PATH']}", "HOME": str(top / "home"), "TERM": "dumb", "ANTHROPIC_API_KEY": "sk-ant-none",
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_TELEMETRY": "1", "DISABLE_ERROR_REPORTING": "1", "DISABLE_AUTOUPDATER": "1",
    }
    session = None
    for turn in scenario["turn"]:
        command = [str(client()), "--print", turn["prompt"], "--output-format", "stream-json", "--verbose",
                   "--allowedTools", "Read", "Edit", "Task"]
        if scenario.get("hook") == "plugin":
            command += ["--plugin-dir", str(HERE.parent.parent / ".claude-plugin" / "stk")]
        if session:
            command += ["--resume", session]
        run = subprocess.run(command, cwd=top / "project", env=environment, capture_output=True, text=True, timeout=60 * MINUTES)
        for line in run.stdout.splitlines():
            session = session or json.loads(line).get("session_id")
        if not session:
            sys.exit(f"the client did not start: {run.stderr.strip() or run.stdout.strip()}")


def faults_of(call, result):
    """What is wrong with the result of one call."""
    if result is None:
        return ["no result reached the model"]
    denied, text, beside = result
    faults = []
    if "denied" in call and denied != call["denied"]:
        faults.append(f"is {'denied' if denied else 'not denied'}: {text[:200]!r}")
    faults += [f"lacks {part!r}: {text[:200]!r}" for part in call.get("has", []) if part not in text]
    faults += [f"holds {part!r}" for part in call.get("lacks", []) if part in text]
    faults += [f"lacks {part!r} beside it: {beside[:200]!r}" for part in call.get("beside", []) if part not in beside]
    if len(text.encode()) > call.get("at_most", sys.maxsize):
        faults.append(f"has {len(text.encode())} bytes")
    return faults


def play(path, stk, keep):
    """Plays one scenario inside the network namespace; prints and returns its faults."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    top = pathlib.Path(tempfile.mkdtemp(prefix="stk-client-")).resolve()
    scenario = place(tomllib.loads(path.read_text()), top)
    set_up(scenario, top, stk)
    script = model.Script([turn.get("message", []) for turn in scenario["turn"]], scenario.get("agent", {}).get("message", []))
    with model.serve(script) as port:
        converse(scenario, top, port, stk)
    faults = []
    for call, result in script.outcomes():
        where = f"{call['tool']} {call['input'].get('file_path', '')}".replace(str(top), "")
        faults += [f"{where}: {fault}" for fault in faults_of(call, result)]
    if keep:
        print(f"    kept in {top}")
    else:
        shutil.rmtree(top)
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stk", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--keep", action="store_true", help="leave the folders of the scenarios behind")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("scenarios", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    if options.inside:
        faults = play(options.scenarios[0], options.stk, options.keep)
        print("\n".join(f"    {fault}" for fault in faults))
        sys.exit(1 if faults else 0)
    client()  # While there is a network.
    failed = 0
    for path in options.scenarios or sorted((HERE / "scenarios").glob("*.toml")):
        start = time.monotonic()
        command = ["unshare", "--net", sys.executable, __file__, "--inside", "--stk", options.stk, str(path)]
        run = subprocess.run(command + ["--keep"] * options.keep, capture_output=True, text=True)
        failed += run.returncode != 0
        print(f"{'FAIL' if run.returncode else 'ok  '} {path.stem} ({time.monotonic() - start:.0f} s)", flush=True)
        if run.returncode or options.keep:
            print((run.stdout + run.stderr).rstrip())
    print(f"{failed} failed" if failed else "all passed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
