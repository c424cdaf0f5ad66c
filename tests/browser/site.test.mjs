// The site of docs/ in Chromium, as files on a disk: `.ci/parts/site` builds it and runs this.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.env.BROWSER_MODULES, "/"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const SITE = process.env.SITE;
// A page of each kind.
const PAGES = [
  "index.html",
  "guide/program.html",
  "rules.html",
  "rules/name-form.html",
  "clients/fields.html",
  "clients/opencode.html",
  "exit-codes.html",
  "json.html",
  "security.html",
];
// In the page that mdBook draws around the text, and the code blocks that it makes scroll.
const MDBOOK = ["aria-allowed-attr", "aria-prohibited-attr", "region", "scrollable-region-focusable"];

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
});
after(() => browser?.close());

/** Opens a page of the site. `faults` collects errors, and requests that leave the site. */
async function opened(path, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults = [];
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) faults.push(request.url());
  });
  page.on("requestfailed", (request) => faults.push(`not found: ${request.url()}`));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  await page.goto(pathToFileURL(join(SITE, path)).href);
  return { page, faults };
}

for (const colorScheme of ["light", "dark"]) {
  for (const [place, width, height] of [["phone", 390, 844], ["desk", 1280, 900]]) {
    test(`${place}, ${colorScheme}: nothing is loaded from elsewhere, no page is wider than the screen, axe is content`, async () => {
      for (const path of PAGES) {
        const { page, faults } = await opened(path, { colorScheme, viewport: { width, height } });
        assert.deepEqual(faults, [], path);
        const theme = await page.evaluate(() => document.documentElement.className.split(" "));
        assert(theme.includes(colorScheme === "dark" ? "navy" : "light"), `${path}: ${theme}`);
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert(wider <= 0, `${path} is ${wider} px too wide`);
        await page.evaluate(axe);
        const found = await page.evaluate(() => globalThis.axe.run(document));
        const serious = found.violations.filter((it) => ["serious", "critical"].includes(it.impact));
        const ours = serious.filter((it) => !MDBOOK.includes(it.id));
        assert.deepEqual(ours.map((it) => `${it.id}: ${it.nodes[0].html}`), [], path);
        await page.context().close();
      }
    });
  }
}

/** Types words into the search, and returns the addresses of the results, relative to the site. */
async function search(words) {
  const { page, faults } = await opened("guide/tour.html", { viewport: { width: 1280, height: 900 } });
  await page.keyboard.press("s");
  await page.keyboard.type(words);
  await page.locator("#mdbook-searchresults li a").first().waitFor();
  const links = await page.locator("#mdbook-searchresults li a").evaluateAll((all) => all.map((it) => it.href));
  assert.deepEqual(faults, []);
  await page.context().close();
  const root = pathToFileURL(join(SITE, "/")).href;
  return links.map((link) => link.replace(root, "").replace(/[?#].*$/, ""));
}

test("a search leads to the page of a rule, and to a section", async () => {
  assert.equal((await search("name-form"))[0], "rules/name-form.html");
  assert((await search("pre-commit")).includes("guide/repository.html"));
});

// Clicks over the links of pages: the sidebar is not counted.
test("what people look for first is at most two clicks away", async () => {
  const wanted = [
    ["a job that validates skills in CI", "guide/repository.html", "actions/checkout", 1],
    ["what a rule means, and how to turn it off", "rules/name-form.html", 'allow = ["name-form"]', 2],
    ["how to ship skills in a binary", "guide/program.html", 'include_skills!("skills")', 1],
    ["what OpenCode does with a field", "clients/fields.html", "disable-model-invocation", 1],
    ["how to install a skill at a tag", "install.html", "acme#v2 lint", 1],
    ["how to add the MCP server to a client", "mcp.html", "mcpServers", 1],
  ];
  const context = await browser.newContext();
  const page = await context.newPage();
  const links = async (path) => {
    await page.goto(pathToFileURL(join(SITE, path)).href);
    const hrefs = await page.locator("main a[href]").evaluateAll((all) => all.map((it) => it.href));
    const root = pathToFileURL(join(SITE, "/")).href;
    return hrefs.filter((it) => it.startsWith(root)).map((it) => it.slice(root.length).replace(/#.*$/, ""));
  };
  const first = new Set(await links("index.html"));
  const second = new Set();
  for (const path of first) for (const link of await links(path)) second.add(link);
  for (const [what, path, text, clicks] of wanted) {
    const found = first.has(path) ? 1 : second.has(path) ? 2 : 3;
    assert.equal(found, clicks, what);
    await page.goto(pathToFileURL(join(SITE, path)).href);
    assert((await page.locator("main").innerText()).includes(text), `${what}: ${path}`);
  }
  await context.close();
});
