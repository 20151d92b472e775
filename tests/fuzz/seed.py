#!/usr/bin/env python3
"""Begins the corpora: tests/fuzz/corpus/<target>/, from fixtures/ and queries/ and some lines of its own.

Where a target's first byte chooses a language, each fixture stands there once for its own language.
"""
import hashlib
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests/fuzz/corpus"
LARGEST = 2_500


def put(target, data):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


def languages():
    """The names in src/language/mod.rs, and of those the ones with a grammar: their order is what the first byte counts in."""
    text = (ROOT / "src/language/mod.rs").read_text()
    table = text[text.index("static LANGUAGES") : text.index("];", text.index("static LANGUAGES"))]
    rows = re.split(r"\brow\(", table)[1:]
    named = [(re.search(r'"([^"]+)"', row).group(1), "tree_sitter!" in row) for row in rows]
    return [name for name, _ in named], [name for name, has in named if has]


every, with_grammar = languages()
# The last of the outliners, for what is of no language.
NONE = len(every)
for folder in sorted((ROOT / "fixtures").glob("*")):
    for file in sorted(folder.iterdir()) if folder.is_dir() else []:
        if file.suffix == ".outline" or not file.is_file():
            continue
        data = file.read_bytes()
        header = 0x80 if file.suffix in (".h", ".hpp", ".hxx", ".inl") else 0
        pieces = {data[:LARGEST], data[-LARGEST:]}
        for piece in pieces:
            if folder.name in with_grammar:
                put("tree", bytes([with_grammar.index(folder.name) | header]) + piece)
            if folder.name in every:
                for target in ("outline", "lexis"):
                    put(target, bytes([every.index(folder.name) | header]) + piece)
            put("outline", bytes([NONE]) + piece[:200])
        # Texts that several threads share, each once and whole.
        if folder.name in with_grammar and 12_000 < len(data) < 32_000:
            put("outline", bytes([every.index(folder.name) | header]) + data)
for name in with_grammar:
    folder = {"tsx": "typescript"}.get(name, name)
    text = (ROOT / f"queries/{folder}/outline.scm").read_text()
    for pattern in re.split(r"\n(?=[(\[\"])", text):
        put("query", bytes([with_grammar.index(name)]) + pattern.encode())
for pattern in (
    '(_) @definition.x', '((comment)+ @_doc . (_) @definition.x)', '(_ (_)* @_a . (_) @name) @definition.x', '[(_) "x"] @definition.a',
    '((_) @name (#match? @name "^[a-z]+$")) @_x', '(_ !name (_) @name .) @definition.b', '(ERROR) @definition.e', '(MISSING) @definition.m',
    '((identifier) @name (#any-of? @name "f" "m") (#not-eq? @name "g"))', '(_ . (_) @name (_)? @_b (_)+ @_c) @definition.d',
):  # fmt: skip
    for number in range(len(with_grammar)):
        put("query", bytes([number]) + pattern.encode())
request = {
    "session_id": "s", "transcript_path": "/t/s.jsonl", "cwd": "/", "hook_event_name": "PreToolUse", "tool_name": "Read",
    "tool_input": {"file_path": "$BIG"},
}  # fmt: skip
for changes in ({}, {"agent_id": "a"}, {"tool_input": {"file_path": "$BIG", "offset": "3", "limit": 5}}, {"hook_event_name": "PreCompact"},
                {"permission_mode": "default"}, {"hook_event_name": "SessionStart", "source": "clear"}, {"session_id": None}):  # fmt: skip
    put("stdin", json.dumps({**request, **changes}).encode())
record = '{"ts":1,"file":"/a","size":5,"hash":"1","action":"clamp"}\n'
put("store", (record * 3 + '{"ts":1,"action":"reset"}\n' + record[:-1]).encode())
put("store", b'{"ts":1,"file":"/a","size":5,"hash":"1","action":"dup","agent":"b"}\n{"torn')
put("config", b'clamp_threshold = 0x10_00\noutline_max_lines = 9\ndedup = false\nexclude = ["*.lock", "gen/**"]\nparse_timeout_ms = 5\n')
put("config", b'\xef\xbb\xbfoutside_project = "clamp"\r\nmode = "observe"\r\nreply = "context"\r\n')
for number in (1, 10, 61, 200):
    put("fit", bytes((index * 7 % 256 for index in range(number * 6))))
    put("fit", bytes([1, 255, 3, 5, 90, 0] * number))
