import { foldError } from 'ralph-kit/fold-error';
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
import { failingBefore } from '../proof/results/index.ts';
import { decideRecovery, ended, flakyGates, isLoop } from '../respond/recover/index.ts';
import { humanGateAfter } from './human-gate.ts';

type Facts = FactsOf<'attempt' | 'agent' | 'changes' | 'runs' | 'proof'>;

type Tried = {
  readonly attempted: AttemptSummary;
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  /** A finding that corrections didn't cure; `null`: none. */
  readonly uncured: Finding | null;
  readonly testResults: IterationDecisions['testResults'];
  /** Whether the task waits for you to resolve its incident. */
  readonly isHeld: boolean;
  readonly stop: ReturnType<typeof humanGateAfter>;
  /** Block that counts if you aren't asked; `null`: none. */
  readonly limit: IterationDecisions['blocked'];
};

/**
 * Returns the recovery from a finding that corrections didn't cure, with the human gate that it opens and the block
 * that remains.
 */
export function escalated(
  facts: Facts,
  tried: Tried,
): Pick<IterationDecisions, 'humanGate' | 'autoApproved' | 'blocked' | 'recovering'> {
  const { attempted, verdict, testResults, isHeld, limit, stop } = tried;
  const recovery = recoveryAfter(facts, tried);
  const known = {
    attempted,
    testResults,
    recovery: recoveryFacts(recovery, facts.iteration),
    proof: NO_PROOF,
  };
  const { humanGate, autoApproved } = isHeld
    ? { humanGate: null, autoApproved: [] }
    : isOutsideCause(verdict.kind)
      ? stop
      : humanGateAfter(facts, known, ['GATE-AP-RECOVERY']);
  const blocked = isHeld || humanGate !== null ? null : limit;
  const how = humanGate !== null ? 'escalated' : blocked !== null ? 'blocked' : null;
  const isOver = recovery === null || recovery.ended !== null || how === null;
  const recovering = isOver ? recovery : ended(recovery, how, facts.endedAt);
  return { humanGate, autoApproved, blocked, recovering };
}

/** Returns the task's recovery after an attempt (`recover/decide-recovery.ts`); `null`: none is running. */
function recoveryAfter(facts: Facts, tried: Tried): Recovery | null {
  const {
    task,
    taskState,
    settings,
    endedAt: at,
    choice,
    agent,
    avoidance,
    run,
    iteration,
    durationMs,
  } = facts;
  const { attempted, verdict, findings, uncured, limit } = tried;
  const open = taskState.recovering;
  if (isOutsideCause(verdict.kind) || (open === null && uncured === null)) return open;
  if (verdict.kind === 'done') return open === null ? null : ended(open, 'recovered', at);
  const { acting } = judgedAvoidance(avoidance);
  return decideRecovery({
    task,
    open,
    uncured,
    at,
    verdict,
    agent,
    iteration,
    run,
    durationMs,
    // If the agent itself gives a reason, that is more useful than "no attempt left".
    usedUp: limit !== null && verdict.kind !== 'agent_blocked',
    restarts: attempted.restarts === true,
    ended: attempted.cause,
    findings: findings.map(({ type }) => type),
    failedGates: attempted.failedGates,
    detection: acting.length === 0 ? null : Math.max(...acting.map(({ confidence }) => confidence)),
    failure: failureOf(facts, tried, acting),
    tree: attempted.filesChanged === 0 ? '' : attempted.tree,
    flaky: flakyIn(facts),
    about: aboutOf(facts, acting),
    available: choice.availability.agents
      .filter(({ suspended, unavailable }) => suspended === null && unavailable === null)
      .map(({ name }) => name),
    maxAttempts: settings.humanGates['GATE-AP-RECOVERY'].recovery_attempts,
  });
}

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

/** Returns a text of the failure that is equal for two attempts that failed alike. */
function failureOf(
  facts: Facts,
  { attempted, testResults }: Tried,
  acting: readonly FoundAvoidance[],
): string {
  if (acting.length > 0)
    return acting
      .map(({ category, path, after }) => `${category} ${path} ${foldError(after ?? '')}`)
      .toSorted()
      .join('\n');
  const failed = attempted.failedGates.flatMap((gate) => {
    const { now } = testResults.find((one) => one.gate === gate) ?? {};
    const output = gatesIn(facts).find(({ name }) => name === gate)?.outputTail ?? '';
    const names = now === undefined || now.failing.length === 0 ? [foldError(output)] : now.failing;
    return names.map((name) => `${gate}: ${name}`);
  });
  return failed.toSorted().join('\n');
}

function recoveryFacts(recovery: Recovery | null, iteration: number): Partial<GateFacts> {
  const last = recovery?.tries.at(-1);
  if (recovery === null || recovery.ended !== null || last?.iteration !== iteration) return {};
  const { patterns, issue, severity, files, originalError } = recovery;
  return {
    patterns: patterns.length === 0 ? [issue] : patterns,
    severity,
    files,
    originalError,
    recoveryAttempts: failedTries(recovery),
    diagnosisConfidence: last.diagnosis.confidence,
    infiniteLoop: isLoop(recovery),
    nonDeterministic: flakyGates(recovery).length > 0,
    recoveryRecord: recovery.id === '' ? null : recoveryPath(recovery),
  };
}

export function recoveryFeedback(
  { iteration, task, endedAt: at }: Facts,
  recovery: Recovery | null,
): FeedbackEntry[] {
  const adaptation = adaptationOf(recovery);
  if (adaptation === null) return [];
  return [{ at, taskId: task.id, iteration, kind: 'recovery', source: 'loop', text: adaptation.prompt }];
}
