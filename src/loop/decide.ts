import { decideVerdict, detectFindings, eventsFor } from '../detect/index.ts';
import { unavailableAfter } from '../domain/back-off.ts';
import type { Claim } from '../domain/claim.ts';
import type { EventDraft } from '../domain/event.ts';
import type { GateReport } from '../domain/gate.ts';
import type { IterationDecisions, IterationFacts } from '../domain/iteration.ts';
import { advanceProfile } from '../domain/profile.ts';
import type { AttemptSummary, TaskState } from '../domain/state.ts';
import { isOutsideCause, VERDICT_COUNTING, type Verdict } from '../domain/verdict.ts';
import { readClaim, unmetAcceptance, validateEvidence } from '../evidence/index.ts';
import { aggregateGates, failingTails, heldGates } from '../gates/index.ts';
import { tail } from '../lib/text.ts';
import { checkThresholds, decideBlocked } from '../measure/index.ts';
import { feedbackFor } from '../prompt/index.ts';

/** Characters of output kept in a blocked record. */
const BLOCKED_TAIL = 2000;

/** What the agent says, from its own words alone; also needed to know which files to look at. */
export function claimOf(facts: Pick<IterationFacts, 'report' | 'agentOutput' | 'promptText'>): Claim {
  const plainText = facts.agentOutput === 'text';
  return readClaim(facts.report.finalMessage, { plainText, prompt: facts.promptText });
}

/**
 * All decisions of an iteration, from its facts alone: believe the work tree, then the gates, then the agent. Equal
 * facts give equal decisions (`DECIDER_VERSION`).
 */
export function decideIteration(facts: IterationFacts): IterationDecisions {
  const { task, taskState, report, changes, end, settings, iteration, tampering } = facts;
  const claim = claimOf(facts);
  const evidence = validateEvidence(claim, changes, facts.fileFacts, {
    earlierPaths: taskState.uncommittedPaths,
  });
  const required = [...new Set([...task.gates, ...settings.requiredGates, ...heldGates(taskState)])];
  const gateReport = aggregateGates(facts.gates, facts.baseline, { required });
  const unmet = unmetAcceptance(task, facts.fileFacts);
  const { review } = facts;
  const attempt = {
    ...{ task, iteration, end, report, changes, claim },
    ...{ evidence, gateReport, unmet, tampering, review, errorTail: facts.errorTail },
  };

  const findings = detectFindings(attempt);
  const { verdict, cause } = decideVerdict({ ...attempt, completion: settings.completion });
  const counting = VERDICT_COUNTING[verdict.kind];

  const summary = summarise(facts, gateReport, verdict, cause);
  const blocked = decideBlocked({
    taskState,
    attempt: summary,
    verdict,
    maxAttempts: settings.maxAttemptsPerTask,
    at: facts.endedAt,
    outputTail: lastLines(facts),
    failedGateTail: failingTails(facts.gates, BLOCKED_TAIL),
  });
  const feedback = settings.interventionsEnabled
    ? feedbackFor({
        iteration,
        taskId: task.id,
        at: facts.endedAt,
        findings,
        verdict,
        cause,
        gateReport,
        gates: facts.gates,
        evidence,
        unmet,
        tampering,
        review,
        changedPaths: changes.changes.map(({ path }) => path),
        timeoutSeconds: facts.timeoutSeconds,
        outputLimit: settings.gateOutputLimit,
      })
    : [];

  const thresholds = checkThresholds(
    advanceProfile(facts.profile, {
      iteration,
      noFiles: findings.some(({ type }) => type === 'no_files'),
      falseCompletion: findings.some(({ type }) => type === 'false_completion'),
      filesChanged: changes.changes.length,
      evidenceCount: claim.evidence.length,
      done: verdict.kind === 'done',
      level: levelOf(facts),
      durationMs: facts.durationMs,
      reinforcedAt: null,
      thresholdExceeded: false,
      suspend: null,
    }),
    settings,
  );
  const exceeded = counting.infrastructure ? [] : thresholds.exceeded.filter(({ current }) => current);
  const reinforced = exceeded.length > 0;
  const suspendAgent = reinforced ? thresholds.suspend : null;

  const unavailable = unavailableAfter(facts.profile.unavailable ?? null, verdict, facts.endedAt);

  const events: EventDraft[] = [
    ...eventsFor({
      attempt,
      unavailable,
      agent: facts.agent,
      findings,
      verdict,
      cause,
      remediationAttempted: feedback.length > 0,
    }),
    ...(feedback.length > 0 || reinforced
      ? [
          event('agent_reinforced', 'info', task.id, {
            agent: facts.agent,
            feedback: feedback.map(({ kind }) => kind),
          }),
        ]
      : []),
    ...(reinforced
      ? [
          event('threshold_exceeded', 'critical', task.id, {
            agent: facts.agent,
            exceeded: exceeded.map(({ which, count, threshold, window }) => ({
              which,
              count,
              threshold,
              window,
            })),
            suspended: suspendAgent !== null,
          }),
        ]
      : []),
    ...(facts.guidance === undefined
      ? []
      : [
          event('mid_stream_prompt_injected', 'info', task.id, {
            agent: facts.agent,
            messages: facts.guidance,
          }),
        ]),
    ...(blocked === null
      ? []
      : [event('task_blocked', 'warning', task.id, { reason: blocked.reason, detail: blocked.detail })]),
  ];

  return {
    claim,
    evidence,
    gateReport,
    findings,
    verdict,
    cause,
    taskStatus: verdict.kind === 'done' ? 'done' : blocked === null ? 'open' : 'blocked',
    blocked,
    failedAttempt: counting.failedAttempt,
    events,
    feedback: [...feedback],
    reinforced,
    suspendAgent,
    unavailable,
  };
}

