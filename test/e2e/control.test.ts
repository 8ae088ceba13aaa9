/** @module-tag slow */

import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  BIN,
  isAlive,
  makeProject,
  type Project,
  SHELL_CLAIM,
  shellAgent,
  withoutBox,
} from '../helpers/cli.ts';
import { movedClock } from '../helpers/moved-clock.ts';

withoutBox();
afterEach(() => vi.unstubAllEnvs());

const LIST = '# Plan\n\n## Tasks\n\n- [ ] **T-1** One\n- [ ] **T-2** Two\n- [ ] **T-3** Three\n';
const IGNORES = { '.gitignore': 'ready\ngo\nargs\n' };
/** The script says by a file that it runs, and waits for another file. */
const HOLDS = 'touch ready; while [ ! -e go ]; do sleep 0.02; done\n';
const FIRST = '[ "$RALPH_TASK_ID" != T-1 ] ||';
const WORKS = `cat >/dev/null; echo work > "$RALPH_TASK_ID.txt"\n${SHELL_CLAIM}`;

/** Returns a project with three tasks, whose agent or gate waits until the file `go` exists. */
function project(where: 'agent' | 'gate' | 'none', loop = ''): Project {
  const gate = where === 'gate' ? '[gates]\ncommands = [{ name = "test", run = "sh gate.sh" }]\n' : '';
  return makeProject({
    ...IGNORES,
    '.ralph/PRD.md': LIST,
    '.ralph/ralph.toml': `${shellAgent(loop)}${gate}`,
    'agent.sh': where === 'agent' ? `${FIRST} { ${HOLDS}}\n${WORKS}` : WORKS,
    'gate.sh': `[ -e T-1.txt ] && ! git cat-file -e HEAD~1:T-1.txt || exit 0\n${HOLDS}`,
  });
}

/** Starts a run and waits until its first attempt waits. */
async function held(where: 'agent' | 'gate', ...args: string[]) {
  const one = project(where);
  const run = one.start('run', ...args);
  await one.appears('ready');
  return { one, run };
}

const STOPPED = 'Stopped by you (ralph stop).';

describe('ralph stop', () => {
  it.each(['agent', 'gate'] as const)('ends the run after the attempt, while the %s runs', async (where) => {
    const { one, run } = await held(where);
    const first = one.ralph('stop');
    expect([first.code, first.stdout]).toEqual([
      0,
      expect.stringMatching(/^r-\S+ ends after attempt 1 of T-1 \(iteration 1\)\. .*ralph stop --now/),
    ]);
    expect(one.ralph('stop').stdout).toContain('already ends after');
    expect(one.ralph('pause')).toMatchObject({ code: 2, stderr: expect.stringContaining('you stopped it') });
    expect(one.json('status').running).toMatchObject({ stopping: true, paused_since: null });
    one.signal('go');
    const { code, stdout } = await run.ended;
    expect([code, stdout]).toEqual([3, expect.stringContaining(STOPPED)]);
    expect(one.iteration(1).decisions.verdict.kind).toBe('done');
    expect(one.iterations()).toEqual([1]);
    // A request to stop ends with its run: the next run isn't stopped.
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done' });
  });

  it("isn't an end of its own when that attempt was the last", async () => {
    const { one, run } = await held('agent', '--task', 'T-1');
    one.ralph('stop');
    one.signal('go');
    const { code, stdout } = await run.ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining('T-1 is done; 2 other tasks are open.')]);
  });

  it('--now ends the attempt as Ctrl-C does', async () => {
    const { one, run } = await held('agent');
    expect(one.ralph('stop', '--now')).toMatchObject({ code: 0, stderr: '' });
    const { code, stdout } = await run.ended;
    expect([code, stdout]).toEqual([130, expect.stringContaining('Stopped by you (ralph stop --now).')]);
    expect(one.iteration(1).decisions).toMatchObject({
      verdict: { kind: 'interrupted' },
      failedAttempt: false,
    });
  });

  it('--now works with settings that can not be read', async () => {
    const { one, run } = await held('agent');
    process.env.RALPH_LOOP_GRACE = 'long';
    try {
      expect(one.ralph('stop').code).toBe(2);
      expect(one.ralph('stop', '--now').code).toBe(0);
    } finally {
      delete process.env.RALPH_LOOP_GRACE;
    }
    expect((await run.ended).code).toBe(130);
  });

  it('never ends a process that only has the number of a run that is gone', async () => {
    const one = project('none');
    one.json('run');
    const holder = { pid: process.pid, startTime: 'boot:1', host: 'elsewhere', token: 't' };
    one.write('.ralph/run.lock', JSON.stringify({ ...holder, run: 'r-20260101-000000-aaaa' }));
    const other = one.ralph('stop', '--now');
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("can't be ended from here")]);
    expect(isAlive(process.pid)).toBe(true);
    one.remove('.ralph/run.lock');
  });

  it.each(['stop', 'pause', 'continue'])('%s without a run says so', (command) => {
    const one = project('none');
    const { code, stderr } = one.ralph(command);
    expect([code, stderr]).toEqual([2, expect.stringContaining('No run is active here.')]);
    expect(one.ralph('stop', '--now')).toMatchObject({ code: 2 });
  });
});

