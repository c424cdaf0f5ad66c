"""A session with rust-analyzer in which a skill alone is edited: `analyzer.py CRATE`, run by .ci/parts/analyzer.

The crate has a line `include_skills! { pub mod skill in "skills" }` in src/main.rs and a whole skill `greet`. What docs/guide/program.md says
about an editor is tried here.
"""

import json
import pathlib
import subprocess
import sys

crate = pathlib.Path(sys.argv[1]).resolve()
source = crate / "src/main.rs"
skill = crate / "skills/greet/SKILL.md"
text = source.read_text()
whole = skill.read_text()
broken = whole.replace("name: greet", "name: Greet")
lines = text.splitlines()
LINE = next(i for i, line in enumerate(lines) if '"skills"' in line)
COLUMN = lines[LINE].index('"skills"')

server = subprocess.Popen(
    ["rust-analyzer"], cwd=crate, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
)
quiescent = False  # nothing is loaded or built
checks = 0  # runs of `cargo check` that ended
checked = []  # the findings of the last run in main.rs
requests = 0
version = 1


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()


def notify(method, params):
    send({"method": method, "params": params})


def receive():
    """Reads a message, and answers it or keeps what it says."""
    global quiescent, checks, checked
    length = 0
    while (line := server.stdout.readline().strip()) or not length:
        if not line:
            sys.exit("rust-analyzer ended")
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    message = json.loads(server.stdout.read(length))
    method, params = message.get("method"), message.get("params")
    if method and "id" in message:
        send({"id": message["id"], "result": None})
    elif method == "experimental/serverStatus":
        quiescent = params["quiescent"]
    elif method == "$/progress":
        checks += "flycheck" in str(params["token"]) and params["value"]["kind"] == "end"
    elif method == "textDocument/publishDiagnostics" and params["uri"] == source.as_uri():
        checked = params["diagnostics"]
    return message


def request(method, params):
    global requests
    requests += 1
    send({"id": requests, "method": method, "params": params})
    while (message := receive()).get("id") != requests or "method" in message:
        pass
    return message


def own():
    """Returns the findings of rust-analyzer itself. An answer that a change overtook is asked for again."""
    while "result" not in (answer := request("textDocument/diagnostic", {"textDocument": document})):
        pass
    return answer["result"]["items"]


def save():
    """Saves main.rs, and waits until `cargo check` has run."""
    before = checks
    notify("textDocument/didSave", {"textDocument": document})
    while checks == before:
        receive()
    # Findings of the run follow its end.
    own()


def types(new):
    global version
    version += 1
    notify(
        "textDocument/didChange",
        {"textDocument": {**document, "version": version}, "contentChanges": [{"text": new}]},
    )


def touch():
    """Changes the line of the macro, and changes it back."""
    types(text.replace("pub mod", "mod"))
    own()
    types(text)


def constants():
    """Returns the names that are offered after `skill::` in `main`."""
    line = next(i for i, line in enumerate(lines) if "skill::GREET" in line)
    at = {"line": line, "character": lines[line].index("skill::GREET") + len("skill::")}
    answer = request("textDocument/completion", {"textDocument": document, "position": at})["result"]
    return {item["label"] for item in answer["items"]}


def expect(what, findings, number):
    """Fails unless there are so many findings, each at the path in the macro."""
    places = [(it["range"]["start"]["line"], it["range"]["start"]["character"]) for it in findings]
    messages = [it["message"].splitlines()[0] for it in findings]
    if places != [(LINE, COLUMN)] * number or not all(it.startswith("name-form") for it in messages):
        sys.exit(f"{what}: {places} {messages}")
    print(f"{what}: {number}", flush=True)


document = {"uri": source.as_uri()}
capabilities = {
    "experimental": {"serverStatusNotification": True},
    "window": {"workDoneProgress": True},
    "textDocument": {"diagnostic": {}, "publishDiagnostics": {}},
}
request("initialize", {"processId": None, "rootUri": crate.as_uri(), "capabilities": capabilities})
notify("initialized", {})
notify(
    "textDocument/didOpen",
    {"textDocument": {**document, "languageId": "rust", "version": version, "text": text}},
)
while not quiescent or not checks:
    receive()
try:
    expect("whole", own() + checked, 0)
    skill.write_text(broken)
    save()
    expect("the skill is broken, and a Rust file saved: of cargo", checked, 1)
    skill.write_text(whole)
    save()
    expect("the skill is whole, and a Rust file saved: of cargo", checked, 0)

    # A mark of rust-analyzer itself stays until the line of the macro changes.
    skill.write_text(broken)
    touch()
    expect("the skill is broken, and the line changed: of rust-analyzer", own(), 1)
    skill.write_text(whole)
    save()
    stale = len(own())
    print(f"the skill is whole, and a Rust file saved: of rust-analyzer: {stale}", flush=True)
    touch()
    expect("the line changed: of rust-analyzer", own(), 0)

    # The constant of a new skill.
    part = crate / "skills/part/SKILL.md"
    part.parent.mkdir()
    part.write_text(whole.replace("greet", "part"))
    save()
    before = constants()
    touch()
    after = constants()
    print(f"a new skill, and the line changed: {sorted(after - before)}", flush=True)
    if "GREET" not in before or after - before != {"PART"}:
        sys.exit(f"before: {before}, after: {after}")
finally:
    server.kill()
if not stale:
    sys.exit("rust-analyzer noticed the change by itself: docs/guide/program.md says that it does not")
