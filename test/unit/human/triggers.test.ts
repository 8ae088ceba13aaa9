import { describe, expect, it } from 'vitest';
import {
  type GateFacts,
  type HumanGateName,
  NO_GATE_FACTS,
  type TriggerName,
} from '../../../src/domain/human/gate.ts';
import { HumanSettings } from '../../../src/domain/human/settings.ts';
import { gateToOpen, triggersOf } from '../../../src/respond/human/index.ts';

const { gates } = HumanSettings.parse({});
const names = (gate: HumanGateName, facts: Partial<GateFacts>) =>
  triggersOf(gate, { ...NO_GATE_FACTS, ...facts }, gates).triggers.map(({ name }) => name);

/** Facts with which each trigger is just met, and facts with which it just isn't. */
const EDGES: [HumanGateName, TriggerName, Partial<GateFacts>, Partial<GateFacts>][] = [
  ['GATE-AP-RECOVERY', 'recovery_attempts', { recoveryAttempts: 3 }, { recoveryAttempts: 2 }],
  ['GATE-AP-RECOVERY', 'diagnosis_confidence', { diagnosisConfidence: 0.49 }, { diagnosisConfidence: 0.5 }],
  ['GATE-AP-RECOVERY', 'critical', { severity: 'critical' }, { severity: 'high' }],
  ['GATE-AP-RECOVERY', 'infinite_loop', { infiniteLoop: true }, { infiniteLoop: false }],
  ['GATE-AP-RECOVERY', 'non_deterministic', { nonDeterministic: true }, { nonDeterministic: false }],
  [
    'GATE-AP-FALSE-POSITIVE',
    'detection_confidence',
    { detectionConfidence: 0.69 },
    { detectionConfidence: 0.7 },
  ],
  [
    'GATE-AP-FALSE-POSITIVE',
    'reported',
    { reported: { event: 'e-1', by: 'you', reason: 'moved' } },
    { reported: null },
  ],
  ['GATE-AP-DESTRUCTIVE', 'tests_removed', { testsRemoved: 1 }, { testsRemoved: 0 }],
  [
    'GATE-AP-DESTRUCTIVE',
    'coverage_drop',
    { coverage: { before: 85.3, after: 83.29 } },
    // In floating point, 85.3 - 83.3 is 2.0000000000000004, which must not count as more than 2.
    { coverage: { before: 85.3, after: 83.3 } },
  ],
  ['GATE-AP-DESTRUCTIVE', 'features_removed', { featuresRemoved: 1 }, { featuresRemoved: 0 }],
  ['GATE-AP-DESTRUCTIVE', 'assertions_weakened', { assertionsWeakened: 3 }, { assertionsWeakened: 2 }],
  ['GATE-AP-DESTRUCTIVE', 'skips_added', { skipsAdded: 1 }, { skipsAdded: 0 }],
];

describe('the triggers of the human gates', () => {
  it.each(EDGES)('%s opens by %s at its number, and not before', (gate, name, at, before) => {
    expect(names(gate, at)).toEqual([name]);
    expect(names(gate, before)).toEqual([]);
  });

  it.each(EDGES)('%s by %s opens no other gate', (gate, _name, at) => {
    const others = (Object.keys(gates) as HumanGateName[]).filter((one) => one !== gate);
    for (const other of others) expect(names(other, at)).toEqual([]);
  });

  it('follow the thresholds of the configuration', () => {
    const own = HumanSettings.parse({
      gates: { 'GATE-AP-RECOVERY': { recovery_attempts: 5 }, 'GATE-AP-DESTRUCTIVE': { tests_removed: 3 } },
    }).gates;
    const facts = { ...NO_GATE_FACTS, recoveryAttempts: 4, testsRemoved: 3 };
    expect(gateToOpen(facts, own).draft).toBeNull();
    expect(gateToOpen({ ...facts, recoveryAttempts: 5 }, own).draft?.gate).toBe('GATE-AP-RECOVERY');
  });
});

describe('automatic approval', () => {
  const open = (facts: Partial<GateFacts>) => gateToOpen({ ...NO_GATE_FACTS, ...facts }, gates);
  const replaced = { testsRemoved: 2, testsAdded: 2, coverage: { before: 80, after: 80 } };

  it.each<[string, Partial<GateFacts>, boolean]>([
    ['tests replaced by as many, coverage kept', replaced, true],
    ['by fewer', { ...replaced, testsAdded: 1 }, false],
    ['coverage lower', { ...replaced, coverage: { before: 80, after: 79.9 } }, false],
    ['coverage not known', { ...replaced, coverage: null }, false],
    ['a removal that its owner approved', { featuresRemoved: 1, featureRemovalApproved: true }, true],
    ["one that wasn't approved", { featuresRemoved: 1 }, false],
  ])('%s', (_what, facts, approved) => {
    const { draft, autoApproved } = open(facts);
    expect(draft === null).toBe(approved);
    expect(autoApproved.length > 0).toBe(approved);
    for (const { justification } of autoApproved) expect(justification).not.toBe('');
  });

  it('of replaced tests goes by names where there is no coverage', () => {
    const without = { ...replaced, coverage: null };
    expect(open({ ...without, testsMissing: 0 }).draft).toBeNull();
    expect(open({ ...without, testsMissing: 1 }).draft).not.toBeNull();
    expect(open({ ...without, testsMissing: null }).draft).not.toBeNull();
  });

  it('covers its own trigger alone', () => {
    const { draft, autoApproved } = open({ ...replaced, skipsAdded: 1 });
    expect(draft?.triggers.map(({ name }) => name)).toEqual(['skips_added']);
    expect(autoApproved.map(({ trigger }) => trigger.name)).toEqual(['tests_removed']);
  });
});

it('a request is opened at the strictest gate, with the triggers of all', () => {
  const { draft } = gateToOpen(
    { ...NO_GATE_FACTS, testsRemoved: 1, recoveryAttempts: 3, detectionConfidence: 0.1 },
    gates,
  );
  expect(draft?.gate).toBe('GATE-AP-DESTRUCTIVE');
  expect(draft?.triggers.map(({ gate }) => gate)).toEqual([
    'GATE-AP-DESTRUCTIVE',
    'GATE-AP-RECOVERY',
    'GATE-AP-FALSE-POSITIVE',
  ]);
});
