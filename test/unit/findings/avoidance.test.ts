import { describe, expect, it } from 'vitest';
import {
  type AvoidanceFacts,
  type FoundAvoidance,
  judgedAvoidance,
} from '../../../src/domain/findings/avoidance.ts';
import { feedbackFor } from '../../../src/prompt/index.ts';
import { detectFindings } from '../../../src/proof/findings/index.ts';
import { ATTEMPT } from '../prompt/inputs.ts';
import { attempt, decideVerdict } from './facts.ts';

const FOUND: FoundAvoidance = {
  ...{
    category: 'test_skip',
    kind: 'skip_added',
    path: 'a.test.ts',
    line: 2,
    before: 'it(',
    after: 'it.skip(',
  },
  ...{
    confidence: 0.9,
    severity: 'high',
    reason: 'A test is skipped.',
    evidence: ['alone'],
    times: 1,
    whitelisted: null,
  },
};

const judged = (over: Partial<FoundAvoidance>, detections: AvoidanceFacts['detections'] = {}) =>
  judgedAvoidance({ findings: [{ ...FOUND, ...over }], detections });

describe('what follows from a finding', () => {
  it.each<[string, Partial<FoundAvoidance>, AvoidanceFacts['detections'], string | null]>([
    ['combined evidence', {}, {}, 'acting'],
    ['a sign alone', { evidence: [] }, {}, 'warned'],
    ['combined, not sure', { confidence: 0.69 }, {}, 'unsure'],
    ['combined, just sure', { confidence: 0.7 }, {}, 'acting'],
    ['on the whitelist', { whitelisted: 'W-1' }, {}, null],
    ['of a kind that was wrong before', {}, { test_skip: { confirmed: 0, falsePositives: 2 } }, 'unsure'],
    ['of a kind that was right more often', {}, { test_skip: { confirmed: 8, falsePositives: 2 } }, 'acting'],
    ['of another kind than the wrong one', {}, { test_focus: { confirmed: 0, falsePositives: 9 } }, 'acting'],
  ])('%s', (_, over, detections, expected) => {
    const filled = Object.entries(judged(over, detections)).flatMap(([name, found]) =>
      found.length > 0 ? [name] : [],
    );
    expect(filled).toEqual(expected === null ? [] : [expected]);
  });
});

const claimed = { ...attempt().claim, completion: true, exitSignal: true };

describe('an attempt', () => {
  it.each([
    ['acting', {}, 'false_completion', true],
    // With so little confidence, you decide about the finding at a human gate.
    ['unsure', { confidence: 0.5 }, 'done', false],
    ['warned', { evidence: [] }, 'done', false],
  ] as const)('%s: its verdict, and whether it is a finding', (_, over, verdict, isFound) => {
    const one = attempt({ claim: claimed, avoidance: judged(over as Partial<FoundAvoidance>) });
    expect(decideVerdict(one).verdict.kind).toBe(verdict);
    const found = detectFindings(one).find(({ type }) => type === 'avoidance');
    expect(found !== undefined).toBe(isFound);
  });

  it('weighs as its detector is sure, and a critical one stops nothing but its task', () => {
    const critical = judged({ confidence: 0.75, severity: 'critical' });
    const found = detectFindings(attempt({ avoidance: critical })).find(({ type }) => type === 'avoidance');
    expect(found).toMatchObject({ confidence: 0.75, impactFactor: 0.5, severity: 'high' });
  });

  it('that the gates alone decide is not done either', () => {
    const one = attempt({ completion: 'gates', avoidance: judged({}) });
    expect(decideVerdict(one).verdict.kind).toBe('progress');
  });

  it.each([
    ['**CRITICAL**', {}],
    ['**WARNING**', { evidence: [] }],
  ])('the agent is told with %s, the place, the lines and the alternative', (level, over) => {
    const entries = feedbackFor({ ...ATTEMPT, avoidance: judged(over) });
    const text = entries.find(({ kind }) => kind === 'avoidance')?.text ?? '';
    for (const part of [level, 'a.test.ts:2', '- it(', '+ it.skip(', 'mock what it depends on'])
      expect(text).toContain(part);
  });
});
