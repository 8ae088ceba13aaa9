import type { Claim } from '../domain/claim.ts';
import { clashesIn, gatesIn, passedElsewhereIn, redOnLineIn, redWithoutIn } from '../domain/command-runs.ts';
import type { FeedbackEntry } from '../domain/feedback.ts';
import { judgedAvoidance } from '../domain/findings/avoidance.ts';
import type { Finding } from '../domain/findings/finding.ts';
import type { GateJudgement } from '../domain/gate.ts';
import type { GateDraft } from '../domain/human/gate.ts';
import { adaptationOf } from '../domain/human/recovery.ts';
import type { Intervention } from '../domain/intervention.ts';
import type { IterationDecisions, IterationFacts } from '../domain/records/iteration.ts';
import { advanceProfile } from '../domain/records/profile.ts';
import type { AttemptSummary, Failing } from '../domain/records/state.ts';
import { VERDICT_COUNTING, type Verdict } from '../domain/verdict.ts';
import { excerptOf } from '../lib/error-line.ts';
import { tail } from '../lib/text.ts';
import { feedbackFor } from '../prompt/index.ts';
import { readClaim, validateEvidence } from '../proof/evidence/index.ts';
import {
  type Attempt,
  cameToItsEnd,
  decideVerdict,
  detectFindings,
  ignoredPaths,
} from '../proof/findings/index.ts';
import { aggregateGates, failingTails } from '../proof/gates/index.ts';
import { compareResults } from '../proof/results/index.ts';
import { deadGates, decideProof, proverAfter } from '../proof/shown/index.ts';
import { spendOf } from '../report/index.ts';
import { decideBlocked } from '../respond/blocked/index.ts';
import {
  checkThresholds,
  feedbackOf,
  intervene,
  isStopOfTask,
  verdictAfter,
} from '../respond/intervene/index.ts';
import { readProposed } from '../tasks/index.ts';
import { attemptNumber, attemptSeconds } from './attempt/starting-attempt.ts';
import { unavailableAfter } from './choice/available-agent.ts';
import { gateChanges } from './gates/compare-sources.ts';
import { gatesNotGreen } from './gates/gate-runs.ts';
import { humanGateAfter } from './human-gate.ts';
import { iterationEvents, unmetCriteria } from './iteration-events.ts';
import { policyAfter } from './policy-after.ts';
import { escalated, recoveryFeedback } from './recovery-after.ts';
import { soloShadow, stricter, workflowFeedback, workflowOf } from './workflow.ts';

/** Characters of output kept in a blocked record. */
const BLOCKED_TAIL = 2000;

/** What the agent says, from its own words alone; also needed to know which files to look at. */
export function claimOf(
  facts: Pick<IterationFacts, 'report' | 'agentOutput' | 'promptText' | 'task' | 'feedback'>,
): Claim {
  const plainText = facts.agentOutput === 'text';
  const { task, promptText: prompt } = facts;
  const quoted = facts.feedback.map(({ text }) => text);
  return readClaim(facts.report.finalMessage, { plainText, prompt, task, quoted });
}

/**
 * All decisions of an iteration, from its facts alone: believe the work tree, then the gates, then the agent. Equal
 * facts give equal decisions (`DECIDER_VERSION`).
 *
 * @param claimed `claimOf` these facts, where that is known.
 */
