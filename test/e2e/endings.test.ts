/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  always,
  claim,
  makeProject,
  ONE_TASK,
  PROJECT_FILES,
  SHELL_CLAIM,
  shellAgent,
} from '../helpers/cli.ts';

/** Returns a duration that no other process sleeps for; by it the agent's processes are found. */
const uniqueSleep = () => `86400.${randomInt(1e9, 1e10)}`;

/** Returns command lines of living processes that hold this text. */
function alive(mark: string): string[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes(mark));
}

/**
 * The script says `ready`, then hangs with children: deaf to SIGTERM, in the background, and in a session of their own.
 */
const stubborn = (mark: string) => `
trap '' TERM INT
sleep ${mark} &
if command -v setsid >/dev/null; then setsid sleep ${mark} >/dev/null 2>&1 </dev/null & fi
echo ready > ready
sleep ${mark}
sleep ${mark}
`;

const QUICK = 'grace = 0.2\n';
const IGNORES = { '.gitignore': 'ready\ngo\n' };

/** The script hangs when it is called first, and works from then on. */
const hangsOnce = (mark: string) => `
cat >/dev/null
if [ ! -e ready ]; then ${stubborn(mark)}
fi
echo parse > parser.js
${SHELL_CLAIM}`;

describe('an attempt that does not end on its own', () => {
  it('is timed out, and nothing of it is left alive', () => {
    const mark = uniqueSleep();
    const project = makeProject({
      ...IGNORES,
      '.ralph/ralph.toml': `${shellAgent(QUICK)}\n[modes.speed]\ntimeout = 3\n[adaptive_timeout]\nmin_timeout = 0\ncomplexity_scaling = false\n`,
      'agent.sh': stubborn(mark),
    });
    const run = project.ralph('run', '--max-iterations', '1');
    expect(alive(mark)).toEqual([]);
    expect(run.code).toBe(3);
    expect(run.stdout).toContain('✖ timed out');
    expect(existsSync(project.inCopy('ready'))).toBe(true);
    expect(project.iteration(1).facts.end.kind).toBe('timed_out');
    expect(project.events()).toMatchObject([
      { event_type: 'attempt_failed', details: { task_id: 'T-1', verdict: 'timed_out' } },
      { event_type: 'agent_reinforced' },
    ]);
    expect(project.read('.ralph/PRD.md')).toBe(ONE_TASK);
  });

  it('is not waited for when a child of an agent that ended holds its output', () => {
    const mark = uniqueSleep();
    const project = makeProject({
      '.ralph/ralph.toml': shellAgent(QUICK),
      'agent.sh': `cat >/dev/null\nsleep ${mark} &\necho parse > parser.js\n${SHELL_CLAIM}`,
    });
    expect(project.ralph('run').code).toBe(0);
    expect(alive(mark)).toEqual([]);
  });
});

