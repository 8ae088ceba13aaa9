/** @module-tag slow */

import { spawn, spawnSync } from 'node:child_process';
import { displayWidth } from 'ralph-kit/columns';
import { stripControl } from 'ralph-kit/text';
import { describe, expect, it } from 'vitest';
import { claim, makeProject, type Project, withoutBox } from '../helpers/cli.ts';
import { commandNames, commandsIn } from '../helpers/docs/printed-commands.ts';
import { finishedOf } from '../helpers/finished.ts';
import { ralphOnPath } from '../helpers/ralph-on-path.ts';

withoutBox();

const LONG =
  'Accept the short forms of the names of months in every language that a browser may ask for, and no others';

const PLAN = `# Plan

## Tasks

- [ ] **T-1** Parse dates
- [ ] **T-2** ${LONG}
- [ ] **T-3** Serve it
- [ ] **T-4** Export it
  - Depends on: T-3
- [ ] **session-tokens-of-the-api** Keep them for thirty minutes
- [ ] **T-6** Write about it
`;

const step = (task: string, attempt: number | null, ...actions: object[]) => ({
  when: { task, ...(attempt === null ? {} : { attempt }) },
  do: actions,
});
const write = (path: string, content: string) => ({ action: 'write', path, content });

const NIGHT = JSON.stringify({
  output: 'claude-stream',
  steps: [
    step('T-1', 1, claim('src/date.js:1 it')),
    step(
      'T-1',
      null,
      { action: 'shell', command: 'true' },
      write('src/date.js', '1\n'),
      claim('src/date.js:1 it'),
    ),
    step(
      'T-2',
      null,
      write('broken', '{attempt}\n'),
      { action: 'print', text: `${LONG}. ${LONG}.` },
      claim('broken:1 it'),
    ),
    step('T-3', null, {
      action: 'status',
      status: 'BLOCKED',
      exit_signal: false,
      reason: `Which port? ${LONG}`,
    }),
    step('session-tokens-of-the-api', null, write('src/session.js', '30\n'), claim('src/session.js:1 it')),
  ],
  otherwise: [claim()],
});

/** Returns a project with `ralph` on the PATH, after a night with every kind of task and an incident at its end. */
function night(): Project {
  const project = makeProject({
    '.ralph/PRD.md': PLAN,
    '.ralph/ralph.toml': `[loop]
agent = "scripted"
max_attempts_per_task = 2
no_progress_limit = 20
[interventions]
cooldown_seconds = 0
[[gates.commands]]
name = "check"
run = "test ! -e broken"
[git]
commit = "on_done"
`,
    '.ralph/scenario.json': NIGHT,
  });
  expect(project.ralph('run').code).toBe(4);
  project.write(
    '.ralph/PRD.md',
    `${project.read('.ralph/PRD.md')}- [ ] **T-7** Do nothing\n- [x] **T-8** Done by hand\n`,
  );
  process.env.RALPH_LOOP_MAX_ATTEMPTS_PER_TASK = '9';
  expect(project.json('run', '--task', 'T-7')).toMatchObject({ exit_code: 5 });
  delete process.env.RALPH_LOOP_MAX_ATTEMPTS_PER_TASK;
  return project;
}

const ENV = { ...ralphOnPath(), RALPH_BOX_MODE: 'off' };

/** These lines only show something or are mistakes: none of them changes anything. */
const LOOKS = [
  ...[
    'status',
    'report',
    'tasks',
    'blocked',
    'blocked --suggest',
    'logs',
    'logs T-2',
    'diff 1',
    'diff T-2 --stat',
  ],
  ...[
    'interventions',
    'interventions --stats',
    'explain',
    'explain T-4',
    'profile',
    'metrics',
    'checkpoints',
  ],
  ...[
    'incidents',
    'incidents show INC-1',
    'resume',
    'feedback',
    'replay',
    'doctor',
    'doctor --agents',
    'trust --list',
  ],
  ...[
    'run --dry-run',
    'checkpoints show nosuch',
    'logs 99',
    'explain T-99',
    'run --task T-99',
    'stop',
    'unblock',
  ],
  ...[
    'tasks accept',
    'tasks reopen T-3',
    'report r-1',
    'run --agent nosuch',
    'init --agent nosuch',
    'statsu',
  ],
  ...[
    'metrics --format prom',
    'feedback add --task NOPE x',
    'unblock T-1',
    'rollback nosuch',
    'run --until 25:00',
  ],
];

type Called = { readonly line: string; readonly code: number; readonly output: string };

const COLUMNS = 60;
const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