export function decideIteration(facts: IterationFacts, claimed: Claim = claimOf(facts)): IterationDecisions {
  const { attempt, findings: allFindings, ...found } = judge(facts, claimed);
  const workflow = workflowOf(facts, attempt, found.verdict);
  const { claim, evidence, gateReport, gateChanges, proof } = attempt;
  const testResults = compareResults(attempt.gates, facts.baseline);
  const beforeGate = stricter(found, workflow);
  const attemptedBefore = summarise(facts, { gateReport, proof, findings: allFindings, ...beforeGate });
  const stop = isOver(attempt, beforeGate.verdict)
    ? humanGateAfter(facts, { attempted: attemptedBefore, testResults, recovery: {}, proof })
    : NO_GATE;
  const judged = stop.humanGate === null ? beforeGate : waitsAt(stop.humanGate);
  // What a gate of yours stopped is no false claim.
  const findings =
    stop.humanGate === null ? allFindings : allFindings.filter(({ type }) => type !== 'false_completion');
  const blockedBy = (after: Judgement, limitReached: string | null) =>
    blockedAfter(facts, summarise(facts, { gateReport, proof, findings, ...after }), {
      ...after,
      limitReached,
    });

  const isBlocked = blockedBy(judged, null) !== null;
  const decided = intervene(facts, findings, judged.verdict, isBlocked);
  // Work at a task that is blocked now is set aside as it is, so that a rollback of it has nothing to do.
  const acting = decided.interventions.filter(
    ({ plan }) => !(isBlocked && plan.type === 'checkpoint_rollback'),
  );
  const { verdict, cause } = verdictAfter(judged, acting, findings);
  const isHeld = decided.interventions.some(({ plan }) => isStopOfTask(plan));
  const attempted = summarise(facts, { gateReport, proof, findings, verdict, cause });
  const limit = blockedBy({ verdict, cause }, decided.limitReached);
  const { humanGate, autoApproved, blocked, recovering } = escalated(facts, {
    ...{ attempted, verdict, findings, uncured: decided.uncured, testResults, isHeld, limit, stop },
  });
  const parkedBecause = parkedAfter(
    { verdict, blocked, humanGate },
    decided.parkedBecause ?? workflow?.parked ?? null,
  );
  const shadow = soloShadow(facts, verdict);
  const feedback = [
    ...feedbackAfter(facts, { attempt, findings, verdict, cause, testResults }, acting),
    ...workflowFeedback(facts, workflow),
    ...shadow.feedback,
    ...recoveryFeedback(facts, recovering),
  ];
  const counting = VERDICT_COUNTING[verdict.kind];
  const thresholds = thresholdsAfter(facts, findings, claim, verdict);
  const exceeded = counting.infrastructure ? [] : thresholds.exceeded.filter(({ current }) => current);
  const reinforced = exceeded.length > 0;
  const suspendAgent = reinforced ? thresholds.suspend : null;
  const unavailable = unavailableAfter(facts.profile.unavailable, verdict, facts.endedAt);
  const taskStatus = humanGate !== null ? 'parked' : statusOf(verdict, blocked, parkedBecause);
  return {
    claim,
    evidence: [...evidence],
    gateReport,
    gateChanges: [...gateChanges],
    testResults,
    proof,
    findings,
    verdict,
    cause,
    taskStatus,
    blocked,
    failedAttempt: counting.failedAttempt,
    events: [
      ...iterationEvents(facts, {
        ...{
          attempt,
          unavailable,
          findings,
          verdict,
          cause,
          feedback,
          blocked,
          workflow,
          decided,
          recovering,
        },
        ...{ exceeded, suspendAgent },
      }),
      ...shadow.events,
    ],
    feedback,
    reinforced,
    suspendAgent,
    interventions: [...decided.interventions],
    assessed: [...decided.assessed],
    reinforce: [...decided.reinforce],
    throttle: adaptationOf(recovering)?.liftLimits === true ? null : decided.throttle,
    recovering,
    parkedBecause,
    recovery: parkedBecause === null ? [] : [...decided.recovery],
    spend: spendOf(facts.report.usage, facts.settings.prices),
    unavailable,
    humanGate,
    autoApproved,
    ...policyAfter(facts, {
      ...{ attempt: attempted, findings, blocked, taskStatus, workflow },
      number: attemptNumber(facts.taskState),
    }),
    workflow,
    prover: proverAfter(facts, (usage) => spendOf(usage, facts.settings.prices)),
    gatesNow: {
      down: [...attempt.down],
      up: attempt.gates.flatMap(({ name, outcome }) => (outcome.kind === 'passed' ? [name] : [])),
    },
    proposed: [...readProposed(facts.report.finalMessage)],
  };
}

/** Why the task is blocked; `null`: it isn't. */
function blockedAfter(
  facts: IterationFacts,
  attempt: AttemptSummary,
  { verdict, limitReached }: Pick<Judgement, 'verdict'> & { readonly limitReached: string | null },
): IterationDecisions['blocked'] {
  return decideBlocked({
    ...{ attempt, verdict, limitReached },
    taskState: facts.taskState,
    maxAttempts: facts.settings.maxAttemptsPerTask,
    at: facts.endedAt,
    outputTail: lastLines(facts),
    failedGateTail: failingTails(gatesIn(facts), BLOCKED_TAIL),
  });
}

