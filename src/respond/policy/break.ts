import { quotedNames } from 'ralph-kit/text';
import {
  type AgentFailure,
  type BreakAfter,
  type BreakFacts,
  type BreakTrigger,
  type CycleChange,
  type CycleFacts,
  type CycleFinding,
  HARD_TRIGGERS,
} from '../../domain/policy.ts';
import { BREAK_LIMITS } from '../table.ts';

export type BreakStep = {
  readonly taskId: string;
  /** The agent's failure or timeout; `null`: there was none; `undefined`: an outside cause ended the attempt. */
  readonly failure: AgentFailure | null | undefined;
  /** State of the task. `waiting`: you have already been asked. */
  readonly task: 'blocked' | 'done' | 'open' | 'waiting';
  /** Findings of the cycle; `null`: an outside cause ended the attempt before anything could be found. */
  readonly cycle: CycleFacts | null;
  /** Landed result since which gates fail; `null`: none is known. */
  readonly redSince: { readonly taskId: string; readonly gates: readonly string[] } | null;
};

/** Returns the state of the break after an attempt. The first hard trigger counts. */
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
  // A task that waits for you doesn't stop the others: you judge it.
  const waitsForUser = facts.armed?.hard === false && facts.armed.taskId === taskId;
  const soft =
    step.task === 'waiting'
      ? waitsForUser
        ? null
        : facts.armed
      : (facts.armed ?? softTrigger(seen, taskId));
  const armed = hard ?? soft;
  return { agentFailures, blockedTasks, cycles: step.task === 'open' ? cycles : [], armed };
}

function blockedAfter(before: readonly string[], { taskId, task }: BreakStep): string[] {
  if (task === 'done') return [];
  const others = before.filter((id) => id !== taskId);
  return task === 'blocked' ? [...others, taskId].slice(-BREAK_LIMITS.blocked) : [...before];
}

type Seen = Omit<BreakFacts, 'armed'>;

function triggerOf(
  kind: BreakTrigger['kind'],
  taskId: string,
  reason: string,
  unresolved: readonly CycleFinding[],
): BreakTrigger {
  const hard = HARD_TRIGGERS.some((one) => one === kind);
  return { kind, hard, taskId, reason, unresolved: [...unresolved] };
}

export function redAfterLanding({ taskId, gates }: NonNullable<BreakStep['redSince']>): BreakTrigger {
  const reason = `Your branch was green before ${taskId} landed, and ${quotedNames(gates)} fails since.`;
  return triggerOf('red_after_landing', taskId, reason, []);
}

function hardTrigger(seen: Seen, { taskId, redSince }: BreakStep): BreakTrigger | null {
  const { agentFailures, blockedTasks, cycles } = seen;
  const open = distinct(cycles.at(-1)?.findings ?? []);
  if (redSince !== null) return redAfterLanding(redSince);
  const failed = [...new Set(agentFailures.map((one) => one.taskId))];
  const isIdle = agentFailures.every(({ idle }) => idle);
  // If only one task is slow, its agent times out while it works. A broken agent does nothing, or fails at any task.
  if (agentFailures.length >= BREAK_LIMITS.failures && (seen.strict || failed.length > 1 || isIdle)) {
    const what = isIdle ? ', without output or a changed file' : '';
    const reason = `The agent failed or timed out ${agentFailures.length} times in a row${what} (${failed.join(', ')}).`;
    return triggerOf('agent_failures', taskId, reason, open);
  }
  if (blockedTasks.length >= BREAK_LIMITS.blocked && blockedTasks.at(-1) === taskId) {
    const reason = `${BREAK_LIMITS.blocked} tasks in a row were blocked: ${blockedTasks.join(', ')}.`;
    return triggerOf('task_failures', taskId, reason, open);
  }
  const shadow = cycles.at(-1)?.shadows.find(({ times }) => times >= BREAK_LIMITS.shadows);
  if (shadow !== undefined) {
    const reason = `${shadow.role} was a ${shadow.shadow} ${shadow.times} times in one cycle.`;
    return triggerOf('repeated_shadow', taskId, reason, open);
  }
  const back = oscillating(countedCycles(seen));
  if (back.length < BREAK_LIMITS.oscillating) return null;
  const keys = back.map(({ key }) => key).join(', ');
  const reason = `${back.length} findings were gone and came back: ${keys}.`;
  return triggerOf('oscillating_findings', taskId, reason, back);
}

/**
 * Returns the cycles that count. Attempts of one task have a limit of their own (`max_attempts_per_task`), so they
 * count as cycles only with `strict`.
 */
function countedCycles({ strict, cycles }: Pick<Seen, 'strict' | 'cycles'>): readonly CycleFacts[] {
  return cycles.filter(({ kind }) => strict || kind === 'review');
}

function softTrigger(seen: Seen, taskId: string): BreakTrigger | null {
  const cycles = countedCycles(seen);
  const now = cycles.at(-1);
  const before = cycles.at(-2) ?? null;
  if (now === undefined || before === null) return null;
  const open = distinct(now.findings);
  const trigger = (kind: BreakTrigger['kind'], reason: string) => triggerOf(kind, taskId, reason, open);
  const where = `Cycles ${before.cycle} and ${now.cycle} of ${taskId}`;
  const change = changeBetween(before, now);
  if (change.open.length > 0 && change.resolved.length === 0 && change.fresh.length === 0)
    return trigger('same_findings', `${where} had the same findings.`);
  const earlier = distinct(before.findings).length;
  if (earlier > 0 && open.length > earlier)
    return trigger('growing_findings', `${where} had ${earlier} and then ${open.length} findings.`);
  const scores = [convergence(cycles.at(-3) ?? null, before), convergence(before, now)];
  const low = scores.every((score) => score !== null && score < BREAK_LIMITS.convergence);
  if (!low) return null;
  const shown = scores.map((score) => (score ?? 0).toFixed(2)).join(' and ');
  return trigger(
    'low_convergence',
    `${where} converge too slowly: ${shown}, both under ${BREAK_LIMITS.convergence}.`,
  );
}

export function changeBetween(before: CycleFacts | null, now: CycleFacts): CycleChange {
  const was = keysOf(before);
  const is = keysOf(now);
  return {
    resolved: [...was].filter((key) => !is.has(key)),
    open: [...was].filter((key) => is.has(key)),
    fresh: [...is].filter((key) => !was.has(key)),
  };
}

/**
 * Returns resolved ÷ (resolved + still open + new) findings; `null`: it is the first cycle, or neither cycle has
 * findings.
 */
export function convergence(before: CycleFacts | null, now: CycleFacts): number | null {
  if (before === null) return null;
  const { resolved, open, fresh } = changeBetween(before, now);
  const all = resolved.length + open.length + fresh.length;
  return all === 0 ? null : resolved.length / all;
}

/** Returns findings that disappeared and came back. */
function oscillating(cycles: readonly CycleFacts[]): readonly CycleFinding[] {
  const seen = cycles.map(keysOf);
  const last = cycles.at(-1);
  if (last === undefined) return [];
  return distinct(last.findings).filter(({ key }) => {
    const gone = seen.findLastIndex((keys) => !keys.has(key));
    return seen.slice(0, Math.max(0, gone)).some((keys) => keys.has(key));
  });
}

function distinct(findings: readonly CycleFinding[]): readonly CycleFinding[] {
  return [...new Map(findings.map((one) => [one.key, one])).values()];
}

function keysOf(cycle: CycleFacts | null): ReadonlySet<string> {
  return new Set(cycle?.findings.map(({ key }) => key));
}
