import { EXIT, exitCodeOf, type StopSignalName } from '../../domain/exit.ts';
import type { RunEnding } from '../../domain/records/run-ending.ts';
import { unreachable } from '../../lib/unreachable.ts';
import type { selectTask } from '../../tasks/index.ts';

type Pick = ReturnType<typeof selectTask>;

export type Ending = {
  readonly kind: RunEnding;
  readonly exitCode: number;
  /** One sentence: why the run ends. */
  readonly reason: string;
  /** Commands that help; `null`: the usual ones of this ending. */
  readonly next: readonly string[] | null;
};

type EndingFacts = {
  readonly pick: Pick;
  /** Id of an incident that you haven't resolved yet. */
  readonly incident: string | null;
  readonly signal: StopSignalName | null;
  /** Why the agent is suspended for manual review. */
  readonly suspended: string | null;
  readonly agent: string;
  readonly iterations: number;
  readonly maxIterations: number;
  readonly idleIterations: number;
  readonly noProgressLimit: number;
};

/**
 * Whether the run ends before its next iteration. When several reasons hold, the order of decisions.md stands: emergency, signal,
 * all done, break, awaiting human, all blocked, max iterations, no progress.
 */
export function decideEnding(facts: EndingFacts): Ending | null {
  const { pick, incident } = facts;
  if (incident !== null) return endingOfIncident(incident);
  if (facts.signal !== null) {
    return {
      kind: 'interrupted',
      exitCode: exitCodeOf(facts.signal),
      reason: `Stopped by ${facts.signal === 'SIGINT' ? 'Ctrl-C' : facts.signal}. Everything up to here is saved.`,
      next: null,
    };
  }
  if (pick.kind === 'all_done') return endingOfPick(pick);
  if (facts.suspended !== null) {
    return {
      kind: 'break',
      exitCode: EXIT.break,
      reason: `${facts.agent} is suspended for review: ${facts.suspended}.`,
      next: [`ralph profile --agent ${facts.agent} --reinstate`, 'ralph run --agent OTHER'],
    };
  }
  if (pick.kind !== 'task') return endingOfPick(pick);
  if (facts.iterations >= facts.maxIterations) {
    const times = facts.maxIterations === 1 ? '1 iteration' : `${facts.maxIterations} iterations`;
    return {
      kind: 'max_iterations',
      exitCode: EXIT.workLeft,
      reason: `The limit of ${times} is reached and work is left.`,
      next: null,
    };
  }
  if (facts.idleIterations >= facts.noProgressLimit) {
    return {
      kind: 'no_progress',
      exitCode: EXIT.workLeft,
      reason: `${facts.idleIterations} iterations in a row changed nothing.`,
      next: null,
    };
  }
  return null;
}

/** You have to choose how it continues. */
export function endingOfIncident(id: string): Ending {
  return {
    kind: 'emergency_stop',
    exitCode: EXIT.emergencyStop,
    reason: `Emergency stop: ${id} waits for you.`,
    next: [`ralph incidents show ${id}`, `ralph resume ${id}`],
  };
}

/** How a run ends when no task can start. */
export function endingOfPick(pick: Pick): Ending {
  switch (pick.kind) {
    case 'all_done':
      return { kind: 'all_done', exitCode: EXIT.ok, reason: 'All tasks are done.', next: null };
    case 'all_blocked':
      return {
        kind: 'all_blocked',
        exitCode: EXIT.allBlocked,
        reason: 'All remaining tasks are blocked.',
        next: null,
      };
    case 'awaiting_human':
      return {
        kind: 'awaiting_human',
        exitCode: EXIT.awaitingHuman,
        reason: 'The remaining tasks need you.',
        next: null,
      };
    case 'unknown_task': {
      const hint = pick.nearest === null ? '' : ` Did you mean ${pick.nearest}?`;
      return {
        kind: 'error',
        exitCode: EXIT.usage,
        reason: `There is no task ${pick.id}.${hint} Known: ${pick.known.join(', ')}.`,
        next: null,
      };
    }
    case 'not_selectable':
      if (pick.task.status === 'done') {
        return { kind: 'all_done', exitCode: EXIT.ok, reason: `${pick.task.id} is done.`, next: null };
      }
      return {
        ...(pick.task.status === 'parked' || pick.task.status === 'unverified'
          ? { kind: 'awaiting_human', exitCode: EXIT.awaitingHuman }
          : { kind: 'all_blocked', exitCode: EXIT.allBlocked }),
        reason: `${pick.task.id} is ${pick.why.replace(/[.]$/, '')}.`,
        next: null,
      };
    case 'empty':
      return {
        kind: 'error',
        exitCode: EXIT.usage,
        reason: 'The task file holds no tasks. Write some, for example "- [ ] Add a README", and run again.',
        next: null,
      };
    case 'task':
      throw new Error('a task that can start is not an ending');
    default:
      return unreachable(pick);
  }
}

/** Something that you have to fix first, in its own words. */
export function endingOfProblem(message: string): Ending {
  return { kind: 'error', exitCode: EXIT.usage, reason: message, next: null };
}
