import { SERVICE_KINDS } from 'ralph-agents/event';
import { expect, it } from 'vitest';
import { CONSEQUENCES } from '../../../src/domain/service.ts';
import { VERDICT_COUNTING } from '../../../src/domain/verdict.ts';

it.each(SERVICE_KINDS)('%s counts against no task, and something helps', (kind) => {
  expect(VERDICT_COUNTING[kind]).toEqual({ failedAttempt: false, infrastructure: true });
  expect(CONSEQUENCES[kind].helps('mine')).toMatch(/\bralph \w+/);
});
