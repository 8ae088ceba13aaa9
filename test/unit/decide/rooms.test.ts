import { describe, expect, it } from 'vitest';
import { decideIteration, judge } from '../../../src/decide/decide-iteration.ts';
import { iterationRecord } from '../../../src/decide/finished-record.ts';
import {
  DecisionSections,
  FactSections,
  type IterationFacts,
  IterationRecord,
} from '../../../src/domain/records/iteration.ts';
import {
  type Judgement,
  strictest,
  VERDICT_COUNTING,
  type VerdictKind,
} from '../../../src/domain/verdict.ts';
import { recordedRun } from '../replay/recorded-run.ts';

/** All kinds of verdict, the mildest first. */
const ORDER: readonly VerdictKind[] = [
  'done',
  'progress',
  'gate_down',
  'incomplete',
  'false_completion',
  'gates_failed',
  'no_files',
  'already_done',
  'conflict',
  'changes_requested',
  'agent_blocked',
  'agent_error',
  'review_blocked',
  'rate_limited',
  'throttled',
  'credit',
  'auth',
  'model',
  'outage',
  'context',
  'refused',
  'timed_out',
  'interrupted',
  'spawn_failed',
  'awaiting_human',
];

const given = (kind: VerdictKind, cause = '') => ({ verdict: { kind }, cause }) as Judgement;

describe('the strictest verdict', () => {
  it('is by the order of the table', () => {
    expect(Object.keys(VERDICT_COUNTING)).toEqual(ORDER);
  });

  it.each(ORDER.slice(1).map((kind, at) => [kind, ORDER[at] as VerdictKind] as const))(
    '%s is stricter than %s, whichever is given first',
    (kind, milder) => {
      expect(strictest([given(kind), given(milder)]).verdict.kind).toBe(kind);
      expect(strictest([given(milder), given(kind), given('done')]).verdict.kind).toBe(kind);
    },
  );

  it('is the last of equally strict ones', () => {
    expect(strictest([given('conflict', 'first'), given('conflict', 'last'), given('done')]).cause).toBe(
      'last',
    );
  });

  it("isn't anything where no room gives one", () => {
    expect(() => strictest([])).toThrow('No room gives a verdict');
  });
});

function factsOf(at: number): IterationFacts {
  const record = recordedRun().iterations[at]?.record;
  if (record?.kind !== 'read') throw new Error('it was recorded');
  return record.value.facts;
}

describe.each([0, 1])('the rooms, of iteration %i', (at) => {
  const facts = factsOf(at);
  const decisions = decideIteration(facts);

  it('give verdicts of which the strictest is the one of the attempt', () => {
    const kinds = decisions.rooms.map(({ verdict }) => given(verdict));
    expect(kinds.length).toBeGreaterThan(0);
    expect(decisions.verdict.kind).toBe(strictest(kinds).verdict.kind);
  });

  it('have each fact and each decision in one section, and a record has them side by side', () => {
    const document = JSON.parse(JSON.stringify(iterationRecord(facts, decisions)));
    for (const [schema, recorded] of [
      [FactSections, document.facts],
      [DecisionSections, document.decisions],
    ] as const) {
      const fields = Object.values(schema.shape).flatMap(({ shape }) => Object.keys(shape));
      expect(new Set(fields).size).toBe(fields.length);
      expect(fields).toEqual(expect.arrayContaining(Object.keys(recorded)));
    }
    const read = IterationRecord.parse(document);
    expect(read.facts).toEqual(facts);
    expect(read.decisions).toEqual(decisions);
  });

  it('see nothing of what is known to later ones alone', () => {
    const { workflow, interventions, profile, policy } = FactSections.shape;
    const later = [workflow, interventions, profile, policy].flatMap(({ shape }) => Object.keys(shape));
    const untouched = Object.fromEntries(
      later.map((name) => [
        name,
        new Proxy({}, { get: () => expect.unreachable(`${name} is read by a room before its own`) }),
      ]),
    );
    expect(judge({ ...facts, ...untouched })).toEqual(judge(facts));
  });
});
