"""A scripted stand-in for the model's Messages API.

It says the messages of a scenario one after the other, whoever asks: a message is a list of tool calls, the end of a turn a
line of text. What the client sends back as the result of each call is kept beside the call.
"""
import contextlib
import http.server
import json
import threading

SUBAGENT = "SUBAGENT"
NO_COST = {"input_tokens": 1, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}


def said(text):
    return [{"type": "text", "text": text}], "end_turn"


def text_of(content):
    """The text of a message or a result: a string, or blocks of which some are text."""
    return content if isinstance(content, str) else " ".join(part.get("text", "") for part in content)


class Script:
    """The messages that are still to be said, and the calls that were made with their results."""

    def __init__(self, turns, agent):
        self.lock = threading.Lock()
        # None ends a turn: the model says a word, and the user has the next one.
        self.main = [message for turn in turns if turn for message in [*turn, None]]
        self.agent = [*agent, None]
        self.calls = {}
        self.results = {}

    def answer(self, request):
        """What the model says to a request: content blocks, and why it stops."""
        messages = request.get("messages", [])
        with self.lock:
            self.note_results(messages)
            if not request.get("tools"):
                return said("ok")
            if "<summary>" in json.dumps(messages[-1:]):
                return said("<summary>Nothing of note.</summary>")
            queue = self.agent if SUBAGENT in json.dumps(messages[:1]) else self.main
            message = queue.pop(0) if queue else None
            if message is None:
                return said("done")
            blocks = []
            for call in message["calls"]:
                name = f"toolu_{len(self.calls) + 1:03}"
                self.calls[name] = call
                blocks.append({"type": "tool_use", "id": name, "name": call["tool"], "input": call["input"]})
            return blocks, "tool_use"

    def note_results(self, messages):
        said = max((n for n, message in enumerate(messages) if message.get("role") == "assistant"), default=-1)
        beside = " ".join(text_of(message.get("content", "")) for message in messages[said + 1:])
        for message in messages:
            blocks = message.get("content")
            for block in blocks if isinstance(blocks, list) else []:
                if block.get("type") == "tool_result":
                    # The first time counts: later requests repeat it, or a compaction has replaced it.
                    result = (bool(block.get("is_error")), text_of(block.get("content", "")), beside)
                    self.results.setdefault(block["tool_use_id"], result)

    def outcomes(self):
        """Every call that was made, with its result: whether it was an error, its text, and what came beside it; then those
        never made."""
        made = [(call, self.results.get(name)) for name, call in self.calls.items()]
        unsaid = [(call, None) for message in self.main + self.agent if message for call in message["calls"]]
        return made + unsaid


def events(request, blocks, stop):
    """The answer as the API streams it."""
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": request.get("model"), "content": [],
               "stop_reason": None, "stop_sequence": None, "usage": NO_COST}
    yield "message_start", {"message": message}
    for index, block in enumerate(blocks):
        if block["type"] == "text":
            empty, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield "content_block_start", {"index": index, "content_block": empty}
        yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}
    yield "message_delta", {"delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 1}}
    yield "message_stop", {}


@contextlib.contextmanager
def serve(script):
    """Serves the script on a free port of loopback, which it yields."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def send(self, kind, body):
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            self.send("application/json", b"{}")

        def do_POST(self):
            length = int(self.headers.get("content-length") or 0)
            request = json.loads(self.rfile.read(length) or b"{}")
            if "count_tokens" in self.path:
                return self.send("application/json", json.dumps({"input_tokens": length // 3}).encode())
            if not self.path.startswith("/v1/messages"):
                return self.send("application/json", b"{}")
            blocks, stop = script.answer(request)
            if not request.get("stream"):
                answer = {"id": "msg_1", "type": "message", "role": "assistant", "model": request.get("model"),
                          "content": blocks, "stop_reason": stop, "stop_sequence": None, "usage": NO_COST}
                return self.send("application/json", json.dumps(answer).encode())
            lines = (f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n" for name, data in events(request, blocks, stop))
            self.send("text/event-stream", "".join(lines).encode())

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
