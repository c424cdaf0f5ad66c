// Takes the list of skills out of what a program sent.
//
// A list holds entries, byte for byte as a model reads them. The path of the temporary folder is written [BASE].

/** Yields every text of a JSON value. */
function* texts(value) {
  if (typeof value === 'string') yield value;
  else if (value && typeof value === 'object') for (const part of Object.values(value)) yield* texts(part);
}

/** Returns the text between two marks in the first text that holds the first mark. */
function between(bodies, start, end) {
  for (const text of texts(bodies)) {
    const from = text.indexOf(start);
    if (from < 0) continue;
    const rest = text.slice(from + start.length);
    const ends = end.map((mark) => rest.indexOf(mark)).filter((at) => at >= 0);
    return rest.slice(0, Math.min(rest.length, ...ends));
  }
  return '';
}

/** Lines that begin with "- ", each with the lines that follow it. */
const items = (text) => text.split(/\n(?=- )/).map((item) => item.replace(/\n+$/, '')).filter(Boolean);

const elements = (bodies) => between(bodies, '<available_skills>\n', ['</available_skills>']).match(/ {2}<skill>\n[^]*?\n {2}<\/skill>/g) ?? [];

/**
 * For each program: the entries of a request, and whether an entry is of a skill that the program brings along.
 * `empty` are the entries without any other skill: Claude Code names no file, so its own skills are known by them.
 */
const CLIENTS = {
  'claude-code': {
    entries: (bodies) => items(between(bodies, 'available for use with the Skill tool:\n\n', ["\n\nToday's date", '\n</system-reminder>'])),
    isOwn: (entry, empty) => empty.some((own) => own === entry || own.startsWith(`${entry}: `)),
  },
  codex: {
    entries: (bodies) => {
      const [roots, skills] = between(bodies, '### Skill roots\n', ['</skills_instructions>']).split('### Available skills\n');
      return [...items(roots), ...items(skills ?? '')];
    },
    isOwn: (entry) => entry.includes('(file: r0/'),
  },
  'gemini-cli': { entries: elements, isOwn: (entry) => !entry.includes('<location>[BASE]') },
  opencode: { entries: elements, isOwn: (entry) => entry.includes('<location>&lt;built-in&gt;') },
};

/** Returns the entries of a run. Half a pair of UTF-16, which JSON can hold, becomes what UTF-8 holds in its place. */
export function entries(client, { base, bodies }) {
  const all = CLIENTS[client].entries(bodies).map((entry) => entry.replaceAll(base, '[BASE]').toWellFormed());
  // Gemini CLI lists the skills in the order in which the disk answered.
  return client === 'gemini-cli' ? all.sort(byLocation) : all;
}

const location = (entry) => entry.replace(/^[^]*<location>/, '');
const byLocation = (a, b) => Buffer.compare(Buffer.from(location(a)), Buffer.from(location(b)));

/** Returns the entries of the folder's skills. The others' text is their makers', and is not kept. */
export const kept = (client, all, empty) => all.filter((entry) => !CLIENTS[client].isOwn(entry, empty));

/** Returns the text of the message that a person's prompt became. */
export const prompts = (bodies) => [...texts(bodies.at(-1).messages)];
