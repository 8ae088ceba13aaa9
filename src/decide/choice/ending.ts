import { EXIT, exitCodeOf, type StopSignalName } from '../../domain/exit.ts';
import type { RunEnding } from '../../domain/records/run-ending.ts';
import type { RunStop } from '../../domain/records/run-record.ts';
import { match } from '../../lib/match.ts';
import { firstFew } from '../../lib/text.ts';
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
  /** Open incidents at which one task waits. */
  readonly waiting: readonly string[];
  /** One task was asked for. */
  readonly only: string | null;
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
    const by = facts.signal === 'SIGINT' ? 'Ctrl-C' : facts.signal;
    const reason = `Stopped by ${by}. Everything up to here is saved.`;
    return { ...ended('interrupted', reason), exitCode: exitCodeOf(facts.signal) };
  }
  const [incidentOfTask] = facts.waiting;
  if (incidentOfTask !== undefined && facts.only === null && ENDS.has(pick.kind)) {
    return ended('awaiting_human', `${facts.waiting.join(', ')} waits for you.`, [
      `ralph resume ${incidentOfTask}`,
    ]);
  }
  if (pick.kind === 'all_done') return endingOfPick(pick);
  if (facts.suspended !== null) {
    const next = [`ralph profile --agent ${facts.agent} --reinstate`, 'ralph run --agent OTHER'];
    return ended('break', `${facts.agent} is suspended for review: ${facts.suspended}.`, next);
  }
  if (pick.kind !== 'task') return endingOfPick(pick);
  if (facts.iterations >= facts.maxIterations) {
    const times = facts.maxIterations === 1 ? '1 iteration' : `${facts.maxIterations} iterations`;
    return ended('max_iterations', `The limit of ${times} is reached and work is left.`);
  }
  if (facts.idleIterations >= facts.noProgressLimit) {
    return ended('no_progress', `${facts.idleIterations} iterations in a row changed nothing.`);
  }
  return null;
}

/** Nothing is left to start, and the incident may be of a task that isn't in the list any more. */
const ENDS: ReadonlySet<Pick['kind']> = new Set(['all_done', 'all_blocked']);

/** The exit code of each ending; that of an interrupted run follows from the signal. */
const EXIT_CODES: Readonly<Record<RunEnding, number>> = {
  all_done: EXIT.ok,
  max_iterations: EXIT.workLeft,
  no_progress: EXIT.workLeft,
  red_tree: EXIT.workLeft,
  all_blocked: EXIT.allBlocked,
  awaiting_human: EXIT.awaitingHuman,
  break: EXIT.break,
  budget: EXIT.budget,
  emergency_stop: EXIT.emergencyStop,
  agent_unavailable: EXIT.agentUnavailable,
  interrupted: EXIT.unexpected,
  crashed: EXIT.unexpected,
  error: EXIT.usage,
};

export function ended(kind: RunEnding, reason: string, next: Ending['next'] = null): Ending {
  return { kind, exitCode: EXIT_CODES[kind], reason, next };
}

/** You have to choose how it continues. */
export function endingOfIncident(id: string): Ending {
  const next = [`ralph incidents show ${id}`, `ralph resume ${id}`];
  return ended('emergency_stop', `Emergency stop: ${id} waits for you.`, next);
}

/** How a run ends when no task can start. */
export function endingOfPick(pick: Pick): Ending {
  return match(pick, 'kind', {
    all_done: () => ended('all_done', 'All tasks are done.'),
    all_blocked: () => ended('all_blocked', 'All remaining tasks are blocked.'),
    awaiting_human: ({ faulty }) => {
      const fix = faulty.length === 0 ? '' : ` To fix in the task list: ${firstFew(faulty)}.`;
      return ended('awaiting_human', `The remaining tasks need you.${fix}`);
    },
    unknown_task: ({ id, nearest, known }) => {
      const hint = nearest === null ? '' : ` Did you mean ${nearest}?`;
      return ended('error', `There is no task ${id}.${hint} Known: ${known.join(', ')}.`);
    },
    not_selectable: ({ task: { id, status, problem }, why }) => {
      if (status === 'done') return ended('all_done', `${id} is done.`);
      if (problem !== null) return ended('error', `${id} is ${why.replace(/[.]$/, '')}.`);
      const waits = status === 'parked' || status === 'unverified';
      return ended(waits ? 'awaiting_human' : 'all_blocked', `${id} is ${why.replace(/[.]$/, '')}.`);
    },
    empty: () =>
      ended('error', 'There are no tasks. Write some, for example "- [ ] Add a README", and run again.'),
    task: () => {
      throw new Error('a task that can start is not an ending');
    },
  });
}

/** Something that you have to fix first, in its own words. */
export function endingOfStop({ kind, message }: RunStop): Ending {
  return ended(kind === 'problem' ? 'error' : 'red_tree', message);
}
