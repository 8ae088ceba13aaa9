import type { FactsOf, IterationDecisions } from '../../domain/records/iteration.ts';
import type { AttemptSummary } from '../../domain/records/state.ts';
import { attemptNumber } from '../attempt/starting-attempt.ts';
import { policyAfter } from '../policy-after.ts';
import { room } from './room.ts';

type Facts = FactsOf<'attempt' | 'changes' | 'runs' | 'policy'>;
type Before = Pick<IterationDecisions, 'findings' | 'blocked' | 'taskStatus' | 'workflow'> & {
  readonly attempted: AttemptSummary;
};

export const policy = room('policy', (facts: Facts, { attempted, ...before }: Before) =>
  policyAfter(facts, { ...before, attempt: attempted, number: attemptNumber(facts.taskState) }),
);
