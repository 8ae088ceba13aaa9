/** @module-tag slow */

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claim, makeProject, withoutBox } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { HAS_TERMINAL, onTerminal } from '../helpers/on-terminal.ts';
import { temporaryFolder } from '../helpers/repository.ts';
import { subjects, verdicts, workersProject } from '../helpers/workers.ts';

/** The agent begins its file, waits until the test lets it continue, then claims completion. */
const WAITS = `return (async () => {
  fs.appendFileSync(id + '.txt', id + '\\n');
  while (!fs.existsSync(process.env.MEET + '/go-' + id)) await new Promise((done) => setTimeout(done, 20));
  return id + '.txt:1-1 its file';
})();`;

/** Starts a run with two workers, whose agents wait. */
function started(tasks: readonly string[]) {
  const one = workersProject(tasks, { acts: WAITS, workers: 2, together: 0 });
  const run = one.start('run');
  return {
    ...{ one, run },
    release: (...ids: string[]) => {
      for (const id of ids) one.write(`.git/meet/go-${id}`, '');
    },
    begins: (id: string) => one.appears(`.git/meet/${id}`),
    queue: (): string[] =>
      one.json('queue').queue.map(({ task_id, kind }: Record<string, string>) => `${task_id} ${kind}`),
  };
}

const named = (id: string, ...files: string[]) =>
  [`**${id}** Task ${id.slice(2)}`, ...files.map((file) => `  - Files: ${file}`)].join('\n');

describe('the queue of a run of two workers', () => {
  it('shows who is at what and why each task waits, and takes the order that you give it', async () => {
    const tasks = [
      named('T-1', 'a.txt'),
      named('T-2'),
      named('T-3', 'a.txt'),
      named('T-4'),
      named('T-5'),
      named('T-6'),
    ];
    const { one, run, release, begins, queue } = started(tasks);
    await begins('T-1');
    await begins('T-2');
    const { workers } = one.json('workers');
    expect(workers).toMatchObject([
      { worker: 1, task_id: 'T-1', attempt: 1, iteration: 1, agent: 'mine', phase: 'agent', stopped: false },
      { worker: 2, task_id: 'T-2', phase: 'agent' },
    ]);
    expect(one.ralph('work', 'path', 'T-2').stdout.trim()).toBe(workers[1].path);
    expect(one.json('workers', 'logs', '2').attempts).toMatchObject([{ task_id: 'T-2', state: 'running' }]);
    expect(one.ralph('queue', 'show', 'T-3').stdout).toContain(
      'kept apart from T-1, as both may change a.txt',
    );
    for (const args of [
      ['hold', 'T-2'],
      ['hold', 'T-4'],
      ['first', 'T-6'],
    ])
      expect(one.json('queue', ...args).exit_code).toBe(0);
    expect(queue()).toEqual([
      'T-1 working',
      'T-2 working',
      'T-6 ready',
      'T-5 ready',
      'T-3 apart',
      'T-4 held',
    ]);

    release('T-2');
    await begins('T-6');
    release('T-6');
    await begins('T-5');
    release('T-5');
    const idle = ['T-2 verified', 'T-6 verified', 'T-5 verified', 'T-1 working', 'T-3 apart', 'T-4 held'];
    await eventually(() => expect(queue()).toEqual(idle));
    expect(subjects(one)).toEqual([]);

    // The idle worker starts the task that you release.
    expect(one.json('queue', 'hold', 'T-4', '--off').exit_code).toBe(0);
    await begins('T-4');
    expect(one.json('queue', 'hold', 'T-2', '--off').exit_code).toBe(0);
    release('T-1', 'T-3', 'T-4');
    expect(await run.ended).toMatchObject({ code: 0 });
    expect(subjects(one).slice(0, 3)).toEqual(['Task 2 (T-2)', 'Task 6 (T-6)', 'Task 5 (T-5)']);
    expect(subjects(one)).toHaveLength(6);
    expect(one.json('report').speed_up).toMatchObject({ workers: 2, conflicts: 0 });
  });

  it('continues without a worker that you stop, and ends once it is drained', async () => {
    const { one, run, release, begins } = started([named('T-1'), named('T-2'), named('T-3')]);
    await begins('T-1');
    await begins('T-2');
    expect(one.json('workers', 'stop', '3')).toMatchObject({ exit_code: 2 });
    expect(one.json('workers', 'stop', '2')).toMatchObject({ task_id: 'T-2', already: false, last: false });
    release('T-1');
    // Its worker continues the task that the other worker left.
    await eventually(() => expect(one.read('.git/meet/all.log')).toContain('T-2 1 '));
    expect(one.json('workers').workers).toMatchObject([
      { worker: 1, task_id: 'T-2', attempt: 1, stopped: false },
      { worker: 2, task_id: null, stopped: true },
    ]);
    expect(one.json('workers', 'drain')).toMatchObject({ request: 'stop', attempt: { task_id: 'T-2' } });
    release('T-2', 'T-3');
    expect(await run.ended).toMatchObject({ code: 3 });
    expect(verdicts(one)).toEqual(['T-1 done', 'T-2 interrupted', 'T-2 done']);
    expect(one.iteration(3).facts).toMatchObject({ attempt: 1, worker: 1 });
    // The work of the first attempt was kept.
    expect(one.read('T-2.txt')).toBe('T-2\nT-2\n');
    expect(one.ralph('workers').stdout).toBe('No run is active here.\n');
  });
});

describe('workers of a project without gates', () => {
  withoutBox();

  it('wait for their turn, and say why one of them is idle', async () => {
    const go = join(temporaryFolder(), 'go');
    const until = `test -e T-1.txt && touch ${go}.begun && until test -e ${go}; do sleep 0.05; done`;
    const one = makeProject({
      '.ralph/PRD.md': `## Tasks\n\n- [ ] **T-1** One\n  - Check: \`${until}\`\n- [ ] **T-2** Two\n- [ ] **T-3** Three\n  - Depends on: T-1\n`,
      '.ralph/ralph.toml': '[loop]\nagent = "scripted"\n[parallel]\nworkers = 3\n',
      '.ralph/scenario.json': JSON.stringify({
        steps: [
          {
            when: { task: 'T-2' },
            do: [
              { action: 'run', argv: ['sh', '-c', `until test -e ${go}.checked; do sleep 0.05; done`] },
              { action: 'write', path: '{task}.txt', content: 'two\n' },
              claim('{task}.txt:1 it'),
            ],
          },
          { do: [{ action: 'write', path: '{task}.txt', content: 'work\n' }, claim('{task}.txt:1 it')] },
        ],
      }),
    });
    const run = one.start('run');
    const workers = () => one.ralph('workers').stdout;
    await eventually(() => expect(existsSync(`${go}.begun`)).toBe(true));
    writeFileSync(`${go}.checked`, '');
    await eventually(() => expect(workers()).toMatch(/^2 +T-2 .* waits for its turn/m));
    expect(workers()).toMatch(/^3 +- .* idle: T-3 is waiting for T-1 \(in progress\)/m);
    expect(workers()).not.toContain('gates');
    if (HAS_TERMINAL) {
      const at = onTerminal(one.root, ['watch'], { columns: 100, rows: 30 });
      await at.shows('waits its turn');
      at.type('q');
      await at.ended;
    }
    writeFileSync(go, '');
    const { code, stdout } = await run.ended;
    expect(code, stdout).toBe(0);
    expect(stdout.split('1 of 3 workers idle: T-3 is waiting for T-1 (in progress).')).toHaveLength(2);
  });
});
