import type { Finding } from '../../domain/findings/finding.ts';
import { failedTries, type Recovery, type RecoveryTry } from '../../domain/human/recovery.ts';
import { VERDICT_COUNTING, type Verdict } from '../../domain/verdict.ts';
import { adapt } from './adapt.ts';
import { diagnose, type Failed } from './diagnose.ts';

/** An attempt that is over, as far as a recovery goes by it. */
export type RecoveryFacts = Failed &
  Pick<
    RecoveryTry,
    'iteration' | 'run' | 'agent' | 'at' | 'durationMs' | 'ended' | 'failure' | 'tree' | 'flaky'
  > & {
    readonly task: { readonly id: string; readonly title: string };
    /** The recovery that went on; `null`: none. */
    readonly open: Recovery | null;
    /** The finding that its corrections did not cure; `null`: there is none. */
    readonly uncured: Finding | null;
    /** What exactly it is about. */
    readonly about: Pick<Recovery, 'patterns' | 'files' | 'originalError'>;
    /** Agents that could work at the task, in the order of the run. */
    readonly available: readonly string[];
    readonly maxAttempts: number;
    /** No attempt of the series is left. */
    readonly usedUp: boolean;
  };

/**
 * The recovery after an attempt: one that went on, with one more attempt where this one failed, or one that begins
 * (spec 5-human-gates, Recovery). Whether it is over isn't decided here. `null`: there is none.
 */
export function decideRecovery(facts: RecoveryFacts): Recovery | null {
  const { open, uncured } = facts;
  if (open !== null) return hasFailed(facts, open) ? withTry(open, facts) : open;
  return uncured === null ? null : withTry(begun(uncured, facts), facts);
}

/** Progress uses no attempt up, unless the finding is there again. */
function hasFailed({ verdict, findings }: RecoveryFacts, { issue }: Recovery): boolean {
  return isFailure(verdict) || findings.includes(issue);
}

function isFailure({ kind }: Verdict): boolean {
  return VERDICT_COUNTING[kind].failedAttempt || kind === 'agent_blocked';
}

function begun({ type, severity }: Finding, facts: RecoveryFacts): Recovery {
  const { task, about, at, run, iteration, maxAttempts } = facts;
  return {
    id: '',
    taskId: task.id,
    title: task.title,
    issue: type,
    ...about,
    severity,
    ...{ at, run, iteration, maxAttempts, tries: [], ended: null },
  };
}

function withTry(recovery: Recovery, facts: RecoveryFacts): Recovery {
  const { iteration, run, agent, at, durationMs, ended, failure, tree, flaky, verdict } = facts;
  const { maxAttempts } = recovery;
  const diagnosis = diagnose(facts, recovery.tries);
  const tried: RecoveryTry = {
    ...{ iteration, run, agent, at, durationMs, ended, failure, tree, flaky: [...flaky], diagnosis },
    verdict: verdict.kind,
    adaptation: null,
  };
  const tries = [...recovery.tries, tried];
  const attempt = failedTries({ tries }) + 1;
  if (facts.usedUp || attempt > maxAttempts) return { ...recovery, tries };
  const { available } = facts;
  const files = recovery.files;
  const adaptation = adapt({ attempt, maxAttempts, diagnosis, tries, agent, available, files });
  return { ...recovery, tries: [...recovery.tries, { ...tried, adaptation }] };
}

/** The same fix or failure in two attempts of a recovery: a third would be no other. */
export function isLoop({ tries }: Recovery): boolean {
  const [last, ...earlier] = tries.slice(1).toReversed();
  if (last === undefined) return false;
  return earlier.some(
    ({ tree, failure }) =>
      (tree !== '' && tree === last.tree) || (failure !== '' && failure === last.failure),
  );
}

/** Gates that ended differently when they were run once more on the same tree. */
export function flakyGates({ tries }: Recovery): readonly string[] {
  return tries.at(-1)?.flaky ?? [];
}

/** A recovery that is over: nothing is tried any more. */
export function ended(recovery: Recovery, how: NonNullable<Recovery['ended']>['how'], at: string): Recovery {
  const last = recovery.tries.at(-1);
  const tries = last === undefined ? [] : recovery.tries.with(-1, { ...last, adaptation: null });
  return { ...recovery, tries, ended: { how, at } };
}
