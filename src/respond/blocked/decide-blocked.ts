import type { AttemptSummary, BlockedRecord, BlockReason, TaskState } from '../../domain/records/state.ts';
import { VERDICT_COUNTING, type Verdict, type VerdictKind } from '../../domain/verdict.ts';
import { timesText } from '../../lib/counted.ts';

type BlockingFacts = {
  /** Before this attempt: its series does not hold the attempt yet. */
  readonly taskState: TaskState;
  readonly attempt: AttemptSummary;
  readonly verdict: Verdict;
  readonly maxAttempts: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** The last lines of the agent's output, bounded. */
  readonly outputTail: string;
  /** The interventions of the series are used up: a sentence that says so, and the task is blocked; else `null`. */
  readonly limitReached: string | null;
  /** The end of the last failing gate's output, bounded. */
  readonly failedGateTail: string;
};

/** What each failed verdict is called as a reason for blocking (spec 2, Blocked tasks). */
const REASON_OF: Readonly<Partial<Record<VerdictKind, BlockReason>>> = {
  timed_out: 'timeout',
  no_files: 'no_files',
  false_completion: 'false_completion',
  incomplete: 'incomplete',
  progress: 'incomplete',
  gates_failed: 'gate_failed',
  agent_error: 'agent_error',
  review_blocked: 'review_blocked',
  // These fail only where the work was set aside.
  changes_requested: 'review_blocked',
  already_done: 'review_blocked',
};

/**
 * The record with which a task is blocked after this attempt; `null` when it is not. The agent's own BLOCKED blocks
 * at once; otherwise `maxAttempts` failed attempts of the series do (decisions.md, What counts: progress,
 * interruptions and infrastructure aren't failed attempts). Progress that changed nothing is one, too: a task whose agent
 * never says that it is done would end the run before all others.
 */
export function decideBlocked(facts: BlockingFacts): BlockedRecord | null {
  const { attempt, verdict, maxAttempts } = facts;
  if (verdict.kind === 'agent_blocked') {
    return record(facts, 'agent_reported_blocked', verdict.reason);
  }
  const series = seriesOf(facts);
  const failed = series.filter(isFailed);
  if (failed.at(-1) !== series.at(-1) && facts.limitReached === null) return null;
  const kinds = failed.map(reasonOf);
  if (facts.limitReached !== null) return record(facts, mostFrequent(kinds), facts.limitReached);
  if (failed.length < maxAttempts) return null;
  const count = `Failed ${timesText(failed.length)}${countsOf(kinds)}.`;
  // What failed is shown below it, in its own words.
  const isShown =
    attempt.failing !== null && (verdict.kind === 'gates_failed' || verdict.kind === 'agent_error');
  return record(facts, mostFrequent(kinds), isShown ? count : `${count} Last: ${attempt.cause}`);
}

/** Whether an attempt counts toward blocking. */
export function isFailed({ verdict, filesChanged, restarts }: AttemptSummary): boolean {
  const isIdle = verdict === 'progress' && filesChanged === 0;
  return VERDICT_COUNTING[verdict].failedAttempt || isIdle || restarts === true;
}

function seriesOf({ taskState, attempt, verdict }: BlockingFacts): readonly AttemptSummary[] {
  return [...taskState.attempts, { ...attempt, verdict: verdict.kind }];
}

function record(facts: BlockingFacts, reason: BlockReason, detail: string): BlockedRecord {
  return {
    reason,
    detail,
    at: facts.at,
    run: facts.attempt.run,
    iteration: facts.attempt.iteration,
    attempts: [...seriesOf(facts)],
    outputTail: facts.outputTail,
    failedGateTail: facts.failedGateTail,
  };
}

function reasonOf({ verdict, failedGates, missingTools }: AttemptSummary): BlockReason {
  // A check that could not be run says nothing about the work, unless another one failed beside it.
  if (verdict === 'gates_failed' && missingTools.length > 0 && missingTools.length === failedGates.length) {
    return 'gate_tool_missing';
  }
  return REASON_OF[verdict] ?? 'agent_error';
}

/** Among equals the one that happened last. */
function mostFrequent(kinds: readonly BlockReason[]): BlockReason {
  const newestFirst = kinds.length === 0 ? (['review_blocked'] as const) : kinds.toReversed();
  const count = (kind: BlockReason) => kinds.filter((other) => other === kind).length;
  return newestFirst.reduce((best, kind) => (count(kind) > count(best) ? kind : best));
}

/** What an attempt that failed is called among others. */
const WORDS: Readonly<Partial<Record<BlockReason, string>>> = {
  timeout: 'out of time',
  no_files: 'nothing changed',
  false_completion: 'not done as claimed',
  incomplete: 'unfinished',
  gate_failed: 'gates failed',
  gate_tool_missing: 'tool missing',
  agent_error: 'agent failed',
  review_blocked: 'not accepted',
};

/** How often each kind of failure occurred; '' where all are of one kind, which the last of them shows. */
function countsOf(kinds: readonly BlockReason[]): string {
  const different = [...new Set(kinds)];
  if (different.length === 1) return '';
  const count = (kind: BlockReason) => kinds.filter((other) => other === kind).length;
  return ` (${different.map((kind) => `${WORDS[kind] ?? 'failed'} ${count(kind)}`).join(', ')})`;
}
