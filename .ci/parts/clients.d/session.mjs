// A person with several agents: installs skills for all of them, edits, updates, makes places the same, uninstalls and
// restores. After each step every program must list what `skills list --everywhere` says that it lists.
//
// node session.mjs BIN SKILLS CLIENTS: SKILLS is our program, CLIENTS are the programs that are installed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { entries } from './lists.mjs';
import { run } from './run.mjs';

const [bin, skills, clients] = process.argv.slice(2);
const base = mkdtempSync(join(tmpdir(), 'skills-session-'));
const [home, project, acme] = ['home', 'project', 'acme'].map((name) => join(base, name));
const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', TERM: 'dumb', GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.org' };

function write(path, text) {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}

const skill = (name, version) => `---\nname: ${name}\ndescription: Does ${name} as in ${version}. Use when asked.\n---\nGo.\n`;

function call(command, words, cwd = project) {
  const done = spawnSync(command, words, { cwd, env, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${command} ${words.join(' ')} ends with ${done.status}:\n${done.stdout}${done.stderr}`);
  return done.stdout;
}

function commit(version) {
  for (const name of ['lint', 'deploy']) write(`acme/skills/${name}/SKILL.md`, skill(name, version));
  call('git', ['add', '-A'], acme);
  call('git', ['commit', '-q', '-m', version], acme);
}

/** Paths and texts of all files below `home` and `project` that the programs could read as skills. */
function files() {
  const found = {};
  for (const folder of [home, project]) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      if (entry.isFile() && path.includes('/skills/') && !path.includes('/.local/')) found[relative(base, path)] = readFileSync(path, 'utf8');
    }
  }
  return found;
}

const description = (text) => /^description: (.*)$/m.exec(text)[1];

/** For each program: the descriptions of the copies that it reads, by name. */
function said() {
  const document = JSON.parse(call(skills, ['list', '--everywhere', '--format', 'json']));
  const lists = {};
  for (const { name, copies, unsure } of document.skills) {
    for (const copy of copies) {
      const text = description(readFileSync(join(resolve(project, copy.path), 'SKILL.md'), 'utf8'));
      for (const client of [...copy.clients, ...unsure]) ((lists[client] ??= {})[name] ??= new Set()).add(text);
    }
  }
  return lists;
}

let faults = 0;

async function compare(step) {
  const lists = said();
  for (const client of clients.split(',')) {
    const nothing = mkdtempSync(join(tmpdir(), 'skills-none-'));
    mkdirSync(join(nothing, 'skills'));
    const result = await run(bin, client, nothing, undefined, 'hello', files());
    rmSync(nothing, { recursive: true });
    const list = entries(client, result).join('\n');
    if (!list) throw new Error(`${client} sent no list (exit code ${result.code}):\n${result.said}`);
    const listed = [...new Set(list.match(/Does \S+ as in [^.]+\. Use when asked\./g) ?? [])].sort();
    const known = Object.values(lists[client] ?? {});
    // Of copies that differ, some programs list one, some the one that they read last, and some all.
    const isSame = listed.every((text) => known.some((copies) => copies.has(text)))
      && known.every((copies) => listed.some((text) => copies.has(text)));
    faults += isSame ? 0 : 1;
    const shown = listed.map((text) => text.slice(5, text.indexOf('. '))).join(', ');
    const other = isSame ? '' : `, and not ${known.map((copies) => [...copies].join(' or ')).join(', ')}`;
    console.log(`session, ${step}: ${client} lists ${shown}${other}`);
  }
}

for (const folder of ['home/.claude', 'home/.codex', 'home/.gemini', 'home/.config/opencode', 'project/.git']) mkdirSync(join(base, folder), { recursive: true });
write('home/.claude/skills/brew/SKILL.md', skill('brew', 'claude'));
write('home/.agents/skills/brew/SKILL.md', skill('brew', 'agents'));
write('home/.config/opencode/skills/notes/SKILL.md', skill('notes', 'opencode'));
write('project/.claude/skills/ship/SKILL.md', skill('ship', 'project'));
mkdirSync(acme);
call('git', ['init', '-q', '-b', 'main'], acme);
commit('one');
const source = `file://${acme}`;
try {
  await compare('as found');
  call(skills, ['install', source, 'lint', 'deploy', '--to', 'all', '--yes']);
  await compare('installed for all');
  commit('two');
  write('home/.claude/skills/deploy/SKILL.md', skill('deploy', 'mine'));
  // The edited copy is kept, and that is told by the exit code.
  const update = spawnSync(skills, ['update', '--yes', '--allow', 'local'], { cwd: project, env, encoding: 'utf8' });
  if (update.status !== 1) throw new Error(`update ends with ${update.status}:\n${update.stdout}${update.stderr}`);
  await compare('edited and updated');
  call(skills, ['install', 'deploy', '--from', 'codex', '--to', 'claude-code', '--yes']);
  call(skills, ['install', 'brew', '--from', 'claude-code', '--to', 'codex', '--yes']);
  await compare('made the same');
  call(skills, ['uninstall', 'lint', '--yes']);
  await compare('uninstalled');
  call(skills, ['restore', '--yes']);
  await compare('restored');
} finally {
  rmSync(base, { recursive: true });
}
process.exit(faults ? 1 : 0);
