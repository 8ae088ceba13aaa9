import { describe, expect, it } from 'vitest';
import { type GateFacts, NO_GATE_FACTS, type WhitelistEntry } from '../../../src/domain/human/gate.ts';
import { HumanSettings } from '../../../src/domain/human/settings.ts';
import {
  authorityFor,
  expired,
  expiryAfter,
  mayDecide,
  whitelistedBy,
} from '../../../src/respond/human/index.ts';
import { alternativesFor } from '../../../src/tell/gate-options.ts';

const { gates } = HumanSettings.parse({});

describe('who may decide', () => {
  it.each([
    ['GATE-AP-RECOVERY', 'critical', 'developer', false],
    ['GATE-AP-FALSE-POSITIVE', 'low', 'developer', true],
    ['GATE-AP-DESTRUCTIVE', 'high', 'tech_lead', false],
    ['GATE-AP-DESTRUCTIVE', 'critical', 'tech_lead', true],
    ['MANUAL', 'low', 'developer', false],
  ] as const)('%s at %s: %s, signed: %s', (gate, severity, role, signed) => {
    expect(authorityFor({ gate, facts: { ...NO_GATE_FACTS, severity } }, gates)).toEqual({ role, signed });
  });

  it('a tech lead may what a developer may, and not the other way round', () => {
    expect(mayDecide('tech_lead', 'developer')).toBe(true);
    expect(mayDecide('developer', 'tech_lead')).toBe(false);
  });
});

it.each<[Partial<GateFacts>, string]>([
  [{ testsRemoved: 1 }, 'Fix the failing test'],
  [{ skipsAdded: 1 }, 'Mock the dependency or fix the timing'],
  [{ featuresRemoved: 1 }, 'behind a flag, or deprecate it first'],
  [{ assertionsWeakened: 1 }, 'Fix the implementation'],
  [{ coverage: { before: 80, after: 70 } }, 'Add tests'],
])('%j has its alternative alone', (facts, text) => {
  const offered = alternativesFor({ ...NO_GATE_FACTS, ...facts });
  expect(offered).toHaveLength(1);
  expect(offered[0]).toContain(text);
});

describe('the whitelist', () => {
  const now = '2026-01-01T00:00:00.000Z';
  const entry: WhitelistEntry = {
    id: 'W-1',
    pattern: 'test_skip',
    path: 'a.test.ts',
    justification: 'slow',
    by: 'you',
    at: now,
    expiresAt: expiryAfter(now),
  };
  const found = { pattern: 'test_skip', path: 'a.test.ts' };

  it('allows its pattern in its file, for its days', () => {
    expect(whitelistedBy([entry], found, now)).toBe(entry);
    expect(whitelistedBy([entry], { ...found, path: 'b.test.ts' }, now)).toBeNull();
    expect(whitelistedBy([entry], { ...found, pattern: 'test_focus' }, now)).toBeNull();
    expect(whitelistedBy([entry], found, '2026-03-31T23:59:59.999Z')).toBe(entry);
    expect(whitelistedBy([entry], found, '2026-04-01T00:00:00.000Z')).toBeNull();
    expect(expired([entry], '2026-04-01T00:00:00.000Z')).toEqual([entry]);
  });

  it('allows it everywhere without a path', () => {
    expect(whitelistedBy([{ ...entry, path: null }], { ...found, path: 'b.test.ts' }, now)).not.toBeNull();
  });

  it('never helps where a time is unreadable', () => {
    expect(whitelistedBy([{ ...entry, expiresAt: 'never' }], found, now)).toBeNull();
  });
});
