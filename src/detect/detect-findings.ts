import type { Finding, FindingType } from '../domain/finding.ts';
import { CRITICAL_WEIGHT, FINDING_WEIGHTS } from '../domain/findings-table.ts';
import { type Attempt, contradictions, lacksFiles, reasonsAgainstCompletion } from './attempt.ts';
import { decideByEnding, hasOutsideCause } from './ending.ts';

/**
 * What is wrong with an attempt, each type at most once (spec 3-interventions, Findings). An attempt that was cut short
 * from outside is only looked at for regressions and tampering.
 */
export function detectFindings(attempt: Attempt): Finding[] {
  const outside = hasOutsideCause(attempt);
  const found = [
    outside ? null : noFiles(attempt),
    outside ? null : falseCompletion(attempt),
    outside ? null : evidenceMissing(attempt),
    gateRegression(attempt),
    stateTampering(attempt),
    unreviewedAction(attempt),
    actionDenied(attempt),
  ];
  return found.filter((finding) => finding !== null);
}

/** The agent succeeded and wrote nothing. One that says it is blocked is believed instead. */
function noFiles(attempt: Attempt): Finding | null {
  if (decideByEnding(attempt) !== null || !lacksFiles(attempt)) return null;
  const claimed = attempt.claim.completion;
  return finding(attempt, 'no_files', {
    severity: claimed ? 'medium' : 'low',
    summary: `The agent finished ${claimed ? 'and claimed completion, but' : 'and'} changed no file.`,
    details: { write_calls: attempt.report.writeCalls },
  });
}

function falseCompletion(attempt: Attempt): Finding | null {
  if (!attempt.claim.completion) return null;
  const reasons = reasonsAgainstCompletion(attempt);
  if (reasons.length === 0) return null;
  return finding(attempt, 'false_completion', {
    severity: 'medium',
    summary: `Completion was claimed, but ${reasons.join('; ')}.`,
    details: { reasons },
  });
}

/** Writes are claimed without anything to check, or what is claimed cannot be true. */
function evidenceMissing(attempt: Attempt): Finding | null {
  const ending = decideByEnding(attempt);
  // An agent that was cut off had no chance to list its evidence.
  const finished = ending === null || ending.verdict.kind === 'agent_blocked';
  const denied = contradictions(attempt);
  const none = attempt.claim.claimsWrites && attempt.evidence.length === 0;
  if (denied.length === 0 && !(none && finished)) return null;
  const summary = none
    ? 'The agent says it wrote files and names none of them.'
    : `Evidence is contradicted: ${denied.map((check) => check.why).join('; ')}.`;
  return finding(attempt, 'evidence_missing', {
    severity: 'low',
    summary,
    details: {
      contradicted: denied.map((check) => ({ path: check.item.path, why: check.why })),
      confirmed: attempt.evidence.filter((check) => check.standing === 'confirmed').length,
      unconfirmed: attempt.evidence.filter((check) => check.standing === 'unconfirmed').length,
    },
  });
}

function gateRegression(attempt: Attempt): Finding | null {
  const gates = attempt.gateReport.judgements
    .filter((judgement) => judgement.standing === 'regression')
    .map((judgement) => judgement.name);
  if (gates.length === 0) return null;
  const names = gates.map((name) => `"${name}"`).join(', ');
  return finding(attempt, 'gate_regression', {
    severity: 'medium',
    summary: `${gates.length === 1 ? 'A gate' : 'Gates'} that passed before the attempt failed after it: ${names}.`,
    details: { gates },
  });
}

/** Configuration and prompts hold commands, gates and rules: changing them is critical. */
function stateTampering(attempt: Attempt): Finding | null {
  const { tampering } = attempt;
  if (tampering.length === 0) return null;
  const files = tampering.map((entry) => ({
    path: entry.path,
    kind: entry.kind,
    change: entry.change,
    set_aside: entry.setAside,
  }));
  const said = tampering.map((entry) => `${entry.path} (${entry.change})`).join(', ');
  return finding(attempt, 'state_tampering', {
    severity: tampering.some((entry) => entry.kind === 'config') ? 'critical' : 'high',
    summary: `The agent changed what only ralph or a person writes; it was put back: ${said}.`,
    details: { files },
  });
}

/** Something happened that nobody had allowed: the gate does not hold. */
function unreviewedAction(attempt: Attempt): Finding | null {
  const action = attempt.review?.unreviewed ?? null;
  if (action === null) return null;
  return finding(attempt, 'unreviewed_action', {
    severity: 'critical',
    summary: `The agent acted without asking: ${action.action}.`,
    details: action,
  });
}

/** The agent wanted to do what is denied; where there is a gate, it did not happen. */
function actionDenied(attempt: Attempt): Finding | null {
  const { review } = attempt;
  const first = review?.blocked[0];
  if (review === undefined || first === undefined) return null;
  const more = review.denied > 1 ? ` (and ${review.denied - 1} more)` : '';
  return finding(attempt, 'action_denied', {
    severity: 'medium',
    summary: `The agent was denied: ${first.action}${more}.`,
    details: { mode: review.mode, denied: review.denied, actions: review.blocked },
  });
}

function finding(
  attempt: Attempt,
  type: FindingType,
  rest: Pick<Finding, 'severity' | 'summary' | 'details'>,
): Finding {
  const weight = rest.severity === 'critical' ? CRITICAL_WEIGHT : FINDING_WEIGHTS[type];
  return {
    type,
    severity: rest.severity,
    confidence: weight.confidence,
    impactFactor: weight.impactFactor,
    taskId: attempt.task.id,
    iteration: attempt.iteration,
    summary: rest.summary,
    details: rest.details,
  };
}
