import { pathsOf } from '../domain/change-set.ts';
import { flakyIn, gatesIn } from '../domain/command-runs.ts';
import type { FeedbackEntry } from '../domain/feedback.ts';
import { type FoundAvoidance, judgedAvoidance } from '../domain/findings/avoidance.ts';
import type { Finding } from '../domain/findings/finding.ts';
import type { GateFacts } from '../domain/human/gate.ts';
import { adaptationOf, failedTries, type Recovery, recoveryPath } from '../domain/human/recovery.ts';
import { NO_PROOF } from '../domain/proof-run.ts';
import type { FactsOf, IterationDecisions } from '../domain/records/iteration.ts';
import type { AttemptSummary } from '../domain/records/state.ts';
import { isOutsideCause, type Verdict } from '../domain/verdict.ts';
import { foldError } from '../lib/fold-error.ts';
import { failingBefore } from '../proof/results/index.ts';
import { decideRecovery, ended, flakyGates, isLoop } from '../respond/recover/index.ts';
import { humanGateAfter } from './human-gate.ts';

type Facts = FactsOf<'attempt' | 'agent' | 'changes' | 'runs' | 'proof'>;

type Judged = {
  readonly attempt: AttemptSummary;
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  /** A finding that its corrections did not cure; `null`: there is none. */
  readonly uncured: Finding | null;
  /** No attempt of the series is left. */
  readonly usedUp: boolean;
  readonly testResults: IterationDecisions['testResults'];
};

/** The recovery of the task after an attempt, where there is one (`recover/decide-recovery.ts`). */
export function recoveryAfter(facts: Facts, judged: Judged): Recovery | null {
  const { task, taskState, settings, endedAt: at, choice, agent, avoidance } = facts;
  const { attempt, verdict, findings, uncured, usedUp } = judged;
  const open = taskState.recovering;
  const limit = settings.humanGates['GATE-AP-RECOVERY'];
  if (isOutsideCause(verdict.kind) || (open === null && uncured === null)) return open;
  if (verdict.kind === 'done') return open === null ? null : ended(open, 'recovered', at);
  const { acting } = judgedAvoidance(avoidance);
  return decideRecovery({
    ...{ task, open, uncured, usedUp, at, verdict, agent },
    iteration: facts.iteration,
    run: facts.run,
    durationMs: facts.durationMs,
    ended: attempt.cause,
    findings: findings.map(({ type }) => type),
    failedGates: attempt.failedGates,
    detection: acting.length === 0 ? null : Math.max(...acting.map(({ confidence }) => confidence)),
    failure: failureOf(facts, judged, acting),
    tree: attempt.filesChanged === 0 ? '' : attempt.tree,
    flaky: flakyIn(facts),
    about: aboutOf(facts, acting),
    available: choice.availability.agents
      .filter(({ suspended, unavailable }) => suspended === null && unavailable === null)
      .map(({ name }) => name),
    maxAttempts: limit.recovery_attempts,
  });
}

/** What a recovery is about, once it begins. */
function aboutOf(
  { changes, baseline }: Facts,
  acting: readonly FoundAvoidance[],
): Pick<Recovery, 'patterns' | 'files' | 'originalError'> {
  const avoidedIn = acting.map(({ path }) => path).filter((path) => path !== '');
  return {
    patterns: [...new Set(acting.map(({ category }) => category))],
    files: [...new Set(avoidedIn.length === 0 ? pathsOf(changes) : avoidedIn)],
    originalError: failingBefore(baseline)[0] ?? null,
  };
}