/** Why the task waits for you; `null`: it doesn't. */
function parkedAfter(
  { verdict, blocked, humanGate }: Pick<IterationDecisions, 'verdict' | 'blocked' | 'humanGate'>,
  byInterventions: string | null,
): string | null {
  if (humanGate !== null) return humanGate.triggers.map(({ text }) => text).join('; ');
  if (verdict.kind === 'awaiting_human') return `${verdict.requests.join(', ')}: its actions wait for you`;
  if (verdict.kind === 'already_done') return `the agent says that it was done before`;
  return blocked === null ? byInterventions : null;
}

type Judgement = Pick<IterationDecisions, 'verdict' | 'cause'>;

const NO_GATE: ReturnType<typeof humanGateAfter> = { humanGate: null, autoApproved: [] };

/** Whether the agent is through with its work, by its own word and the reviewers': what it took away is final then. */
function isOver(attempt: Attempt, verdict: Verdict): boolean {
  const { status, exitSignal } = attempt.claim;
  const saysUnfinished = status === 'in_progress' || status === 'blocked' || exitSignal === false;
  const isDoneAgain = verdict.kind === 'changes_requested' || verdict.kind === 'conflict';
  return cameToItsEnd(attempt) && !saysUnfinished && !isDoneAgain;
}

/** Work that waits at a human gate is neither accepted nor rejected, whatever the agent says of it. */
function waitsAt({ gate, triggers }: GateDraft): Judgement {
  return {
    verdict: { kind: 'awaiting_human', requests: [gate] },
    cause: `Needs your decision: ${triggers.map(({ text }) => text).join('; ')}.`,
  };
}
type Judged = Judgement & { readonly attempt: Attempt; readonly findings: readonly Finding[] };

/** What the next attempt must know; the interventions have the last word. */
function feedbackAfter(
  facts: IterationFacts,
  { attempt, findings, verdict, cause, testResults }: Judged & Pick<IterationDecisions, 'testResults'>,
  interventions: readonly Intervention[],
): FeedbackEntry[] {
  if (!facts.settings.interventions.enabled) return [];
  const { claim, evidence, gateReport, gateChanges, avoidance, series } = attempt;
  const { iteration, conflict, tampering, review } = facts;
  const { passedElsewhere, clashes } = attempt;
  return [
    ...feedbackFor({
      ...{
        iteration,
        gates: attempt.gates,
        passedElsewhere,
        conflict,
        clashes,
        tampering,
        review,
        claim,
        evidence,
        gateReport,
        gateChanges,
      },
      ...{ findings, verdict, cause, avoidance },
      taskId: facts.task.id,
      at: facts.endedAt,
      ignoredPaths: ignoredPaths(facts.fileFacts),
      workPaths: series.changes.changes.map(({ path }) => path),
      timeoutSeconds: attemptSeconds(facts.timeoutSeconds, facts.limits),
      outputLimit: facts.settings.gateOutputLimit,
      heldOut: facts.settings.heldOutGates,
      testResults,
    }),
    ...feedbackOf(facts, interventions),
  ];
}

/** The thresholds of the agent's profile, with this iteration in it. */
function thresholdsAfter(
  facts: IterationFacts,
  findings: readonly Finding[],
  claim: Claim,
  verdict: Verdict,
): ReturnType<typeof checkThresholds> {
  const profile = advanceProfile(facts.profile, {
    iteration: facts.iteration,
    noFiles: findings.some(({ type }) => type === 'no_files'),
    falseCompletion: findings.some(({ type }) => type === 'false_completion'),
    filesChanged: facts.changes.changes.length,
    evidenceCount: claim.evidence.length,
    done: verdict.kind === 'done',
    level: facts.level,
    durationMs: facts.durationMs,
    reinforcedAt: null,
    thresholdExceeded: false,
    suspend: null,
  });
  return checkThresholds(profile, facts.settings.interventions);
}

function statusOf(
  verdict: Verdict,
  blocked: IterationDecisions['blocked'],
  parkedBecause: string | null,
): IterationDecisions['taskStatus'] {
  if (verdict.kind === 'done') return 'done';
  if (blocked !== null) return 'blocked';
  return parkedBecause === null ? 'open' : 'parked';
}

/** What is wrong with an attempt, and its verdict as far as the work tree, the gates and the claim show. */
export function judge(facts: IterationFacts, claimed: Claim = claimOf(facts)) {
  const attempt = attemptOf(facts, claimed);
  const findings = detectFindings(attempt);
  return { attempt, findings, ...decideVerdict({ ...attempt, completion: facts.settings.completion }) };
}

