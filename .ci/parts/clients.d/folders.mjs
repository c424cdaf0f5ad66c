// Which folders of skills a program reads, and which of two skills with one name it lists.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entries } from './lists.mjs';
import { run } from './run.mjs';

/** The folders of the table and their neighbours, of a person and of a project. */
const FOLDERS = ['.agents/skills', '.claude/skills', '.codex/skills', '.gemini/skills', '.opencode/skills', '.config/opencode/skills'];
const skill = (name, words) => `---\nname: ${name}\ndescription: Lies in ${words}.\n---\nGo.\n`;
const PLACES = [
  ...FOLDERS.filter((folder) => !folder.startsWith('.config')).map((folder) => `project/${folder}`),
  ...FOLDERS.map((folder) => `home/${folder}`),
];

/** Runs a program with files, in the folder `a/b` of the project, and returns the places that its list names. */
async function listed(bin, client, files) {
  const source = mkdtempSync(join(tmpdir(), 'skills-none-'));
  mkdirSync(join(source, 'skills'));
  const result = await run(bin, client, source, undefined, 'hello', files, 'a/b');
  rmSync(source, { recursive: true });
  const text = entries(client, result).join('\n');
  if (!text) throw new Error(`${client} sent no list (exit code ${result.code}):\n${result.said}`);
  return (text.match(/Lies in ([^\s]+)\./g) ?? []).map((words) => words.slice(8, -1));
}

/** Returns what is kept of a program: the folders that it reads, those above the working folder, and who wins. */
export async function folders(bin, client) {
  const lines = [];
  const name = (place) => place.replaceAll(/[^a-z]+/g, '-');
  const at = (place, below, as) => [`${place.replace('project', `project${below}`)}/${as}/SKILL.md`, skill(as, place)];
  const all = Object.fromEntries(PLACES.map((place) => at(place, '/a/b', name(place))));
  const read = (await listed(bin, client, all)).sort();
  lines.push(`reads ${read.join(', ')}`);
  const above = PLACES.filter((place) => place.startsWith('project')).map((place) => at(place, '', name(place)));
  lines.push(`from a folder below reads ${(await listed(bin, client, Object.fromEntries(above))).sort().join(', ')}`);
  // Each place and the next one: a program runs for some seconds.
  for (const [number, first] of read.slice(0, -1).entries()) {
    const second = read[number + 1];
    const both = Object.fromEntries([first, second].map((place) => at(place, '/a/b', 'same')));
    lines.push(`of ${first} and ${second} lists ${(await listed(bin, client, both)).sort().join(', ')}`);
  }
  return `${lines.join('\n')}\n`;
}