/** How it failed, without what differs from one time to the next: two attempts that failed alike have the same. */
function failureOf(
  facts: Facts,
  { attempt, testResults }: Judged,
  acting: readonly FoundAvoidance[],
): string {
  if (acting.length > 0)
    return acting
      .map(({ category, path, after }) => `${category} ${path} ${foldError(after ?? '')}`)
      .toSorted()
      .join('\n');
  const failed = attempt.failedGates.flatMap((gate) => {
    const { now } = testResults.find((one) => one.gate === gate) ?? {};
    const output = gatesIn(facts).find(({ name }) => name === gate)?.outputTail ?? '';
    const names = now === undefined || now.failing.length === 0 ? [foldError(output)] : now.failing;
    return names.map((name) => `${gate}: ${name}`);
  });
  return failed.toSorted().join('\n');
}

/** What the human gates go by of a recovery in which this attempt failed. */
export function recoveryFacts(recovery: Recovery | null, iteration: number): Partial<GateFacts> {
  const last = recovery?.tries.at(-1);
  if (recovery === null || recovery.ended !== null || last?.iteration !== iteration) return {};
  const { patterns, issue, severity, files, originalError } = recovery;
  return {
    patterns: patterns.length === 0 ? [issue] : patterns,
    ...{ severity, files, originalError },
    recoveryAttempts: failedTries(recovery),
    diagnosisConfidence: last.diagnosis.confidence,
    infiniteLoop: isLoop(recovery),
    nonDeterministic: flakyGates(recovery).length > 0,
    recoveryRecord: recovery.id === '' ? null : recoveryPath(recovery),
  };
}

/** The recovery as the attempt leaves it: over where you decide by now, or the task is blocked. */
export function settledRecovery(
  recovery: Recovery | null,
  { humanGate, blocked }: Pick<IterationDecisions, 'humanGate' | 'blocked'>,
  at: string,
): Recovery | null {
  if (recovery === null || recovery.ended !== null) return recovery;
  if (humanGate !== null) return ended(recovery, 'escalated', at);
  return blocked === null ? recovery : ended(recovery, 'blocked', at);
}

/** What the coming attempt is told of it. */
export function recoveryFeedback(
  { iteration, task, endedAt: at }: Facts,
  recovery: Recovery | null,
): FeedbackEntry[] {
  const adaptation = adaptationOf(recovery);
  if (adaptation === null) return [];
  return [{ at, taskId: task.id, iteration, kind: 'recovery', source: 'loop', text: adaptation.prompt }];
}

type Tried = {
  readonly attempted: AttemptSummary;
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  /** A finding that its corrections did not cure; `null`: there is none. */
  readonly uncured: Finding | null;
  readonly testResults: IterationDecisions['testResults'];
  /** The task waits at its incident. */
  readonly isHeld: boolean;
  /** The human gate that the work waits at. */
  readonly stop: ReturnType<typeof humanGateAfter>;
  /** What blocks the task where you aren't asked; `null`: it isn't blocked. */
  readonly limit: IterationDecisions['blocked'];
};

/** What is done about a finding that was not cured, the human gate that opens, and the block that remains. */
export function escalated(
  facts: Facts,
  { attempted, verdict, findings, uncured, testResults, isHeld, limit, stop }: Tried,
): Pick<IterationDecisions, 'humanGate' | 'autoApproved' | 'blocked' | 'recovering'> {
  const { iteration, endedAt } = facts;
  // The agent's own reason says more than that attempts are used up.
  const usedUp = limit !== null && verdict.kind !== 'agent_blocked';
  const tried = { attempt: attempted, verdict, findings, uncured, usedUp, testResults };
  const recovery = recoveryAfter(facts, tried);
  const { humanGate, autoApproved } = isHeld
    ? { humanGate: null, autoApproved: [] }
    : isOutsideCause(verdict.kind)
      ? stop
      : humanGateAfter(
          facts,
          { attempted, testResults, recovery: recoveryFacts(recovery, iteration), proof: NO_PROOF },
          ['GATE-AP-RECOVERY'],
        );
  const blocked = isHeld || humanGate !== null ? null : limit;
  const recovering = settledRecovery(recovery, { humanGate, blocked }, endedAt);
  return { humanGate, autoApproved, blocked, recovering };
}