function attemptOf(facts: IterationFacts, claim: Claim): Attempt {
  const { task, taskState, settings, fileFacts } = facts;
  const gatesChanged = gateChanges(facts.gateSources, facts.baseline?.sources ?? null);
  const proof = decideProof(facts);
  const gates = gatesIn(facts);
  // What a commit made red is known by that.
  const down = redOnLineIn(facts).length === 0 ? redWithoutIn(facts) : [];
  const required = [...new Set([...task.gates, ...settings.requiredGates])];
  return {
    ...facts,
    ...{ gates, claim, down },
    ...{ passedElsewhere: passedElsewhereIn(facts), clashes: clashesIn(facts) },
    evidence: validateEvidence(claim, {
      series: facts.series?.changes ?? facts.changes,
      attempt: facts.changes,
      facts: fileFacts,
      earlierPaths: taskState.series?.work ?? [],
    }),
    gateReport: aggregateGates(gates, facts.baseline, {
      required,
      changes: gatesChanged,
      notGreen: gatesNotGreen(facts),
      dead: deadGates(proof),
      down,
    }),
    proof,
    gateChanges: gatesChanged,
    unmet: unmetCriteria(facts),
    history: taskState.attempts,
    earlierPaths: taskState.series?.work ?? [],
    series: facts.series ?? { changes: facts.changes, idleChanges: facts.idleChanges },
    metricsWindowSeconds: settings.interventions.metrics_window_seconds,
    extraFindings: facts.ownFindings,
    avoidance: judgedAvoidance(facts.avoidance),
  };
}

/** An agent that ends without a word says why on standard error, if anywhere. */
function lastLines({ report, errorTail }: IterationFacts): string {
  return tail(report.finalMessage.trim() === '' ? errorTail : report.finalMessage, BLOCKED_TAIL);
}

/** The attempt as the journal keeps it. Only gates that count against the attempt are named. */
export function summarise(
  facts: IterationFacts,
  {
    gateReport,
    findings,
    verdict,
    cause,
    proof,
  }: Pick<IterationDecisions, 'gateReport' | 'findings' | 'verdict' | 'cause' | 'proof'>,
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
    ...(verdict.kind === 'rolled_back' ? { instead: verdict.instead } : {}),
    cause,
    filesChanged: facts.changes.changes.length,
    active: facts.report.toolCalls > 0 || facts.report.finalMessage.trim() !== '',
    failedGates: held.map(({ name }) => name),
    missingTools,
    failing: failingIn(facts, held, verdict),
    tree: facts.changes.after.tree,
    before: facts.changes.before.tree,
    findings: findings.map(({ type }) => type),
    bent: proof.bent.length > 0,
    resources: facts.resources,
    model: facts.report.model,
    session:
      facts.report.sessionId === null ? null : { id: facts.report.sessionId, usage: facts.sessionUsage },
  };
}

/** What the gate that counts first, or else the agent that ended on its own error, printed of the cause. */
function failingIn(facts: IterationFacts, held: readonly GateJudgement[], { kind }: Verdict): Failing | null {
  const [judgement] = held;
  const { baseline, errorTail, report } = facts;
  const gate = gatesIn(facts).find(({ name }) => name === judgement?.name);
  if (judgement !== undefined && PASSES_FALSELY.has(judgement.standing)) return null;
  if (judgement !== undefined && gate !== undefined) {
    const [compared] = compareResults([gate], baseline);
    const names = (compared?.newlyFailing.length ?? 0) > 0 ? compared?.newlyFailing : compared?.now.failing;
    const lines = excerptOf(gate.outputTail, names, compared?.now.places);
    const since = SINCE[judgement.standing] ?? null;
    return lines.length === 0 ? null : { gate: gate.name, since, lines: [...lines] };
  }
  if (kind !== 'agent_error') return null;
  const lines = excerptOf([...report.errors, errorTail].join('\n'));
  return lines.length === 0 ? null : { gate: null, since: null, lines: [...lines] };
}

/** What such gates printed shows nothing: the cause says it. */
const PASSES_FALSELY: ReadonlySet<GateJudgement['standing']> = new Set([
  'dead',
  'tests_missing',
  'rewritten',
  'hollow',
]);

const SINCE: Readonly<Partial<Record<GateJudgement['standing'], Failing['since']>>> = {
  regression: 'work',
  failed_before: 'before',
  down: 'before',
  required_failed: 'before',
};
