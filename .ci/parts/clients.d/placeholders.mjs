// What Claude Code and OpenCode put into a skill that a person starts with `/NAME ARGUMENTS`, in print mode.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prompts } from './lists.mjs';
import { run } from './run.mjs';

const START = 'The text begins.';

/** Lines of front matter, lines of the body, and what a person writes. */
const CASES = [
  [[], ['All: $ARGUMENTS.', 'First $1, second $2, zero $0, tenth $10, none $9.', 'Index $ARGUMENTS[0], $ARGUMENTS[1], $ARGUMENTS[9], $ARGUMENTS[x].'],
    '/try one "two three" four'],
  [[], ['All: $ARGUMENTS.', 'First $1, zero $0.', 'Index $ARGUMENTS[0].', 'Escaped \\$ARGUMENTS, \\$1, \\\\$1.'], '/try'],
  [[], ['No placeholder.'], '/try one two'],
  [[], ['No placeholder.'], '/try'],
  [[], ['Code `awk \'{print $1}\'` and a price of $1,000 or $5.', '```sh', 'echo $1 $ARGUMENTS', '```',
    'Shell $HOME, ${1}, $@, $#, $?, $$, $1st, ${ARGUMENTS}, $ARGUMENTSX, $(1).',
    'Escaped \\$ARGUMENTS, \\$1, \\\\$1, \\\\\\$1, \\$0, \\$HOME.', 'Command !`echo $ARGUMENTS`.'], '/try one two'],
  [['arguments: [issue, branch]'], ['Named $issue on $branch, $issues, ${issue}, \\$issue, $1.'], '/try 7 main'],
  [['arguments: [issue, branch]'], ['Named $issue on $branch.'], '/try 7'],
  [['arguments: [issue, branch]'], ['Named $issue on $branch.'], '/try'],
  [['arguments: issue branch'], ['Named $issue on $branch.'], '/try 7 main'],
  [[], ['Folder ${CLAUDE_SKILL_DIR}, \\${CLAUDE_SKILL_DIR}, ${SKILL_DIR}, $CLAUDE_SKILL_DIR.',
    'Others ${CLAUDE_PROJECT_DIR}, ${CLAUDE_EFFORT}, ${CLAUDE_PLUGIN_ROOT}, ${PLUGIN_ROOT}.',
    'Command !`echo done`, and `!echo done`.', '```!', 'echo done', '```'], '/try'],
  [[], ['Quotes $ARGUMENTS; $0; $1; $2.'], "/try 'a b' c\\ d"],
  [[], ['Itself $ARGUMENTS; $0; $1.'], '/try $1 $ARGUMENTS'],
  [[], ['One $ARGUMENTS.'], '/try /other text'],
  [[], ['Only $0.'], '/try one two'],
  [[], ['Only ${CLAUDE_SKILL_DIR}.'], '/try one two'],
  [[], ['Only \\$ARGUMENTS.'], '/try one two'],
  [[], ['Only $ARGUMENTS[5].'], '/try one two'],
  [[], ['Doubled $$ARGUMENTS, $$1, $$issue.', 'Words x$1, $1_, $1-2, $1.5, $01, $ARGUMENTS_DIR, $ARGUMENTS1, $ARGUMENTS[00].', 'Escaped \\$ARGUMENTS[0], \\\\$ARGUMENTS, \\$1st, \\$9.'],
    '/try one two'],
  [['arguments: [issue, branch-name, 1x, FILE, issue]'], ['Named $issue, $branch-name, $branch, $1x, $FILE, $issue[0], \\\\$issue, $$issue, $issue_no, $issue-no.'], '/try 7 main x y z'],
  [['arguments: [issue]'], ['Named $issue.'], '/try 7 main'],
  [['arguments: $issue'], ['Named $issue and $0.'], '/try 7 main'],
  [[], ['Commands: !`echo one`, x!`echo two`, (!`echo three`).', '!`echo four`', '- !`echo five` and !`echo six`', 'Line', '  !`echo seven`'], '/try one'],
  [[], ['~~~!', 'echo one', '~~~', '````!', 'echo two', '````', '  ```!', '  echo four', '  ```', '```!', 'echo five', 'echo six', '```'], '/try one'],
];

/** The cases of OpenCode, which knows fewer placeholders. */
const OF_COMMANDS = [
  [[], ['All: $ARGUMENTS.', 'First $1, second $2, zero $0, third $3.', 'Index $ARGUMENTS[0].', 'Code `awk \'{print $1}\'` and a price of $1,000.',
    'Escaped \\$1, \\$ARGUMENTS.', 'Command !`echo done`.', 'Folder ${CLAUDE_SKILL_DIR}.'], '/try one two three four'],
  [[], ['First $1, second $2.'], '/try one two three'],
  [[], ['Command !`echo $1`.'], '/try one'],
  [['arguments: [issue]'], ['Named $issue.'], '/try one'],
  [[], ['No placeholder.'], '/try one two'],
];

/** Runs every case, and returns for each the body, the prompt and what was sent. */
export async function placeholders(bin, client) {
  const results = [];
  for (const [front, body, prompt] of client === 'opencode' ? OF_COMMANDS : CASES) {
    const source = mkdtempSync(join(tmpdir(), 'skills-try-'));
    for (const [name, lines] of [['try', body], ['other', ['Another skill: $ARGUMENTS.']]]) {
      mkdirSync(join(source, 'skills', name), { recursive: true });
      const text = ['---', `name: ${name}`, 'description: Tries.', ...(name === 'try' ? front : []), '---', START, ...lines, ''];
      writeFileSync(join(source, 'skills', name, 'SKILL.md'), text.join('\n'));
    }
    const { base, bodies } = await run(bin, client, source, undefined, prompt);
    rmSync(source, { recursive: true });
    const sent = [...prompts(bodies)].filter((part) => part.includes(START))
      .map((part) => part.slice(part.indexOf(START) + START.length).replaceAll(base, '[BASE]').trim());
    results.push([...front, ...body, `> ${prompt}`, ...sent].join('\n'));
  }
  return `${results.join('\n\n')}\n`;
}
