// Runs the programs in every folder of skills, and compares their lists with the kept lists.
//
// node compare.mjs BIN FOLDERS KEPT CLIENTS [--record]: CLIENTS are the programs that are installed, with commas;
// --record writes the kept lists. Ends with 1 when a list differs.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { folders as foldersOf } from './folders.mjs';
import { entries, kept } from './lists.mjs';
import { placeholders } from './placeholders.mjs';
import { run } from './run.mjs';

const [bin, folders, keptAt, clients, record] = process.argv.slice(2);

/** The size of a model's context, and what makes a program use it. */
const VARIANTS = {
  'claude-code': { '200k': 'claude-sonnet-4-5', '1m': 'claude-opus-5-5' },
  codex: { '272k': '272000', '200k': '200000', '32k': '32000', '12k': '12000' },
  'gemini-cli': { any: undefined },
  opencode: { any: undefined },
};
/** The folders that do not fit into a list: they are run with every size. */
const OVERFLOW = ['crowd', 'few', 'long', 'many', 'paths', 'uneven', 'wide'];
/**
 * Folders that say nothing of a program: 600 whole descriptions show what `many` shows, and which of two skills with
 * one name is listed depends on which file was read first.
 */
const SKIPPED = { crowd: ['gemini-cli', 'opencode'], twice: ['gemini-cli', 'opencode'] };

/**
 * Programs that read their files all at once: of two skills with one name, the one that is read last is listed. The kept
 * lists hold what they list on an idle machine.
 */
const RACING = ['opencode'];

let differences = 0;

function compare(path, text) {
  const file = join(keptAt, path);
  if (record) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return console.log(`${path}: written`);
  }
  const expected = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (expected === text) return console.log(`${path}: the same`);
  differences += 1;
  const [ours, theirs] = [expected, text].map((list) => list.split('\n'));
  const at = theirs.findIndex((line, number) => line !== ours[number]);
  console.log(`${path}: differs from line ${at + 1}\n  kept: ${ours[at]}\n  sent: ${theirs[at]}`);
}

/** Returns the text with the kept line in the place of each line that names the other skill of a pair. */
function withoutRaces(path, text) {
  const file = join(keptAt, path);
  const known = !record && existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const lines = text.split('\n').map((line) => {
    const [pair, listed] = line.split(' lists ');
    const expected = known.find((other) => other.startsWith(`${pair} lists `));
    const isRace = listed && expected && line !== expected && pair.replace(/^of /, '').split(' and ').includes(listed);
    if (isRace) console.log(`${path}: ${line}, which was read last; kept: ${expected.split(' lists ')[1]}`);
    return isRace ? expected : line;
  });
  return lines.join('\n');
}

const lines = (list) => list.map((entry) => `${entry}\n`).join('');

async function entriesOf(client, source, variant) {
  const result = await run(bin, client, source, variant);
  const all = entries(client, result);
  if (!all.length) throw new Error(`${client} sent no list (exit code ${result.code}):\n${result.said}`);
  return all;
}

for (const client of clients.split(',')) {
  const variants = Object.entries(VARIANTS[client]);
  for (const [size, variant] of variants) {
    const nothing = mkdtempSync(join(tmpdir(), 'skills-none-'));
    mkdirSync(join(nothing, 'skills'));
    const empty = await entriesOf(client, nothing, variant);
    rmSync(nothing, { recursive: true });
    for (const folder of readdirSync(folders).sort()) {
      if (size !== variants[0][0] && !OVERFLOW.includes(folder)) continue;
      if (SKIPPED[folder]?.includes(client)) continue;
      const all = await entriesOf(client, join(folders, folder), variant);
      compare(`${folder}/${client}${size === 'any' ? '' : `.${size}`}.txt`, lines(kept(client, all, empty)));
    }
  }
  const read = `folders/${client}.txt`;
  const seen = await foldersOf(bin, client);
  compare(read, RACING.includes(client) ? withoutRaces(read, seen) : seen);
  if (client === 'claude-code') compare('placeholders.txt', await placeholders(bin, client));
  if (client === 'opencode') compare('placeholders-opencode.txt', await placeholders(bin, client));
}
process.exit(differences ? 1 : 0);
