// Runs one program in one folder of skills, and returns what it sent to the model.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const LENGTH = 100;

/** Makes a folder whose path has LENGTH bytes: the lists of Codex depend on the length of paths. */
function base() {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'skills-')));
  const rest = LENGTH - made.length - 1;
  if (rest < 1) throw new Error(`the path of the temporary folder is too long: ${made}`);
  const folder = join(made, 'x'.repeat(rest));
  mkdirSync(folder);
  return { made, folder };
}

const PROGRAMS = {
  'claude-code': {
    skills: '.claude/skills',
    program: 'claude',
    words: (variant, prompt) => ['-p', '--model', variant ?? 'claude-sonnet-4-5', prompt],
    environment: (address) => ({ ANTHROPIC_API_KEY: 'sk-ant-none', ANTHROPIC_BASE_URL: address,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' }),
  },
  codex: {
    skills: '.agents/skills',
    program: 'codex',
    words: (variant, prompt, address) => ['exec', '--skip-git-repo-check', '-c', 'model_provider="standin"',
      '-c', `model_providers.standin={name="standin",base_url="${address}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}`,
      '-c', 'model="standin"', ...(variant ? ['-c', `model_context_window=${variant}`] : []), prompt],
    environment: () => ({ OPENAI_API_KEY: 'none' }),
  },
  'gemini-cli': {
    skills: '.agents/skills',
    files: () => ({ '.gemini/settings.json': { security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false }, general: { enableAutoUpdate: false } } }),
    program: 'gemini',
    words: (variant, prompt) => ['-m', 'gemini-2.5-pro', '-p', prompt],
    environment: (address) => ({ GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: address, GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
  },
  opencode: {
    skills: '.agents/skills',
    files: (address) => ({ '.config/opencode/opencode.json': { autoupdate: false, share: 'disabled', model: 'standin/m', small_model: 'standin/m',
      provider: { standin: { npm: '@ai-sdk/openai-compatible', name: 'standin', options: { baseURL: `${address}/v1`, apiKey: 'none' }, models: { m: { name: 'm' } } } } } }),
    program: 'opencode',
    // In a message a slash is text: a command has an option of its own. A word with a space would be put into quotes.
    words: (variant, prompt) => {
      const [name, ...rest] = prompt.split(' ');
      return name.startsWith('/') ? ['run', '--command', name.slice(1), ...rest] : ['run', prompt];
    },
    environment: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  },
};

/**
 * Runs a program with a home folder and a project of its own. `bin` holds a folder for each program, `source` holds
 * `skills`, and `variant` is a model or the size of its context. `files` are further files by their paths below the folder
 * that holds `home` and `project`, and `within` is the working folder below the project.
 */
export async function run(bin, client, source, variant, prompt = 'hello', files = {}, within = '') {
  const program = PROGRAMS[client];
  const { made, folder } = base();
  const [home, project, requests] = ['home', 'project', 'requests'].map((name) => join(folder, name));
  try {
    for (const path of [home, project, requests]) mkdirSync(path);
    const skills = join(project, program.skills);
    mkdirSync(dirname(skills), { recursive: true });
    cpSync(source, dirname(skills), { recursive: true, verbatimSymlinks: true });
    mkdirSync(join(project, '.git/refs'), { recursive: true });
    mkdirSync(join(project, '.git/objects'));
    writeFileSync(join(project, '.git/HEAD'), 'ref: refs/heads/main\n');
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    mkdirSync(join(project, within), { recursive: true });
    const standin = spawn(process.execPath, [join(here, 'standin.mjs'), requests], { stdio: ['pipe', 'pipe', 'inherit'] });
    const port = await new Promise((done) => standin.stdout.once('data', (text) => done(String(text).trim())));
    const address = `http://127.0.0.1:${port}`;
    for (const [path, document] of Object.entries(program.files?.(address) ?? {})) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), JSON.stringify(document));
    }
    const command = join(bin, client, 'node_modules/.bin', program.program);
    const words = program.words(variant, prompt, address);
    const environment = { PATH: process.env.PATH, HOME: home, TERM: 'dumb', LANG: 'C.UTF-8', ...program.environment(address) };
    const child = spawn(command, words, { cwd: join(project, within), env: environment, stdio: ['ignore', 'pipe', 'pipe'], timeout: 900_000 });
    let said = '';
    child.stdout.on('data', (text) => (said += text));
    child.stderr.on('data', (text) => (said += text));
    const code = await new Promise((done) => child.once('close', done));
    standin.stdin.end();
    const bodies = readdirSync(requests).sort().map((name) => JSON.parse(readFileSync(join(requests, name))).body);
    return { base: folder, code, said, bodies };
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
