import type { FactsOf } from '../../domain/records/iteration.ts';
import { type Attempt, detectFindings, verdictsOfWork } from '../../proof/findings/index.ts';
import { type RoomVerdict, room } from './room.ts';

type Facts = FactsOf<'attempt' | 'agent' | 'changes' | 'runs' | 'findings'>;
type Before = Pick<
  Attempt,
  | 'claim'
  | 'series'
  | 'earlierPaths'
  | 'evidence'
  | 'unmet'
  | 'avoidance'
  | 'gates'
  | 'passedElsewhere'
  | 'clashes'
  | 'down'
  | 'gateChanges'
  | 'gateReport'
  | 'proof'
> & { readonly endedNormally: boolean; readonly verdicts: readonly RoomVerdict[] };

export const findings = room('findings', (facts: Facts, { verdicts, endedNormally, ...before }: Before) => {
  const { settings, taskState, ownFindings } = facts;
  const attempt: Attempt = {
    ...facts,
    ...before,
    history: taskState.attempts,
    metricsWindowSeconds: settings.interventions.metrics_window_seconds,
    extraFindings: ownFindings,
  };
  return {
    attempt,
    findings: detectFindings(attempt),
    verdicts: endedNormally ? verdictsOfWork({ ...attempt, completion: settings.completion }, verdicts) : [],
  };
});