// Tests run several at a time, because most of their time is waiting for processes.
describe.concurrent('an agent that fails', () => {
  it('with an exit code is an error of the agent, whatever it claims', async () => {
    const project = makeProject({
      '.ralph/ralph.toml': shellAgent(),
      'agent.sh': `cat >/dev/null\necho parse > parser.js\n${SHELL_CLAIM}echo "out of luck" >&2\nexit 3\n`,
    });
    expect(await project.start('run', '--max-iterations', '1').ended).toMatchObject({ code: 3 });
    expect(project.iteration(1).decisions.verdict).toMatchObject({ kind: 'agent_error' });
    expect(project.read('.ralph/PRD.md')).toBe(ONE_TASK);
    expect(project.events()).toContainEqual(
      expect.objectContaining({
        event_type: 'attempt_failed',
        details: expect.objectContaining({ agent_return_code: 3, task_id: 'T-1' }),
      }),
    );
    expect(project.ralph('logs').stdout).toContain('out of luck');
  });

  it('by its own word blocks the task at once, with its reason', async () => {
    const project = makeProject({
      '.ralph/scenario.json': always({
        action: 'status',
        status: 'BLOCKED',
        exit_signal: false,
        reason: 'The password of the database is missing.',
      }),
    });
    const run = await project.start('run').ended;
    expect(run.code).toBe(4);
    expect(project.iterations()).toEqual([1]);
    expect(project.json('blocked').blocked).toMatchObject([
      { id: 'T-1', attempts: 1, detail: expect.stringContaining('The password of the database is missing.') },
    ]);
    expect(project.read('.ralph/PRD.md')).toBe(ONE_TASK.replace('[ ]', '[-]'));
  });

  it('to start counts as no attempt', async () => {
    const project = makeProject({
      '.ralph/ralph.toml':
        '[loop]\nagent = "mine"\nmax_attempts_per_task = 1\n\n[runners.mine]\nargv = ["./no-such-agent", "-"]\n',
      'no-such-agent': '#!/no/such/shell\n',
    });
    chmodSync(project.path('no-such-agent'), 0o755);
    const run = await project.start('run').ended;
    expect(run.code).toBe(9);
    expect(run.stdout).toContain('no-such-agent');
    expect(project.json('blocked').blocked).toEqual([]);
    expect(project.events()).toMatchObject([{ event_type: 'agent_unavailable', severity: 'critical' }]);
    expect(project.ralph('prompt').stdout).toContain('This is attempt 1 of 1');
  });
});

describe('a run that the user stops', () => {
  it.each([
    { signal: 'SIGINT', code: 130 },
    { signal: 'SIGTERM', code: 143 },
    { signal: 'SIGHUP', code: 129 },
  ] as const)('by $signal gets exit $code, and the next run continues', async ({ signal, code }) => {
    const mark = uniqueSleep();
    const project = makeProject({
      ...IGNORES,
      '.ralph/ralph.toml': shellAgent(QUICK),
      'agent.sh': hangsOnce(mark),
    });
    const { child, ended } = project.start('run');
    await project.appears('ready');
    child.kill(signal);
    expect(await ended).toMatchObject({ code });
    expect(alive(mark)).toEqual([]);
    expect(project.iteration(1).decisions).toMatchObject({
      verdict: { kind: 'interrupted' },
      failedAttempt: false,
      events: [],
    });
    expect(project.read('.ralph/PRD.md')).toBe(ONE_TASK);

    const next = project.ralph('run');
    expect(next.code).toBe(0);
    expect(next.stdout).not.toContain('attempt 2');
    expect(project.read('.ralph/PRD.md')).toBe(ONE_TASK.replace('[ ]', '[x]'));
  });

  it('by two signals ends an agent that takes its time at once', async () => {
    const mark = uniqueSleep();
    const project = makeProject({
      ...IGNORES,
      '.ralph/ralph.toml': shellAgent('grace = 3600\n'),
      'agent.sh': stubborn(mark),
    });
    const { child, ended } = project.start('run');
    await project.appears('ready');
    const polite = new Promise<void>((resolve) => {
      child.stdout?.on('data', (text: string) => text.includes('Stopping') && resolve());
    });
    child.kill('SIGINT');
    await polite;
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130 });
    expect(alive(mark)).toEqual([]);
  });
});

