// The page of `skills page` in Chromium. `.ci/parts/browser` installs what this needs and runs it.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.env.BROWSER_MODULES, "/"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const SKILLS = process.env.SKILLS;
const work = mkdtempSync(join(tmpdir(), "skills-browser-"));
let browser;

before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
});
after(async () => {
  await browser?.close();
  rmSync(work, { recursive: true, force: true });
});

/** Writes files, makes the page of their folder, and gives the page's path. */
function made(name, files) {
  const folder = join(work, name);
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const page = join(work, `${name}.html`);
  writeFileSync(page, execFileSync(SKILLS, ["page", "."], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] }));
  return page;
}

const skill = (name, description, body = "Do it.") =>
  `---\nname: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(description)}\n---\n\n${body}\n`;

const WORDS = "report chart invoice release database cluster image query email policy ticket slide".split(" ");
const word = (number) => WORDS[number % WORDS.length];

/** So many skills, some of which refer to another, and some of which have an error. */
function synthetic(count) {
  const files = {};
  for (let i = 0; i < count; i += 1) {
    const name = `${word(i)}-${word(i * 5 + 1)}-${i}`;
    const other = `${word(i + 1)}-${word((i + 1) * 5 + 1)}-${i + 1}`;
    const body = i % 4 === 0 && i + 1 < count ? `Then use $${other}.` : i % 7 === 0 ? "See [it](missing.md)." : "Do it.";
    const about = `Writes a ${word(i)} about a ${word(i * 7)}. Use when a ${word(i * 3 + 2)} or a ${word(i + 4)} is asked for.`;
    files[`skills/${name}/SKILL.md`] = skill(name, about, body);
    files[`skills/${name}/references/notes.md`] = `${word(i)} `.repeat((i % 30) * 20 + 1);
  }
  return files;
}

const ATTACKS = [
  "</script><script>alert(1)</script>",
  '"><svg onload=alert(2)>',
  "'><img src=https://example.org/x onerror=alert(3)>",
  "</title></style><iframe src=https://example.org></iframe>",
  "\u202Egnp.exe\u2066",
  "x".repeat(10_000),
  "javascript:alert(4)",
];

/** Skills whose texts try to leave their place. */
function hostile() {
  const files = {};
  ATTACKS.forEach((attack, i) => {
    const body = `${attack}\n\n[link](${attack.slice(0, 200)}) and [lost](missing-${i}.md)\n\n\`${attack}\``;
    files[`skills/attack-${i}/SKILL.md`] = skill(`attack-${i}`, `Use when ${attack}`, body);
    files[`skills/named-${i}/SKILL.md`] = skill(attack, attack, attack);
    const name = attack.slice(0, 60).replaceAll("/", "∕");
    files[`skills/attack-${i}/references/${name}.md`] = attack;
  });
  return files;
}

/** Opens a page. Everything that it reports, asks for or opens is an error at the end. */
async function opened(path, { scheme = "light", width = 1280 } = {}) {
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: { width, height: 800 },
  });
  const page = await context.newPage();
  const found = [];
  page.on("console", (message) => found.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => found.push(`error: ${error}`));
  page.on("dialog", (dialog) => {
    found.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (url !== pathToFileURL(path).href && !url.startsWith("data:")) found.push(`request: ${url}`);
  });
  await page.goto(pathToFileURL(path).href);
  return {
    page,
    async close() {
      await context.close();
      assert.deepEqual(found, []);
    },
  };
}

const pages = { few: synthetic(12), many: synthetic(166), thousand: synthetic(1000), hostile: hostile() };
for (const name of Object.keys(pages)) pages[name] = made(name, pages[name]);

for (const [name, path] of Object.entries(pages)) {
  for (const scheme of ["light", "dark"]) {
    test(`${name}, ${scheme}: no fault that axe knows`, async () => {
      const { page, close } = await opened(path, { scheme });
      await page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })");
      await page.evaluate(axe);
      const result = await page.evaluate("axe.run()");
      const faults = result.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`);
      assert.deepEqual(faults, []);
      assert.ok(result.passes.length > 20);
      await close();
    });
  }

  for (const width of [360, 768]) {
    test(`${name}: nothing sticks out at ${width} pixels`, async () => {
      const { page, close } = await opened(path, { width });
      await page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })");
      const [content, window] = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]");
      assert.ok(content <= window, `${content} in ${window}`);
      await close();
    });
  }
}

// A screen is a window of this width, before anything is unfolded.
for (const [width, height, most] of [[1280, 800, 8], [390, 844, 14]]) {
  for (const name of ["few", "many", "thousand"]) {
    test(`${name}: at most ${most} screens at ${width} pixels, and the first has the verdict`, async () => {
      const { page, close } = await opened(pages[name], { width });
      const length = await page.evaluate("document.documentElement.scrollHeight");
      assert.ok(length <= most * height, `${(length / height).toFixed(1)} screens`);
      const end = await page.locator(".verdict").evaluate((it) => it.getBoundingClientRect().bottom);
      assert.ok(end <= height, `the verdict ends at ${end}`);
      await close();
    });
  }
}

test("everything can be read", async () => {
  const { page, close } = await opened(pages.few);
  assert.equal(await page.locator("#powers tbody tr").count(), 12);
  for (const section of ["Findings", "Budget", "Skills and their powers"]) {
    assert.ok(await page.getByRole("heading", { name: section, exact: true }).isVisible(), section);
  }
  await close();
});

test("the commands of the findings work as printed", async () => {
  const { page, close } = await opened(pages.many);
  const commands = (await page.locator("#findings .note code").allTextContents()).filter((it) => it.startsWith("skills "));
  assert.ok(commands.length >= 2);
  for (const command of commands) {
    const run = spawnSync(SKILLS, command.split(" ").slice(1), { cwd: join(work, "many"), encoding: "utf8" });
    // 1 is the answer of a check that found errors.
    assert.ok(run.status === 0 || run.status === 1, `${command}: ${run.stderr}`);
    assert.ok(run.stdout.length > 0, command);
  }
  await close();
});

test("foreign text stays text", async () => {
  const { page, close } = await opened(pages.hostile);
  const elements = await page.evaluate("[...new Set([...document.querySelectorAll('*')].map((e) => e.localName))]");
  for (const name of ["iframe", "img", "object", "embed", "base", "script", "a", "svg"]) assert.ok(!elements.includes(name), name);
  assert.equal(await page.locator("style").count(), 1);
  const handlers = "[...document.querySelectorAll('*')].flatMap((e) => e.getAttributeNames()).filter((n) => n.startsWith('on'))";
  assert.deepEqual(await page.evaluate(handlers), []);
  const addresses = "[...document.querySelectorAll('[href]')].map((e) => e.getAttribute('href'))";
  for (const address of await page.evaluate(addresses)) {
    assert.equal(address, "data:,");
  }
  const text = await page.locator("#powers").textContent();
  for (const attack of ATTACKS.slice(0, 4)) assert.ok(text.includes(attack), attack);
  assert.ok(!/[\u202A-\u202E\u2066-\u2069]/.test(text));
  await close();
});

test("a script that is put into the page does not run", async () => {
  const path = join(work, "injected.html");
  writeFileSync(path, readFileSync(pages.few, "utf8").replace("<main>", "<main><script>document.title = 'taken'</script>"));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(pathToFileURL(path).href);
  assert.equal(await page.title(), "Skills in few");
  await context.close();
});
