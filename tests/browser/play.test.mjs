// The playground in Chromium, as a server of files shows it: `.ci/parts/play` builds it and runs this.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.env.BROWSER_MODULES, "/"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const PLAY = process.env.PLAY;
const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".wasm": "application/wasm", ".svg": "image/svg+xml" };
const OWN = ["/play/", "/play/play.css", "/play/play.js", "/play/skills_play.js", "/play/skills_play_bg.wasm"];
// A browser without a window does not ask for it.
const ICON = "/play/icon.svg";
const GREET = `---
name: greet
description: Greets a person. Use when someone arrives.
disable-model-invocation: true
---
Say good day to $ARGUMENTS.
`;
const FAULTY = GREET.replace("description:", "descripton:");

const work = mkdtempSync(join(tmpdir(), "skills-play-"));
let browser;
let server;
let origin;
/** The number of requests to another origin. */
let strangers = 0;
before(async () => {
  server = createServer((request, response) => {
    const path = new URL(request.url, "http://x").pathname;
    if (!request.headers.host.startsWith("127.0.0.1")) strangers += 1;
    try {
      const name = path === "/play/" ? "index.html" : path.replace("/play/", "");
      const body = readFileSync(join(PLAY, name));
      response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "text/plain" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
});
after(async () => {
  await browser?.close();
  server?.close();
  rmSync(work, { recursive: true, force: true });
});

/** Opens the page. `faults` collects errors, and requests for other than its own files. */
async function opened({ fragment = "", ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const faults = [];
  page.on("request", (request) => {
    const url = request.url();
    if (![...OWN, ICON].some((own) => url.split("#")[0] === origin + own)) faults.push(url);
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  await page.goto(`${origin}/play/${fragment}`);
  await page.locator("#findings li").first().waitFor();
  return { page, context, faults };
}

/** Puts a text in place of what is open, as a paste does, and waits for the check. */
async function pasted(page, text) {
  await page.locator("#text").fill(text);
  await settled(page);
}

/** Waits for the check, and for what follows it. */
const settled = (page) => page.waitForTimeout(500);
const rules = (page) => page.locator("#findings li .where a").allTextContents();

/** Drops files of the page's making onto it, as a folder of a desktop. */
async function dropped(page, folder, files) {
  await page.evaluate(
    ([folder, files]) => {
      const file = (name, text) => ({ name, isFile: true, file: (done) => done(new File([text], name)) });
      const directory = (name, below) => {
        const items = new Map();
        for (const [path, text] of Object.entries(below)) {
          const [first, ...rest] = path.split("/");
          if (rest.length === 0) items.set(first, file(first, text));
          else items.set(first, { ...(items.get(first) ?? {}), [rest.join("/")]: text });
        }
        const entries = [...items].map(([name, it]) => (it.isFile ? it : directory(name, it)));
        const reader = () => ({ readEntries: (done) => done(entries.splice(0, 100)) });
        return { name, isFile: false, createReader: reader };
      };
      const event = new Event("drop", { bubbles: true, cancelable: true });
      const entry = directory(folder, files);
      event.dataTransfer = { items: [{ kind: "file", webkitGetAsEntry: () => entry }], getData: () => "" };
      document.body.dispatchEvent(event);
    },
    [folder, files],
  );
  await page.locator("#said", { hasText: "read in this page" }).waitFor();
  await settled(page);
}

test("the first finding is there within a second, and only own files are asked for", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url())));
  await page.goto(`${origin}/play/`);
  await page.locator("#findings li").first().waitFor();
  const took = await page.evaluate(() => performance.now());
  console.log(`the first finding after ${Math.round(took)} ms`);
  assert(took < 1000, `${took} ms`);
  const own = asked.map((url) => url.pathname).filter((path) => path !== ICON);
  assert.deepEqual(own.sort(), [...OWN].sort());
  await context.close();
});

test("typing and pasting give findings, and a click fixes one", async () => {
  const { page, context, faults } = await opened();
  await pasted(page, FAULTY);
  assert((await rules(page)).includes("description-missing"));
  const finding = page.locator("#findings li", { hasText: "description-missing" });
  await finding.locator(".go").click();
  const chosen = await page.locator("#text").evaluate((it) => it.value.slice(it.selectionStart, it.selectionEnd));
  assert.match(chosen, /^descripton/);
  await finding.getByRole("button", { name: /fix/i }).click();
  await settled(page);
  assert.equal(await page.locator("#text").inputValue(), GREET);
  assert(!(await rules(page)).includes("description-missing"));
  await page.locator("#undo").click();
  assert.equal(await page.locator("#text").inputValue(), FAULTY);
  assert((await rules(page)).includes("description-missing"));
  await page.locator("#text").focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("See [it](#nowhere).");
  await settled(page);
  assert((await rules(page)).includes("anchor-broken"));
  assert.deepEqual(faults, []);
  await context.close();
});

test("no text is lost: neither by undo, nor by a fix of an older text, nor by the example", async () => {
  const { page, context, faults } = await opened();
  await pasted(page, FAULTY);
  const fix = page.locator("#findings li", { hasText: "description-missing" }).getByRole("button", { name: /fix/i });
  await fix.click();
  await settled(page);
  await page.locator("#text").focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("New.");
  assert(await page.locator("#undo").isHidden());
  // A fix in the moment of a key: its place is that of the older text.
  await pasted(page, FAULTY);
  const after = await page.evaluate(() => {
    const text = document.getElementById("text");
    text.value = text.value.replace("---\n", "---\nx: 1\n");
    text.dispatchEvent(new Event("input"));
    document.querySelector("#findings .fix button").click();
    return text.value;
  });
  assert.match(after, /^---\nx: 1\n/);
  assert.match(after, /^descripton: /m);
  // The example replaces the text, and undo brings it back.
  await page.locator("#example").click();
  await page.locator("#undo").click();
  assert.equal(await page.locator("#text").inputValue(), after);
  assert.deepEqual(faults, []);
  await context.close();
});

test("long words and hostile links: nothing is wider than a phone, and nothing hangs", async () => {
  const { page, context, faults } = await opened({ viewport: { width: 360, height: 740 } });
  const name = "a".repeat(64);
  const up = "../".repeat(20000);
  await pasted(page, `---\nname: ${name}\ndescription: Use when y.\n---\n\n[a](${up}x) ${"http://a".repeat(2000)}\n`);
  await page.locator("#message").fill(`$${"x".repeat(500)} $${name}`);
  await settled(page);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert(width <= 360, `${width} px`);
  assert.deepEqual(faults, []);
  await context.close();
});

test("fix all: safe fixes are told from guesses", async () => {
  const { page, context, faults } = await opened();
  await pasted(page, FAULTY.replace("name: greet", "name: Greet Me").replace("---\nname", "--- \nname"));
  assert.match(await page.locator("#fix-guess").textContent(), /also guesses/);
  await page.locator("#fix-guess").click();
  await settled(page);
  const text = await page.locator("#text").inputValue();
  assert(text.includes("description: Greets") && text.includes("name: greet-me"), text);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a folder that is dropped is read in the page", async () => {
  const { page, context, faults } = await opened();
  const files = { "README.md": "# R", "skills/greet/SKILL.md": GREET.replace("Say", "Read [a](notes.md). Say"), "skills/greet/data.bin": "\0\u0001" };
  files["skills/wave/SKILL.md"] = GREET.replace("greet", "wave").replace("Greets", "Waves to");
  await dropped(page, "mine", files);
  assert((await rules(page)).includes("link-broken"));
  const skills = await page.locator("#skill option").allTextContents();
  assert.equal(skills.length, 2);
  await page.locator("#file").selectOption("skills/wave/SKILL.md");
  assert((await page.locator("#text").inputValue()).includes("name: wave"));
  await page.locator("#message").fill("$wave and $greet");
  const meaning = await page.locator("#meaning").textContent();
  assert.match(meaning, /Starts wave, greet/);
  await page.locator("#findings .go", { hasText: "skills/greet/SKILL.md" }).first().click();
  assert.equal(await page.locator("#file").inputValue(), "skills/greet/SKILL.md");
  assert.deepEqual(faults, []);
  await context.close();
});

test("a folder that is picked is read in the page", async () => {
  const folder = join(work, "picked");
  for (const [path, text] of Object.entries({ "SKILL.md": GREET, "notes/a.md": "A", ".git/config": "[core]" })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { page, context, faults } = await opened();
  const chooser = page.waitForEvent("filechooser");
  await page.locator("#pick").focus();
  await page.keyboard.press("Enter");
  await (await chooser).setFiles(folder);
  await page.locator("#said", { hasText: "read in this page" }).waitFor();
  await settled(page);
  assert.deepEqual(await page.locator("#file option").allTextContents(), ["SKILL.md", "notes/a.md"]);
  assert((await rules(page)).includes("name-mismatch"));
  assert.deepEqual(faults, []);
  await context.close();
});

test("clients are side by side: what each lists, drops and sends", async () => {
  const { page, context, faults } = await opened();
  await pasted(page, GREET);
  const card = (title) => page.locator(".card", { has: page.getByRole("heading", { level: 3, name: new RegExp(`^${title}`) }) });
  assert.match(await card("Claude Code").textContent(), /closed, as written.*The model does not see it.*\/greet the parser/s);
  assert.match(await card("Gemini CLI").textContent(), /listed, although closed.*greet.*restraint-unsupported/s);
  assert.match(await card("Codex").textContent(), /\$greet the parser/);
  await page.locator("#arguments").fill("Ann & <b>Bob</b>");
  await settled(page);
  assert.match(await card("Claude Code").textContent(), /Say good day to Ann & <b>Bob<\/b>\./);
  const tops = await page.locator(".card").evaluateAll((all) => all.slice(0, 3).map((it) => it.getBoundingClientRect().top));
  assert.equal(new Set(tops).size, 1, "side by side");
  assert.deepEqual(faults, []);
  await context.close();
});

test("a message box says what $ and / mean", async () => {
  const { page, context, faults } = await opened();
  await pasted(page, GREET);
  const say = async (text) => {
    await page.locator("#message").fill(text);
    return page.locator("#meaning").textContent();
  };
  assert.match(await say("$greet Ann"), /Starts greet\..*\$greet: starts the skill greet/s);
  assert.deepEqual(await page.locator("#meaning mark").allTextContents(), ["$greet"]);
  assert.match(await say("it costs $5 and $HOME"), /no skill starts.*left alone/s);
  assert.match(await say("$gret"), /greet is near, and is not started/);
  assert.match(await say("\u{1F600} \\$greet"), /escaped: not a mention/);
  assert.match(await say("/greet Ann"), /Starts greet/);
  await page.locator("#profile").selectOption("codex");
  assert.match(await say("$greet Ann"), /Starts greet/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("powers of the skill", async () => {
  const { page, context } = await opened();
  await pasted(page, `${GREET}Run \`git push\`, and read https://api.example.org/v1 with curl.\n`);
  assert.match(await page.locator("#powers").textContent(), /Commands.*git push/s);
  await context.close();
});

test("a link holds the text", async () => {
  const { page, context } = await opened({ permissions: ["clipboard-read", "clipboard-write"] });
  const text = `${GREET}\u{1F600} </textarea><script>1</script>\n`;
  await pasted(page, text);
  await page.locator("#link").click();
  await page.locator("#said", { hasText: "copied" }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert(link.includes("#text="), link);
  const { page: other, faults, context: second } = await opened({ fragment: new URL(link).hash });
  assert.equal(await other.locator("#text").inputValue(), text);
  for (const hash of ["#text=%%%", "#text=AAAA", `#text=${new URL(link).hash.slice(6, 40)}`, "#text="]) {
    await other.evaluate((hash) => (location.hash = hash), hash);
    await settled(other);
    assert.match(await other.locator("#said").textContent(), /does not hold a text/, hash);
    assert.equal(await other.locator("#text").inputValue(), text, "the text stays");
  }
  assert.deepEqual(faults, []);
  await context.close();
  await second.close();
});

test("a fragment that unpacks to gigabytes is refused", async () => {
  const { page, context } = await opened();
  const said = await page.evaluate(async () => {
    const stream = new CompressionStream("deflate-raw");
    const writer = stream.writable.getWriter();
    const zeros = new Uint8Array(1 << 20);
    void (async () => {
      for (let i = 0; i < 24; i += 1) await writer.write(zeros);
      await writer.close();
    })();
    const bytes = new Uint8Array(await new Response(stream.readable).arrayBuffer());
    location.hash = `#text=${btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
    await new Promise((done) => setTimeout(done, 800));
    return document.getElementById("said").textContent;
  });
  assert.match(said, /does not hold a text/);
  await context.close();
});

test("a page on a disk works too", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  await page.goto(pathToFileURL(join(PLAY, "index.html")).href);
  await page.locator("#findings li").first().waitFor();
  await page.locator(".card").first().waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

test("the policy of the page lets nothing out", async () => {
  const { page, context } = await opened();
  const elsewhere = origin.replace("127.0.0.1", "localhost");
  const hit = await page.evaluate(async (elsewhere) => {
    await fetch(`${elsewhere}/fetched`).catch(() => {});
    navigator.sendBeacon(`${elsewhere}/beacon`, "text");
    new Image().src = `${elsewhere}/image`;
    const made = (name, attributes) => document.body.append(Object.assign(document.createElement(name), attributes));
    made("script", { textContent: "globalThis.hit = 1" });
    made("script", { src: `${elsewhere}/script` });
    made("iframe", { src: `${elsewhere}/frame` });
    made("form", { action: `${elsewhere}/form`, method: "post" });
    document.querySelector("form").submit();
    await new Promise((done) => setTimeout(done, 500));
    return globalThis.hit;
  }, elsewhere);
  assert.equal(hit, undefined);
  assert.equal(strangers, 0);
  await context.close();
});

test("what is written enters the page as text", async () => {
  const { page, context, faults } = await opened();
  const evil = '<img src=x onerror="globalThis.hit=1"><script>globalThis.hit=1</script>';
  await pasted(page, `---\nname: '${evil}'\ndescription: '${evil}'\n${evil}: 1\n---\n${evil} [x](${evil})\n`);
  await page.locator("#message").fill(`$greet ${evil}`);
  await dropped(page, evil.replaceAll("/", ""), { [`${evil.replaceAll("/", "")}/SKILL.md`]: GREET.replace("greet", `'${evil}'`), "b/SKILL.md": GREET });
  assert.equal(await page.evaluate(() => globalThis.hit), undefined);
  assert.equal(await page.locator("main img, main script").count(), 0);
  assert.deepEqual(faults, []);
  await context.close();
});

test("odd input: nothing, bytes, broken YAML, a megabyte, hundreds of skills", async () => {
  const { page, context, faults } = await opened();
  const bytes = await page.evaluateHandle(() => new File([new Uint8Array([255, 254, 0, 65])], "SKILL.md"));
  await page.evaluate((file) => {
    const event = new Event("drop", { bubbles: true, cancelable: true });
    const entry = { isFile: true, name: file.name, file: (done) => done(file) };
    event.dataTransfer = { items: [{ kind: "file", webkitGetAsEntry: () => entry }], getData: () => "" };
    document.body.dispatchEvent(event);
  }, bytes);
  await settled(page);
  assert((await rules(page)).includes("not-utf8"));
  await page.locator("#empty").click();
  await settled(page);
  assert.match(await page.locator("#count").textContent(), /Nothing is written/);
  for (const text of ["---\n[\n---\n", "\u0000\u0001\u202e\u200b", "\ufeff---\nname: a", "---\r\nname: greet\r\n---\r\n"]) {
    await pasted(page, text);
    assert((await page.locator("#findings li").count()) > 0, JSON.stringify(text));
  }
  await pasted(page, `${GREET}${"Say $greet and [it](#x). ".repeat(40_000)}`);
  await page.locator("#count", { hasText: /error|warning/ }).waitFor();
  assert((await page.locator("#findings li").count()) <= 301);
  const long = `${GREET}${"x ".repeat(2_000_000)}`;
  const since = Date.now();
  await pasted(page, long);
  await page.locator("#count", { hasText: /error|warning/ }).waitFor();
  console.log(`4 MB pasted: ${Date.now() - since} ms`);
  const files = {};
  for (let i = 0; i < 300; i += 1) {
    files[`skills/greet-${i}/SKILL.md`] = GREET.replace("name: greet", `name: greet-${i}`);
    files[`skills/greet-${i}/a.bin`] = "\u0000\ufffd".repeat(100);
  }
  await dropped(page, "many", files);
  const began = Date.now();
  await page.locator("#text").press("End");
  await page.locator("#text").type("x");
  await settled(page);
  await page.locator(".card").first().waitFor();
  console.log(`a key in 300 skills: ${Date.now() - began} ms`);
  assert.equal(await page.locator("#skill option").count(), 300);
  assert.deepEqual(faults, []);
  await context.close();
});

test("all of it with the keyboard alone", async () => {
  const { page, context } = await opened();
  await pasted(page, FAULTY);
  const reached = new Set();
  await page.locator("header a").focus();
  for (let i = 0; i < 90; i += 1) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      const style = getComputedStyle(element);
      const isShown = element.matches(":focus-visible") && style.outlineStyle !== "none";
      return { id: element.id || element.textContent.trim().slice(0, 20), isShown, isBody: element === document.body };
    });
    if (at.isBody) break;
    assert(at.isShown, `the focus on ${at.id} is not seen`);
    reached.add(at.id);
  }
  for (const id of ["text", "pick", "example", "empty", "link", "arguments", "clients", "profile", "message"]) {
    assert(reached.has(id), `${id} is not reached: ${[...reached]}`);
  }
  await page.locator("#findings button", { hasText: /fix/i }).first().focus();
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(await page.locator("#text").inputValue(), GREET);
  assert.notEqual(await page.evaluate(() => document.activeElement.tagName), "BODY", "the focus is kept");
  await context.close();
});

for (const colorScheme of ["light", "dark"]) {
  for (const [place, width, height] of [["phone", 360, 740], ["desk", 1280, 900]]) {
    test(`${place}, ${colorScheme}: nothing is wider than the screen, axe is content`, async () => {
      const { page, context, faults } = await opened({ colorScheme, viewport: { width, height } });
      await page.locator(".card").first().waitFor();
      for (const open of [false, true]) {
        if (open) await dropped(page, "mine", { "a/SKILL.md": FAULTY, "b/SKILL.md": GREET, "b/x.md": "y" });
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert(wider <= 0, `${wider} px too wide`);
        // The policy of the page lets no foreign script in.
        const found = await page.evaluate(`${axe}; globalThis.axe.run(document)`);
        assert.deepEqual(found.violations.map((it) => `${it.id}: ${it.nodes[0].html}`), []);
      }
      if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${place}-${colorScheme}.png`), fullPage: true });
      assert.deepEqual(faults, []);
      await context.close();
    });
  }
}

test("the first screen says what it is and what to do", async () => {
  for (const viewport of [{ width: 360, height: 740 }, { width: 1280, height: 900 }]) {
    const { page, context } = await opened({ viewport });
    for (const part of ["h1", ".lead", "#text"]) {
      const box = await page.locator(part).boundingBox();
      assert(box.y + Math.min(box.height, 200) < viewport.height, part);
    }
    assert.match(await page.locator(".lead").textContent(), /Paste a SKILL\.md.*Nothing leaves this page/s);
    await context.close();
  }
});
