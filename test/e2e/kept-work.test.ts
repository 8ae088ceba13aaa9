/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import {
  blocked,
  claim,
  makeProject,
  type Project,
  type ProjectFiles,
  scenarioOf,
  write,
} from '../helpers/cli.ts';
import { movedClock } from '../helpers/moved-clock.ts';

const asks = blocked('Which port?');

/**
 * Each row is one way in which the attempts at a task end: what each attempt does, and what its newest and its first
 * work are; `null`: none.
 */
const ENDINGS = {
  'do-gates': {
    ends: (at: number) => [write('src/gates.txt', `broken ${at}\n`), claim('src/gates.txt:1 it')],
    ...{ path: 'src/gates.txt', newest: 'broken 2\n', first: 'broken 1\n' },
  },
  'do-errors': {
    ends: (at: number) => [write('src/errors.txt', `${at}\n`), { action: 'exit', code: 3 }],
    ...{ path: 'src/errors.txt', newest: '2\n', first: '1\n' },
  },
  'do-late': {
    ends: (at: number) => [write('src/late.txt', `${at}\n`), { action: 'sleep', seconds: 600 }],
    ...{ path: 'src/late.txt', newest: '2\n', first: '1\n' },
  },
  'do-asks': {
    ends: () => [write('src/asks.txt', 'half\n'), asks],
    ...{ path: 'src/asks.txt', newest: 'half\n', first: 'half\n' },
  },
  'do-wonders': { ends: () => [asks], path: 'src/wonders.txt', newest: null, first: null },
  'do-lies': { ends: () => [claim('README.md:1 it')], path: 'src/lies.txt', newest: null, first: null },
  'do-removes': {
    ends: () => [
      write('src/removes.txt', 'x\n'),
      { action: 'delete', path: 'sum.test.js' },
      claim('src/removes.txt:1 it'),
    ],
    ...{ path: 'src/removes.txt', newest: 'x\n', first: 'x\n' },
  },
} satisfies Record<
  string,
  {
    readonly ends: (at: number) => readonly ScenarioAction[];
    readonly path: string;
    readonly newest: string | null;
    readonly first: string | null;
  }
>;
const IDS = Object.keys(ENDINGS) as (keyof typeof ENDINGS)[];

// A box would keep the moved clock from the agent.
const SETTINGS = '[loop]\nagent = "scripted"\nmax_attempts_per_task = 2\n[box]\nmode = "off"\n';
const GATE = '[gates]\ncommands = [{ name = "check", run = "! grep -rqs broken src" }]\n';

function project(files: ProjectFiles): Project {
  return makeProject({
    '.ralph/ralph.toml': `${SETTINGS}${GATE}`,
    'sum.test.js': "it('adds', () => {\n  assert.equal(1 + 1, 2);\n});\n",
    ...files,
  });
}

const list = (...lines: string[]) => `# Plan\n\n## Tasks\n\n${lines.join('\n')}\n`;

function night(): Project {
  const step = (task: string, attempt: number) => ({
    when: { task, attempt },
    do: ENDINGS[task as keyof typeof ENDINGS].ends(attempt),
  });
  // Three blocked tasks in a row would end the run.
  const does = (id: string) => ({
    when: { task: `ok-${id}` },
    do: [write(`ok-${id}.txt`, 'x\n'), claim(`ok-${id}.txt:1 it`)],
  });
  return project({
    '.ralph/PRD.md': list(
      ...IDS.map(
        (id) =>
          `- [ ] **${id}** Write ${id}${id === 'do-late' ? '\n  - Timeout: 5s' : ''}\n- [ ] **ok-${id}** Write ok-${id}`,
      ),
    ),
    '.ralph/scenario.json': scenarioOf(IDS.flatMap((id) => [step(id, 1), step(id, 2), does(id)])),
  });
}

/** Restores the checkout after work was brought to it. */
function clean(one: Project): void {
  one.git('checkout', '-q', '--', '.');
  one.git('clean', '-fdq', '-e', '.ralph');
}

/**
 * Checks that the report, the list of blocked tasks and the diff name the same work, and that their command brings it.
 */
