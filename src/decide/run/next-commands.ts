import type { RunEnding } from '../../domain/exit.ts';
import { openIncidents } from '../../domain/incident.ts';
import type { RunEnd } from '../../domain/records/run-record.ts';
import { type State, taskStateOf } from '../../domain/records/state.ts';
import type { DoneTask, RunReport, UnfinishedTask } from '../../domain/run-report.ts';
import type { Task } from '../../domain/task.ts';
import { releaseCommand, waitingResults } from '../../domain/work-place.ts';
import { shellQuote } from '../../lib/shell-quote.ts';
import { answerCommand, askedAbout, unblockCommand } from '../../respond/blocked/index.ts';

/** Tasks that one command names. */
const NAMED = 5;
/** Commands about what needs you. */
const MOST_NEEDS = 3;

export type NextFacts = {
  readonly state: State;
  /** A run is active. */
  readonly running: boolean;
  /** How the newest run ended; `null`: none did, or it was cut off. */
  readonly ending: Pick<RunEnd['ending'], 'kind' | 'next'> | null;
  readonly open: readonly UnfinishedTask[];
  /** Verified results that wait. */
  readonly waiting: RunReport['notCommitted'];
  /** Tasks that the newest run did, as far as their work is on your branch. */
  readonly done: readonly DoneTask[];
};

/** What helps now, the first thing first: a few commands, each of which has something to do. */
export function nextCommands({ state, running, ending, open, waiting, done }: NextFacts): readonly string[] {
  if (running) return ['ralph logs --follow'];
  const land = landCommands(waiting);
  if (ending?.next != null && stillHolds(ending.kind, state)) {
    const blocked = ending.kind === 'break' ? open.filter(({ status }) => status === 'blocked') : [];
    return [...land, ...blocked.slice(-1).map(({ next }) => next), ...ending.next];
  }
  const needs = [...land, ...needCommands(open)].slice(0, MOST_NEEDS);
  const isLeft = open.some(({ group, waitsFor }) => group !== 'you' && waitsFor.length === 0);
  const commands = [
    ...needs,
    ...(isLeft ? ['ralph run'] : []),
    ...(needs.length === 0 ? inspectCommands(done) : []),
  ];
  return commands.length === 0 ? ['ralph tasks'] : commands;
}

/** The command that lands the verified results that wait; empty: none waits. */
function landCommands(waiting: RunReport['notCommitted']): readonly string[] {
  const [command, ...others] = new Set(waiting.map(({ next }) => next));
  return command === undefined ? [] : [others.length === 0 ? command : 'ralph land'];
}

/** Commands for what only you can do: decisions, questions of agents, then blocked tasks, with one command for all of these. */
function needCommands(open: readonly UnfinishedTask[]): readonly string[] {
  const you = open.filter(({ group }) => group === 'you');
  const asks = you.filter(({ id, next }) => next === answerCommand(id));
  const blocked = you.filter((one) => one.status === 'blocked' && !asks.includes(one));
  const others = you.filter(({ status }) => status !== 'blocked');
  const [only] = blocked;
  return [
    ...new Set(others.map(({ next }) => next)),
    ...(asks.length > 1 ? ['ralph answer'] : asks.map(({ next }) => next)),
    ...(only === undefined ? [] : [blocked.length === 1 ? only.next : 'ralph blocked --suggest']),
  ];
}

/** `git diff` shows no new file, and `git log` nothing that isn't committed. */
function inspectCommands(done: readonly DoneTask[]): readonly string[] {
  const commits = done.reduce((sum, one) => sum + one.commits.length, 0);
  const uncommitted = done.filter((one) => one.commits.length === 0);
  const [only] = uncommitted;
  // One for each task begins where the one before ended.
  const branch = done.findLast((one) => one.commits.length > 0)?.branch ?? null;
  const commands =
    commits === 0 ? [] : [`git log --stat -${commits}${branch === null ? '' : ` ${shellQuote(branch)}`}`];
  if (only !== undefined)
    commands.push(uncommitted.length === 1 ? `ralph diff ${shellQuote(only.id)}` : 'git status');
  return commands;
}

/** One command for all tasks that are ticked and not verified. */
export function acceptCommand(tasks: readonly Pick<Task, 'id' | 'status'>[]): string {
  const ids = tasks.filter(({ status }) => status === 'unverified').map(({ id }) => id);
  if (ids.length > NAMED) return 'ralph tasks accept --all';
  return [
    'ralph tasks accept',
    ...(ids.some((id) => id.startsWith('-')) ? ['--'] : []),
    ...ids.map((id) => shellQuote(id)),
  ].join(' ');
}

/** Whether what the ending's own commands are about is so still. */
function stillHolds(ending: RunEnding, state: Pick<State, 'incidents' | 'policy' | 'profiles'>): boolean {
  switch (ending) {
    case 'emergency_stop':
    case 'awaiting_human':
      return openIncidents(state).length > 0;
    case 'budget':
      return state.policy.stop !== null;
    case 'break':
      return (
        state.policy.stop !== null ||
        Object.values(state.profiles).some(({ suspended }) => suspended !== null)
      );
    case 'agent_unavailable':
      return Object.values(state.profiles).some(({ unavailable }) => unavailable !== null);
    default:
      return true;
  }
}

/** Verified results that wait, the oldest first. */
export function resultsThatWait(
  state: State,
  tasks: readonly Pick<Task, 'id' | 'status' | 'title'>[],
): RunReport['notCommitted'] {
  const all = state.runs.flatMap((run) => waitingResults(state, run));
  return [...new Map(all.map((one) => [one.taskId, one])).values()].flatMap(({ taskId, reason, command }) => {
    const task = tasks.find(({ id }) => id === taskId);
    return task?.status === 'done' ? [{ id: taskId, title: task.title, why: reason, next: command }] : [];
  });
}

/** What waits for you at a task, why, and the command for it; `null`: nothing. */
export function waitsForYou(
  state: State,
  { id, status }: Pick<Task, 'id' | 'status'>,
): { readonly why: string | null; readonly command: string } | null {
  const { parked, parkedBecause, held } = taskStateOf(state, id);
  if (parked) return { why: parkedBecause, command: decisionCommand(state, id) };
  return held && status === 'parked' ? { why: 'you hold it back', command: releaseCommand(id) } : null;
}

/** The command by which you decide about a task that waits for you. */
export function decisionCommand(state: State, taskId: string): string {
  return askedAbout(state, taskId)[0]?.commands[0] ?? unblockCommand(taskId);
}
