import { adapterFor } from 'ralph-agents';
import { expect, it } from 'vitest';
import type { Runner } from '../../../src/domain/config.ts';
import { hookProblem } from '../../../src/loop/watch/plan-review.ts';

const SETUP = { requireGate: true } as Parameters<typeof hookProblem>[2];

function contractOf(name: string, runner: Runner) {
  const choice = adapterFor(name, { [name]: { ...runner, protocol: 'acp' } });
  if (!choice.ok || choice.adapter.hook === null) throw new Error('no hook');
  return choice.adapter.hook;
}

it.each([
  ['copilot', false],
  ['opencode', true],
  ['gemini', false],
])('over ACP %s starts where each action has to be asked for: %j', (name, starts) => {
  const review = { mode: 'hook', contract: contractOf(name, {}) } as const;
  expect(hookProblem(name, review, SETUP) === null).toBe(starts);
  expect(hookProblem(name, review, null)).toBeNull();
});

it("a command of your own over ACP wasn't measured, whatever its name", () => {
  const review = { mode: 'hook', contract: contractOf('opencode', { argv: ['opencode', 'acp'] }) } as const;
  expect(hookProblem('opencode', review, SETUP)).toMatch(/never measured/);
  expect(hookProblem('opencode', review, null, true)).toMatch(/never measured/);
});
