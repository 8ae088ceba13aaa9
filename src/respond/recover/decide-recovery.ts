import { bullets } from 'ralph-kit/markdown';
import { quotedNames, shortened } from 'ralph-kit/text';
import type { Finding } from '../../domain/findings/finding.ts';
import {
  type Adaptation,
  type Diagnosis,
  failedTries,
  type Recovery,
  type RecoveryCause,
  type RecoveryTry,
} from '../../domain/human/recovery.ts';
import { VERDICT_COUNTING, type Verdict } from '../../domain/verdict.ts';
import { RECOVERY } from '../table.ts';

type Failed = {
  readonly verdict: Verdict;
  readonly findings: readonly string[];
  readonly failedGates: readonly string[];
  /** Confidence, 0 to 1, in the finding that the recovery is about; `null`: the attempt doesn't have the finding. */
  readonly detection: number | null;
};

export type RecoveryFacts = Failed &
  Pick<
    RecoveryTry,
    'iteration' | 'run' | 'agent' | 'at' | 'durationMs' | 'ended' | 'failure' | 'tree' | 'flaky'
  > & {
    readonly task: { readonly id: string; readonly title: string };
    /** Recovery that is running; `null`: none. */
    readonly open: Recovery | null;
    /** Finding that corrections didn't cure; `null`: none. */
    readonly uncured: Finding | null;
    readonly about: Pick<Recovery, 'patterns' | 'files' | 'originalError'>;
    /** Agents that could work on the task, in the order of the run. */
    readonly available: readonly string[];
    readonly maxAttempts: number;
    /** Whether the work is set aside, so that the attempt failed whatever its verdict. */
    readonly restarts: boolean;
    /** Whether no attempt of the series is left. */
    readonly usedUp: boolean;
  };

/**
 * Returns the recovery after an attempt; `null`: none is running. How a recovery ends is decided elsewhere
 * (docs/HUMAN_GATES.md, Recovery).
 */
export function decideRecovery(facts: RecoveryFacts): Recovery | null {
  const { open, uncured, verdict, findings, restarts } = facts;
  if (open !== null) {
    const isFailure =
      VERDICT_COUNTING[verdict.kind].failedAttempt || verdict.kind === 'agent_blocked' || restarts;
    // Progress doesn't count as an attempt to recover, unless the finding is back.
    return isFailure || findings.includes(open.issue) ? withTry(open, facts) : open;
  }
  if (uncured === null) return null;
  const { task, about, at, run, iteration, maxAttempts } = facts;
  const begun = {
    id: '',
    taskId: task.id,
    title: task.title,
    issue: uncured.type,
    ...about,
    severity: uncured.severity,
    at,
    run,
    iteration,
    maxAttempts,
    tries: [],
    ended: null,
  };
  return withTry(begun, facts);
}

function withTry(recovery: Recovery, facts: RecoveryFacts): Recovery {
  const { iteration, run, agent, at, durationMs, ended, failure, tree, flaky, verdict } = facts;
  const diagnosis = diagnose(facts, recovery.tries);
  const tried: RecoveryTry = {
    iteration,
    run,
    agent,
    at,
    durationMs,
    ended,
    failure,
    tree,
    flaky: [...flaky],
    diagnosis,
    verdict: verdict.kind,
    adaptation: null,
  };
  const tries = [...recovery.tries, tried];
  if (facts.usedUp || failedTries({ tries }) >= recovery.maxAttempts) return { ...recovery, tries };
  const adaptation = adapt({ ...recovery, tries }, tried, facts.available);
  return { ...recovery, tries: [...recovery.tries, { ...tried, adaptation }] };
}

