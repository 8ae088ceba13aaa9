import type { Diagnosis, RecoveryCause, RecoveryTry } from '../../domain/human/recovery.ts';
import type { Verdict } from '../../domain/verdict.ts';

/** What an attempt shows of why it failed. */
export type Failed = {
  readonly verdict: Verdict;
  /** Types of its findings. */
  readonly findings: readonly string[];
  /** Gates that count against it. */
  readonly failedGates: readonly string[];
  /** 0 to 1; how sure the finding is that the recovery is about, where the attempt shows it. */
  readonly detection: number | null;
};

/** Why an attempt failed. What was avoided comes first: the other failures may follow from it. */
export function causeOf({ verdict, findings, failedGates }: Failed): RecoveryCause {
  if (findings.includes('avoidance')) return 'avoidance';
  const kind = verdict.kind === 'rolled_back' ? verdict.instead : verdict.kind;
  switch (kind) {
    case 'timed_out':
      return 'timeout';
    case 'review_blocked':
      return verdict.kind === 'review_blocked' && verdict.why === 'limit_crossed' ? 'limits' : 'other';
    case 'agent_error':
    case 'agent_blocked':
      return 'agent';
    case 'no_files':
      return 'no_work';
    default:
      if (failedGates.length > 0) return 'gates';
      return kind === 'false_completion' ? 'false_claim' : 'other';
  }
}

const WORDS: Readonly<Record<RecoveryCause, string>> = {
  avoidance: 'checks are made weaker instead of the code better',
  gates: 'a gate fails on what the agent does',
  timeout: 'the time limit is too short, or the agent too slow',
  limits: 'an attempt needs more than its limits allow',
  agent: 'the agent fails or gives up',
  no_work: 'nothing is changed',
  false_claim: 'more is claimed than was done',
  other: 'the attempts end without the task being done',
};

/**
 * What keeps failing, after one more attempt.
 *
 * @param before the attempts of the recovery so far, oldest first.
 */
export function diagnose(failed: Failed, before: readonly RecoveryTry[]): Diagnosis {
  const cause = causeOf(failed);
  const same = before.filter(({ diagnosis }) => diagnosis.cause === cause).length + 1;
  const all = before.length + 1;
  const sure = cause === 'avoidance' ? (failed.detection ?? 1) : 1;
  const share = all === 1 ? '' : ` (${same} of ${all} attempts)`;
  return {
    cause,
    text: `Most likely ${WORDS[cause]}${share}.`,
    confidence: Math.round(sure * (same / all) * 100) / 100,
  };
}
