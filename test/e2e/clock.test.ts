/** @module-tag slow */

import { afterEach, expect, it, vi } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { claim, makeProject, withoutBox } from '../helpers/cli.ts';
import { movedClock } from '../helpers/moved-clock.ts';

withoutBox();
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Replaces names of runs, times and commits, which differ from night to night. */
const lasting = (text: string) =>
  text
    .replace(/\br-\d{8}-\d{6}-[a-z0-9]{4}\b/g, 'RUN')
    .replace(/\b\d{4}-\d\d-\d\d\b/g, 'DATE')
    .replace(/\b\d\d:\d\d(?::\d\d)?\b/g, 'CLOCK')
    .replace(/\b(?=[a-f]*\d)[0-9a-f]{7,10}\b/g, 'COMMIT')
    .replace(/\b\d+(?:\.\d+)? (?:s|min|h|d)\b(?: \d+ (?:s|min|h)\b)?/g, 'TIME')
    .replace(/\s+/g, ' ');

/**
 * Returns the results of a night in which T-1 breaks a gate three times and T-2 claims three times what it didn't do.
 */
function morning(secondsApart: number) {
  movedClock(0.01);
  const file = process.env.TEST_CLOCK_FILE;
  const wait: ScenarioAction = {
    action: 'shell',
    command: `sed "s/\\"ahead\\":[0-9]*/\\"ahead\\":$((RALPH_ITERATION * ${secondsApart}))/" '${file}' > '${file}.new' && mv '${file}.new' '${file}'`,
  };
  const made = makeProject({
    '.ralph/PRD.md':
      '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write the parser\n- [ ] **T-2** Write the printer\n- [ ] **T-3** Write three\n',
    '.ralph/ralph.toml':
      '[loop]\nagent = "scripted"\n[gates]\ncommands = [{ name = "sane", run = "! grep -qr broken src" }]\n',
    'src/old.js': 'fine\n',
    '.ralph/scenario.json': JSON.stringify({
      output: 'claude-stream',
      steps: [
        {
          when: { task: 'T-1' },
          do: [
            wait,
            { action: 'write', path: 'src/parser.js', content: 'broken {attempt}\n' },
            claim('src/parser.js:1 it'),
          ],
        },
        { when: { task: 'T-2' }, do: [wait, claim()] },
      ],
      otherwise: [{ action: 'write', path: 'three.txt', content: '3\n' }, claim('three.txt:1 it')],
    }),
  });
  const { exit_code: exit, tasks } = made.json('run');
  const { blocked } = made.json('blocked', '--suggest');
  const report = lasting(made.ralph('report').stdout);
  const attempts = made.iterations().map((number) => {
    const { verdict, cause, failedAttempt, taskStatus } = made.iteration(number).decisions;
    return { verdict, cause: lasting(cause), failedAttempt, taskStatus };
  });
  const rows = ['T-1', 'T-2'].map((id) => made.json('explain', id).task.answer);
  const taken = made.ralph('take', 'T-1');
  return {
    ...{ exit, tasks, report, attempts, rows, taken: taken.code, parser: made.read('src/parser.js') },
    suggestions: blocked.map(({ id, reason, suggestion }: Record<string, unknown>) => [
      id,
      reason,
      suggestion,
    ]),
  };
}

it('a night has the same morning whether attempts are seconds, 40 s or hours apart', () => {
  const [soon, later, hours] = [0, 40, 7200].map(morning);
  expect(soon).toMatchObject({ exit: 4, taken: 0, parser: 'broken 3\n', tasks: { done: 1, blocked: 2 } });
  expect(later).toEqual(soon);
  expect(hours).toEqual(soon);
  expect(soon?.report).not.toMatch(/roll/i);
});
