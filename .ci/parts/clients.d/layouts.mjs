// Lists the skills of every repository with `npx skills add --list` and with our program, and compares the lists with
// the kept lists.
//
// node layouts.mjs TOOLS FOLDERS KEPT SKILLS VERSIONS [--record]: TOOLS/VERSION holds a version of npx skills, SKILLS is
// our program, VERSIONS are those that are installed, with commas; --record writes the kept lists and keeps each
// `why`. Ends with 1 when a list differs.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [tools, folders, keptAt, skills, versions, record] = process.argv.slice(2);
const OPTIONS = { 'full-depth': ['--full-depth'] };

const kept = JSON.parse(readFileSync(keptAt, 'utf8'));
const home = mkdtempSync(join(tmpdir(), 'skills-layouts-'));
const project = join(home, 'project');
mkdirSync(project);
// It sends nothing with these.
const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', TERM: 'dumb', NO_COLOR: '1', DISABLE_TELEMETRY: '1', DO_NOT_TRACK: '1' };
const run = (command, words) => spawnSync(command, words, { cwd: project, env, encoding: 'utf8', timeout: 60_000, maxBuffer: 2 ** 26 });

/** The names below "Available Skills": four spaces after the bar, where descriptions have six. */
function theirs(version, name, source) {
  const program = join(tools, version, 'node_modules/skills/bin/cli.mjs');
  const done = run(process.execPath, [program, 'add', source, '--list', ...(OPTIONS[name] ?? [])]);
  const said = done.stdout.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '');
  if (/No valid skills found/.test(said)) return [];
  const found = Number(/Found (\d+) skill/.exec(said)?.[1] ?? NaN);
  const names = [...said.matchAll(/^│ {4}(\S.*)$/gm)].map((match) => match[1]).sort();
  if (names.length !== found) throw new Error(`${name}, ${version}: ${names} of ${found}:\n${said}${done.stderr}`);
  return names;
}

/** The names that would be installed, or the error. */
function ours(source) {
  const done = run(skills, ['install', source, '--all', '--allow', 'lenient', '--dry-run', '--to', join(home, 'to'), '--format', 'json']);
  const document = JSON.parse(done.stdout);
  if (document.error?.message.startsWith('there is no skill')) return [];
  if (!document.plan) return [`error: ${document.error.message.replaceAll(source, 'repository')}`];
  return document.plan.skills.filter((skill) => skill.action === 'install').map((skill) => skill.name);
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
let differences = 0;
let alike = 0;
const all = {};
for (const name of readdirSync(folders).sort()) {
  const source = join(folders, name, 'repository');
  const before = kept[name] ?? {};
  const lists = { ours: ours(source), 'npx skills': { ...before['npx skills'] } };
  for (const version of versions.split(',')) lists['npx skills'][version] = theirs(version, name, source);
  all[name] = { ...lists, ...(before.why ? { why: before.why } : {}) };
  const isKept = same(lists.ours, before.ours) && same(lists['npx skills'], before['npx skills']);
  const isAlike = Object.values(lists['npx skills']).every((list) => same(list, lists.ours));
  alike += isAlike ? 1 : 0;
  if (isKept || record) continue;
  differences += 1;
  console.log(`${name} differs\n  kept: ${JSON.stringify(before)}\n  now:  ${JSON.stringify(lists)}`);
}
rmSync(home, { recursive: true });
// A list on a line of its own reads well in a difference.
const line = (list) => list.replace(/\[\s+([^\]]*?)\s+\]/g, (_, inside) => `[${inside.replace(/\s+/g, ' ')}]`);
if (record) writeFileSync(keptAt, `${line(JSON.stringify(all, null, 2))}\n`);
console.log(`${Object.keys(all).length} layouts: ${alike} listed as ${versions.replaceAll(',', ' and ')} lists them${record ? ', written' : `, ${differences} not as kept`}`);
process.exit(differences ? 1 : 0);
