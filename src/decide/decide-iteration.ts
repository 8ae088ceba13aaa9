import { unavailableAfter } from '../domain/back-off.ts';
import type { Claim } from '../domain/claim.ts';
import type { EventDraft } from '../domain/event.ts';
import type { IterationDecisions, IterationFacts } from '../domain/iteration.ts';
import { advanceProfile } from '../domain/profile.ts';
import type { AttemptSummary, TaskState } from '../domain/state.ts';
import { isOutsideCause, VERDICT_COUNTING } from '../domain/verdict.ts';
import { readClaim, unmetAcceptance, validateEvidence } from '../evidence/index.ts';
import { decideVerdict, detectFindings, eventsFor } from '../findings/index.ts';
import { aggregateGates, failingTails, heldGates } from '../gates/index.ts';
import { eventsOf, feedbackOf, verdictAfter } from '../intervene/index.ts';
import { tail } from '../lib/text.ts';
import { checkThresholds, decideBlocked } from '../measure/index.ts';
import { feedbackFor } from '../prompt/index.ts';
import { attemptSeconds } from './attempt/limits-for.ts';
import { intervene, statusOf } from './intervene.ts';

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
  const { task, taskState, changes, settings, iteration, tampering, review } = facts;
  const { attempt, findings, ...judged } = judge(facts);
  const { claim, evidence, gateReport, unmet } = attempt;
  const blockedBy = ({ verdict, cause }: typeof judged, limitReached: string | null) =>
    decideBlocked({
      taskState,
      attempt: summarise(facts, { gateReport, findings, verdict, cause }),
      verdict,
      maxAttempts: settings.maxAttemptsPerTask,
      at: facts.endedAt,
      limitReached,
      outputTail: lastLines(facts),
      failedGateTail: failingTails(facts.gates, BLOCKED_TAIL),
    });
  const controlled = intervene(facts, findings, judged.verdict, blockedBy(judged, null) !== null);
  const interventions = controlled?.interventions ?? [];
  const { verdict, cause } = verdictAfter(judged, interventions, findings);
  const counting = VERDICT_COUNTING[verdict.kind];
  const blocked = blockedBy({ verdict, cause }, controlled?.limitReached ?? null);
  const parkedBecause = blocked === null ? (controlled?.parkedBecause ?? null) : null;
  const feedback = settings.interventionsEnabled
    ? [
        ...feedbackFor({
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
          timeoutSeconds: attemptSeconds(facts.timeoutSeconds, facts.limits),
          outputLimit: settings.gateOutputLimit,
        }),
        ...feedbackOf(facts, interventions),
      ]
    : [];

  const thresholds = checkThresholds(
    advanceProfile(facts.profile, {
      iteration,
      noFiles: findings.some(({ type }) => type === 'no_files'),
      falseCompletion: findings.some(({ type }) => type === 'false_completion'),
      filesChanged: changes.changes.length,
      evidenceCount: claim.evidence.length,
      done: verdict.kind === 'done',
      level: facts.level,
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

  const unavailable = unavailableAfter(facts.profile.unavailable, verdict, facts.endedAt);

  const injected = [...facts.guidance, ...facts.observed.corrections.map(({ text }) => text)];
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
    ...(injected.length === 0
      ? []
      : [
          event('mid_stream_prompt_injected', 'info', task.id, {
            agent: facts.agent,
            messages: injected,
          }),
        ]),
    ...eventsOf(facts, { interventions, limitReached: controlled?.limitReached ?? null }),
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
    taskStatus: statusOf(verdict, blocked, parkedBecause),
    blocked,
    failedAttempt: counting.failedAttempt,
    events,
    feedback: [...feedback],
    reinforced,
    suspendAgent,
    interventions: [...(controlled?.interventions ?? [])],
    assessed: [...(controlled?.assessed ?? [])],
    // Where nothing was to be decided, what was in force stays.
    reinforce: [...(controlled === null ? taskState.reinforce : controlled.reinforce)],
    throttle: controlled === null ? taskState.throttle : controlled.throttle,
    parkedBecause,
    unavailable,
  };
}

/** What is wrong with an attempt, and what it came to as far as the work tree, the gates and the claim tell. */
export function judge(facts: IterationFacts) {
  const attempt = attemptOf(facts);
  const findings = detectFindings(attempt);
  return { attempt, findings, ...decideVerdict({ ...attempt, completion: facts.settings.completion }) };
}

function attemptOf(facts: IterationFacts) {
  const { task, taskState, report, changes, end, settings, iteration, tampering, review } = facts;
  const claim = claimOf(facts);
  const evidence = validateEvidence(claim, changes, facts.fileFacts, taskState.uncommittedPaths);
  const required = [...new Set([...task.gates, ...settings.requiredGates, ...heldGates(taskState)])];
  const gateReport = aggregateGates(facts.gates, facts.baseline, { required });
  const unmet = unmetAcceptance(task, facts.fileFacts);
  return {
    ...{ task, iteration, end, report, changes, claim },
    ...{ evidence, gateReport, unmet, tampering, review, errorTail: facts.errorTail },
    fileFacts: facts.fileFacts,
    history: taskState.attempts,
    earlierPaths: taskState.uncommittedPaths,
    metricsWindowSeconds: settings.control.metricsWindowSeconds,
    observed: facts.observed,
    resources: facts.resources,
    credentials: facts.credentials,
    extraFindings: facts.ownFindings,
  };
}

/** An agent that ends without a word says why on standard error, if anywhere. */
function lastLines({ report, errorTail }: IterationFacts): string {
  return tail(report.finalMessage.trim() === '' ? errorTail : report.finalMessage, BLOCKED_TAIL);
}

type Judged = Pick<IterationDecisions, 'gateReport' | 'findings' | 'verdict' | 'cause'>;

/** The attempt as the journal keeps it. Only gates held against the attempt are named. */
export function summarise(
  facts: IterationFacts,
  { gateReport, findings, verdict, cause }: Judged,
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
    missingTools,
    tree: facts.changes.after.tree,
    before: facts.changes.before.tree,
    findings: findings.map(({ type }) => type),
    resources: facts.resources,
    session: facts.report.sessionId === null ? null : { id: facts.report.sessionId, usage: facts.toldUsage },
  };
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
