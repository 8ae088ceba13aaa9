import type { RunResult } from '../domain/loop-event.ts';
import type { State } from '../domain/state.ts';
import type { Task } from '../domain/task.ts';
import { countTasks } from './count-tasks.ts';
import type { Ending } from './ending.ts';

type RunFacts = {
  readonly run: string;
  readonly ending: Ending;
  readonly tasks: readonly Task[];
  readonly state: State;
  readonly iterations: number;
  readonly durationMs: number;
  /** Whether the work was committed as it was verified. */
  readonly commits: boolean;
};

/** Events that say that an agent claimed what was not there. */
const LIES: ReadonlySet<string> = new Set(['false_completion_detected']);

/** What a person wants to know in the morning: what is done, what is not and why, what to run next. */
export function summariseRun(facts: RunFacts): RunResult {
  const { run, ending, tasks, state, iterations, durationMs, commits } = facts;
  const record = state.runs.findLast((one) => one.run === run);
  const titles = new Map(tasks.map(({ id, title }) => [id, title]));
  const lies = state.events.filter((event) => event.run === run && LIES.has(event.event_type));
  const unfinished = tasks
    .filter(({ status }) => status !== 'done')
    .map((task) => unfinishedTask(task, tasks, state));
  return {
    run,
    ending: ending.kind,
    exitCode: ending.exitCode,
    reason: ending.reason,
    durationMs,
    iterations,
    tasks: countTasks(tasks),
    doneInRun: (record?.done ?? []).map((id) => ({ id, title: titles.get(id) ?? id })),
    unfinished,
    liesCaught: new Set(lies.map(({ iteration }) => iteration)).size,
    tokens: record?.tokens ?? 0,
    costUsd: record !== undefined && record.costUsd > 0 ? record.costUsd : null,
    next: ending.next ?? nextCommands(ending, unfinished, commits),
  };
}

function unfinishedTask(task: Task, tasks: readonly Task[], state: State): RunResult['unfinished'][number] {
  const { id, title, status } = task;
  const taskState = state.tasks[id];
  const last = taskState?.attempts.at(-1);
  const log = last === undefined ? `ralph explain ${id}` : `ralph logs ${last.iteration}`;
  if (taskState?.blocked != null && status === 'blocked') {
    return { id, title, status, why: taskState.blocked.detail, next: log };
  }
  const waitsFor = task.dependsOn.filter((other) =>
    tasks.some((one) => one.id === other && one.status !== 'done'),
  );
  if (status === 'blocked') {
    return { id, title, status, why: 'marked as blocked in the task file', next: `ralph explain ${id}` };
  }
  if (waitsFor.length > 0) {
    return { id, title, status, why: `waits for ${waitsFor.join(', ')}`, next: `ralph explain ${id}` };
  }
  if (last !== undefined) return { id, title, status, why: last.cause, next: log };
  return { id, title, status, why: 'not taken up yet', next: 'ralph run' };
}

function nextCommands(
  ending: Ending,
  unfinished: RunResult['unfinished'],
  commits: boolean,
): readonly string[] {
  switch (ending.kind) {
    case 'all_done':
      return [commits ? 'git log --stat' : 'git diff', 'ralph status'];
    case 'all_blocked':
      return ['ralph blocked', ...(unfinished[0] === undefined ? [] : [unfinished[0].next])];
    case 'max_iterations':
    case 'no_progress':
    case 'interrupted':
      return ['ralph run', 'ralph status'];
    default:
      return ['ralph status'];
  }
}
