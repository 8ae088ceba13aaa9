import fc from 'fast-check';
import { SEVERITIES } from 'ralph-kit/severity';
import { expect, it } from 'vitest';
import type { InterventionSettings } from '../../../src/domain/config.ts';
import {
  INTERVENTION_TYPES,
  type InterventionRecord,
  type InterventionType,
} from '../../../src/domain/intervention.ts';
import {
  decideInterventions,
  type InterventionDecision,
  type InterventionInput,
} from '../../../src/respond/intervene/index.ts';
import { ladderOf } from '../../../src/respond/table.ts';
import { after, CHECKPOINT, finding, given, momentOf, settings, state } from './inputs.ts';

const ISSUES = ['false_completion', 'scope_creep', 'resource_spiral', 'avoidance', 'state_tampering', 'mine'];

const found = fc.record({
  type: fc.constantFrom(...ISSUES),
  severity: fc.constantFrom(...SEVERITIES),
  confidence: fc.constantFrom(0, 0.3, 0.8, 1),
  impactFactor: fc.constantFrom(0, 0.3, 1),
});
type Found = typeof found extends fc.Arbitrary<infer T> ? T : never;

type Step = {
  readonly minutes: number;
  readonly findings: readonly Found[];
  readonly taskAfter: InterventionInput['taskAfter'];
  readonly hasCheckpoint: boolean;
};

const step: fc.Arbitrary<Step> = fc.record({
  minutes: fc.constantFrom(0.1, 0.6, 1, 3, 20),
  findings: fc.uniqueArray(found, { maxLength: 4, selector: ({ type }) => type }),
  taskAfter: fc.constantFrom('open', 'open', 'open', 'blocked', 'done'),
  hasCheckpoint: fc.boolean(),
});

const ofType = fc.record({ enabled: fc.boolean() });
const anySettings: fc.Arbitrary<InterventionSettings> = fc
  .record({
    strategy: fc.record({
      type: fc.constantFrom('progressive' as const, 'pattern_specific' as const),
      escalation_delay_seconds: fc.constantFrom(0, 120),
    }),
    max_interventions_per_task: fc.constantFrom(0, 2, 5, 10),
    cooldown_seconds: fc.constantFrom(0, 30),
    soft_correction: fc.record({ enabled: fc.boolean(), max_attempts: fc.constantFrom(0, 0, 1, 3) }),
    context_reinforcement: ofType,
    resource_throttling: ofType,
    checkpoint_rollback: ofType,
    emergency_stop: ofType,
  })
  .map(settings);

/** How often an intervention may be applied in a series of attempts; 0: no limit of its own. */
function ownLimit(type: InterventionType, { soft_correction }: InterventionSettings): number {
  return type === 'soft_correction' ? soft_correction.max_attempts : 0;
}

type Played = { readonly input: InterventionInput; readonly decision: InterventionDecision };

/** A series of attempts, each decided on and folded into the task's state. */
function play(steps: readonly Step[], given_: InterventionSettings): readonly Played[] {
  let taskState = state({});
  let minutes = 0;
  return steps.map(({ findings, taskAfter, hasCheckpoint, minutes: passed }, index) => {
    minutes += passed;
    const input = given({
      iteration: index + 1,
      endedAt: momentOf(minutes),
      findings: findings.map(({ type, ...more }) => finding(type, { ...more, iteration: index + 1 })),
      taskState,
      settings: given_,
      taskAfter,
      checkpoints: hasCheckpoint ? [CHECKPOINT] : [],
    });
    const decision = decideInterventions(input);
    taskState = after(input, decision);
    return { input, decision };
  });
}

function holds(check: (played: Played) => void, chosen = anySettings): void {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 14 }), chosen, (steps, one) => {
      for (const played of play(steps, one)) check(played);
    }),
    { numRuns: 400 },
  );
}

const rank = (type: InterventionType) => INTERVENTION_TYPES.indexOf(type);
const isCritical = ({ record }: InterventionDecision['interventions'][number]) =>
  record.severity === 'critical';

/** What was done last on an issue before an iteration, with what became of it. */
function lastOn({ input, decision }: Played, issue: string): InterventionRecord | undefined {
  const last = input.taskState.interventions?.findLast(
    (one) => one.issue === issue || one.also.includes(issue),
  );
  const assessed = decision.assessed.find(
    ({ iteration, type, issue: of }) =>
      iteration === last?.iteration && type === last.type && of === last.issue,
  );
  return last === undefined ? undefined : { ...last, outcome: assessed?.outcome ?? last.outcome };
}

/** Each issue that something is done about, with what is done. */
function answered({ decision }: Played): readonly (readonly [string, InterventionType, boolean])[] {
  return decision.interventions.flatMap((one) =>
    [one.record.issue, ...one.record.also].map((issue) => [issue, one.record.type, isCritical(one)] as const),
  );
}

function usable(issue: string, settings: InterventionSettings): readonly InterventionType[] {
  return ladderOf({ type: issue }).filter((type) => settings[type].enabled);
}

const isGrave = ({ input }: Played, issue: string) =>
  input.findings.some(({ type, severity }) => type === issue && severity === 'critical');

it('never applies the same intervention twice in one iteration, nor one issue twice', () => {
  holds(({ decision }) => {
    const types = decision.interventions.map(({ record }) => record.type);
    expect(new Set(types).size).toBe(types.length);
    const issues = decision.interventions.flatMap(({ record }) => [record.issue, ...record.also]);
    expect(new Set(issues).size).toBe(issues.length);
  });
});

