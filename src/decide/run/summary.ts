import * as z from 'zod/mini';
import type { Suggestion } from '../../domain/blocked.ts';
import { waitingIncidents } from '../../domain/incident.ts';
import type { RunResult } from '../../domain/loop-event.ts';
import type { TaskEdit } from '../../domain/records/edits.ts';
import { LostWork } from '../../domain/records/iteration.ts';
import { type State, taskStateOf } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { isFailing } from '../../gates/index.ts';
import { own } from '../../lib/own.ts';
import { shellQuote } from '../../lib/shell-quote.ts';
import type { Ending } from '../choice/ending.ts';
import { countTasks } from './count-tasks.ts';

type RunFacts = {
  readonly run: string;
  readonly ending: Ending;
  readonly tasks: readonly Task[];
  readonly state: State;
  readonly iterations: number;
  readonly durationMs: number;
  readonly gateLost: RunResult['gateLost'];
  /** Whether the work was committed as it was verified. */
  readonly commits: boolean;
  /** What to do about a blocked task; `null` where no suggestions are wanted. */
  readonly suggest: ((task: Task) => Suggestion) | null;
};

/** Why a task is not done that is ticked. */
const UNVERIFIED = 'ticked, but neither verified nor in a commit of yours';
/** Tasks that one command names. */
const NAMED = 5;

/** Events that say that an agent claimed what was not there. */
const LIES: ReadonlySet<string> = new Set(['false_completion_detected']);

/** What you want to know in the morning: what is done, what is not and why, what to run next. */
export function summariseRun(facts: RunFacts): RunResult {
  const { run, ending, tasks, state, iterations, durationMs, gateLost } = facts;
  const record = state.runs.findLast((one) => one.run === run);
  const titles = new Map(tasks.map(({ id, title }) => [id, title]));
  const events = state.events.filter((event) => event.run === run);
  const lies = events.filter(({ event_type }) => LIES.has(event_type));
  const unfinished = tasks
    .filter(({ status }) => status !== 'done')
    .map((task) => unfinishedTask(task, facts));
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
    notCommitted: (record?.skippedCommits ?? []).map(({ taskId, reason, command }) => ({
      ...{ id: taskId, why: reason, next: command },
    })),
    edits: record?.edits ?? [],
    yours: record?.yours ?? [],
    undoneWork: undoneWork(events),
    settingsToApprove: state.edits.settings !== null,
    redGates: redGates(state),
    liesCaught: new Set(lies.map(({ iteration }) => iteration)).size,
    commandsRefused: events.filter(({ event_type }) => event_type === 'command_refused').length,
    deniedActions: deniedActions(events),
    gateLost,
    tokens: record?.tokens ?? 0,
    costUsd: record !== undefined && record.costUsd > 0 ? record.costUsd : null,
    next: [...editCommands(state, unfinished), ...(ending.next ?? nextCommands(ending, unfinished, facts))],
  };
}

/** How the gates stand on the last verified tree. */
function redGates({ baseline }: State): string[] {
  const failing = Object.entries(baseline?.outcomes ?? {}).filter(([, outcome]) => isFailing(outcome));
  return failing.map(([name]) => name);
}

/** Counted from the events, which say what the review of each attempt saw. */
function deniedActions(events: State['events']): RunResult['deniedActions'] {
  const denials = events.filter(({ event_type }) => event_type === 'action_denied');
  const count = (some: typeof denials) =>
    some.reduce((sum, { details }) => sum + Number(details.denied ?? 1), 0);
  return {
    count: count(denials),
    begun: count(denials.filter(({ details }) => details.mode === 'detect')),
    iterations: [...new Set(denials.map(({ iteration }) => iteration))],
  };
}

/** Paths that the summary names, of what was put back and of what is kept. */
const UNDONE = 20;

function undoneWork(events: State['events']): RunResult['undoneWork'] {
  const filesOf = (type: string) =>
    events
      .filter(({ event_type }) => event_type === type)
      .flatMap(({ details }) => z.array(LostWork).safeParse(details.files).data ?? []);
  const putBack = [...new Set(filesOf('user_work_destroyed').map(({ path }) => path))];
  const kept = filesOf('user_work_kept').map(({ path, kept }) => ({ path, checkpoint: kept ?? '' }));
  return { putBack: putBack.slice(0, UNDONE), count: putBack.length, kept: kept.slice(0, UNDONE) };
}

