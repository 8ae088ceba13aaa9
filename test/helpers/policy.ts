import {
  type BreakFacts,
  type CycleFacts,
  type Lesson,
  NO_COST,
  type PolicyFacts,
} from '../../src/domain/policy.ts';
import type { IterationDecisions, IterationFacts } from '../../src/domain/records/iteration.ts';

/** Facts for policies with no limits, nothing due and no armed break. */
export const NO_POLICY: PolicyFacts = {
  limits: NO_COST,
  spent: NO_COST,
  reserved: NO_COST,
  next: null,
  checkpoint: { everyMs: 2_700_000, everyTasks: 3, ms: 0, done: 0 },
  quality: { first: null, last: null },
  armed: null,
};

export const NO_BREAK: BreakFacts = {
  strict: false,
  agentFailures: [],
  blockedTasks: [],
  cycles: [],
  armed: null,
};

/** Facts of an attempt that no policy has anything to do with. */
export const NO_POLICY_AT_START: Pick<IterationFacts, 'breaks' | 'budget' | 'lessons' | 'contextWindow'> = {
  breaks: NO_BREAK,
  budget: { limits: NO_COST, spent: NO_COST, downgrade: null, downgradeFrom: 0.8, model: null },
  lessons: [],
  contextWindow: 200_000,
};
export const NO_POLICY_AFTER: Pick<IterationDecisions, 'cycle' | 'breaks' | 'quality'> = {
  cycle: null,
  breaks: { agentFailures: [], blockedTasks: [], cycles: [], armed: null },
  quality: null,
};

/** Returns a cycle with these findings. */
export function cycleOf(cycle: number, keys: readonly string[], more: Partial<CycleFacts> = {}): CycleFacts {
  const findings = keys.map((key) => ({ key, severity: 'medium' as const, summary: `${key} is wrong` }));
  return { taskId: 'T-1', cycle, kind: 'review', findings, shadows: [], ...more };
}

export function lessonOf(key: string, more: Partial<Lesson> = {}): Lesson {
  const tasks = [
    { taskId: 'T-8', title: 'One' },
    { taskId: 'T-9', title: 'Two' },
  ];
  return {
    key,
    text: key,
    count: 2,
    tasks,
    lastAt: '2026-01-01T00:00:00.000Z',
    shown: 0,
    cameBack: 0,
    corrected: null,
    ...more,
  };
}