/** Types these lines in a terminal, one after the other. */
async function inTerminal(project: Project, lines: readonly string[]): Promise<Called[]> {
  const calls = lines.map((line) => `ralph ${line} </dev/null; echo "@@ $?"`).join('; ');
  const child = spawn('script', ['-qec', `stty cols ${COLUMNS} rows 40; ${calls}`, '/dev/null'], {
    cwd: project.root,
    env: { ...ENV, TERM: 'xterm', PAGER: 'cat', GIT_PAGER: 'cat' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { stdout } = await finishedOf(child);
  const parts = stripControl(stdout).split(/^@@ (\d+)\n/m);
  return lines.map((line, at) => ({ line, output: parts[2 * at] ?? '', code: Number(parts[2 * at + 1]) }));
}

describe.runIf(hasTerminal)('after a night', () => {
  const project = night();
  const looks = inTerminal(project, LOOKS);

  it('nothing is wider than a terminal of 60 columns, whatever is called', async () => {
    for (const { line, output, code } of await looks) {
      expect([line, code]).not.toEqual([line, 1]);
      // Paths, names and commands are never broken, so that they can be copied.
      const wide = output
        .split('\n')
        .filter((one) => displayWidth(one) > COLUMNS && /\S\s+\S/.test(one.trim()));
      expect(
        wide.filter((one) => !/^\s*(?:Next: )?ralph /.test(one)),
        line,
      ).toEqual([]);
      expect(output, line).not.toMatch(/undefined|\[object|\bNaN\b|T\d\d:\d\d:\d\d/);
    }
  });

  it('nor is any help', async () => {
    const lines = ['--help', ...commandNames().map((name) => `${name} --help`)];
    for (const { line, output } of await inTerminal(project, lines)) {
      const wide = output.split('\n').filter((one) => displayWidth(one) > COLUMNS && !/^\s*ralph /.test(one));
      expect(wide, line).toEqual([]);
    }
  });

  it('what is piped has no colours, and nothing of it is cut', async () => {
    const outputs = await Promise.all(
      ['tasks', 'blocked', 'report', 'logs T-2'].map((line) => project.start(...line.split(' ')).ended),
    );
    for (const { stdout } of outputs) {
      expect(stripControl(stdout)).toBe(stdout);
      expect(stdout).not.toMatch(/…$/m);
    }
    expect(outputs[0]?.stdout).toContain(LONG);
  });

  it('every command that is printed works when it is pasted, and none leads in a circle', async () => {
    const called = await crawl(project, await looks);
    const failed = called.filter(({ code, output, line }) => {
      // The incident was resolved by another of its options.
      if (line.startsWith('resume INC-1'))
        return !/already resolved|until you choose|is resolved/.test(output);
      // This command belongs to the option manual_intervention, and another one was taken.
      if (line === 'unblock T-7') return !/isn't blocked/.test(output);
      const isMistake = LOOKS.includes(line);
      if (
        /^ralph: (?:Unknown |.*doesn't take the argument|.*is missing|.*can't be ')|should not have happened/m.test(
          output,
        )
      )
        return !isMistake;
      return code === 2 && (!isMistake || / Next: ralph (.*)/.exec(output)?.[1] === line);
    });
    expect(failed).toEqual([]);
    const lines = called.map(({ line }) => line);
    expect(lines).toEqual(expect.arrayContaining(['blocked --suggest', 'resume INC-1', 'tasks accept T-8']));
  });
});

/** Lines that change something come last, one after the other. */
const CHANGES =
  /^(?:run|step|unblock|retry-blocked|resume|rollback|init|tasks [are]|feedback [ac]|checkpoints [ad]|trust$)/;

const NAMES = new Set(commandNames());

/** Returns the commands in an output that can be pasted. */
function pasted(output: string): string[] {
  return (
    output
      .split('\n')
      // These lines are the agent's own words.
      .filter((one) => !/^\w+ +│|^\s+\*\*/.test(one))
      .flatMap((one) => {
        const whole = /^\s*(?:Next: )?ralph ([a-z].*)$/.exec(one)?.[1];
        const isCommand = whole !== undefined && NAMES.has(whole.split(' ')[0] ?? '');
        return isCommand ? whole.split(/ {2,}ralph /) : commandsIn(one);
      })
      // These commands have a part that you fill in.
      .filter((one) => !/[A-Z]{3,}(?!-\d)|…|\[/.test(one))
  );
}

/**
 * Calls the printed commands, those that they print, and so on; of commands that differ only in numbers one is called.
 */
async function crawl(project: Project, begun: readonly Called[]): Promise<Called[]> {
  const called = new Map(begun.map((one) => [one.line, one]));
  const waiting = new Set(begun.flatMap(({ output }) => pasted(output)));
  const shapes = new Set<string>();
  const shapeOf = (line: string) => line.replace(/\d+/g, 'N');
  const call = async (line: string) => {
    const child = spawn('sh', ['-c', `ralph ${line}`], {
      ...{ cwd: project.root, env: ENV, stdio: ['ignore', 'pipe', 'pipe'] as const },
    });
    const { code, stdout, stderr } = await finishedOf(child);
    called.set(line, { line, code: code ?? 1, output: stdout + stderr });
    // The examples in a help are about another project.
    if (!line.includes('--help')) for (const one of pasted(stdout + stderr)) waiting.add(one);
  };
  for (;;) {
    const left = [...waiting].filter((line) => !called.has(line) && !shapes.has(shapeOf(line)));
    const looks = left.filter((line) => !CHANGES.test(line)).slice(0, 3);
    const now = looks.length > 0 ? looks : left.slice(0, 1);
    if (now.length === 0) return [...called.values()];
    for (const line of now) shapes.add(shapeOf(line));
    await Promise.all(now.map(call));
    if (called.size > 120) throw new Error(`there is no end: ${[...called.keys()].join('; ')}`);
  }
}
