import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { Choices } from '../../../src/app/commands/resume.ts';
import type { TrustQuestion } from '../../../src/app/setup/check-trust.ts';
import { trustLines } from '../../../src/app/setup/trust/trust-text.ts';
import type { Place } from '../../../src/cli/ask.ts';
import { askFirstCommit, askOption, askTrust } from '../../../src/cli/ask-trust.ts';
import { recoveryOptions } from '../../../src/respond/intervene/index.ts';

const CHECK: TrustQuestion = {
  lines: trustLines([{ kind: 'gate', name: 'test', text: 'npm test\u001b[2J' }]),
};

const DOWN = '\u001b[B';

/** What comes of a question when this is typed; `null`: the end of the input. */
async function answerTo<T>(ask: (place: Place) => Promise<T>, keys: readonly string[] | null) {
  const input = new PassThrough();
  const output = new PassThrough();
  const asked = ask({ input, output, color: false });
  if (keys === null) input.end();
  else for (const key of keys) input.write(key);
  return { answer: await asked, shown: String(output.read()) };
}

it.each<[string[] | null, string]>([
  [['y'], 'yes'],
  [['Y'], 'yes'],
  [['\r'], 'no'],
  [['n'], 'no'],
  [['x', '\r'], 'no'],
  [['\u0003'], 'stopped'],
  [['\u0004'], 'no'],
  [null, 'no'],
])('%j → %j', async (typed, expected) => {
  const { answer, shown } = await answerTo((place) => askTrust(CHECK, place), typed);
  expect(answer).toBe(expected);
  expect(shown).toContain('  gate      test: "npm test\\u001b[2J"');
  expect(shown).not.toContain('\u001b[2J');
});

const CHOICES: Choices = {
  incident: {
    ...{ id: 'INC-1', at: '', run: 'r', iteration: 1, task_id: 'T-1', issue: 'no_files', severity: 'medium' },
    ...{ summary: 'ralph stopped it\u001b[2J', scope: 'task', resolved: null },
  },
  checkpoint: null,
  options: recoveryOptions('INC-1', 'T-1', null),
};

it.each<[string[], string | null]>([
  [[DOWN, '\r'], 'resume_with_limits'],
  [[DOWN, DOWN, DOWN, '\r'], 'abort'],
  [['\r'], null],
  [['\u0003'], null],
  [['y', '\r'], null],
])('which option: %j → %j', async (typed, option) => {
  const { answer, shown } = await answerTo((place) => askOption(CHOICES, place), typed);
  expect(answer).toBe(option);
  expect(shown).toContain('T-1 waits until you choose:');
  expect(shown).not.toContain('\u001b[2J');
});

it.each<[string[] | null, string]>([
  [['\r'], 'yes'],
  [['n'], 'no'],
  [['\u0003'], 'stopped'],
  [null, 'no'],
])('the first commit: %j → %j', async (typed, expected) => {
  const { answer, shown } = await answerTo((place) => askFirstCommit(null, place), typed);
  expect(answer).toBe(expected);
  expect(shown).toContain('No commits yet. Make the first one?');
});