/** Complexity level by which the profile files an attempt; older records do not say what the task was taken for. */
export function levelOf(facts: Pick<IterationFacts, 'task' | 'level'>): string {
  return facts.level ?? facts.task.complexity ?? 'medium';
}

/** An agent that ends without a word says why on standard error, if anywhere. */
function lastLines({ report, errorTail }: IterationFacts): string {
  return tail(report.finalMessage.trim() === '' ? (errorTail ?? '') : report.finalMessage, BLOCKED_TAIL);
}

/** The attempt as the journal keeps it. Only gates held against the attempt are named. */
export function summarise(
  facts: IterationFacts,
  gateReport: GateReport,
  verdict: Verdict,
  cause: string,
): AttemptSummary {
  const held = gateReport.judgements.filter(({ counts }) => counts);
  const missingTools = held.flatMap(({ name, outcome }) =>
    outcome.kind === 'tool_missing' ? [{ gate: name, tool: outcome.tool }] : [],
  );
  return {
    run: facts.run,
    iteration: facts.iteration,
    agent: facts.agent,
    mode: facts.mode,
    startedAt: facts.startedAt,
    durationMs: facts.durationMs,
    timeoutSeconds: facts.timeoutSeconds,
    verdict: verdict.kind,
    cause,
    filesChanged: facts.changes.changes.length,
    failedGates: held.map(({ name }) => name),
    ...(missingTools.length === 0 ? {} : { missingTools }),
    tree: facts.changes.after.tree,
    ...sessionOf(facts),
  };
}

/** Older records do not tell the usage apart. */
function sessionOf({ report, toldUsage }: IterationFacts): Pick<AttemptSummary, 'session'> {
  if (report.sessionId === null || toldUsage === undefined) return {};
  return { session: { id: report.sessionId, usage: toldUsage } };
}

function event(
  event_type: EventDraft['event_type'],
  severity: EventDraft['severity'],
  taskId: string,
  details: Record<string, unknown>,
): EventDraft {
  return { event_type, severity, details: { task_id: taskId, ...details }, remediation_attempted: true };
}

/** 1-based number of the coming attempt in the task's series; waits and interruptions do not count. */
export function attemptNumber(taskState: TaskState): number {
  return taskState.attempts.filter(({ verdict }) => !isOutsideCause(verdict)).length + 1;
}
