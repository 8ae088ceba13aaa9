import type { Finding } from '../../domain/findings/finding.ts';
import type { InterventionRecord, InterventionType } from '../../domain/intervention.ts';
import { shareText } from '../../domain/policy.ts';
import type { AttemptSummary } from '../../domain/records/state.ts';
import type { Score } from '../table.ts';
import { BY_SEVERITY, ESCALATION_WINDOW, LEAST_ASSESSED, proposedBy, rank, stepAfter } from '../table.ts';
import { attemptsSince, recordsOn } from './history.ts';
import type { InterventionInput, Rung } from './types.ts';

/** Returns the number of interventions on the issue, within the window, that didn't help. */
export function escalationLevel(
  records: readonly InterventionRecord[],
  issue: string,
  attempts: readonly AttemptSummary[],
): number {
  const { minutes, attempts: most } = ESCALATION_WINDOW;
  return recordsOn(records, issue).filter(({ outcome, iteration }) => {
    const since = attemptsSince(attempts, iteration);
    const workedMs = since.reduce((sum, { durationMs }) => sum + durationMs, 0);
    return outcome === 'not_helped' && (since.length < most || workedMs <= minutes * 60_000);
  }).length;
}

type Question = Pick<InterventionInput, 'agent' | 'effectiveness' | 'settings'> & {
  readonly finding: Pick<Finding, 'type' | 'severity'>;
  readonly score: Pick<Score, 'combined'>;
  /** Steps of the ladder that can still be taken, mildest first. */
  readonly rungs: readonly InterventionType[];
  readonly records: readonly InterventionRecord[];
};

/**
 * Returns the step for an issue that isn't critical (docs/INTERVENTIONS.md); `null`: no remaining step is as
 * strict as the last one. The strategy proposes a step. It is never milder than the one that didn't help, nor more than
 * one step stricter, and one step milder if the last one helped. If a `custom` strategy doesn't answer, `progressive`
 * decides.
 */
export function chooseRung(question: Question): Rung | null {
  const { finding, records, rungs } = question;
  // If an agent repeatedly changes files that ralph restores, clean attempts in between don't excuse it.
  if (records.length > 0 && finding.type === 'state_tampering')
    return rung(rungs.at(-1), 'it was done again');
  // Without a later attempt, it isn't known whether an intervention helped.
  const last = records.findLast(({ outcome }) => outcome === 'helped' || outcome === 'not_helped');
  if (last === undefined) return firstRung(question);
  if (last.outcome === 'not_helped') return afterNoHelp(question, last);
  const below = rungs.findLast((type) => rank(type) < rank(last.type)) ?? rungs[0];
  return rung(below, `${last.type} helped after iteration ${last.iteration}, so one rung lower`);
}

function firstRung({ finding, rungs, settings }: Question): Rung | null {
  if (settings.strategy.type !== 'pattern_specific')
    return rung(rungs[0], 'the first occurrence on this task');
  // Only critical findings lead to a stop at once.
  const mild = rungs.filter((type) => type !== 'emergency_stop');
  return rung(bySeverity(finding, mild.length > 0 ? mild : rungs), `the severity is ${finding.severity}`);
}

function afterNoHelp(question: Question, last: InterventionRecord): Rung | null {
  const { rungs } = question;
  const failed = `${last.type} did not help in iteration ${last.iteration}`;
  const same = stepAfter(rungs, last.type, 'soft_correction');
  if (stepAfter(rungs, last.type, 'emergency_stop') === same) return rung(same, failed);
  const { type, because } = proposal(question, last);
  const next = stepAfter(rungs, last.type, type);
  return rung(next, `${failed}; ${because}${next === same ? '' : ', at most one rung above'}`);
}

function proposal(
  { agent, effectiveness, finding, rungs, score, settings }: Question,
  last: InterventionRecord,
): { readonly type: InterventionType; readonly because: string } {
  if (settings.strategy.type === 'pattern_specific')
    return { type: bySeverity(finding, rungs) ?? last.type, because: `the severity is ${finding.severity}` };
  const cells = effectiveness.filter(
    (cell) => cell.agent === agent && cell.issue === finding.type && cell.type === last.type,
  );
  const helped = cells.reduce((sum, cell) => sum + cell.helped, 0);
  const assessed = cells.reduce((sum, cell) => sum + cell.helped + cell.notHelped, 0);
  const share = helped / assessed;
  if (assessed >= LEAST_ASSESSED && share < settings.strategy.effectiveness_threshold) {
    const because = `it helps ${agent} in ${shareText(share)} of the cases`;
    return { type: 'emergency_stop', because };
  }
  const type = proposedBy(score);
  return { type, because: `the score proposes ${type}` };
}

/**
 * Returns the step by severity: the first step for low, the second for medium, the third for high, and the last for
 * critical.
 */
function bySeverity(
  { severity }: Pick<Finding, 'severity'>,
  rungs: Question['rungs'],
): InterventionType | undefined {
  return rungs[Math.min(BY_SEVERITY[severity], rungs.length - 1)];
}

function rung(type: InterventionType | null | undefined, why: string): Rung | null {
  return type == null ? null : { type, why };
}
