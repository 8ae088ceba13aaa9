import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { Choices } from '../../../src/app/commands/resume.ts';
import { type TrustQuestion, trustLines } from '../../../src/app/setup/check-trust.ts';
import { askOption, askTrust } from '../../../src/cli/ask-trust.ts';
import { recoveryOptions } from '../../../src/intervene/index.ts';

const CHECK: TrustQuestion = {
  about: 'commands',
  lines: trustLines([{ kind: 'gate', name: 'test', text: 'npm test\u001b[2J' }]),
};

async function answer(typed: string | null) {
  const input = new PassThrough();
  const output = new PassThrough();
  const asked = askTrust(CHECK, input, output);
  if (typed === null) input.end();
  else input.write(typed);
  return { accepted: await asked, shown: String(output.read()) };
}

it.each([
  ['y\n', 'yes'],
  [' YES \n', 'yes'],
  ['\n', 'no'],
  ['n\n', 'no'],
  ['yesterday\n', 'no'],
  [null, 'no'],
])('%j → %j', async (typed, accepted) => {
  const result = await answer(typed);
  expect(result.accepted).toBe(accepted);
  expect(result.shown).toContain('  gate      test: "npm test\\u001b[2J"');
  expect(result.shown).not.toContain('\u001b[2J');
});

const CHOICES: Choices = {
  incident: {
    ...{ id: 'INC-1', at: '', run: 'r', iteration: 1, task_id: 'T-1', issue: 'no_files', severity: 'medium' },
    ...{ summary: 'ralph stopped it\u001b[2J', scope: 'task', resolved: null },
  },
  checkpoint: null,
  options: recoveryOptions('INC-1', 'T-1', null),
};

it.each([
  ['3\n', 'manual_intervention'],
  ['abort\n', 'abort'],
  ['resume-with-limits\n', 'resume_with_limits'],
  ['\n', null],
  ['5\n', null],
  ['y\n', null],
])('which option: %j → %j', async (typed, option) => {
  const input = new PassThrough();
  const output = new PassThrough();
  const asked = askOption(CHOICES, input, output);
  input.write(typed);
  expect(await asked).toBe(option);
  const shown = String(output.read());
  expect(shown).toContain('T-1 waits until you choose:');
  expect(shown).not.toContain('\u001b[2J');
});
