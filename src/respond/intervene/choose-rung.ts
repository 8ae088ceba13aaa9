import type { Finding } from '../../domain/findings/finding.ts';
import type { InterventionRecord, InterventionType } from '../../domain/intervention.ts';
import type { AttemptSummary } from '../../domain/records/state.ts';
import type { Score } from '../table.ts';
import { BY_SEVERITY, ESCALATION_WINDOW, LEAST_ASSESSED, proposedBy, rank, stepAfter } from '../table.ts';
import { attemptsSince, recordsOn } from './history.ts';
import type { InterventionInput, Rung } from './types.ts';

/** How many interventions on the issue within the window did not help. */
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
  readonly finding: Finding;
  readonly score: Score;
  /** What is left of the ladder, mildest first. */
  readonly rungs: readonly InterventionType[];
  /** Interventions of the series on the issue, oldest first, with their outcomes. */
  readonly records: readonly InterventionRecord[];
};

/**
 * The rung for an issue that isn't critical (spec 3-interventions, Strategies; decisions.md, Interventions, settled);
 * `null` where nothing is left of the ladder that is at least as strict as what did not help.
 *
 * A first occurrence starts at the bottom. After that the strategy proposes, and the history bounds it: never below
 * the rung that did not help nor more than one above it, and one rung lower where the last one helped. A strategy
 * module (`custom`) that has no answer leaves it to `progressive`.
 */
export function chooseRung(question: Question): Rung | null {
  const { finding, records, rungs } = question;
  // No clean attempt makes up for it: ralph's files were edited, were restored, and were edited again.
  if (records.length > 0 && finding.type === 'state_tampering')
    return rung(rungs.at(-1), 'it was done again');
  // An intervention that no attempt followed shows nothing.
  const last = records.findLast(({ outcome }) => outcome === 'helped' || outcome === 'not_helped');
  if (last === undefined) return firstRung(question);
  if (last.outcome === 'not_helped') return afterNoHelp(question, last);
  const below = rungs.findLast((type) => rank(type) < rank(last.type)) ?? rungs[0];
  return rung(below, `${last.type} helped after iteration ${last.iteration}, so one rung lower`);
}

function firstRung({ finding, rungs, settings }: Question): Rung | null {
  if (settings.strategy.type !== 'pattern_specific')
    return rung(rungs[0], 'the first occurrence on this task');
  // Only critical findings go straight to a stop.
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

/** What the strategy proposes after an intervention that did not help. */
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
    const because = `it helps ${agent} in ${Math.round(share * 100)} % of the cases`;
    return { type: 'emergency_stop', because };
  }
  const type = proposedBy(score);
  return { type, because: `the score proposes ${type}` };
}

/** Low takes the first rung, medium the second, high the third, critical the last. */
function bySeverity({ severity }: Finding, rungs: Question['rungs']): InterventionType | undefined {
  return rungs[Math.min(BY_SEVERITY[severity], rungs.length - 1)];
}

function rung(type: InterventionType | null | undefined, why: string): Rung | null {
  return type == null ? null : { type, why };
}
