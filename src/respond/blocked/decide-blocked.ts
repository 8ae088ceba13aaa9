import { timesText } from 'ralph-kit/counted';
import type { AttemptSummary, BlockedRecord, BlockReason, TaskState } from '../../domain/records/state.ts';
import { isFailed, type Verdict, type VerdictKind } from '../../domain/verdict.ts';

type BlockingFacts = {
  /** State of the task before this attempt, which its series doesn't have yet. */
  readonly taskState: TaskState;
  readonly attempt: AttemptSummary;
  readonly verdict: Verdict;
  readonly maxAttempts: number;
  /** Time of the decision, ISO 8601 UTC. */
  readonly at: string;
  /** Last lines of the agent's output, bounded. */
  readonly outputTail: string;
  /**
   * Sentence that says that the interventions of the series are used up, which blocks the task; `null`: they aren't.
   */
  readonly limitReached: string | null;
  /** End of the output of the last gate that failed, bounded. */
  readonly failedGateTail: string;
};

/** Reason of a block by the verdict, as in docs/UNBLOCK_GUIDE.md. */
const REASON_OF: Readonly<Partial<Record<VerdictKind, BlockReason>>> = {
  timed_out: 'timeout',
  no_files: 'no_files',
  false_completion: 'false_completion',
  incomplete: 'incomplete',
  progress: 'incomplete',
  gates_failed: 'gate_failed',
  agent_error: 'agent_error',
  review_blocked: 'review_blocked',
  // After these two verdicts, an attempt failed only if its work was set aside.
  changes_requested: 'review_blocked',
  already_done: 'review_blocked',
};

/**
 * Returns why the task is blocked; `null`: it isn't. The agent's own BLOCKED blocks at once, otherwise `maxAttempts`
 * failed attempts in the series do. Progress without a changed file counts as failed, because a task that is never
 * reported done would use up the run. Other progress, interruptions and causes outside the work don't count.
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
  // The failing output is shown below the reason, so the reason needn't quote it.
  const isShown =
    attempt.failing !== null && (verdict.kind === 'gates_failed' || verdict.kind === 'agent_error');
  return record(facts, mostFrequent(kinds), isShown ? count : `${count} Last: ${attempt.cause}`);
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
  // A gate that couldn't run says nothing about the work, unless another gate failed, too.
  if (verdict === 'gates_failed' && missingTools.length > 0 && missingTools.length === failedGates.length) {
    return 'gate_tool_missing';
  }
  return REASON_OF[verdict] ?? 'agent_error';
}

/** Returns the most frequent kind; of equally frequent ones, the newest. */
function mostFrequent(kinds: readonly BlockReason[]): BlockReason {
  const newestFirst = kinds.length === 0 ? (['review_blocked'] as const) : kinds.toReversed();
  const count = (kind: BlockReason) => kinds.filter((other) => other === kind).length;
  return newestFirst.reduce((best, kind) => (count(kind) > count(best) ? kind : best));
}

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

/** Returns the number of each kind of failure; '' if all are of one kind, which the last one shows. */
function countsOf(kinds: readonly BlockReason[]): string {
  const different = [...new Set(kinds)];
  if (different.length === 1) return '';
  const count = (kind: BlockReason) => kinds.filter((other) => other === kind).length;
  return ` (${different.map((kind) => `${WORDS[kind] ?? 'failed'} ${count(kind)}`).join(', ')})`;
}
