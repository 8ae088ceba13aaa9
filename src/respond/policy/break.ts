import type {
  AgentFailure,
  BreakAfter,
  BreakFacts,
  BreakTrigger,
  CycleFacts,
  CycleFinding,
} from '../../domain/policy.ts';
import { areEqual, convergence, distinct, oscillating } from './cycles.ts';

/** How often something has to happen, and the least score of cycles. */
export const BREAK_LIMITS = {
  failures: 3,
  blocked: 3,
  shadows: 3,
  oscillating: 2,
  convergence: 0.5,
} as const;

/** What one attempt adds to what the break goes by. */
export type BreakStep = {
  readonly taskId: string;
  /** The agent failed or timed out; `null`: it didn't; `undefined`: a cause outside of the work ended it. */
  readonly failure: AgentFailure | null | undefined;
  /** What became of the task; `waiting`: you are asked already. */
  readonly task: 'blocked' | 'done' | 'open' | 'waiting';
  /** `null`: a cause outside of the work ended it before anything could be found. */
  readonly cycle: CycleFacts | null;
};

/** Adds an attempt, and says whether a trigger of the Wiggum Break holds; the first hard one wins. */
export function afterAttempt(facts: BreakFacts, step: BreakStep, cyclesKept: number): BreakAfter {
  const { taskId, failure, cycle } = step;
  const agentFailures =
    failure === undefined
      ? facts.agentFailures
      : failure === null
        ? []
        : [...facts.agentFailures, failure].slice(-BREAK_LIMITS.failures);
  const known = facts.cycles.filter((one) => one.taskId === taskId);
  const cycles = cycle === null ? known : [...known, cycle].slice(-cyclesKept);
  const blockedTasks = blockedAfter(facts.blockedTasks, step);
  const seen = { ...facts, agentFailures, blockedTasks, cycles: cycle === null ? [] : cycles };
  const hard = hardTrigger(seen, step);
  const armed =
    hard ??
    (step.task === 'waiting' ? armedByOthers(facts, taskId) : (facts.armed ?? softTrigger(seen, taskId)));
  return { agentFailures, blockedTasks, cycles: step.task === 'open' ? cycles : [], armed };
}

/** What a task showed that waits for you is yours to judge: it doesn't stop the others. */
function armedByOthers({ armed }: BreakFacts, taskId: string): BreakTrigger | null {
  return armed !== null && !armed.hard && armed.taskId === taskId ? null : armed;
}

function blockedAfter(before: readonly string[], { taskId, task }: BreakStep): string[] {
  if (task === 'done') return [];
  const others = before.filter((id) => id !== taskId);
  return task === 'blocked' ? [...others, taskId].slice(-BREAK_LIMITS.blocked) : [...before];
}

type Seen = Omit<BreakFacts, 'armed'>;

function hardTrigger(seen: Seen, { taskId }: BreakStep): BreakTrigger | null {
  const { cycles, blockedTasks } = seen;
  const open = distinct(cycles.at(-1)?.findings ?? []);
  const trigger = (
    kind: BreakTrigger['kind'],
    reason: string,
    unresolved: readonly CycleFinding[] = open,
  ) => ({
    ...{ kind, hard: true, taskId, reason },
    unresolved: [...unresolved],
  });
  if (isBroken(seen)) {
    return trigger('agent_failures', agentFailureReason(seen.agentFailures));
  }
  if (blockedTasks.length >= BREAK_LIMITS.blocked && blockedTasks.at(-1) === taskId) {
    return trigger(
      'task_failures',
      `${BREAK_LIMITS.blocked} tasks in a row were blocked: ${blockedTasks.join(', ')}.`,
    );
  }
  const shadow = cycles.at(-1)?.shadows.find(({ times }) => times >= BREAK_LIMITS.shadows);
  if (shadow !== undefined) {
    const { role, times } = shadow;
    return trigger('repeated_shadow', `${role} was a ${shadow.shadow} ${times} times in one cycle.`);
  }
  const back = oscillating(judged(seen));
  if (back.length < BREAK_LIMITS.oscillating) return null;
  const keys = back.map(({ key }) => key).join(', ');
  return trigger('oscillating_findings', `${back.length} findings were gone and came back: ${keys}.`, back);
}

/** A slow task makes an agent time out while it works; a broken agent does nothing, or fails whatever the task is. */
function isBroken({ strict, agentFailures }: Pick<Seen, 'strict' | 'agentFailures'>): boolean {
  if (agentFailures.length < BREAK_LIMITS.failures) return false;
  const tasks = new Set(agentFailures.map(({ taskId }) => taskId));
  return strict || tasks.size > 1 || agentFailures.every(({ idle }) => idle);
}

function agentFailureReason(failures: readonly AgentFailure[]): string {
  const tasks = [...new Set(failures.map(({ taskId }) => taskId))];
  const what = failures.every(({ idle }) => idle) ? ', without output or a changed file' : '';
  return `The agent failed or timed out ${failures.length} times in a row${what} (${tasks.join(', ')}).`;
}

/**
 * The cycles that are judged. Attempts of one task alone have a limit of their own (`max_attempts_per_task`), so they are
 * cycles with `strict` alone.
 */
function judged({ strict, cycles }: Pick<Seen, 'strict' | 'cycles'>): readonly CycleFacts[] {
  return cycles.filter(({ kind }) => strict || kind === 'review');
}

function softTrigger(seen: Seen, taskId: string): BreakTrigger | null {
  const cycles = judged(seen);
  const now = cycles.at(-1);
  const before = cycles.at(-2) ?? null;
  if (now === undefined || before === null) return null;
  const open = distinct(now.findings);
  const trigger = (kind: BreakTrigger['kind'], reason: string): BreakTrigger => ({
    ...{ kind, hard: false, taskId, reason },
    unresolved: [...open],
  });
  const where = `Cycles ${before.cycle} and ${now.cycle} of ${taskId}`;
  if (areEqual(before, now)) return trigger('same_findings', `${where} had the same findings.`);
  const counts = [distinct(before.findings).length, open.length] as const;
  if (counts[0] > 0 && counts[1] > counts[0]) {
    return trigger('growing_findings', `${where} had ${counts[0]} and then ${counts[1]} findings.`);
  }
  const scores = [convergence(cycles.at(-3) ?? null, before), convergence(before, now)];
  const low = scores.every((score) => score !== null && score < BREAK_LIMITS.convergence);
  if (!low) return null;
  const shown = scores.map((score) => (score ?? 0).toFixed(2)).join(' and ');
  return trigger(
    'low_convergence',
    `${where} converge too slowly: ${shown}, both under ${BREAK_LIMITS.convergence}.`,
  );
}
