import type { Place } from './bench.ts';
import type { Call, Turn } from './model/scenario.ts';
import { REFUSED } from './refused-calls.ts';
import { raw, says, shell } from './talk.ts';

/** A step of the model that isn't the work itself, as real ones take them. `name` is unique in the night. */
export type Slip = (place: Place, name: string) => readonly Turn[];

const calls =
  (...commands: readonly ((name: string) => string)[]): Slip =>
  (_place, name) =>
    commands.map((command) => says('', shell(command(name))));

const page = (title: string) => `<!DOCTYPE html>\n<html><head><title>${title}</title></head></html>\n`;
const TMP = '"$' + '{TMPDIR:-/tmp}"';

/** Commands of everyday work, as models write them. */
const COMMANDS: Readonly<Record<string, Slip>> = {
  'a single word': calls(() => 'ls'),
  quotes: calls(() => `printf '%s\\n' "it's \\"quoted\\"" 'and "so" on' $'tab\\there'`),
  'a pipe': calls(() => 'cat README.md | wc -l && git status --short | head -n 3'),
  'a here-document': calls((name) => `cat <<'END' > src/note-${name}.md\nIt's a "note": $HOME\nEND`),
  'a here-document for a program': calls(() => `sh -s <<EOF\necho "$PWD" 'and' \\"more\\"\nEOF`),
  'several lines': calls(() => 'cd src\nfor f in *.js; do\n  echo "$f"\ndone\ncd ..'),
  'a command that fails': calls((name) => `cat src/missing-${name}.txt`),
  'a search that finds nothing': calls(
    (name) => `grep -rn "nowhere-${name}" src | sort -u; find . -name 'x?y*' -print0 | xargs -0r ls`,
  ),
  'an edit by sed': calls(
    (name) => `printf 'a\\nb\\n' > src/note-${name}.md && sed -i 's/a/"c"/' src/note-${name}.md`,
  ),
  'a program in the background': calls(() => 'nohup tail -f /dev/null >/dev/null 2>&1 & echo begun'),
};

/** Temporary files that the model makes and removes. */
const TEMPORARY: Readonly<Record<string, Slip>> = {
  'a temporary file of one command': calls(() => 't=$(mktemp) && echo x > "$t" && cat "$t" && rm "$t"'),
  'a temporary folder of two commands': calls(
    (name) => `mkdir -p ${TMP}/build-${name} && touch ${TMP}/build-${name}/x`,
    (name) => `rm -rf ${TMP}/build-${name}`,
  ),
  'a temporary folder with a trap': calls(
    () => 'd=$(mktemp -d); trap \'rm -r "$d"\' EXIT; echo x > "$d/a.txt" && wc -c "$d/a.txt"',
  ),
  'a temporary file that is gone already': calls((name) => `rm -f ${TMP}/gone-${name}.txt`),
  'a build in the repository': calls(
    (name) => `mkdir -p build-${name} && echo x > build-${name}/out.js`,
    (name) => `rm -r ./build-${name}`,
  ),
};

/** Troubles of the service, each once: the next request is answered. */
const TROUBLES: Readonly<Record<string, Slip>> = {
  'an answer that fails': () => [{ kind: 'fails', status: 500, message: 'Internal server error' }],
  'an answer that is cut off': () => [{ kind: 'cut', text: 'HALF-AN-ANSWER that ends here.' }],
  'a connection that is reset': () => [{ kind: 'resets' }],
  'an answer that is malformed': () => [
    { kind: 'raw', status: 200, type: 'text/event-stream', body: 'data: {"type": "mess\n\ndata: {"ty\n\n' },
  ],
  'a page of a gateway': () => [
    { kind: 'raw', status: 502, type: 'text/html', body: page('502 Bad Gateway') },
  ],
  'a page of a network': () => [
    { kind: 'raw', status: 200, type: 'text/html', body: page('Welcome to the airport') },
  ],
};

/** A program that the agent's own tool starts in the background. */
const BACKGROUND: Readonly<Record<string, (command: string) => Call>> = {
  claude: (command) => raw('Bash', { command, run_in_background: true }),
  codex: (cmd) => raw('exec_command', { cmd, yield_time_ms: 250 }),
  copilot: (command) => raw('bash', { command, description: 'runs it', mode: 'async' }),
  gemini: (command) => raw('run_shell_command', { command, is_background: true }),
  qwen: (command) => raw('run_shell_command', { command, is_background: true }),
  droid: (command) =>
    raw('Execute', {
      ...{ command, summary: 'Starts it and continues', fireAndForget: true },
      ...{ riskLevelReason: 'it is in the scenario', riskLevel: 'low' },
    }),
};

/** A server that the agent leaves running; nothing where it has no way to. */
export function leavesServer(agent: string): readonly Turn[] {
  const start = BACKGROUND[agent];
  return start === undefined ? [] : [says('I serve it.', start('tail -f /dev/null'))];
}

function inBackground(agent: string): Readonly<Record<string, Slip>> {
  const start = BACKGROUND[agent];
  if (start === undefined) return {};
  const slip: Slip = (_place, name) => [
    says('I build it.', start(`cat src/index.js > src/built-${name}.js`)),
    says('I look.', shell('ls src')),
  ];
  return { 'a program in the background of its own': slip };
}

/** What happens to an agent on an ordinary night, by name. None of it is a reason to end an attempt. */
export function slipsOf(agent: string): Readonly<Record<string, Slip>> {
  const refused = Object.entries(REFUSED[agent] ?? {}).map(([what, refusedCalls]): [string, Slip] => [
    `turned down: ${what}`,
    (place) => refusedCalls(place).map((call) => says('Let me try this.', call)),
  ]);
  const [[, first] = ['', () => []]] = Object.entries(REFUSED[agent] ?? {});
  const together: Slip = (place) => [
    says('All at once.', shell('ls; exit 1'), ...first(place).slice(0, 1), shell('ls src')),
  ];
  return {
    ...COMMANDS,
    ...TEMPORARY,
    ...TROUBLES,
    ...Object.fromEntries(refused),
    'several calls at once': together,
    ...inBackground(agent),
  };
}