/** Returns the cause of a failure. Avoidance comes first, because other failures may follow from it. */
function causeOf({ verdict, findings, failedGates }: Failed): RecoveryCause {
  if (findings.includes('avoidance')) return 'avoidance';
  switch (verdict.kind) {
    case 'timed_out':
      return 'timeout';
    case 'review_blocked':
      return verdict.why === 'limit_crossed' ? 'limits' : 'other';
    case 'agent_error':
    case 'agent_blocked':
      return 'agent';
    case 'no_files':
      return 'no_work';
    default:
      if (failedGates.length > 0) return 'gates';
      return verdict.kind === 'false_completion' ? 'false_claim' : 'other';
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

function diagnose(failed: Failed, before: readonly RecoveryTry[]): Diagnosis {
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

/** Maximum number of characters of a quoted failure in a prompt. */
const QUOTED = 300;

const APPROACH: Readonly<Record<RecoveryCause, string>> = {
  avoidance:
    'Take back what makes a check weaker: restore each test, assertion and setting as it was, then change the code until they pass. Where a check itself is wrong, leave it as it is and say so in your report.',
  gates:
    'Don’t repeat the last change. First find the cause: run the failing gate, read its first error, explain it in one sentence, then change the one place that it comes from.',
  timeout:
    'Do the smallest part that is worth having first, and finish it. Run only the tests of what you change.',
  limits: 'Read and run less: open only the files that you change, and run only the tests of those.',
  agent: 'Start afresh: read the task and the files that it names before anything else.',
  no_work: 'Write files. A plan or an explanation is not enough: the task needs a change in the work tree.',
  false_claim:
    'Report only what you did and saw: name the files that you changed and the command that shows that they work.',
  other: 'Take another way than before, in small steps, and check each with the gates.',
};

/**
 * Returns the changes for the next attempt: first another prompt, then another agent and more time, then a narrower
 * scope.
 */
function adapt(
  { tries, maxAttempts, files }: Recovery,
  { agent, diagnosis }: RecoveryTry,
  available: readonly string[],
): Adaptation {
  const attempt = failedTries({ tries }) + 1;
  const timeouts = tries.filter((one) => one.diagnosis.cause === 'timeout').length;
  const scope = attempt >= RECOVERY.narrowedFrom && files.length <= RECOVERY.narrowTo ? [...files] : [];
  const tried = tries.map(
    (one) => `Iteration ${one.iteration} (${one.agent}): ${shortened(one.ended, QUOTED)}`,
  );
  const narrowed =
    scope.length === 0 ? '' : `\n\nChange only ${quotedNames(scope)} and what their tests need.`;
  // The agent with the fewest attempts in this recovery comes first, then the order of the run counts.
  const times = (name: string) => tries.filter((one) => one.agent === name).length;
  const [another = null] = available
    .filter((name) => name !== agent)
    .toSorted((one, other) => times(one) - times(other));
  return {
    attempt,
    prompt: `**RECOVERY** (attempt ${attempt} of ${maxAttempts}): What was tried did not work:\n\n${bullets(tried)}\n\n${diagnosis.text} ${APPROACH[diagnosis.cause]}${narrowed}`,
    agent: attempt >= RECOVERY.anotherAgentFrom ? another : null,
    timeoutFactor: RECOVERY.moreTime ** timeouts,
    liftLimits: diagnosis.cause === 'limits',
    scope,
  };
}

/** Returns whether two attempts made the same fix or had the same failure, so that a third would do so again. */
export function isLoop({ tries }: Recovery): boolean {
  const [last, ...earlier] = tries.slice(1).toReversed();
  if (last === undefined) return false;
  return earlier.some(
    ({ tree, failure }) =>
      (tree !== '' && tree === last.tree) || (failure !== '' && failure === last.failure),
  );
}

export function flakyGates({ tries }: Recovery): readonly string[] {
  return tries.at(-1)?.flaky ?? [];
}

export function ended(recovery: Recovery, how: NonNullable<Recovery['ended']>['how'], at: string): Recovery {
  const last = recovery.tries.at(-1);
  const tries = last === undefined ? [] : recovery.tries.with(-1, { ...last, adaptation: null });
  return { ...recovery, tries, ended: { how, at } };
}
