/** @module-tag slow */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { claim, makeProject, type Project } from '../helpers/cli.ts';
import { randomNumbers } from '../helpers/random-tree.ts';
import { temporaryFolder } from '../helpers/repository.ts';
import { approves, inRole } from '../helpers/reviewing-roles.ts';

const TASKS = 40;
const list = `# Plan\n\n## Tasks\n\n${Array.from({ length: TASKS }, (_, at) => `- [ ] **T-${at + 1}** Part ${at + 1}\n`).join('')}`;
const uses = (tokens: number): ScenarioAction => ({
  ...{ action: 'usage', input_tokens: tokens, output_tokens: 0 },
});
const PAUSE: ScenarioAction = { action: 'sleep', seconds: 0.05 };
/** The numbers are tokens: of the maker in one attempt, and of each reviewer. */
const [MAKER, REVIEWER] = [100, 60];
const MAKES: ScenarioAction[] = [
  { action: 'shell', command: 'echo "part of $RALPH_TASK_ID" > "part-$RALPH_ITERATION.txt"' },
  ...[uses(MAKER / 2), PAUSE, uses(MAKER / 2), PAUSE, claim()],
];
const REVIEWS = [uses(REVIEWER / 2), PAUSE, uses(REVIEWER / 2), approves];

function project(budget: string, more = '', before: readonly ScenarioAction[] = []): Project {
  return makeProject({
    '.ralph/PRD.md': list,
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\nmax_iterations = 100\n[review]\nenabled = false\n[workflow]\nkind = "standard"\n${more}\n${budget}\n`,
    '.ralph/scenario.json': JSON.stringify({
      output: 'claude-stream',
      steps: [
        ...['guardian', 'sage'].map((role) => inRole(role, [...before, ...REVIEWS])),
        inRole('maker', MAKES),
      ],
    }),
  });
}

/** This agent costs a dollar each time, in any role, and says so only at its end. */
const DOLLAR = `
const { appendFileSync, readFileSync } = require('node:fs');
const nonce = /^  "nonce": "(.*)",$/m.exec(readFileSync(0, 'utf8'))?.[1];
const role = process.env.RALPH_ROLE ?? 'maker';
const say = (line) => console.log(JSON.stringify({ ...line, session_id: 's-1' }));
const done = 'RALPH_STATUS\\nTASK: ' + process.env.RALPH_TASK_ID + '\\nSTATUS: DONE\\nEXIT_SIGNAL: true\\nEND_RALPH_STATUS';
say({ type: 'system', subtype: 'init', model: 'm' });
if (role === 'maker') appendFileSync('part-' + process.env.RALPH_ITERATION + '.txt', 'part of ' + process.env.RALPH_TASK_ID);
setTimeout(() => {
  const result = role === 'maker' ? done : JSON.stringify({ nonce, verdict: 'APPROVED', findings: [] });
  const usage = { input_tokens: 10, output_tokens: 0 };
  say({ type: 'result', subtype: 'success', is_error: false, result, usage, total_cost_usd: 1 });
}, 100);
`;

function paid(budget: string): Project {
  return makeProject({
    '.ralph/PRD.md': list,
    'agent.cjs': DOLLAR,
    '.ralph/ralph.toml': `[loop]\nagent = "mine"\nmax_iterations = 100\n[runners.mine]\nargv = ["node", "./agent.cjs"]\noutput = "claude-stream"\n[review]\nenabled = false\n[workflow]\nkind = "standard"\n${budget}\n`,
  });
}

/** Returns what the agents of all runs have used, by their output on disk. */
function reported({ path }: Project): { readonly tokens: number; readonly usd: number } {
  const runs = path('.ralph/runs');
  const logs = existsSync(runs) ? readdirSync(runs, { recursive: true, encoding: 'utf8' }) : [];
  const lines = logs
    .filter((name) => name.endsWith('output.log'))
    .flatMap((name) => readFileSync(`${runs}/${name}`, 'utf8').split('\n'));
  const sum = (what: RegExp) => lines.reduce((all, line) => all + Number(what.exec(line)?.[1] ?? 0), 0);
  return { tokens: sum(/"input_tokens":(\d+)/), usd: sum(/"total_cost_usd":(\d+)/) };
}

async function killed(of: Project, when: Promise<unknown>): Promise<number | null> {
  const { child, ended } = of.start('run');
  await Promise.race([when, ended]);
  child.kill('SIGKILL');
  return (await ended).code;
}

const servers: (() => void)[] = [];
afterEach(() => {
  for (const close of servers.splice(0)) close();
});

/**
 * Opens a server at which a program announces itself, and then waits. Programs that come while `isOpen` is false are
 * sent away.
 */
async function door(isOpen = () => true): Promise<{
  readonly knock: ScenarioAction;
  readonly address: string;
  readonly heard: Promise<void>;
}> {
  let hear: () => void = () => undefined;
  const heard = new Promise<void>((resolve) => {
    hear = resolve;
  });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (isOpen()) hear();
    else socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const call = `require('net').connect(${port}, '127.0.0.1').resume()`;
  return {
    address: `127.0.0.1:${port}`,
    knock: { action: 'run', argv: [process.execPath, '-e', call] },
    heard,
  };
}

/** Returns whether the checkpoint named in the hand-off holds this file. */
function isSaved({ git, read }: Project, file: string): boolean {
  const [, saved = ''] = /Saved as checkpoint (\S+?)\.\n/.exec(read('.ralph/control-center.md')) ?? [];
  const ref = git('for-each-ref', '--format=%(refname)', 'refs/ralph')
    .split('\n')
    .find((name) => name.endsWith(`/${saved}`));
  return ref !== undefined && git('ls-tree', '-r', '--name-only', ref).split('\n').includes(file);
}

/** Each row is a budget, and the most of it that a single agent uses. */
const LIMITS: readonly [
  what: 'iterations' | 'tokens' | 'usd' | 'ms',
  toml: string,
  one: number,
  seed: number,
][] = [
  ['iterations', '[budget]\niterations = 4', 0, 1],
  ['tokens', '[budget]\ntokens = 800', MAKER, 2],
  ['tokens', '[budget]\ntokens = 770', MAKER, 3],
  ['usd', '[budget]\nmoney = 8', 1, 4],
  ['ms', '[budget]\nwall_time = "6s"', 0, 5],
];

describe('killed again and again', () => {
  it.each(LIMITS)(
    'a budget in %s is kept, with at most one attempt beyond it: %j, %i, seed %i',
    async (what, toml, one, seed) => {
      const random = randomNumbers(seed);
      const made = what === 'usd' ? paid(toml) : project(toml);
      let before = 0;
      for (let kills = 0; kills < 5; kills += 1) {
        const code = await killed(made, after(400 + random() * 1500));
        const now = made.json('status').budget.spent[what];
        expect(now).toBeGreaterThanOrEqual(before);
        before = now;
        if (code === 7) break;
      }
      expect(made.json('run').exit_code).toBe(7);
      const { spent, limits } = made.json('status').budget;
      const used = reported(made);
      // Killing a run must not enlarge the budget: what agents used before the kill still counts.
      expect(spent.tokens).toBeGreaterThanOrEqual(used.tokens);
      expect(spent.usd).toBeGreaterThanOrEqual(used.usd);
      if (what === 'tokens' || what === 'usd') expect(used[what]).toBeLessThanOrEqual(limits[what] + one);
      // An attempt that was cut off before it was recorded leaves its number to the next attempt.
      const numbers = new Set(made.iterations());
      if (what === 'iterations') expect(numbers.size).toBeLessThanOrEqual(limits.iterations);
      const parts = readdirSync(made.root).filter((name) => name.startsWith('part-'));
      for (const part of parts) expect([part, isSaved(made, part)]).toEqual([part, true]);
      expect(made.json('resume')).toMatchObject({ exit_code: 0 });
      expect(made.json('status').budget.spent).toMatchObject({ tokens: 0, usd: 0, iterations: 0 });
      // After many kills a task may on average have used more than the whole budget.
      expect([3, 7]).toContain(made.json('run', '--max-iterations', '1').exit_code);
    },
  );
});

describe('killed in the middle of', () => {
  it('a review: what all agents used counts, and the task is continued', async () => {
    const { knock, heard } = await door();
    const made = project('[budget]\ntokens = 1000', '', [uses(10), knock]);
    await killed(made, heard);
    expect(reported(made).tokens).toBeGreaterThanOrEqual(MAKER + 10);
    for (const close of servers.splice(0)) close();
    made.write(
      '.ralph/scenario.json',
      made.read('.ralph/scenario.json').replaceAll(JSON.stringify(knock), '{"action":"print","text":""}'),
    );
    expect(made.json('run', '--max-iterations', '1').exit_code).toBe(3);
    const { spent } = made.json('status').budget;
    expect(spent.tokens).toBeGreaterThanOrEqual(reported(made).tokens);
    expect(spent.iterations).toBe(2);
    const again = made.iteration(2);
    expect(again.facts.task.id).toBe('T-1');
    expect(again.decisions.verdict).toEqual({ kind: 'done' });
    expect(again.facts.taskState.workflow?.cycles ?? 0).toBe(0);
  });

  it('a checkpoint: it is taken again, and the run continues', async () => {
    const made = project(
      '[git]\ncommit = "on_done"\npush = true\n[policy.checkpoint]\nevery_tasks = 1\n[budget]\niterations = 9',
    );
    // A run also asks the remote when it starts, for commits that aren't here.
    const { address, heard } = await door(() => made.iterations().length > 0);
    made.git('remote', 'add', 'origin', `git://${address}/x`);
    await killed(made, heard);
    const bare = temporaryFolder();
    made.git('init', '--bare', '--quiet', bare);
    made.git('remote', 'set-url', 'origin', bare);
    expect(made.exists('.ralph/control-center.md')).toBe(false);
    expect(made.json('run', '--max-iterations', '1').exit_code).toBe(3);
    expect(made.iterations()).toEqual([1, 2]);
    expect(made.json('status').budget.spent.iterations).toBe(2);
    expect(made.read('.ralph/PRD.md')).toContain('- [x] **T-2**');
  });
});

describe('reviewers at the same time', () => {
  it('spend one budget: those that are left when it is spent are ended or not started', () => {
    const made = project(`[budget]\ntokens = ${MAKER + REVIEWER}`);
    expect(made.json('run').exit_code).toBe(7);
    const [record] = made.iterations().map((number) => made.iteration(number));
    expect(record?.decisions.verdict).toEqual({ kind: 'interrupted', signal: null });
    expect(record?.decisions.taskStatus).toBe('open');
    expect(reported(made).tokens).toBeLessThanOrEqual(MAKER + REVIEWER + REVIEWER / 2);
    expect(isSaved(made, 'part-1.txt')).toBe(true);
  });
});