function unfinishedTask(task: Task, { tasks, state, suggest }: RunFacts): RunResult['unfinished'][number] {
  const { id, title, status } = task;
  const taskState = taskStateOf(state, id);
  const last = taskState.attempts.at(-1);
  const setAside = taskState.setAside?.checkpoint ?? null;
  const explain = `ralph explain ${shellQuote(id)}`;
  const log = last === undefined ? explain : `ralph logs ${last.iteration}`;
  if (status === 'blocked') {
    const why = taskState.blocked?.detail ?? 'marked as blocked in the task file';
    const suggestion = suggest?.(task) ?? null;
    const next = suggestion?.command ?? (taskState.blocked === null ? explain : log);
    return { id, title, status, why, next, strategy: suggestion?.strategy ?? null, recovery: [], setAside };
  }
  const rest = { id, title, status, strategy: null, recovery: [], setAside };
  if (status === 'unverified') {
    return { ...rest, why: UNVERIFIED, next: `ralph tasks accept ${shellQuote(id)}` };
  }
  const edit = editOf(state, task);
  if (edit !== null) {
    const why = `you edited it or took it out of the list while iteration ${edit.iteration} was at work; that counts once you accept it`;
    return { ...rest, why, next: `${ACCEPT_EDITS} ${shellQuote(id)}` };
  }
  if (taskState.parked) {
    const why = taskState.parkedBecause ?? 'waiting for you';
    const incident = waitingIncidents(state).find(({ taskId }) => taskId === id);
    const next = incident === undefined ? `ralph unblock ${shellQuote(id)}` : `ralph resume ${incident.id}`;
    return { ...rest, why, next, recovery: taskState.recovery };
  }
  const waitsFor = task.dependsOn.filter((other) =>
    tasks.some((one) => one.id === other && one.status !== 'done'),
  );
  if (waitsFor.length > 0) {
    return { ...rest, why: `waits for ${waitsFor.join(', ')}`, next: explain };
  }
  if (last !== undefined) return { ...rest, why: last.cause, next: log };
  return { ...rest, why: 'not started', next: 'ralph run' };
}

const ACCEPT_EDITS = 'ralph tasks accept-edits';

/** The edit for which a task waits, and for nothing else; `null`: it doesn't. */
function editOf(
  state: State,
  { id, status }: Pick<Task, 'id'> & { readonly status: string },
): TaskEdit | null {
  if (status !== 'parked' || taskStateOf(state, id).parked) return null;
  return own(state.edits.tasks, id) ?? null;
}

/** What makes your edits count. */
function editCommands(state: State, unfinished: RunResult['unfinished']): readonly string[] {
  return [
    ...(state.edits.settings === null ? [] : ['ralph trust']),
    ...(unfinished.some((task) => editOf(state, task) !== null) ? [ACCEPT_EDITS] : []),
  ];
}

function nextCommands(
  ending: Ending,
  unfinished: RunResult['unfinished'],
  { state, commits }: Pick<RunFacts, 'state' | 'commits'>,
): readonly string[] {
  switch (ending.kind) {
    case 'all_done':
      return [commits ? 'git log --stat' : 'git diff', 'ralph status'];
    case 'awaiting_human':
      return [
        ...acceptCommands(unfinished),
        ...unfinished
          .filter((task) => task.status === 'parked' && editOf(state, task) === null)
          .map(({ next }) => next),
      ];
    case 'all_blocked':
      return ['ralph blocked --suggest', ...unfinished.slice(0, 1).map(({ next }) => next)];
    case 'red_tree':
      return [
        'ralph status',
        ...unfinished
          .flatMap(({ setAside }) => (setAside === null ? [] : [`ralph checkpoints diff ${setAside}`]))
          .slice(0, 1),
      ];
    case 'max_iterations':
    case 'no_progress':
    case 'interrupted':
      return ['ralph run', 'ralph status'];
    default:
      return ['ralph status'];
  }
}

/** One command for all that is ticked and not verified. */
function acceptCommands(unfinished: RunResult['unfinished']): readonly string[] {
  const ids = unfinished.filter(({ status }) => status === 'unverified').map(({ id }) => shellQuote(id));
  if (ids.length === 0) return [];
  return [`ralph tasks accept ${ids.length > NAMED ? '--all' : ids.join(' ')}`];
}