it('does nothing beside an emergency stop', () => {
  holds(({ decision }) => {
    const types = decision.interventions.map(({ record }) => record.type);
    if (types.includes('emergency_stop')) expect(types).toHaveLength(1);
  });
});

it('stays within the limits of task and type, unless a finding is critical', () => {
  holds(({ input, decision }) => {
    const { settings: given_, taskState } = input;
    const bound = decision.interventions.filter((one) => !isCritical(one));
    if (bound.length === 0) return;
    const count = decision.interventions.length;
    if (given_.max_interventions_per_task > 0 && count === bound.length) {
      expect((taskState.interventionCount ?? 0) + count).toBeLessThanOrEqual(
        given_.max_interventions_per_task,
      );
    }
    for (const { record } of bound) {
      const maxAttempts = ownLimit(record.type, given_);
      const before = taskState.interventions?.filter(({ type }) => type === record.type).length ?? 0;
      if (maxAttempts > 0) expect(before).toBeLessThan(maxAttempts);
    }
  });
});

it('never applies what is switched off', () => {
  holds(({ input, decision }) => {
    for (const { record } of decision.interventions) expect(input.settings[record.type].enabled).toBe(true);
  });
});

it('never goes below what did not help', () => {
  holds((played) => {
    for (const [issue, type] of answered(played)) {
      const last = lastOn(played, issue);
      if (last?.outcome === 'not_helped') expect(rank(type)).toBeGreaterThanOrEqual(rank(last.type));
    }
  });
});

it('never goes more than one rung above what did not help', () => {
  holds((played) => {
    for (const [issue, type] of answered(played)) {
      const last = lastOn(played, issue);
      if (last?.outcome !== 'not_helped' || isGrave(played, issue) || issue === 'state_tampering') continue;
      // Rungs with a limit of their own may be used up in between.
      const between = usable(issue, played.input.settings).filter(
        (rung) =>
          rank(rung) > rank(last.type) &&
          rank(rung) < rank(type) &&
          ownLimit(rung, played.input.settings) === 0,
      );
      expect(between).toEqual([]);
    }
  });
});

it('goes down where the last one helped, except for tampering and what is critical', () => {
  holds((played) => {
    for (const [issue, type] of answered(played)) {
      const last = lastOn(played, issue);
      if (last?.outcome !== 'helped' || isGrave(played, issue) || issue === 'state_tampering') continue;
      const since = played.input.taskState.attempts.filter(({ iteration }) => iteration > last.iteration);
      if (since.some(({ findings }) => findings?.includes(issue))) continue;
      const open = usable(issue, played.input.settings).filter(
        (rung) => ownLimit(rung, played.input.settings) === 0,
      );
      const gentler = open.filter((rung) => rank(rung) < rank(last.type));
      if (gentler.length > 0) expect(rank(type)).toBeLessThan(rank(last.type));
    }
  });
});

it('starts at the bottom of the ladder', () => {
  const progressive = anySettings.map((one) => ({
    ...one,
    strategy: { ...one.strategy, type: 'progressive' as const },
  }));
  holds((played) => {
    for (const [issue, type] of answered(played)) {
      if (lastOn(played, issue) !== undefined || isGrave(played, issue)) continue;
      const open = usable(issue, played.input.settings).filter(
        (rung) => ownLimit(rung, played.input.settings) === 0,
      );
      const first = open[0];
      if (first !== undefined) expect(rank(type)).toBeLessThanOrEqual(rank(first));
    }
  }, progressive);
});

it('stops at once for a critical finding, whatever the limits', () => {
  holds(({ input, decision }) => {
    const isDue = input.findings.some(({ severity }) => severity === 'critical');
    if (!isDue || !input.settings.emergency_stop.enabled) return;
    expect(decision.interventions.map(({ record }) => record.type)).toEqual(['emergency_stop']);
  });
});

it('rolls nothing back that is done, and does nothing gentle where no attempt follows', () => {
  holds(({ input, decision }) => {
    const types = decision.interventions.map(({ record }) => record.type);
    if (input.taskAfter === 'done') expect(types.filter((type) => type !== 'emergency_stop')).toEqual([]);
    if (input.taskAfter === 'blocked') {
      for (const type of types) expect(['checkpoint_rollback', 'emergency_stop']).toContain(type);
    }
  });
});

it('judges every intervention once, by the next attempt', () => {
  holds(({ input, decision }) => {
    const open = (input.taskState.interventions ?? []).filter(({ outcome }) => outcome === null);
    expect(decision.assessed).toHaveLength(open.length);
    for (const { iteration } of open) expect(iteration).toBe(input.iteration - 1);
  });
});

it('raises no limit above the configuration, and lowers none to where an attempt is not possible', () => {
  holds(({ input, decision }) => {
    const limits = decision.throttle?.limits;
    if (limits === undefined) return;
    expect(limits.fileOperations).toBeLessThanOrEqual(input.configuredLimits.fileOperations);
    expect(limits.fileOperations).toBeGreaterThanOrEqual(5);
    expect(limits.memoryMb).toBeLessThanOrEqual(input.configuredLimits.memoryMb);
    expect(limits.memoryMb).toBeGreaterThanOrEqual(128);
    expect(limits.batchSize).toBeGreaterThanOrEqual(0);
  });
});

it('gives the same result for the same input, and leaves what it is given alone', () => {
  holds(({ input, decision }) => {
    const copy = structuredClone(input);
    expect(decideInterventions(copy)).toEqual(decision);
    expect(copy).toEqual(input);
  });
});
