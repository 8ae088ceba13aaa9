import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { TrustCheck } from '../../../src/app/setup/check-trust.ts';
import { askTrust } from '../../../src/cli/ask-trust.ts';

const CHECK: TrustCheck = {
  kind: 'untrusted',
  sha256: 'x',
  isForged: false,
  items: [{ kind: 'gate', name: 'test', text: 'npm test\u001b[2J' }],
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
  ['y\n', true],
  [' YES \n', true],
  ['\n', false],
  ['n\n', false],
  ['yesterday\n', false],
  [null, false],
])('%j → %j', async (typed, accepted) => {
  const result = await answer(typed);
  expect(result.accepted).toBe(accepted);
  expect(result.shown).toContain('  gate      test: "npm test\\u001b[2J"');
  expect(result.shown).not.toContain('\u001b[2J');
});