describe('ralph pause', () => {
  it('has the run wait after the attempt; what you do meanwhile is yours', async () => {
    const { one, run } = await held('agent');
    expect(one.ralph('pause').stdout).toContain('pauses after attempt 1 of T-1');
    expect(one.ralph('pause').stdout).toContain('already pauses after');
    const paused = run.says('paused since');
    one.signal('go');
    await paused;
    expect(one.ralph('status').stdout).toMatch(/Paused, asked for at \d\d:\d\d.*: ralph continue/);
    one.write('mine.txt', 'mine\n');
    one.write('.ralph/PRD.md', `${one.read('.ralph/PRD.md')}- [ ] **T-4** Four\n`);
    expect(one.ralph('continue').stdout).toMatch(/^r-\S+ continues\.\n$/);
    expect((await run.ended).code).toBe(0);
    expect(one.iteration(2).facts.changes.changes.map(({ path }) => path)).toEqual(['T-2.txt']);
    expect(one.read('.ralph/PRD.md')).toContain('- [x] **T-4** Four');
  });

  it.each([
    ['ralph stop', (one: Project) => one.ralph('stop').code, 3],
    ['ralph stop --now', (one: Project) => one.ralph('stop', '--now').code, 130],
  ] as const)('ends at %s', async (_what, stop, exitCode) => {
    const { one, run } = await held('agent');
    one.ralph('pause');
    const paused = run.says('paused since');
    one.signal('go');
    await paused;
    expect(stop(one)).toBe(0);
    expect((await run.ended).code).toBe(exitCode);
    expect(one.iterations()).toEqual([1]);
  });

  it('holds no later run up when the paused one is killed', async () => {
    const { one, run } = await held('agent');
    one.ralph('pause');
    const paused = run.says('paused since');
    one.signal('go');
    await paused;
    run.child.kill('SIGKILL');
    await run.ended;
    expect(one.ralph('continue')).toMatchObject({ code: 2 });
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done' });
  });

  it('continue of a run that is not paused says so', async () => {
    const { one, run } = await held('agent');
    expect(one.ralph('continue')).toMatchObject({ code: 2, stderr: expect.stringContaining("isn't paused") });
    one.signal('go');
    expect((await run.ended).code).toBe(0);
  });
});

describe('run --until', () => {
  it('finishes the attempt, and begins no other', async () => {
    const setClock = movedClock();
    const one = project('agent');
    const run = one.start('run', '--until', new Date(Date.now() + 3_600_000).toISOString());
    await one.appears('ready');
    setClock(7200);
    one.signal('go');
    const { code, stdout } = await run.ended;
    expect(code).toBe(3);
    expect(stdout).toMatch(/cost limit; until (\d{4}-\d\d-\d\d )?\d\d:\d\d/);
    expect(stdout).toMatch(/Stopped at (\d{4}-\d\d-\d\d )?\d\d:\d\d(:\d\d)?, as you asked \(--until\)\./);
    expect(one.iterations()).toEqual([1]);
    expect(one.iteration(1).decisions.verdict.kind).toBe('done');
  });

  it.each(['2020-01-01T00:00', '7', 'tomorrow', '25:00', '0s', '2030-02-30T07:00'])('refuses %s', (time) => {
    const one = project('none');
    expect(one.ralph('run', '--until', time)).toMatchObject({ code: 2, stdout: '' });
    expect(one.iterations()).toEqual([]);
  });
});

