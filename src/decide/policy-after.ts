import { redOnLineIn } from '../domain/command-runs.ts';
import type { Finding } from '../domain/findings/finding.ts';
import { CYCLES_KEPT, type CycleFacts } from '../domain/policy.ts';
import type { FactsOf, IterationDecisions } from '../domain/records/iteration.ts';
import type { AttemptSummary, BlockedRecord } from '../domain/records/state.ts';
import { isOutsideCause } from '../domain/verdict.ts';
import { GRAVITY, type ReviewFinding, type WorkflowDecisions } from '../domain/workflow/roles.ts';
import { afterAttempt, type BreakStep, qualityScore } from '../respond/policy/index.ts';

type Facts = FactsOf<'attempt' | 'changes' | 'runs' | 'policy'>;

type Judged = {
  readonly attempt: AttemptSummary;
  readonly findings: readonly Finding[];
  readonly blocked: BlockedRecord | null;
  readonly taskStatus: IterationDecisions['taskStatus'];
  /** Number of the attempt in the series, from 1. */
  readonly number: number;
  /** Decisions about reviews; `null`: the work wasn't reviewed. */
  readonly workflow: WorkflowDecisions | null;
};

/**
 * Returns what an attempt changes for the policies: the findings of its cycle, the state of the break, and the quality.
 */
export function policyAfter(
  facts: Facts,
  judged: Judged,
): Pick<IterationDecisions, 'cycle' | 'breaks' | 'quality'> {
  const { attempt, blocked, taskStatus } = judged;
  const isDone = attempt.verdict === 'done';
  const cycle = isOutsideCause(attempt.verdict)
    ? null
    : (reviewCycle(facts.task.id, judged.number, judged.workflow) ?? attemptCycle(facts, judged));
  // A task that the agent itself reported as blocked isn't a failure, so it doesn't count toward a break.
  const isBlocked = blocked !== null && blocked.reason !== 'agent_reported_blocked';
  const step: BreakStep = {
    taskId: facts.task.id,
    failure: failureOf(facts.task.id, attempt),
    task: isDone ? 'done' : isBlocked ? 'blocked' : taskStatus === 'parked' ? 'waiting' : 'open',
    cycle,
    redSince: redSince(facts),
  };
  return {
    cycle,
    breaks: afterAttempt(facts.breaks, step, CYCLES_KEPT),
    quality: isDone ? qualityOf(facts, judged) : null,
  };
}

function redSince(facts: Facts): BreakStep['redSince'] {
  if (facts.redSince === null) return null;
  return { taskId: facts.redSince.taskId, gates: redOnLineIn(facts).map(({ name }) => name) };
}

function failureOf(taskId: string, { verdict, active, filesChanged }: AttemptSummary): BreakStep['failure'] {
  if (isOutsideCause(verdict)) return undefined;
  if (verdict !== 'agent_error' && verdict !== 'timed_out') return null;
  return { taskId, idle: !active && filesChanged === 0 };
}

/** Returns the reviewers' findings in one cycle; `null`: no reviewer answered. */
export function reviewCycle(
  taskId: string,
  number: number,
  workflow: Pick<WorkflowDecisions, 'answers' | 'findings' | 'escalations'> | null,
): CycleFacts | null {
  if (workflow === null || workflow.answers.every(({ answer }) => answer === null)) return null;
  return {
    taskId,
    cycle: number,
    kind: 'review',
    findings: workflow.findings.map(({ finding }) => ({
      key: keyOf(finding),
      severity: GRAVITY[finding.severity],
      summary: finding.claim,
    })),
    shadows: countedShadows(workflow),
  };
}

/** Returns a key that is equal in every cycle, even if the line or the order of words differs. */
function keyOf({ category, file, claim }: ReviewFinding): string {
  const words = new Set(claim.toLowerCase().match(/\p{L}{4,}/gu) ?? []);
  return [category.toLowerCase(), file, [...words].sort().join(' ')].join(':');
}

/** Returns how often each shadow (overdone strength) was found: once per run of an agent, even with several signs. */
function countedShadows({ escalations }: Pick<WorkflowDecisions, 'escalations'>): CycleFacts['shadows'] {
  const seen = escalations.map(({ issue }) => issue);
  return [...new Set(seen)].map((name) => {
    const [role = name, shadow = name] = name.split(':');
    return { role, shadow, times: seen.filter((one) => one === name).length };
  });
}

/** Returns the cycle of an attempt without reviewers: findings of its gates, and of the checks of its claim. */
function attemptCycle({ task }: Facts, { attempt, findings, number }: Judged): CycleFacts {
  return {
    taskId: task.id,
    cycle: number,
    kind: 'attempt',
    findings: [
      ...findings.map(({ type, severity, summary }) => ({ key: type, severity, summary })),
      ...attempt.failedGates.map((gate) => ({
        key: `gate:${gate}`,
        severity: 'high' as const,
        summary: `Gate "${gate}" failed.`,
      })),
    ],
    shadows: [],
  };
}

function qualityOf({ taskState, changes }: Facts, { attempt, findings, number }: Judged): number {
  const earlier = taskState.attempts;
  return qualityScore({
    gatesAtFirstTry: [...earlier, attempt].every(({ failedGates }) => failedGates.length === 0),
    attempts: number,
    findings: earlier.reduce((sum, one) => sum + one.findings.length, findings.length),
    diffLines: changes.changes.reduce((sum, one) => sum + one.linesAdded + one.linesRemoved, 0),
  });
}
