"""Compares our program with skills-ref while the tests of skills-ref run.

A plugin of pytest: each function of skills-ref that its tests call is called with the same input as our program. A test
fails if the two results differ, and no choice of ours explains the difference. SKILLS is the path of our program.
"""

import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

import skills_ref.errors
import skills_ref.parser
import skills_ref.prompt
import skills_ref.validator

SKILLS = os.environ["SKILLS"]
# The chapter on the reference implementation in docs/guide/repository.md argues for these.
CHOICES = {
    "unknown-field": "a field that the specification does not know is no error unless `--deny unknown-field` asks",
    "empty-list": "a list without skills has no text",
}
calls = depth = 0
chosen = []


def run(*words):
    return subprocess.run([SKILLS, *map(str, words)], capture_output=True, text=True, timeout=60)


def errors(path, *words):
    """Returns the errors of `skills check` as rule and path."""
    done = run("check", "--format", "json", *words, "--", path)
    # Exit code 2: the path itself cannot be checked.
    if done.returncode == 2:
        return [("path", str(path))]
    found = json.loads(done.stdout)["diagnostics"]
    return [(it["rule"], it["path"]) for it in found if it["severity"] == "error"]


def fields(folder, name):
    """Returns the fields of a skill as texts, as the runtime reads them."""
    done = run("show", "--layer", f"x={folder.parent}", "--format", "json", name)
    shown = json.loads(done.stdout)
    read = shown["frontmatter"]
    read["name"], read["description"] = shown["name"], shown["description"]
    for key in read.get("metadata", {}):
        read["metadata"][key] = str(read["metadata"][key])
    for pointer, text in shown.get("frontmatter_texts", {}).items():
        if pointer.startswith("/metadata/"):
            read["metadata"][pointer.removeprefix("/metadata/")] = text
    return read


def replace(module, name):
    """Puts a function of this file in the place of the one of skills-ref with the same name."""

    def put(ours):
        reference = getattr(module, name)

        def replaced(given):
            global calls, depth
            # Functions of skills-ref call each other: only the outermost call is a test's.
            if depth:
                return reference(given)
            calls += 1
            depth += 1
            try:
                result, error = reference(given), None
            except skills_ref.errors.SkillError as raised:
                result, error = None, raised
            finally:
                depth -= 1
            ours(given, result, error)
            if error:
                raise error
            return result

        setattr(module, name, replaced)

    return put


def same(what, theirs, ours):
    if theirs != ours:
        # No error of skills-ref: a test that expects one fails too.
        raise AssertionError(f"{what}: skills-ref: {theirs!r}; ours: {ours!r}")


@replace(skills_ref.validator, "validate")
def validate(folder, theirs, _):
    ours = errors(folder)
    if theirs and not ours:
        ours = errors(folder, "--deny", "unknown-field")
        chosen.append("unknown-field")
    same(f"an error of {folder}, {theirs} and {ours}", bool(theirs), bool(ours))


@replace(skills_ref.parser, "read_properties")
def read_properties(folder, theirs, error):
    if error:
        same(f"an error of {folder}, {error}", True, bool(errors(folder)))
    else:
        same(f"the fields of {folder}", theirs.to_dict(), fields(folder, theirs.name))


@replace(skills_ref.parser, "parse_frontmatter")
def parse_frontmatter(content, theirs, error):
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made, "my-skill")
        folder.mkdir()
        (folder / "SKILL.md").write_text(content)
        ours = [rule for rule, _ in errors(folder) if re.match("frontmatter-|yaml-", rule)]
        same(f"an error of {content!r}, {error} and {ours}", bool(error), bool(ours))
        if not error:
            same(f"the fields of {content!r}", theirs[0], fields(folder, theirs[0]["name"]))


@replace(skills_ref.parser, "find_skill_md")
def find_skill_md(folder, theirs, _):
    # The files have no front matter, which is an error at the path of the skill's file.
    ours = [Path(path).name for rule, path in errors(folder) if rule == "frontmatter-missing"]
    same(f"the file of {folder}", [theirs.name] if theirs else [], ours)


@replace(skills_ref.prompt, "to_prompt")
def to_prompt(folders, theirs, _):
    with tempfile.TemporaryDirectory() as empty:
        parents = {folder.parent for folder in folders} or {empty}
        layers = [word for parent in parents for word in ("--layer", f"x={parent}")]
        ours = run("prompt", *layers).stdout
    if not folders and not ours:
        chosen.append("empty-list")
        return
    # An element stands on one line here, and on three lines there.
    lines = [re.sub(r"\s*(</?\w+>)\s*", r"\1", text) for text in (theirs, ours)]
    same("the list", *lines)


def pytest_terminal_summary(terminalreporter):
    passed = len(terminalreporter.stats.get("passed", []))
    terminalreporter.write_line(f"skills-ref: {passed} tests, {calls} calls compared, {len(chosen)} differ by choice")
    for name in chosen:
        terminalreporter.write_line(f"  {name}: {CHOICES[name]}")


def pytest_sessionfinish(session, exitstatus):
    # A choice that no test meets, and tests that call nothing, are faults of this comparison.
    if exitstatus == 0 and (sorted(set(chosen)) != sorted(CHOICES) or calls < session.testscollected):
        session.exitstatus = 1