describe('run --task', () => {
  it.each([
    [['--task', 'T-3', '--task', 't-1'], 'T-1 and T-3 are done; 1 other task is open.'],
    [['--task', '3,T-1'], 'T-1 and T-3 are done; 1 other task is open.'],
    [['--task', 'T-2'], 'T-2 is done; 2 other tasks are open.'],
    [['--task', 'T-1,T-2,T-3'], '3 of 3 tasks done.'],
  ])('%j works at these alone, in the usual order', (args, words) => {
    const one = project('none');
    const { code, stdout } = one.ralph('run', ...args);
    expect([code, stdout]).toEqual([0, expect.stringContaining(words)]);
    if (!words.includes('3 of 3')) expect(stdout).not.toMatch(/(\d+) of \1 tasks? done\./);
    expect(one.iterations()).toHaveLength(args.join(' ').match(/t-\d|\b3\b/gi)?.length ?? 0);
  });

  it('names the one that does not exist, and runs nothing', () => {
    const one = project('none');
    const { code, stderr } = one.ralph('run', '--task', 'T-1,T-9');
    expect([code, stderr]).toEqual([2, expect.stringContaining('There is no task T-9.')]);
    expect(one.iterations()).toEqual([]);
  });
});

describe('run --model', () => {
  it('is shown', () => {
    const one = project('none');
    one.write('.ralph/ralph.toml', '[loop]\nagent = "scripted"\n');
    one.write('.ralph/scenario.json', JSON.stringify({ steps: [], otherwise: [] }));
    const shown = one.ralph('run', '--model', 'opus-x', '--max-iterations', '1');
    expect(shown.stdout).toContain('agent scripted (model opus-x), mode speed');
  });

  it('is refused for a command of your own', () => {
    const { code, stderr } = project('none').ralph('run', '--model', 'opus-x');
    expect([code, stderr]).toEqual([2, expect.stringContaining("--model can't be passed to it")]);
  });
});

describe('from inside of an attempt', () => {
  it('stop, pause and continue are refused', () => {
    const one = project('none');
    const calls = ['stop', 'stop --now', 'pause', 'continue'];
    const lines = calls.map(
      (call) => `"${process.execPath}" "${BIN}" ${call} >> args 2>&1; echo "exit $?" >> args`,
    );
    one.program('agent.sh', `${lines.join('\n')}\n${WORKS}`);
    expect(one.json('run', '--max-iterations', '1')).toMatchObject({
      exit_code: 3,
      ending: 'max_iterations',
    });
    expect(one.readCopy('args').match(/^exit \d+$/gm)).toEqual(calls.map(() => 'exit 2'));
    expect(one.readCopy('args').match(/decides for you/g)).toHaveLength(calls.length);
  });
});

describe('the end of a run', () => {
  it('is sent to [notify]', () => {
    const one = project('none');
    one.write('.ralph/ralph.toml', `${shellAgent()}[notify]\ncommand = "cat > args"\n`);
    expect(one.json('run', '--task', 'T-1').exit_code).toBe(0);
    expect(JSON.parse(one.read('args'))).toMatchObject({
      kind: 'run_finished',
      severity: 'info',
      title: 'T-1 is done; 2 other tasks are open.',
      next: ['ralph run', 'ralph diff T-1'],
      result: { ending: 'selected_done', exit_code: 0, tasks: { total: 3, done: 1 } },
    });
    one.remove('args');
    one.json('step');
    expect(one.exists('args')).toBe(false);
  });
});
