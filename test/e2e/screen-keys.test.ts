/** @module-tag slow */

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claim, makeProject, withoutBox } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { HAS_TERMINAL, onTerminal } from '../helpers/on-terminal.ts';
import { openGate } from '../helpers/open-gate.ts';
import { temporaryFolder } from '../helpers/repository.ts';
import { workersProject } from '../helpers/workers.ts';

withoutBox();

const ESC = '\u001b';

/** Returns an editor that writes down its arguments. */
function editor(): { readonly path: string; readonly log: string } {
  const folder = join(temporaryFolder(), 'editor');
  mkdirSync(folder);
  const [path, log] = [join(folder, 'vi'), join(folder, 'log')];
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${log}'\n`);
  chmodSync(path, 0o755);
  return { path, log };
}

describe.runIf(HAS_TERMINAL)('keys', () => {
  it('decide what waits after a run, as the commands do', async () => {
    const one = makeProject({
      '.ralph/PRD.md': `# Plan\n\n## Tasks\n\n${[1, 2, 3, 4, 5].map((n) => `- [ ] **T-${n}** Part ${n}\n`).join('')}`,
      '.ralph/ralph.toml':
        '[loop]\nagent = "scripted"\nno_progress_limit = 20\nmax_attempts_per_task = 9\n[interventions]\ncooldown_seconds = 0\n',
      '.ralph/scenario.json': JSON.stringify({
        output: 'claude-stream',
        steps: [
          { when: { task: 'T-1' }, do: [claim()] },
          {
            when: { task: 'T-3' },
            do: [
              { action: 'write', path: 'half.txt', content: 'half\n' },
              { action: 'status', status: 'BLOCKED', exit_signal: true, reason: 'no access' },
            ],
          },
        ],
        otherwise: [{ action: 'write', path: '{task}.txt', content: 'work\n' }, claim('{task}.txt:1 work')],
      }),
    });
    one.git('config', 'user.email', 'person@example.com');
    one.json('run', '--task', 'T-1,T-2,T-3');
    one.write('.ralph/PRD.md', one.read('.ralph/PRD.md').replace('[ ] **T-4**', '[x] **T-4**'));
    await openGate(one.root, 'GATE-AP-RECOVERY', { taskId: 'T-5', title: 'Part 5', recoveryAttempts: 3 });

    const { path, log } = editor();
    const at = onTerminal(one.root, [], { columns: 120, rows: 45, env: { EDITOR: path } });
    /** Types Esc alone, because a key right behind it would form one key with it. */
    const back = (from: string) => {
      at.type(ESC);
      return at.hides(from);
    };
    /** Selects a task by a filter that lists no other task. */
    const choose = async (id: string) => {
      if (at.text().includes('Found for')) await back('Found for');
      await at.plays([`/${id} \r`, new RegExp(`^› . ${id} `, 'm')]);
    };
    await at.shows('Needs you');

    await choose('T-1');
    await at.plays(['\r', 'INC-1 waits for your decision'], ['1', /✔ INC-1 is resolved/]);
    expect(one.json('approvals').incidents).toEqual([]);

    await choose('T-3');
    await at.plays(['by', 'is in your checkout, uncommitted']);
    expect(one.read('half.txt')).toBe('half\n');
    await at.plays(['u', 'Time for each attempt at T-3?']);
    at.type('30m\r');
    await eventually(() =>
      expect(one.json('explain', 'T-3').task).toMatchObject({ status: 'open', timeout_seconds: 1800 }),
    );

    await choose('T-4');
    await at.plays(
      ['a', 'Is T-4 done, although nothing verified it?'],
      ['y', 'T-4 is done, accepted by you'],
    );

    await choose('T-5');
    await at.plays(['\r', 'HUMAN INTERVENTION REQUIRED'], ['v', 'G-1 view']);
    await back('G-1 view');
    await at.shows('G-1 waits for your decision');
    await at.plays(['r', 'Why?'], ['another way\r', 'G-1 (T-5): reject, by person@example.com']);
    expect(one.json('approvals').decided).toMatchObject([
      { id: 'G-1', option: 'reject', reason: 'another way' },
    ]);

    await choose('T-2');
    await at.plays(
      ['R', 'Why is T-2 to be done again?'],
      ['\r', 'T-2 is open again'],
      ['t', 'Title of T-2'],
      [`${'\u007f'.repeat(6)}Another title\r`, 'T-2 is now: Another title'],
      ['h', "T-2 isn't started until you release it"],
      ['', 'release'],
      ['h', 'T-2 is released'],
      ['f', 'T-2 goes before all others'],
      ['guse the parser\r', 'Sent to T-2, for its next prompts'],
      ['Gno new packages\r', 'Sent to every task, for its next prompts'],
    );
    expect(one.json('feedback').entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ task_id: 'T-2', text: 'use the parser' }),
        expect.objectContaining({ task_id: null, text: 'no new packages' }),
      ]),
    );

    await at.plays(['c', 'The list is read again'], ['o', 'You were in']);
    const calls = readFileSync(log, 'utf8').trim().split('\n');
    expect(calls[0]).toBe(`+6 ${one.path('.ralph/PRD.md')}`);
    expect(calls[1]).toBe(one.inCopy(''));

    for (const [key, title] of [
      ['l', 'logs T-2'],
      ['d', 'diff --git'],
    ] as const) {
      await at.plays([key, title]);
      await back(title);
    }
    await at.plays(['r', 'Done in this run']);
    at.type('qq');
    expect(await at.ended).toMatchObject({ code: 0 });
  });

  it('steer a run from another terminal', async () => {
    const acts = `
      fs.writeFileSync(id + '.txt', id + '\\\\n');
      return (async () => {
        while (!fs.existsSync(process.env.MEET + '/../go')) await new Promise((done) => setTimeout(done, 50));
        return id + '.txt:1-1 its file';
      })();`;
    const one = workersProject(['**T-1** One', '**T-2** Two', '**T-3** Three'], {
      acts,
      workers: 2,
      together: 2,
    });
    const { ended } = one.start('run');
    await eventually(() => expect(one.json('status').others).toHaveLength(1));
    const at = onTerminal(one.root, ['watch'], { columns: 100, rows: 30 });
    await at.shows(/▶ 2 T-2/);
    await at.plays(['p', 'paused since']);
    expect(one.json('status').running.paused_since).not.toBeNull();
    await at.plays(
      ['p', / · running /],
      ['jwy', 'Worker 2 ends its attempt at T-2'],
      ['x', 'End the run after the attempt it is at?'],
      ['y', 'stops after this attempt'],
    );
    one.write('.git/go', '');
    await at.shows('No run is active');
    await ended;
    expect(one.json('tasks').tasks).toMatchObject([{ status: 'done' }, { id: 'T-2' }, { status: 'open' }]);
    at.type('q');
    await at.ended;
  });

  it('act in the repository that they are at', async () => {
    const [one, other] = ['A', 'B'].map((name) => workersProject([`**${name}-1** One`], { acts: '' }));
    if (one === undefined || other === undefined) return;
    const at = onTerminal(one.root, ['watch', one.root, other.root], { columns: 140, rows: 20 });
    await at.shows(/A-1.* │ .*B-1/);
    await at.plays(['\t', /│ {1,2}› . B-1/], ['h', "B-1 isn't started until you release it"]);
    expect(other.json('queue').queue).toMatchObject([{ task_id: 'B-1', kind: 'held' }]);
    expect(one.json('queue').queue).toMatchObject([{ task_id: 'A-1', kind: 'ready' }]);
    at.type('q');
    await at.ended;
  });

  it('say what they did until the task stands otherwise', async () => {
    const one = makeProject({
      '.ralph/scenario.json': JSON.stringify({
        steps: [{ do: [{ action: 'write', path: 'a.txt', content: 'work\n' }, claim('a.txt:1 work')] }],
      }),
    });
    const at = onTerminal(one.root, ['watch'], { columns: 100, rows: 20 });
    await at.shows(/› . T-1/);
    await at.plays(['h', "T-1 isn't started until you release it"], ['h', 'T-1 is released']);
    expect(one.json('run').exit_code).toBe(0);
    await at.shows(/T-1 .*done/);
    expect(at.text()).not.toContain('T-1 is released');
    at.type('q');
    await at.ended;
  });
});
