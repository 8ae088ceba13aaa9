import type { FactsOf, IterationDecisions } from '../../domain/records/iteration.ts';
import { advanceProfile } from '../../domain/records/profile.ts';
import { VERDICT_COUNTING } from '../../domain/verdict.ts';
import { checkThresholds } from '../../respond/intervene/index.ts';
import { unavailableAfter } from '../choice/available-agent.ts';
import { room } from './room.ts';

type Facts = FactsOf<'attempt' | 'agent' | 'changes' | 'profile'>;
type Before = Pick<IterationDecisions, 'claim' | 'findings' | 'verdict'>;

/**
 * Decides about the agent: whether its profile crosses a threshold with this attempt, and whether a cause outside the
 * work stops it.
 */
export const profile = room('profile', (facts: Facts, { claim, findings, verdict }: Before) => {
  const advanced = advanceProfile(facts.profile, {
    iteration: facts.iteration,
    noFiles: findings.some(({ type }) => type === 'no_files'),
    falseCompletion: findings.some(({ type }) => type === 'false_completion'),
    filesChanged: facts.changes.changes.length,
    evidenceCount: claim.evidence.length,
    done: verdict.kind === 'done',
    level: facts.level,
    durationMs: facts.durationMs,
    reinforcedAt: null,
    thresholdExceeded: false,
    suspend: null,
  });
  const thresholds = checkThresholds(advanced, facts.settings.interventions);
  const isOutside = VERDICT_COUNTING[verdict.kind].infrastructure;
  const exceeded = isOutside ? [] : thresholds.exceeded.filter(({ current }) => current);
  const reinforced = exceeded.length > 0;
  return {
    exceeded,
    reinforced,
    suspendAgent: reinforced ? thresholds.suspend : null,
    unavailable: unavailableAfter(facts.profile.unavailable, verdict, facts.endedAt),
  };
});
