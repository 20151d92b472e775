"""A user's machine in a folder of its own, what stk is asked on it, and what its answer has to be."""
import json
import os
import pathlib
import shutil
import subprocess

BIG = "".join(f"def task_{n}(first, second):\n    third = first * {n} + second\n    return third\n\n\n" for n in range(400))
SMALL = BIG[: 2 * 1024]
SESSION = "5d0c2f1e-0000-4000-8000-00000000000a"
# What a session asks, and what its answer is where nothing goes wrong.
SCENARIOS = {"clamp": "outline", "dup": "notice", "again": "outline", "own": "outline", "small": "pass", "ranged": "pass", "reset": "pass"}


class Machine:
    """`home`, `project`, `data` and `config` below one folder."""

    def __init__(self, top, stk):
        self.top, self.stk = pathlib.Path(top), str(pathlib.Path(stk).resolve())
        shutil.rmtree(self.top, ignore_errors=True)
        for name in ("home", "project", "data", "config", "seeds"):
            (self.top / name).mkdir(parents=True)
        (self.top / "project/big.py").write_text(BIG)
        (self.top / "project/small.py").write_text(SMALL)

    def environment(self, **changes):
        clean = {key: value for key, value in os.environ.items() if key in ("PATH", "LANG")}
        places = {"HOME": self.top / "home", "STK_DATA_DIR": self.top / "data", "STK_CONFIG_DIR": self.top / "config"}
        return {**clean, **{key: str(value) for key, value in {**places, **changes}.items() if value is not None}}

    def payload(self, file, **changes):
        request = {
            "session_id": SESSION,
            "transcript_path": str(self.top / "transcripts/s.jsonl"),
            "cwd": str(self.top / "project"),
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": "Read",
            "tool_input": {"file_path": str(self.top / "project" / file)},
        }
        return json.dumps({**request, **changes}).encode()

    def request(self, scenario):
        """What the scenario sends."""
        if scenario == "reset":
            return json.dumps({"session_id": SESSION, "hook_event_name": "SessionStart", "source": "compact"}).encode()
        if scenario == "ranged":
            return self.payload("big.py", tool_input={"file_path": str(self.top / "project/big.py"), "offset": 5, "limit": 9})
        return self.payload("small.py" if scenario == "small" else "big.py")

    def prepare(self, scenario):
        """The store and the settings as the scenario finds them."""
        for name in ("data", "config"):
            shutil.rmtree(self.top / name)
            (self.top / name).mkdir(mode=0o700)
        if scenario == "own":
            (self.top / "config/config.toml").write_text('exclude = ["*.lock", "gen/**"]\ndedup = true\n')
            (self.top / "config/queries/python").mkdir(parents=True)
            (self.top / "config/queries/python/outline.scm").write_text("(function_definition name: (_) @name) @definition.function\n")
        if scenario not in ("dup", "again", "reset"):
            return
        seed = self.top / "seeds" / scenario
        if not seed.exists():
            for _ in range({"dup": 1, "again": 2, "reset": 1}[scenario]):
                assert self.answer(self.run(self.request("clamp"))) is not None
            shutil.copytree(self.top / "data", seed)
        shutil.rmtree(self.top / "data")
        shutil.copytree(seed, self.top / "data")

    def run(self, request, before=(), **options):
        """A finished run of the hook. `before` is put before the command: strace, a shell with limits."""
        options = {"env": self.environment(), "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 30, **options}
        if "stdin" not in options:
            options["input"] = request
        return subprocess.run([*before, self.stk, "hook", "claude"], cwd=self.top / "project", **options)

    def records(self):
        """The whole records of all files of the store, and how many lines are torn."""
        whole, torn = [], 0
        for file in sorted((self.top / "data").rglob("*.jsonl")):
            lines = file.read_bytes().split(b"\n")
            # What follows the last line end is a record only once its own line end is there.
            torn += bool(lines.pop())
            for line in lines:
                try:
                    whole.append((file.name, json.loads(line)["ts"], line))
                except (ValueError, KeyError):
                    torn += 1
        return whole, torn

    @staticmethod
    def answer(run):
        """"pass", "outline" or "notice"; None where it is none of them, or the exit code is not 0."""
        if run.returncode != 0:
            return None
        if not run.stdout:
            return "pass"
        try:
            answer = json.loads(run.stdout)["hookSpecificOutput"]
            reason = answer["permissionDecisionReason"]
        except (ValueError, KeyError):
            return None
        if answer.get("permissionDecision") != "deny":
            return None
        return "outline" if reason.startswith("stk clamp: ") else "notice" if reason.startswith("stk: file unchanged") else None