describe('a run that is killed', () => {
  it('leaves an interrupted iteration, which the next run reports and continues from', async () => {
    const mark = uniqueSleep();
    const project = makeProject({
      ...IGNORES,
      '.ralph/ralph.toml': shellAgent(QUICK),
      'agent.sh': hangsOnce(mark),
    });
    const { child, ended } = project.start('run');
    await project.appears('ready');
    child.kill('SIGKILL');
    await ended;
    const next = project.ralph('run');
    expect(next.stdout).toMatch(/^! Run \S+: #1 T-1 was cut off\./m);
    expect(next.code).toBe(0);
    expect(project.iterations()).toEqual([1, 2]);
    expect(alive(mark)).toEqual([]);
  });
});

describe('two runs at once', () => {
  it('the second one is refused, and the first one is not disturbed', async () => {
    const project = makeProject({
      ...IGNORES,
      '.ralph/ralph.toml': shellAgent(),
      'agent.sh': `cat >/dev/null
echo ready > ready
while [ ! -e .ralph/go ]; do sleep 0.02; done
echo parse > parser.js
${SHELL_CLAIM}`,
    });
    const { ended } = project.start('run');
    await project.appears('ready');
    const second = project.ralph('run');
    const status = project.json('status');
    project.write('.ralph/go', '');
    expect(second.code).toBe(10);
    expect(second.stderr).toContain('Another run is active in this repository (process ');
    expect(status).toMatchObject({ exit_code: 0, current: { task_id: 'T-1', iteration: 1, agent: 'mine' } });
    expect(await ended).toMatchObject({ code: 0 });
    expect(project.iterations()).toEqual([1]);
  });
});

describe.concurrent('iterations that change nothing', () => {
  it('end the run with work left', async () => {
    const project = makeProject({
      '.ralph/ralph.toml': `${PROJECT_FILES['.ralph/ralph.toml']}max_attempts_per_task = 9\nno_progress_limit = 2\n`,
      '.ralph/scenario.json': always(claim()),
    });
    expect(await project.jsonLater('run')).toMatchObject({
      exit_code: 3,
      ending: 'no_progress',
      iterations: 2,
    });
  });

  it('suspend the agent in aggressive mode, until the user reinstates it', async () => {
    const project = makeProject({
      '.ralph/ralph.toml': `${PROJECT_FILES['.ralph/ralph.toml']}\n[interventions]\naggressive_mode = true\n`,
      '.ralph/scenario.json': always(claim()),
    });
    const run = await project.start('run').ended;
    expect(run.code).toBe(6);
    expect(run.stdout.replace(/\s+/g, ' ')).toContain('Next: ralph profile --agent scripted --reinstate');
    expect(project.iterations()).toEqual([1, 2]);
    expect(await project.jsonLater('run')).toMatchObject({ exit_code: 6, ending: 'break', iterations: 0 });
    expect(project.ralph('profile', '--agent', 'scripted', '--reinstate').stdout).toContain(
      'scripted is reinstated.',
    );
    expect(await project.jsonLater('run', '--max-iterations', '1')).toMatchObject({ iterations: 1 });
  });
});

describe.concurrent('a box that the user opens again', () => {
  it.each([
    ['in Markdown', '.ralph/PRD.md', PROJECT_FILES['.ralph/PRD.md'] ?? ''],
    [
      'in JSON',
      '.ralph/prd.json',
      `${JSON.stringify({ stories: [{ id: 'T-1', title: 'Write the parser', status: 'open' }] }, null, 2)}\n`,
    ],
  ])('is work to be done again, %s', async (_, path, open) => {
    const project = makeProject({
      '.ralph/scenario.json': always(
        { action: 'append', path: 'src/parser.ts', content: 'export {};\n' },
        claim('src/parser.ts:1 written'),
      ),
    });
    project.remove('.ralph/PRD.md');
    project.write(path, open);
    expect(await project.jsonLater('run')).toMatchObject({ ending: 'all_done', iterations: 1 });
    const done = project.read(path);
    expect(done).not.toBe(open);
    // The mark wasn't changed, so the task stays done.
    expect(await project.jsonLater('run')).toMatchObject({ ending: 'all_done', iterations: 0 });
    // The mark is committed, because a list without changes decides nothing.
    project.commitAll('the list with its mark');
    project.write(path, open);
    expect(await project.jsonLater('run')).toMatchObject({ ending: 'all_done', iterations: 1 });
    expect(project.read(path)).toBe(done);
    expect(project.read('src/parser.ts')).toBe('export {};\nexport {};\n');
  });
});
