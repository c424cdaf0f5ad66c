// Closes a skill in each single spelling, fixes the folder with `skills check --fix --unsafe`, and looks at what the
// programs list before and afterwards.
//
// node restraints.mjs BIN SKILLS CLIENTS: SKILLS is our program, CLIENTS are the programs that are installed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { entries } from './lists.mjs';
import { run } from './run.mjs';

const [bin, skills, clients] = process.argv.slice(2);

const front = (name, more = '') => `---\nname: ${name}\ndescription: Does ${name}. Use when asked.\n${more}---\nGo.\n`;
const FILES = {
  'by-front-matter/SKILL.md': front('by-front-matter', 'disable-model-invocation: true\n'),
  'by-openai-yaml/SKILL.md': front('by-openai-yaml'),
  'by-openai-yaml/agents/openai.yaml': '# Kept.\ninterface:\n  display_name: Closed\npolicy:\n  allow_implicit_invocation: false\n',
  'by-metadata/SKILL.md': front('by-metadata', 'metadata:\n  version: "1"\n  opencode/autoinvoke: "false"\n'),
  'by-front-matter-beside/SKILL.md': front('by-front-matter-beside', 'disable-model-invocation: true\nmetadata: {version: "1"}\n'),
  'by-front-matter-beside/agents/openai.yaml': 'interface:\n  display_name: Beside\n',
  'open/SKILL.md': front('open'),
};
const ALL = [...new Set(Object.keys(FILES).map((path) => path.split('/')[0]))].sort();
const but = (...names) => ALL.filter((name) => !names.includes(name));
/** What each program lists before and after the fix. Gemini CLI and OpenCode 1 read no restraint; OpenCode 2 does. */
const EXPECTED = {
  'claude-code': [but('by-front-matter', 'by-front-matter-beside'), ['open']],
  codex: [but('by-openai-yaml'), ['open']],
  'gemini-cli': [ALL, ALL],
  opencode: [ALL, ALL],
};

const source = mkdtempSync(join(tmpdir(), 'skills-restraints-'));
for (const [path, text] of Object.entries(FILES)) {
  mkdirSync(join(source, 'skills', dirname(path)), { recursive: true });
  writeFileSync(join(source, 'skills', path), text);
}
let faults = 0;

/** Compares the names that a program lists. */
async function compare(client, step, expected) {
  const result = await run(bin, client, source);
  const list = entries(client, result).join('\n');
  if (!list) throw new Error(`${client} sent no list (exit code ${result.code}):\n${result.said}`);
  // Each description is in the list as it is written.
  const listed = ALL.filter((name) => list.includes(`Does ${name}. Use when asked.`));
  const isSame = JSON.stringify(listed) === JSON.stringify(expected);
  faults += isSame ? 0 : 1;
  console.log(`restraints, ${step}: ${client} lists ${listed.join(', ')}${isSame ? '' : `, and not ${expected.join(', ')}`}`);
}

for (const client of clients.split(',')) await compare(client, 'before the fix', EXPECTED[client][0]);
const fixed = spawnSync(skills, ['check', '--fix', '--unsafe', '--deny', 'restraint-partial', join(source, 'skills')], { encoding: 'utf8' });
if (fixed.status !== 0) {
  faults += 1;
  console.log(`the fix ends with ${fixed.status}:\n${fixed.stdout}${fixed.stderr}`);
}
for (const client of clients.split(',')) await compare(client, 'after the fix', EXPECTED[client][1]);
rmSync(source, { recursive: true });
process.exit(faults ? 1 : 0);
