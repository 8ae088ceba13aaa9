import type { Finding } from '../domain/finding.ts';
import type { IterationDecisions, IterationFacts } from '../domain/iteration.ts';
import { isOutsideCause, type Verdict } from '../domain/verdict.ts';
import { decideInterventions, type InterventionDecision } from '../intervene/index.ts';

/**
 * What is done about the findings of an attempt; `null` where nothing is to be decided: interventions are switched
 * off, or the cause lies outside of the work.
 *
 * @param blocked whether the task would be blocked by what the attempt came to.
 */
export function intervene(
  facts: IterationFacts,
  findings: readonly Finding[],
  verdict: Verdict,
  blocked: boolean,
): InterventionDecision | null {
  if (!facts.settings.interventionsEnabled) return null;
  const outside = isOutsideCause(verdict.kind);
  if (outside && !findings.some(({ severity }) => severity === 'critical')) return null;
  return decideInterventions({
    ...facts,
    settings: facts.settings.control,
    findings,
    // What a cause outside of the work cut short is judged by nothing but what is critical.
    standing: verdict.kind === 'done' || outside ? 'done' : blocked ? 'blocked' : 'open',
  });
}

export function statusOf(
  verdict: Verdict,
  blocked: IterationDecisions['blocked'],
  parkedBecause: string | null,
): IterationDecisions['taskStatus'] {
  if (verdict.kind === 'done') return 'done';
  if (blocked !== null) return 'blocked';
  return parkedBecause === null ? 'open' : 'parked';
}
