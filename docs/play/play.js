// The page of the playground. The checks are in WebAssembly (crates/skills-play); this file shows their answers. Every
// text of a skill enters the page as text, never as HTML.
"use strict";

(() => {
  const MAX_FILE = 1024 * 1024;
  const MAX_FILES = 5000;
  const MAX_BYTES = 64 * 1024 * 1024;
  const MAX_LINK = 2 * 1024 * 1024;
  const EXAMPLE = `---
name: Code-Review
description: Reviews a change before it is merged
argument-hint: [what]
allowed-tools: Read, Bash(git diff:*)
disable-model-invocation: true
---

# Code review

Review $ARGUMENTS. Run \`git diff main\`, then read the [checklist](references\\checklist.md).
`;

  const $ = (id) => document.getElementById(id);
  const text = $("text");
  /** What is open: the bytes of each file by path, the name of the folder ("" for a pasted text), the shown path. */
  let files = new Map();
  let folder = "";
  let shown = "SKILL.md";
  /** The line ends of the shown file, which a text area makes line feeds. */
  let lineEnd = "\n";
  let page = null;
  let answer = null;
  let chosen = null;
  let timer = 0;
  /** The number of the last question about clients: an older one ends. */
  let asked = 0;
  let clientNames = [];
  /** What was open before the last fix. */
  let before = null;
  /** True from a key to the next check. */
  let isNew = false;

  /** Makes an element with attributes and children. Children are elements or texts. */
  function made(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "class") element.className = value;
      else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else if (value !== false && value !== undefined) element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }

  /** The parts of a text, with what stands between backticks as code. */
  const coded = (content) => content.split(/`([^`\n]+)`/).map((part, at) => (at % 2 ? made("code", {}, part) : part));

  const said = (message) => ($("said").textContent = message);
  const counted = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;

  // What is open.

  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const encoder = new TextEncoder();

  /** The text of a file; null if the bytes are not UTF-8 or were not read. */
  function decoded(bytes) {
    if (!(bytes instanceof Uint8Array)) return null;
    try {
      return decoder.decode(bytes);
    } catch {
      return null;
    }
  }

  /** Hands everything that is open to the checks. */
  function handed() {
    page?.free();
    page = null;
    if (folder === "") {
      const bytes = files.get("SKILL.md") ?? new Uint8Array();
      page = wasm_bindgen.Page.ofText(decoded(bytes) ?? "");
      // Bytes that are no text are checked too.
      page.put("SKILL.md", bytes);
      return;
    }
    page = wasm_bindgen.Page.ofFolder(folder);
    for (const [path, bytes] of files) {
      if (bytes instanceof Uint8Array) page.put(path, bytes);
      else page.putUnread(path, bytes);
    }
  }

  /** Opens other files. Undo leads back to those before. */
  function opened(name, all) {
    kept(files.size > 0 ? { folder, files, shown } : null);
    folder = name;
    files = all;
    chosen = null;
    page?.free();
    page = null;
    const paths = [...files.keys()];
    const depth = (path) => path.split("/").length;
    const entries = paths.filter((path) => /(^|\/)skill\.md$/i.test(path));
    entries.sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
    show(entries[0] ?? paths.sort()[0] ?? "SKILL.md");
    check();
  }

  /** Keeps the files to which Undo leads back. */
  function kept(last) {
    before = last;
    $("undo").hidden = last === null;
  }

  /** Shows a file in the text area. */
  function show(path) {
    shown = path;
    const bytes = files.get(path);
    const content = bytes === undefined ? "" : decoded(bytes);
    text.readOnly = content === null;
    lineEnd = content !== null && content.includes("\r\n") ? "\r\n" : "\n";
    text.value = content ?? "";
    const why = bytes instanceof Uint8Array ? "is not UTF-8" : "is longer than 1 MiB";
    // The text area knows one kind of line end.
    const isMixed = content !== null && (/\r(?!\n)/.test(content) || (content.includes("\r\n") && /(^|[^\r])\n/.test(content)));
    const mixed = isMixed ? `Lines of ${path} end in several ways: a change here makes them one.` : "";
    $("text-note").textContent = content === null ? `${path} ${why}, and is not shown.` : mixed;
    const select = $("file");
    select.value = path;
  }

  function listFiles() {
    const select = $("file");
    select.parentElement.hidden = folder === "";
    if (folder === "") return select.replaceChildren();
    const paths = [...files.keys()].sort();
    select.replaceChildren(...paths.map((path) => made("option", { value: path }, path)));
    select.value = shown;
  }

  /** Takes over what was typed. */
  function typed() {
    if (text.readOnly) return;
    const content = lineEnd === "\r\n" ? text.value.replaceAll("\n", "\r\n") : text.value;
    files.set(shown, encoder.encode(content));
    isNew = true;
    // Undo would throw away what was typed.
    kept(null);
    if (page) page.put(shown, files.get(shown));
  }

  // The checks.

  /** Calls the checks. A fault in them ends nothing: the next call starts anew. */
  function ask(what) {
    try {
      if (!page) handed();
      return what(page);
    } catch (error) {
      page = null;
      console.warn(error);
      $("count").textContent = "The checks failed on this text. Please report it, with the text.";
      void start();
      return null;
    }
  }

  function check() {
    if (!loaded) return;
    const result = ask((page) => page.check());
    if (result === null) return;
    isNew = false;
    answer = JSON.parse(result);
    listFiles();
    showFindings();
    showSkills();
    clearTimeout(timer);
    asked += 1;
    // The findings are painted before the clients, which take longer: a long text waits until nobody types.
    timer = setTimeout(showRest, Math.min(30 + text.value.length / 100, 1500));
  }

  function showFindings() {
    const { errors, warnings, suppressed, findings, more, safe, guesses, skills } = answer;
    const rest = findings.length + more - errors - warnings;
    const isEmpty = folder === "" && !text.readOnly && text.value.trim() === "";
    const parts = [
      errors && counted(errors, "error"),
      warnings && counted(warnings, "warning"),
      rest && `${rest} of advice`,
      suppressed && `${suppressed} suppressed`,
    ].filter(Boolean);
    const about = folder === "" ? "" : ` in ${counted(skills.length, "skill")}`;
    $("count").replaceChildren(
      isEmpty
        ? "Nothing is written yet."
        : errors + warnings + rest === 0
          ? made("b", { class: "none" }, `No findings${about}.${suppressed ? ` ${suppressed} suppressed.` : ""}`)
          : made("b", {}, `${parts.join(", ")}${about}.`),
    );
    const list = isEmpty ? [] : findings.map(finding);
    if (more > 0 && !isEmpty) list.push(made("li", {}, `And ${more} more.`));
    $("findings").replaceChildren(...list);
    button("fix-safe", isEmpty ? 0 : safe, `Fix all safe (${safe})`);
    button("fix-guess", isEmpty ? 0 : guesses, `Fix all, also guesses (${safe + guesses})`);
  }

  function button(id, count, label) {
    const element = $(id);
    // A button that vanishes under the keyboard would lose the place of the focus.
    if (count === 0 && document.activeElement === element) $("count").parentElement.querySelector("h2").focus();
    element.hidden = count === 0;
    element.textContent = label;
  }

  function finding(found) {
    const { severity, rule, path, line, column, message, help, fix, index, place, summary } = found;
    const where = folder === "" ? `${line}:${column}` : `${path || folder}:${line}:${column}`;
    const body = [
      made(
        "div",
        { class: "where" },
        made("span", { class: "severity" }, severity),
        made("a", { href: `../rules/${rule}.html`, title: summary }, rule),
        place && files.has(path)
          ? made("button", { type: "button", class: "go", "aria-label": `Show ${where}`, onclick: () => go(path, place) }, where)
          : made("span", { class: "code" }, where),
      ),
      made("p", {}, ...coded(message)),
    ];
    if (help) body.push(made("p", { class: "help" }, ...coded(help)));
    if (fix) {
      const label = fix === "safe" ? "Fix" : "Guess a fix";
      const kind = fix === "safe" ? "keeps the meaning" : "read what it wrote";
      body.push(
        made(
          "div",
          { class: "fix" },
          made("button", { type: "button", onclick: () => fixed((page) => page.fix(index)), "aria-label": `${label}: ${rule} at ${where}` }, label),
          made("span", { class: "kind" }, kind),
        ),
      );
    }
    return made("li", { class: severity }, ...body);
  }

  /** Selects a place in the text. */
  function go(path, [start, end]) {
    if (path !== shown) show(path);
    text.focus();
    text.setSelectionRange(start, end);
    // A text area scrolls to its selection only while a key is pressed: so the lines above are measured.
    const above = text.value.slice(0, start).split("\n").length - 1;
    const height = parseFloat(getComputedStyle(text).lineHeight);
    text.scrollTop = Math.max(0, above * height - text.clientHeight / 3);
  }

  function fixed(call) {
    // The places of the findings are those of an older text.
    if (isNew) {
      check();
      return said("The text was changed: these are its findings now. Nothing was fixed.");
    }
    const last = { folder, files: new Map(files), shown };
    const result = ask(call);
    if (result === null) return;
    const { fixed, changed } = JSON.parse(result);
    if (changed.length) kept(last);
    for (const { path, text } of changed) {
      files.set(path, encoder.encode(text));
      // A fix can write a file beside a pasted text: then it is a folder.
      if (folder === "" && path !== "SKILL.md") {
        folder = answer.skills[0]?.name ?? "skill";
        page = null;
      }
    }
    show(changed.some(({ path }) => path === shown) || !changed.length ? shown : changed[0].path);
    check();
    said(changed.length ? `${counted(fixed, "finding")} fixed: ${changed.map(({ path }) => path).join(", ")}.` : "Nothing was changed.");
    const next = $("findings").querySelector("button") ?? text;
    next.focus();
  }

  function showSkills() {
    const select = $("skill");
    const { skills } = answer;
    select.parentElement.hidden = skills.length < 2;
    if (!skills.some(({ dir }) => dir === chosen)) {
      chosen = skills.find(({ path }) => path === shown)?.dir ?? skills[0]?.dir ?? null;
    }
    select.replaceChildren(...skills.map(({ dir, name }) => made("option", { value: dir }, dir && dir !== name ? `${name ?? "not a skill"} (${dir})` : (name ?? "not a skill"))));
    select.value = chosen ?? "";
    const first = skills.find(({ dir }) => dir === chosen)?.name;
    const message = $("message");
    if (first && (message.value === "" || message.dataset.own !== "yes")) {
      message.value = `$${first} the parser, it costs $5`;
    }
  }

  async function showRest() {
    const run = asked;
    showMeaning();
    await showClients();
    if (run + 1 === asked) showPowers();
  }

  // Clients.

  /** The words for a place in a list, and whether it is what the author wants: for an open skill, and for a closed one. */
  const SHOWN = {
    whole: [["listed", "good"], ["listed, although closed", "bad"]],
    shortened: [["shortened", "doubtful"], ["listed, although closed", "bad"]],
    bare: [["name only", "doubtful"], ["listed, although closed", "bad"]],
    gone: [["left out", "bad"], ["left out", "good"]],
    unlisted: [["not listed", "bad"], ["closed, as written", "good"]],
  };

  /** Asks for one client after the other, so that the page stays usable while a long text is read. */
  async function showClients() {
    const run = ++asked;
    const box = $("clients");
    if (chosen === null) {
      $("unknown").textContent = "";
      return box.replaceChildren(made("p", { class: "note" }, "No skill is open."));
    }
    const clients = [];
    let since = performance.now();
    for (const name of clientNames) {
      if (performance.now() - since > 40) {
        await new Promise((resolve) => setTimeout(resolve));
        since = performance.now();
      }
      if (run !== asked) return;
      const result = ask((page) => page.client(name, chosen, $("arguments").value));
      if (result === null) return;
      const answer = JSON.parse(result);
      if (answer) clients.push(answer);
    }
    const at = box.scrollLeft;
    const isKnown = ({ list, differences, start }) => list || start || differences.length > 0;
    box.replaceChildren(...clients.filter(isKnown).map(client));
    const others = clients.filter((it) => !isKnown(it)).map(({ title }) => title);
    $("unknown").textContent = others.length ? `Nothing is known that differs in ${others.join(", ")}.` : "";
    box.scrollLeft = at;
    reachable(box);
  }

  function client({ title, closed, list, differences, start }) {
    const [state, kind] = list ? SHOWN[list.shown][closed ? 1 : 0] : ["list unknown", "unknown"];
    const inList = list ? listed(list) : [made("p", { class: "note" }, "What this client lists is not known.")];
    const told = differences.map(({ severity, message, line, help, rule }) =>
      made("li", {}, made("span", { class: `severity ${severity}` }, severity), " ", ...coded(message), " ", made("a", { href: `../rules/${rule}.html` }, rule), ` line ${line}`, help ? made("details", { class: "source" }, made("summary", {}, "What to write"), ...coded(help)) : null),
    );
    // The parts of all cards stand in the same rows, so that they can be compared.
    return made(
      "article",
      { class: "card" },
      made("h3", {}, title.replace(/^the d/, "The d"), made("span", { class: `state ${kind}` }, state)),
      made("div", {}, made("h4", {}, "In the list of the model"), ...inList),
      made("div", {}, made("h4", {}, "Different from what is written"), told.length ? made("ul", {}, ...told) : made("p", { class: "note" }, "Nothing is known.")),
      made("div", {}, ...(start ? [made("h4", {}, "Sent for ", made("code", {}, start.typed)), ...sent(start)] : [])),
      list ? made("details", { class: "source" }, made("summary", {}, `Source, read ${list.seen}`), list.source) : null,
    );
  }

  function listed({ shown, line, characters: [kept, whole] }) {
    if (!line) return [made("p", { class: "note" }, shown === "gone" ? "There is no room for it." : "The model does not see it.")];
    const cut = shown === "shortened" ? `${kept} of ${whole} characters of the description.` : "";
    return [made("pre", {}, line), made("p", { class: "note" }, cut)];
  }

  function sent({ notices, messages }) {
    const parts = notices.map((notice) => made("p", { class: "note" }, notice));
    for (const { place, text } of messages) {
      const who = { system: "System message", user: "Message of the user", tool: "Tool call and its result" }[place];
      parts.push(made("details", { open: messages.length < 3 }, made("summary", { class: "note" }, `${who}, ${text.length} characters`), made("pre", {}, text.length > 20000 ? `${text.slice(0, 20000)}…` : text)));
    }
    if (messages.length === 0) parts.push(made("p", { class: "note" }, "Nothing is sent to the model."));
    return parts;
  }

  // Messages.

  const OUTCOMES = {
    found: (it) => `starts the skill ${it.skill}`,
    unknown: () => "no skill has this name, so it stays as it is",
    suggestion: (it) => `no skill has this name; ${it.skill} is near, and is not started`,
    ambiguous: (it) => `could be ${it.candidates.join(" or ")}: a person has to choose`,
    disabled: (it) => `${it.skill} is disabled`,
    untrusted: (it) => `${it.skill} is not trusted`,
    ineligible: (it) => `${it.skill} needs more than this host has`,
    "not-invocable": (it) => `${it.skill} may not be started from a message`,
    "too-many": (it) => `${it.skill} is one skill too many for a message`,
    escaped: () => "escaped: not a mention",
    reserved: () => "reserved for a later version",
  };
  const EFFECTS = {
    plain: "A plain message: no skill starts.",
    activate: "Skills start with the message.",
    "choose-one": "A person has to choose a skill first. Nothing is sent.",
    command: "A command.",
  };

  function showMeaning() {
    const message = $("message").value;
    const box = $("meaning");
    const result = ask((page) => page.meaning($("profile").value || "default", message));
    if (result === null) return;
    const { mentions, effect, activated, notices, messages } = JSON.parse(result);
    const line = made("p", { class: "said" });
    let at = 0;
    const first = mentions.slice(0, 100);
    for (const { place } of first) {
      line.append(message.slice(at, place[0]), made("mark", {}, message.slice(place[0], place[1])));
      at = place[1];
    }
    line.append(message.slice(at));
    const outcomes = first.map((it) => made("li", {}, made("code", {}, message.slice(...it.place)), `: ${(OUTCOMES[it.outcome] ?? (() => it.outcome))(it)}`));
    if (mentions.length > first.length) outcomes.push(made("li", {}, `And ${mentions.length - first.length} more.`));
    const summary = activated.length && effect !== "choose-one" ? `Starts ${activated.join(", ")}.` : EFFECTS[effect];
    box.replaceChildren(line, made("p", {}, made("b", {}, summary)), ...(outcomes.length ? [made("ul", {}, ...outcomes)] : []));
    if (mentions.length === 0 && message.includes("$")) box.append(made("p", { class: "note" }, "No $ here begins the name of a skill: amounts, variables and code are left alone."));
    box.append(...sent({ notices, messages }));
    reachable(box);
  }

  /** Lets the keyboard scroll the texts that are longer than their box. */
  function reachable(box) {
    for (const element of box.querySelectorAll("pre, .card")) {
      if (element.scrollHeight > element.clientHeight) element.tabIndex = 0;
    }
  }

  // Powers.

  const POWERS = {
    tools: "Tools without a question",
    commands: "Commands",
    hosts: "Hosts",
    scripts: "Scripts",
    packages: "Packages",
    variables: "Variables of the environment",
    files: "Files outside of the skill",
    dispatch: "Tools that a command calls",
    hooks: "Hooks",
    injection: "Commands that run when the skill starts",
    unreadable: "What was not analysed",
    restraints: "Limits",
  };

  function showPowers() {
    const box = $("powers");
    if (chosen === null) return box.replaceChildren();
    const result = ask((page) => page.powers(chosen));
    if (result === null) return;
    const { powers } = JSON.parse(result);
    if (powers.length === 0) return box.replaceChildren(made("p", {}, "No power was found."));
    const list = made("dl");
    let last = null;
    for (const { kind, text, places } of powers) {
      if (kind !== last) list.append(made("dt", {}, POWERS[kind] ?? kind));
      last = kind;
      const first = places.slice(0, 3).map(({ path, line }) => (line ? `${path}:${line}` : path));
      if (places.length > 3) first.push(`${places.length - 3} more`);
      list.append(made("dd", {}, made("code", {}, text), made("span", { class: "at" }, ` ${first.join(", ")}`)));
    }
    box.replaceChildren(list);
  }

  // Folders.

  /** Reads files, each with its path below the folder. */
  async function read(name, found) {
    if (found.length === 0) return said("There is no file in it.");
    const all = new Map();
    let bytes = 0;
    let unread = 0;
    for (const [path, file] of found.slice(0, MAX_FILES)) {
      if (file.size > MAX_FILE || bytes + file.size > MAX_BYTES) {
        all.set(path, file.size);
        unread += 1;
        continue;
      }
      try {
        const content = new Uint8Array(await file.arrayBuffer());
        bytes += content.length;
        all.set(path, content);
      } catch {
        all.set(path, file.size);
        unread += 1;
      }
    }
    opened(name || "skills", all);
    const parts = [`${counted(all.size, "file")} of ${name} read in this page.`];
    if (found.length > MAX_FILES) parts.push(`There are more than ${MAX_FILES}: the others were left out.`);
    if (unread) parts.push(`${counted(unread, "file")} too large to read: only the length counts.`);
    said(parts.join(" "));
  }

  const isLeftOut = (path) => path.split("/").some((part) => part === ".git" || part === "node_modules");

  /** All files below an item that was dropped. */
  async function walk(entry, path, found) {
    if (found.length > MAX_FILES || isLeftOut(path)) return;
    if (entry.isFile) {
      const file = await new Promise((resolve) => entry.file(resolve, () => resolve(null)));
      if (file) found.push([path, file]);
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      // A reader gives at most a hundred items at a time.
      const items = await new Promise((resolve) => reader.readEntries(resolve, () => resolve([])));
      if (items.length === 0) return;
      for (const item of items) await walk(item, path ? `${path}/${item.name}` : item.name, found);
    }
  }

  async function dropped(event) {
    event.preventDefault();
    document.body.classList.remove("over");
    const items = [...event.dataTransfer.items].filter((item) => item.kind === "file");
    const entries = items.map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    if (entries.length === 0) {
      const content = event.dataTransfer.getData("text/plain");
      if (content) pasted(content);
      return;
    }
    if (entries.length === 1 && entries[0].isFile) {
      const file = await new Promise((resolve) => entries[0].file(resolve, () => resolve(null)));
      if (!file || file.size > MAX_FILE) return said("The file cannot be read, or is longer than 1 MiB.");
      opened("", new Map([["SKILL.md", new Uint8Array(await file.arrayBuffer())]]));
      return said(`${file.name} was read in this page.`);
    }
    const found = [];
    const isOne = entries.length === 1;
    for (const entry of entries) await walk(entry, isOne ? "" : entry.name, found);
    await read(isOne ? entries[0].name : "dropped", found);
  }

  function pasted(content) {
    opened("", new Map([["SKILL.md", encoder.encode(content)]]));
  }

  // Links.

  const base64 = (bytes) => {
    let binary = "";
    for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  };
  const unbase64 = (content) => Uint8Array.from(atob(content.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

  /** Sends bytes through a stream; fails when more than the limit come out. */
  async function through(stream, bytes) {
    const writer = stream.writable.getWriter();
    const written = writer.write(bytes).then(() => writer.close());
    written.catch(() => {});
    const reader = stream.readable.getReader();
    const parts = [];
    let length = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > MAX_LINK) {
        await reader.cancel();
        throw new Error("too long");
      }
      parts.push(value);
    }
    await written;
    const all = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  async function copyLink() {
    const bytes = files.get(shown);
    if (!(bytes instanceof Uint8Array)) return said("This file is not text.");
    let packed;
    try {
      packed = await through(new CompressionStream("deflate-raw"), bytes);
    } catch {
      return said("The text is too long for a link.");
    }
    if (packed.length > 48 * 1024) return said("The text is too long for a link.");
    history.replaceState(null, "", `#text=${base64(packed)}`);
    const isOne = folder === "" ? "" : ` It holds ${shown} alone.`;
    try {
      await navigator.clipboard.writeText(location.href);
      said(`The link is copied. It holds the text itself.${isOne}`);
    } catch {
      said(`The address of this page now holds the text: copy it.${isOne}`);
    }
  }

  async function fromLink() {
    const found = /^#text=([\w-]*)$/.exec(location.hash);
    if (!found) {
      if (location.hash.startsWith("#text=")) said("The link does not hold a text: it may have been cut.");
      return false;
    }
    try {
      const bytes = await through(new DecompressionStream("deflate-raw"), unbase64(found[1]));
      opened("", new Map([["SKILL.md", bytes]]));
      said("The text of the link is shown.");
      return true;
    } catch {
      said("The link does not hold a text: it may have been cut.");
      return false;
    }
  }

  // The page.

  let loaded = false;

  /** Loads the checks: from the file beside this page, or, for a page on a disk, from a script that holds them. */
  async function start() {
    try {
      if (typeof wasm_bindgen === "undefined") throw new Error("skills_play.js is missing");
      await wasm_bindgen({ module_or_path: location.protocol === "file:" ? await embedded() : "skills_play_bg.wasm" });
      loaded = true;
    } catch (error) {
      console.warn(error);
      $("count").textContent = "The checks could not be loaded: `.ci/parts/play` builds them.";
    }
    return loaded;
  }

  /** The checks as a script holds them: a page on a disk may not fetch the file beside it. */
  async function embedded() {
    await new Promise((resolve, reject) => {
      document.head.append(made("script", { src: "skills_play_embedded.js", onload: resolve, onerror: reject }));
    });
    return Uint8Array.from(atob(globalThis.skillsPlay), (c) => c.charCodeAt(0));
  }

  function wire() {
    let typing = 0;
    text.addEventListener("input", () => {
      typed();
      clearTimeout(typing);
      typing = setTimeout(check, 120);
    });
    $("file").addEventListener("change", (event) => {
      show(event.target.value);
      const skill = answer?.skills.find(({ dir, path }) => path === shown || (dir && shown.startsWith(`${dir}/`)));
      if (skill) {
        chosen = skill.dir;
        $("skill").value = chosen;
        showRest();
      }
    });
    $("skill").addEventListener("change", (event) => {
      chosen = event.target.value;
      showRest();
    });
    $("arguments").addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(showClients, 150);
    });
    $("message").addEventListener("input", (event) => {
      event.target.dataset.own = "yes";
      showMeaning();
    });
    $("profile").addEventListener("change", showMeaning);
    $("fix-safe").addEventListener("click", () => fixed((page) => page.fixAll(false)));
    $("fix-guess").addEventListener("click", () => fixed((page) => page.fixAll(true)));
    $("undo").addEventListener("click", () => {
      const { folder, files, shown } = before;
      opened(folder, files);
      show(shown);
      listFiles();
      said("Undone. Undo again brings it back.");
      text.focus();
    });
    $("pick").addEventListener("click", () => $("folder").click());
    $("folder").addEventListener("change", (event) => {
      const found = [...event.target.files].map((file) => file.webkitRelativePath.split("/")).map((parts, at) => [parts, event.target.files[at]]);
      const name = found[0]?.[0][0] ?? "";
      const below = found.map(([parts, file]) => [parts.slice(1).join("/"), file]);
      void read(name, below.filter(([path]) => path !== "" && !isLeftOut(path)));
      event.target.value = "";
    });
    $("example").addEventListener("click", () => {
      pasted(EXAMPLE);
      said("");
    });
    $("empty").addEventListener("click", () => {
      pasted("");
      history.replaceState(null, "", location.pathname + location.search);
      said("");
      text.focus();
    });
    $("link").addEventListener("click", () => void copyLink());
    addEventListener("hashchange", () => void fromLink());
    addEventListener("dragover", (event) => {
      event.preventDefault();
      document.body.classList.add("over");
    });
    addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) document.body.classList.remove("over");
    });
    addEventListener("drop", (event) => void dropped(event));
  }

  wire();
  void (async () => {
    const isReady = await start();
    if (isReady) {
      clientNames = JSON.parse(wasm_bindgen.Page.clientNames());
      const names = JSON.parse(wasm_bindgen.Page.profiles());
      $("profile").replaceChildren(...names.map((name) => made("option", { value: name }, name)));
    }
    // What was typed while the checks were loaded stays.
    if (text.value !== "") {
      typed();
      check();
    } else if (!(await fromLink())) pasted(EXAMPLE);
  })();
})();