function getsItsWork(one: Project, id: keyof typeof ENDINGS): void {
  const { path, newest, first } = ENDINGS[id];
  const task = one.json('report').unfinished.find((left: { id: string }) => left.id === id);
  const line = `Its work is kept: ralph take ${id}`;
  expect(task.work, id).toMatchObject(
    newest === null ? { kind: 'none' } : { kind: 'kept', command: `ralph take ${id}` },
  );
  expect(one.ralph('report').stdout.includes(line), id).toBe(newest !== null);
  const taken = one.ralph('take', id);
  expect(taken.code, `${id}: ${taken.stderr}`).toBe(newest === null ? 2 : 0);
  expect(one.exists(path) ? one.read(path) : null, id).toBe(newest);
  expect(`${taken.stdout}${taken.stderr}`).not.toMatch(/kept\/\d/);
  clean(one);
  if (newest === null) return;
  expect(one.ralph('diff', id).stderr, id).toContain(line);
  expect(one.ralph('take', id, '--attempt', '1').code, id).toBe(0);
  expect(one.read(path), id).toBe(first);
  clean(one);
}

describe('whatever ended a task, its work is where it says, and the command gets it', () => {
  it('with attempts seconds apart', () => {
    const one = night();
    const { stdout } = one.ralph('run');
    expect(stdout).not.toMatch(/kept\/\d/);
    for (const id of IDS) getsItsWork(one, id);
    expect(one.ralph('checkpoints').stdout).not.toMatch(/kept\/\d/);
    expect(one.ralph('take', 'do-gates', '--attempt', '3')).toMatchObject({ code: 2 });
    const typed = one.ralph('take', 'kept/1');
    expect(typed.code).toBe(2);
    expect(typed.stderr).toMatch(/kept\/1 is do-gates's work\.[\s\S]*ralph take do-gates/);
  });

  it('with attempts two hours apart', () => {
    const setClock = movedClock();
    const one = night();
    for (const at of [1, 2])
      for (const [index, id] of IDS.entries()) {
        setClock((at * IDS.length + index) * 7200);
        one.ralph('step', '--task', id);
      }
    for (const id of IDS) getsItsWork(one, id);
  });
});

const ONE = '- [ ] **T-1** Write the parser';

/** Returns a project with one task, whose attempts do these actions. */
function oneTask(steps: readonly (readonly ScenarioAction[])[], settings = ''): Project {
  return makeProject({
    '.ralph/PRD.md': list(ONE),
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n${settings}[box]\nmode = "off"\n${GATE}`,
    '.ralph/scenario.json': scenarioOf(
      steps.map((actions, index) => ({ when: { attempt: index + 1 }, do: actions })),
    ),
  });
}

function takes(one: Project, path: string, content: string): void {
  expect(one.json('report').unfinished).toMatchObject([
    { id: 'T-1', work: { kind: 'kept', command: 'ralph take T-1' } },
  ]);
  const taken = one.ralph('take', 'T-1');
  expect(taken.code, taken.stderr).toBe(0);
  expect(one.read(path)).toBe(content);
  clean(one);
  expect(one.ralph('diff', 'T-1').stdout).toContain(path);
}

describe('work that no verdict ended', () => {
  const hanging = [
    [write('half.txt', 'half\n'), { action: 'sleep', seconds: 600 }],
  ] satisfies ScenarioAction[][];

  it('is there after a stop', async () => {
    const one = oneTask(hanging);
    const run = one.start('run');
    await one.appears('half.txt');
    one.ralph('stop', '--now');
    await run.ended;
    takes(one, 'half.txt', 'half\n');
  });

  it('is there after a kill, before another run began', async () => {
    const one = oneTask(hanging);
    const run = one.start('run');
    await one.appears('half.txt');
    run.child.kill('SIGKILL');
    await run.ended;
    takes(one, 'half.txt', 'half\n');
  });

  it('is there after you went back to a checkpoint, and no attempt begins with it', () => {
    const one = oneTask([
      [write('src/a.txt', 'broken 1\n'), claim('src/a.txt:1 it')],
      [write('b.txt', 'b\n'), claim('b.txt:1 it')],
    ]);
    one.ralph('step');
    const back = one.ralph('rollback');
    expect(back.stdout).toContain('Its work is kept: ralph take T-1');
    expect(`${back.stdout}${one.ralph('checkpoints').stdout}`).not.toMatch(/kept\/\d/);
    takes(one, 'src/a.txt', 'broken 1\n');
    expect(one.ralph('run').code).toBe(0);
    expect(one.exists('src/a.txt')).toBe(false);
    expect(one.ralph('take', 'T-1')).toMatchObject({ code: 2 });
  });

  it('is there after a rollback of the ladder and an attempt that changed nothing', () => {
    const setClock = movedClock();
    const one = oneTask(
      [
        ...[1, 2, 3].map((at) => [write('src/a.txt', `broken ${at}\n`), claim('src/a.txt:1 it')]),
        [claim('README.md:1 it')],
      ],
      'max_attempts_per_task = 4\n',
    );
    for (const at of [1, 2, 3, 4]) {
      setClock(at * 7200);
      one.ralph('step');
    }
    const steps = one
      .iteration(3)
      .decisions.interventions.map(({ plan }: { plan: { type: string } }) => plan.type);
    expect(steps).toContain('checkpoint_rollback');
    expect(one.json('blocked').blocked).toMatchObject([{ id: 'T-1', work: { kind: 'kept' } }]);
    takes(one, 'src/a.txt', 'broken 3\n');
    expect(one.ralph('take', 'T-1', '--attempt', '2')).toMatchObject({ code: 0 });
    expect(one.read('src/a.txt')).toBe('broken 2\n');
    clean(one);
    one.ralph('unblock', 'T-1', '--fresh');
    takes(one, 'src/a.txt', 'broken 3\n');
  });

  it('of an earlier series is there beside the newest, under its own name', () => {
    const attempt = (text: string) => [write('src/a.txt', text), claim('src/a.txt:1 it')];
    const one = oneTask([attempt('broken 1\n')], 'max_attempts_per_task = 1\n');
    one.ralph('step');
    one.ralph('unblock', 'T-1', '--fresh');
    one.write('.ralph/scenario.json', scenarioOf([{ do: attempt('broken 2\n') }]));
    one.ralph('step');
    takes(one, 'src/a.txt', 'broken 2\n');
    const ids = one.json('checkpoints').checkpoints.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(['T-1', 'T-1@1']));
    const typed = one.ralph('take', 'kept/1');
    expect(typed).toMatchObject({ code: 2, stderr: expect.stringContaining('ralph take T-1@1') });
    expect(one.ralph('take', 'T-1@1').code).toBe(0);
    expect(one.read('src/a.txt')).toBe('broken 1\n');
    clean(one);
    expect(one.ralph('take', 'T-1@2')).toMatchObject({ code: 0 });
    clean(one);
    expect(one.ralph('take', 'T-1@3')).toMatchObject({ code: 2 });
    expect(one.ralph('rollback', 'T-1@1').stderr).toContain('ralph take T-1@1');
    expect(one.ralph('checkpoints', 'drop', 'T-1@1').code).toBe(0);
    takes(one, 'src/a.txt', 'broken 2\n');
  });

  it('is named, and nothing is written, where you edited the same', () => {
    const one = oneTask([[write('README.md', 'theirs\n'), { action: 'exit', code: 3 }]]);
    one.ralph('step');
    one.write('README.md', 'yours\n');
    const taken = one.ralph('take', 'T-1');
    expect(taken.code).not.toBe(0);
    expect(taken.stderr).toContain('README.md');
    expect(one.read('README.md')).toBe('yours\n');
  });
});

describe('work that is verified', () => {
  const done = [[write('README.md', 'theirs\n'), claim('README.md:1 it')]];

  it('lands by its task where your change was in the way', () => {
    const one = oneTask(done);
    one.write('README.md', 'yours\n');
    one.ralph('run');
    expect(one.json('report').not_committed).toMatchObject([{ id: 'T-1', next: 'ralph land T-1' }]);
    expect(one.ralph('take', 'T-1').stderr).toContain('ralph land T-1');
    one.git('checkout', '-q', '--', 'README.md');
    expect(one.ralph('land', 'T-1').code).toBe(0);
    expect(one.read('README.md')).toBe('theirs\n');
  });

  it('is kept where it conflicts with what you committed', () => {
    const one = oneTask([...done, [{ action: 'exit', code: 3 }]]);
    one.write('README.md', 'yours\n');
    one.ralph('run');
    one.git('commit', '-qam', 'Mine');
    expect(one.ralph('land').stderr).not.toMatch(/kept\/\d/);
    expect(one.json('report').unfinished).toMatchObject([
      { id: 'T-1', work: { kind: 'kept', command: 'ralph take T-1' } },
    ]);
    const taken = one.ralph('take', 'T-1');
    expect(taken.stderr).toContain("doesn't apply to your checkout as it is now: README.md changed since");
    expect(one.ralph('diff', 'T-1').stdout).toContain('+theirs');
  });
});
